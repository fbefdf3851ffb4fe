-- name: ReserveUse :one
-- ReserveUse reserves a use, if one is left; the row of the allowance is locked, so reservations are made one after
-- the other.
with gate as (
    update subscriptions s set usage_count = s.usage_count + 1, updated_at = now()
    where s.workspace_id = @workspace_id
      and (s.usage_count < @free::int or s.status = 'active' and s.current_period_end > now())
    returning s.workspace_id
)
insert into uses (turn_id, workspace_id) select @turn_id, gate.workspace_id from gate returning uses.state;

-- name: MayUseAgain :one
-- MayUseAgain returns whether a turn still has its use, or whether it was returned and another is left. The row of the
-- allowance is locked until the turn has its use again.
select (u.state <> 'released' or s.usage_count < @free::int or s.status = 'active' and s.current_period_end > now())::bool as may
from uses u join subscriptions s on s.workspace_id = u.workspace_id where u.turn_id = @turn_id for no key update of s;

-- name: Subscription :one
select status, usage_count, payment_id, current_period_end, created_at, updated_at,
    coalesce(status = 'active' and current_period_end > now(), false)::bool as premium,
    coalesce(status = 'active' and current_period_end > now() and reminded_of = current_period_end, false)::bool as ends_soon
from subscriptions where workspace_id = @workspace_id;

-- name: Spend :exec
insert into spending as s (workspace_id, day, paise, calls) values (@workspace_id, (now() at time zone 'Asia/Kolkata')::date, @paise, 1)
on conflict (workspace_id, day) do update set paise = s.paise + excluded.paise, calls = s.calls + 1;

-- name: SpentBy :one
select coalesce(sum(paise), 0)::bigint from spending where workspace_id = @workspace_id and day > (now() at time zone 'Asia/Kolkata')::date - @days::int;

-- name: SpentByVisitors :one
-- SpentByVisitors returns what all workspaces without an account have spent; 0 if the given workspace has an account.
select coalesce(sum(s.paise), 0)::bigint from spending s join workspaces w on w.id = s.workspace_id and w.kind = 'visitor'
where s.day > (now() at time zone 'Asia/Kolkata')::date - @days::int
  and exists (select from workspaces v where v.id = @workspace_id and v.kind = 'visitor');

-- name: SpentByAll :one
select coalesce(sum(paise), 0)::bigint from spending where day > (now() at time zone 'Asia/Kolkata')::date - @days::int;
