-- name: Mask :one
select mask from workspaces where id = @id;

-- name: SetMask :exec
update workspaces set mask = @mask::bool where id = @id;

-- name: MaskAsBefore :exec
-- MaskAsBefore keeps a visitor's choice to mask names for the account to which they sign in, unless the account has
-- its own.
update workspaces o set mask = true from workspaces v where o.id = @owner and v.id = @visitor and o.mask is null and v.mask;

-- name: ExportRows :many
select r::jsonb as line from export_rows(sqlc.arg(wanted)::text, sqlc.narg(after)::jsonb, sqlc.arg(most)::int) r;

-- name: MovingTables :one
select moving_tables()::text[] as names;

-- name: KeptTables :one
select kept_tables()::text[] as names;

-- name: ExportedDocuments :many
select * from documents where id > @after::uuid order by id limit @most::int;

-- name: LockForErasure :many
select id from workspaces where (id = @id or adopted_by = @id) order by id for update;

-- name: MarkErasing :exec
update workspaces set erasing_at = coalesce(erasing_at, now()) where id = @id or adopted_by = @id;

-- name: BeginErasure :one
insert into erasures (id, workspace_id, payments, kept_until) values (@id, @workspace_id, @payments, @kept_until)
on conflict (workspace_id) where done_at is null do update set workspace_id = excluded.workspace_id
returning id, begun_at, done_at, payments, kept_until;

-- name: PaymentsOf :one
select count(*)::int as n, coalesce(max(paid_at), 'epoch')::timestamptz as latest from payments where workspace_id = @workspace_id and paid_at is not null;

-- name: DropPerson :exec
delete from people where workspace_id = @id;

-- name: DropSessions :exec
delete from sessions s using workspaces w where (w.id = @id or w.adopted_by = @id) and s.workspace_id = w.id;

-- name: DropLettersOf :exec
delete from letters l where l.address = @address::text or l.visitor_id in (select w.id from workspaces w where w.id = @id or w.adopted_by = @id);

-- name: DropThrottles :exec
delete from throttles where position(@mark::text in key) > 0;

-- name: DropCalendar :exec
delete from calendars;

-- name: Erasure :one
select id, begun_at, done_at, payments, kept_until from erasures where id = @id;

-- name: OpenErasures :many
select workspace_id::uuid as workspace_id from erasures where done_at is null and begun_at < @before::timestamptz order by begun_at limit 100;

-- name: WorkspacesOf :many
select id from workspaces where id = @id or adopted_by = @id order by id;

-- name: ErasedTurns :many
select id, run_id, past_runs from turns where id > @after::uuid order by id limit 500;

-- name: ErasedConversations :many
select id from conversations where id > @after::uuid order by id limit 500;

-- name: EraseRows :one
select erase_rows(@most::int)::int as erased;

-- name: SpendAsNobody :exec
insert into spending (workspace_id, day, paise, calls)
select '00000000-0000-0000-0000-000000000000', s.day, sum(s.paise), sum(s.calls)
from spending s join workspaces w on w.id = s.workspace_id where w.id = @id or w.adopted_by = @id group by s.day
on conflict (workspace_id, day) do update set paise = spending.paise + excluded.paise, calls = spending.calls + excluded.calls;

-- name: EndSubscription :exec
-- EndSubscription ends a subscription, so that nothing watches its period any more.
update subscriptions s set status = 'inactive', updated_at = now() from workspaces w where (w.id = @id or w.adopted_by = @id) and s.workspace_id = w.id;

-- name: EndedOrders :many
-- EndedOrders returns settled orders; the others may still be paid, and their workflows contain nothing about the
-- person.
select order_id from payments where workspace_id = @workspace_id and (closed_at is not null or state not in ('created', 'attempted', 'failed'))
order by order_id;

-- name: ForgetInAudit :exec
update audit set workspace_id = null where workspace_id = @id or workspace_id in (select w.id from workspaces w where w.adopted_by = @id);

-- name: DropWorkspace :execrows
delete from workspaces where id = @id and erasing_at is not null;

-- name: EndErasure :exec
update erasures set done_at = now(), workspace_id = null where workspace_id = @workspace_id and done_at is null;

-- name: UnusedVisitors :many
-- UnusedVisitors returns some visitors who have not come back since a time, in the order of an index: without an order
-- PostgreSQL would read the whole table.
select w.id from workspaces w
where w.kind = 'visitor' and w.adopted_by is null and w.erasing_at is null and w.created_at < @before::timestamptz
  and not exists (select from sessions s where (s.workspace_id = w.id or s.visitor_id = w.id) and s.seen_at >= @before::timestamptz)
order by w.created_at limit 50;

-- name: PruneAudit :exec
delete from audit where at < @before::timestamptz;

-- name: PruneErasures :exec
delete from erasures where done_at < @before::timestamptz;

-- name: AuditOf :many
select at, event, detail from audit where workspace_id = @workspace_id order by id desc limit @most::int;

-- name: Audit :many
select a.id, a.at, a.workspace_id, a.event, a.detail, coalesce(p.email, '')::text as email
from audit a left join people p on p.workspace_id = a.workspace_id
where a.at >= @since::timestamptz and a.at < @until::timestamptz
  and (@event::text = '' or a.event = @event) and (@address::text = '' or p.address = @address)
order by a.id desc limit @most::int;
