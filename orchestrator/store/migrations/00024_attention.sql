-- What a person has to settle in a notice, and the day by which reminders go until they have.

-- +goose Up

-- Facts of before have neither: they are watched by their reply date, else by the hearing, and what is a notice without a
-- reply date needs a look.
alter table facts
    add column watch_by text generated always as (coalesce(
        coalesce(corrected, facts) #>> '{watch,date}',
        coalesce(corrected, facts) #>> '{reply_due,date}',
        coalesce(corrected, facts) #>> '{hearing,date}')) stored,
    add column watch_what text generated always as (coalesce(
        coalesce(corrected, facts) #>> '{watch,what}',
        case when coalesce(corrected, facts) #>> '{reply_due,date}' is null
                  and coalesce(corrected, facts) #>> '{hearing,date}' is not null then 'hearing' else 'reply' end)) stored,
    add column hearing_on text generated always as (coalesce(corrected, facts) #>> '{hearing,date}') stored,
    add column attention jsonb generated always as (case
        when jsonb_typeof(coalesce(corrected, facts) -> 'attention') = 'array' then coalesce(corrected, facts) -> 'attention'
        when coalesce(corrected, facts) #>> '{reply_due,date}' is not null
             or coalesce(corrected, facts) ->> 'form' is null and coalesce(corrected, facts) ->> 'kind' is null then '[]'
        else '[{"code": "no_date", "page": 0}]' end) stored;

-- Whether the reply date has still to be settled.
-- +goose StatementBegin
create function date_open(attention jsonb) returns boolean language sql immutable parallel safe as $$
    select coalesce(attention @? '$[*] ? (@.code == "no_date" || @.code == "unsure_date" || @.code == "two_dates")', false)
$$;
-- +goose StatementEnd
grant execute on function date_open(jsonb) to munshi_app;

create or replace view notices with (security_invoker = true) as
select c.id, c.workspace_id, c.title, c.created_at, c.updated_at, c.answered_at,
       f.client, f.gstin, f.form, f.reference, f.first_year, f.last_year, f.demand_paise, f.reply_by,
       coalesce(r.asked, 0)::int as asked, coalesce(r.needed, 0)::int as needed,
       f.watch_by, f.watch_what, f.hearing_on, coalesce(f.attention, '[]') as attention,
       date_open(f.attention) as open_date
from conversations c
left join facts f on f.document_id = c.notice_id
left join (select conversation_id, count(*) as asked, count(*) filter (where document_id is null) as needed
           from required_documents group by conversation_id) r on r.conversation_id = c.id
where c.plugin = 'notice' and c.deleted_at is null and c.title <> '';
