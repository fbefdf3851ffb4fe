-- name: CreateWorkspace :exec
with made as (insert into workspaces (id, kind) values (@id, @kind) returning id, kind)
insert into subscriptions (workspace_id) select id from made where kind <> 'evals';

-- name: CreateSession :exec
insert into sessions (token_sha, workspace_id, expires_at, ends_at, device, visitor_id)
values (sqlc.arg(token_sha), sqlc.arg(workspace_id), sqlc.arg(expires_at), sqlc.arg(ends_at), sqlc.arg(device), sqlc.narg(visitor_id));

-- name: Session :one
select s.id, s.workspace_id, s.seen_at, s.visitor_id, coalesce(p.email, '')::text as email, (p.workspace_id is not null)::bool as signed_in,
    (p.operator_since is not null and p.confirmed_at is not null)::bool as operator,
    coalesce(p.mail_reminders and p.confirmed_at is not null, false)::bool as mail
from sessions s left join people p on p.workspace_id = s.workspace_id
where s.token_sha = @token_sha and s.expires_at > now();

-- name: TouchSession :exec
update sessions set seen_at = now(), expires_at = least(sqlc.arg(expires_at)::timestamptz, ends_at) where token_sha = sqlc.arg(token_sha);

-- name: EndSession :one
delete from sessions where token_sha = @token_sha returning workspace_id, visitor_id;

-- name: PruneSessions :exec
delete from sessions where expires_at < now();

-- name: RenewSession :exec
-- RenewSession gives a session another token.
update sessions set token_sha = sqlc.arg(next_sha) where token_sha = sqlc.arg(token_sha) and workspace_id = sqlc.arg(workspace_id);

-- name: KnowBrowser :exec
insert into known_browsers (token_sha, workspace_id) values (@token_sha, @workspace_id)
on conflict (workspace_id, token_sha) do update set seen_at = now();

-- name: BrowserKnown :one
select exists (select from known_browsers b join people p on p.workspace_id = b.workspace_id where b.token_sha = @token_sha and p.address = @address)::bool as known;

-- name: ForgetBrowsers :exec
delete from known_browsers where workspace_id = @workspace_id;

-- name: PruneKnownBrowsers :exec
delete from known_browsers where seen_at < now() - interval '400 days';

-- name: Sessions :many
select id, device, created_at, seen_at, token_sha from sessions where workspace_id = @workspace_id and expires_at > now() order by seen_at desc;

-- name: LeaveSession :execrows
-- LeaveSession makes the browser's user a visitor again, with the visitor's count of used turns.
with left_behind as (delete from sessions s where s.workspace_id = @workspace_id and (s.id = sqlc.narg(id) or sqlc.narg(id) is null and s.token_sha <> @except_sha) returning *)
insert into sessions (token_sha, workspace_id, expires_at) select token_sha, visitor_id, @expires_at from left_behind where visitor_id is not null;

-- name: CreatePerson :execrows
insert into people (workspace_id, email, address, password, confirmed_at, consent)
values (@workspace_id, @email, @address, @password, sqlc.narg(confirmed_at), @consent)
on conflict (address) do nothing;

-- name: PersonByAddress :one
select workspace_id, email, password, confirmed_at from people where address = @address;

-- name: Person :one
select workspace_id, email, address, password, confirmed_at, operator_since, mail_reminders, consent, consented_at, created_at from people where workspace_id = @workspace_id;

-- name: MailReminders :exec
update people set mail_reminders = @wanted where workspace_id = @workspace_id;

-- name: SetPassword :exec
update people set password = @password where workspace_id = @workspace_id;

-- name: DropCalendarOf :exec
delete from calendars where workspace_id = @workspace_id;

-- name: ConfirmPerson :exec
update people set confirmed_at = coalesce(confirmed_at, now()) where workspace_id = @workspace_id;

-- name: MakeOperator :one
update people set operator_since = case when @operator::bool then coalesce(operator_since, now()) end
where address = @address and (confirmed_at is not null or not @operator::bool)
returning workspace_id;

-- name: BecomePerson :exec
update workspaces set kind = 'person' where id = @id;

-- name: SpendAsBefore :exec
-- SpendAsBefore copies a visitor's count to the browser's next visitor; the account starts at zero. Returned uses are
-- not counted: they stay with their turns.
with moved as (
    update uses set workspace_id = @visitor_id where workspace_id = @workspace_id and state <> 'released'
), count as (
    update subscriptions set usage_count = 0, updated_at = now() where workspace_id = @workspace_id
)
update subscriptions v set usage_count = o.usage_count from subscriptions o where v.workspace_id = @visitor_id and o.workspace_id = @workspace_id;

-- name: AddLetter :exec
insert into letters (token_sha, purpose, email, address, password, consent, visitor_id, expires_at)
values (@token_sha, @purpose, @email, @address, @password, @consent, sqlc.narg(visitor_id), @expires_at);

-- name: Letter :one
select * from letters where token_sha = @token_sha and purpose = @purpose and expires_at > now();

-- name: UseLetter :one
-- UseLetter uses up a link; if two links to one address are used at the same time, the second finds none.
delete from letters l where l.purpose = @purpose
    and l.address = (select g.address from letters g where g.token_sha = @token_sha and g.purpose = @purpose and g.expires_at > now())
returning l.address;

-- name: DropLetters :exec
delete from letters where address = @address and purpose = @purpose;

-- name: PruneLetters :exec
delete from letters where expires_at < now();

-- name: Throttle :one
-- Throttle returns how long to wait, in milliseconds; 0 means that the attempt is allowed, and has been counted. The
-- wait is at least 1: where another attempt was counted at this moment, the row is seen as it was before.
with asked as (
    insert into throttles as t (key, free_at) values (sqlc.arg(key), now() + sqlc.arg(every_ms)::bigint * interval '1 millisecond')
    on conflict (key) do update set free_at = greatest(t.free_at, now()) + sqlc.arg(every_ms)::bigint * interval '1 millisecond'
    where greatest(t.free_at, now()) - now() <= (sqlc.arg(window_ms)::bigint - sqlc.arg(every_ms)::bigint) * interval '1 millisecond'
    returning t.free_at
)
select case when exists (select from asked) then 0
       else greatest((select ceil(extract(epoch from h.free_at - now()) * 1000)::bigint + sqlc.arg(every_ms)::bigint - sqlc.arg(window_ms)::bigint from throttles h where h.key = sqlc.arg(key)), 1) end::bigint as wait_ms;

-- name: Owed :one
-- Owed returns, in milliseconds, how long it takes until everything counted under a key has expired.
select coalesce((select ceil(extract(epoch from greatest(free_at - now(), interval '0')) * 1000) from throttles where key = sqlc.arg(key)), 0)::bigint as owed_ms;

-- name: Owe :exec
-- Owe counts a cost under a key, even above the limit, up to a maximum.
insert into throttles as t (key, free_at) values (sqlc.arg(key), now() + sqlc.arg(cost_ms)::bigint * interval '1 millisecond')
on conflict (key) do update set free_at = least(greatest(t.free_at, now()) + sqlc.arg(cost_ms)::bigint * interval '1 millisecond',
                                                now() + sqlc.arg(most_ms)::bigint * interval '1 millisecond');

-- name: Unthrottle :exec
delete from throttles where key = @key;

-- name: PruneThrottles :exec
delete from throttles where free_at < now();

-- name: Note :exec
insert into audit (workspace_id, event, detail) values (sqlc.narg(workspace_id), @event, @detail);

-- name: Owner :one
select coalesce(adopted_by, id)::uuid as owner from workspaces where id = @id;

-- name: Adopt :execrows
-- Adopt waits for everything that is being started in the workspace, and blocks later starts: see not_erased in
-- migration 18.
with held as (select h.id from workspaces h where h.id = @visitor for update)
update workspaces w set adopted_by = @owner from held where w.id = held.id and w.kind = 'visitor' and w.adopted_by is null;

-- name: AsKeeper :exec
select set_config('role', 'munshi_keeper', true);

-- name: AsSystem :exec
select set_config('role', 'munshi_system', true);

-- name: MoveGivenBack :exec
-- MoveGivenBack moves a visitor's returned uses with their turns, so that retrying them counts.
update uses set workspace_id = @owner where workspace_id = @visitor;

-- name: MoveRows :exec
select move_rows(@visitor, @owner);
