-- name: AddCorrection :exec
insert into corrections (id, workspace_id, document_id, field, value, confirmed, session)
values (@id, @workspace_id, @document_id, @field, @value, @confirmed, @session);

-- name: Corrections :many
-- Corrections returns those in force: the latest for each field.
select distinct on (field) * from corrections
where document_id = @document_id and undone_at is null
order by field, made_at desc, id desc;

-- name: CorrectionHistory :many
select * from corrections where document_id = @document_id order by made_at desc, id desc;

-- name: UndoCorrection :execrows
update corrections c set undone_at = clock_timestamp()
where c.id = (select l.id from corrections l where l.document_id = @document_id and l.field = @field and l.undone_at is null
              order by l.made_at desc, l.id desc limit 1);

-- name: Notices :many
-- Notices returns those that match a view and a search, unanswered ones first, and of these first those that need
-- attention, then by next date; or sorted by client (unknown ones last), by demand, or newest first. A hearing needs
-- attention in the week before it. A notice waits for documents until the person stops waiting or the time for them has
-- passed. The state of the latest turn is read only for the rows of the page. If only_open is true, answered ones are
-- left out, which is quick where nearly all are.
select n.*, coalesce((select t.state from turns t where t.conversation_id = n.id order by t.created_at desc limit 1), 'none')::text as turn_state
from (select *, (answered_at is null and (attention <> '[]'
                 or hearing_on is not null and hearing_on between @today::text and @soon::text))::bool as needs_attention,
             coalesce(case when hearing_on >= @today::text then least(watch_by, hearing_on) else watch_by end,
                      case when open_date then '' end) as next_day
      from notices
      where (case @view::text
               when 'due' then answered_at is null and (open_date or watch_by between @today::text and @soon::text
                                                        or hearing_on between @today::text and @soon::text)
               when 'overdue' then answered_at is null and reply_by < @today::text
               when 'waiting' then answered_at is null and needed > 0
                                    and exists (select from follow_ups w where w.conversation_id = notices.id and w.state = 'waiting' and not w.close_requested)
               when 'done' then answered_at is not null
               else true end)
        and (not @only_open::bool or answered_at is null)
        and (@search::text = '' or concat_ws(' ', client, gstin, reference, title) ilike @search
             or exists (select from documents d where d.conversation_id = notices.id and d.name ilike @search))
      order by answered_at is not null,
               case when @sort::text = 'client' then lower(nullif(client, '')) end,
               case when @sort = 'client' then gstin end,
               case when @sort = 'demand' then demand_paise end desc nulls last,
               case when @sort = 'newest' then created_at end desc,
               needs_attention desc, open_date desc,
               next_day nulls last, created_at desc, id
      limit @most::int offset @skip::int) n
order by n.answered_at is not null,
         case when @sort = 'client' then lower(nullif(n.client, '')) end,
         case when @sort = 'client' then n.gstin end,
         case when @sort = 'demand' then n.demand_paise end desc nulls last,
         case when @sort = 'newest' then n.created_at end desc,
         n.needs_attention desc, n.open_date desc,
         n.next_day nulls last, n.created_at desc, n.id;

-- name: NoticeCounts :one
-- NoticeCounts counts the notices of each view that match a search; only unanswered ones if only_open is true.
select count(*)::int as all_notices,
       count(*) filter (where answered_at is null
                        and (open_date or watch_by between @today::text and @soon::text
                             or hearing_on between @today::text and @soon::text))::int as due,
       count(*) filter (where answered_at is null and reply_by < @today::text)::int as overdue,
       count(*) filter (where answered_at is null and needed > 0
                        and exists (select from follow_ups w where w.conversation_id = notices.id and w.state = 'waiting' and not w.close_requested))::int as waiting,
       count(*) filter (where answered_at is not null)::int as done
from notices
where (not @only_open::bool or answered_at is null)
      and (@search::text = '' or concat_ws(' ', client, gstin, reference, title) ilike @search
           or exists (select from documents d where d.conversation_id = notices.id and d.name ilike @search));

-- name: DoneNotices :one
-- DoneNotices counts the answered notices without looking at what was read of them.
select count(*)::int from conversations where plugin = 'notice' and deleted_at is null and title <> '' and answered_at is not null;

-- name: NoticeNames :one
-- NoticeNames returns what identifies a notice to a person.
select client, form, reference from notices where id = @id;

-- name: OpenNotices :many
-- OpenNotices returns the unanswered notices with their facts.
select c.id, c.title, coalesce(f.corrected, f.facts)::jsonb as facts
from conversations c join facts f on f.document_id = c.notice_id
where c.deleted_at is null and c.answered_at is null
order by f.watch_by, c.id
limit 2000;

-- name: MarkAnswered :execrows
update conversations set answered_at = case when @answered::bool then coalesce(answered_at, now()) end
where id = @id and deleted_at is null;

-- name: WatchReply :one
-- WatchReply stores until when the dates of the conversation's notice are watched, and returns whether they are: until
-- the end of the last one in India or, if no date could be read, as long as the person is asked for one.
insert into follow_ups (conversation_id, workspace_id, state, watch_until)
select c.id, c.workspace_id, 'idle',
       case when c.answered_at is not null or c.deleted_at is not null then null
            when f.watch_by is null and date_open(f.attention) then f.computed_at + interval '8 days'
            else (greatest(f.watch_by, f.hearing_on)::date + 1)::timestamp at time zone interval '5 hours 30 minutes' end
from conversations c left join facts f on f.document_id = c.notice_id
where c.id = @conversation_id
on conflict (conversation_id) do update set watch_until = excluded.watch_until
returning coalesce(watch_until > now(), false)::bool as watched;

-- name: AddReminder :exec
insert into reminders (id, workspace_id, conversation_id, reply_by, days)
values (@id, @workspace_id, @conversation_id, @reply_by, @days)
on conflict (conversation_id, reply_by, days) do nothing;

-- name: UnmailedReminder :one
-- UnmailedReminder returns a reminder with the kind of its date, and the language of the person's latest request about
-- the notice.
select n.title, coalesce((select t.language from turns t where t.conversation_id = n.id order by t.created_at desc limit 1), 'en')::text as language,
       (case when r.reply_by = '' then 'none'
             when r.reply_by = n.hearing_on and (r.reply_by is distinct from n.watch_by or n.watch_what = 'hearing') then 'hearing'
             when n.open_date then 'perhaps' else 'reply' end)::text as what
from reminders r join notices n on n.id = r.conversation_id
where r.conversation_id = @conversation_id and r.reply_by = @reply_by and r.days = @days and r.mailed_at is null and r.seen_at is null and n.answered_at is null;

-- name: ReminderMailed :exec
update reminders set mailed_at = now() where conversation_id = @conversation_id and reply_by = @reply_by and days = @days;

-- name: Reminded :many
select reply_by, days from reminders where conversation_id = @conversation_id;

-- name: Reminders :many
-- Reminders returns the reminders that the person has not dismissed, the latest for each date of a notice, while that
-- date still applies. Past hearings are left out.
select distinct on (r.reply_by, n.id) r.id, r.conversation_id, r.reply_by, r.days, r.reminded_at, n.title, n.client, n.form,
       (case when r.reply_by = n.hearing_on and (r.reply_by is distinct from n.watch_by or n.watch_what = 'hearing') then 'hearing'
             else 'reply' end)::text as what,
       (r.reply_by is distinct from n.watch_by or not n.open_date)::bool as settled
from reminders r join notices n on n.id = r.conversation_id
     and (n.watch_by = r.reply_by or n.hearing_on = r.reply_by and n.hearing_on >= @today::text)
where r.seen_at is null and n.answered_at is null
order by r.reply_by, n.id, r.reminded_at desc
limit 20;

-- name: Unsettled :one
-- Unsettled counts the open notices without a confirmed reply date.
select count(*)::int from notices where answered_at is null and open_date;

-- name: ReminderExists :one
select id from reminders where id = @id;

-- name: SeeReminder :exec
-- SeeReminder dismisses a reminder and the earlier ones.
update reminders s set seen_at = now() from reminders r
where r.id = @id and s.conversation_id = r.conversation_id and s.reply_by = r.reply_by and s.reminded_at <= r.reminded_at and s.seen_at is null;

-- name: Calendar :one
select * from calendars where workspace_id = @workspace_id;

-- name: PutCalendar :one
insert into calendars (workspace_id, token) values (@workspace_id, @token)
on conflict (workspace_id) do update set token = excluded.token, renewed_at = now()
returning *;

-- name: CalendarOf :one
select c.workspace_id, exists (select from firms f where f.workspace_id = c.workspace_id)::bool as firm from calendars c where c.token = @token;
