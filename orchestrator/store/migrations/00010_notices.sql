-- What a person makes of their notices: corrections of what was read, what is answered or deleted, reminders, and the
-- address under which calendar programs read the days.

-- +goose Up

-- What a person said of a field: the value that holds, or that it was read right. What was read stays in facts; an undone
-- correction stays here, so that it can be told who said what, and when.
create table corrections (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    document_id uuid not null references documents on delete cascade,
    field text not null,
    value jsonb not null,              -- null for "there is none", and for a confirmation
    confirmed boolean not null,        -- the value as read is right
    session text not null,             -- the beginning of the hash of the session's token
    made_at timestamptz not null default clock_timestamp(),
    undone_at timestamptz
);
create index on corrections (document_id, made_at);
create index on corrections (workspace_id);

-- The facts with the corrections in them, null where there are none; and of those that hold, what a list of notices shows.
alter table facts add column corrected jsonb;
alter table facts
    add column client text generated always as (coalesce(coalesce(corrected, facts) ->> 'legal_name', coalesce(corrected, facts) ->> 'trade_name')) stored,
    add column gstin text generated always as (coalesce(corrected, facts) ->> 'gstin') stored,
    add column form text generated always as (coalesce(corrected, facts) ->> 'form') stored,
    add column reference text generated always as (coalesce(coalesce(corrected, facts) ->> 'reference', coalesce(corrected, facts) ->> 'din')) stored,
    add column first_year text generated always as (coalesce(corrected, facts) #>> '{periods,0,fy}') stored,
    add column last_year text generated always as (coalesce(corrected, facts) #>> '{periods,-1,fy}') stored,
    add column demand_paise bigint generated always as (round((coalesce(corrected, facts) #>> '{demand,total}')::numeric * 100)::bigint) stored,
    add column reply_by text generated always as (coalesce(corrected, facts) #>> '{reply_due,date}') stored;
create index on facts (workspace_id);

alter table conversations
    add column notice_id uuid references documents on delete set null, -- the notice that it is about: the latest whose facts are known
    add column answered_at timestamptz,                                -- the person is done with it
    add column deleted_at timestamptz;                                 -- it can be taken back until the sweep erases it
create index on conversations (deleted_at) where deleted_at is not null;
create index on conversations (notice_id);
create index on required_documents (workspace_id);

-- An owner who is no superuser sees rows only where row-level security is not forced.
alter table conversations no force row level security;
alter table documents no force row level security;
alter table turns no force row level security;
alter table facts no force row level security;
alter table blob_chunks no force row level security;
update conversations c set notice_id = (
    select d.id from turns t join documents d on d.id = t.document_id join facts f on f.document_id = d.id
    where t.conversation_id = c.id and d.type = '' order by t.created_at desc limit 1);
-- A file goes with its document. Its pieces are stored before it.
delete from blob_chunks b where not exists (select from documents d where d.id = b.blob_id);
alter table blob_chunks add foreign key (blob_id) references documents on delete cascade deferrable initially deferred;
alter table conversations force row level security;
alter table documents force row level security;
alter table turns force row level security;
alter table facts force row level security;
alter table blob_chunks force row level security;

-- A notice as a list shows it. Whoever asks sees their own.
create view notices with (security_invoker = true) as
select c.id, c.workspace_id, c.title, c.created_at, c.updated_at, c.answered_at,
       f.client, f.gstin, f.form, f.reference, f.first_year, f.last_year, f.demand_paise, f.reply_by,
       coalesce(r.asked, 0)::int as asked, coalesce(r.needed, 0)::int as needed
from conversations c
left join facts f on f.document_id = c.notice_id
left join (select conversation_id, count(*) as asked, count(*) filter (where document_id is null) as needed
           from required_documents group by conversation_id) r on r.conversation_id = c.id
where c.plugin = 'notice' and c.deleted_at is null and c.title <> '';
grant select on notices to munshi_app;

-- A follow-up also watches the reply date, and does only that where no documents are waited for (idle).
alter table follow_ups
    drop constraint follow_ups_state_check,
    add constraint follow_ups_state_check check (state in ('idle', 'waiting', 'complete', 'closed', 'expired')),
    add column watch_until timestamptz; -- when the last day to reply is over; null when nobody is to be reminded of it
drop index follow_ups_unchecked;
create index follow_ups_unchecked on follow_ups (checked_at) where state = 'waiting' or watch_until is not null;
grant select (watch_until) on follow_ups to munshi_system;

create table reminders (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    conversation_id uuid not null references conversations on delete cascade,
    reply_by text not null,            -- the day that it reminds of
    days int not null,                 -- how many days before
    reminded_at timestamptz not null default now(),
    seen_at timestamptz,
    unique (conversation_id, reply_by, days)
);
create index on reminders (workspace_id) where seen_at is null;

-- The secret in the address of a workspace's calendar. A calendar program has no cookie, and the person is to be able to
-- read the address again, hence it is kept as it is.
create table calendars (
    workspace_id uuid primary key references workspaces on delete cascade,
    token text not null unique,
    renewed_at timestamptz not null default now()
);

-- +goose StatementBegin
do $$
declare t text;
begin
    foreach t in array array['corrections', 'reminders', 'calendars'] loop
        execute format('alter table %I enable row level security', t);
        execute format('alter table %I force row level security', t);
        execute format('create policy own_workspace on %I to munshi_app
            using (workspace_id = (select nullif(current_setting(''app.workspace_id'', true), '''')::uuid))
            with check (workspace_id = (select nullif(current_setting(''app.workspace_id'', true), '''')::uuid))', t);
        execute format('grant select, insert, update, delete on %I to munshi_app', t);
    end loop;
end $$;
-- +goose StatementEnd
create policy system_feed on calendars for select to munshi_system using (true);
grant select (workspace_id, token) on calendars to munshi_system;
grant select (workspace_id, deleted_at) on conversations to munshi_system; -- the sweep erases what was deleted
