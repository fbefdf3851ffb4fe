-- name: AddPayment :exec
insert into payments (order_id, workspace_id, provider, amount_paise, currency, recipient_state, seats)
values (@order_id, @workspace_id, @provider, @amount_paise, @currency, @recipient_state, @seats);

-- name: BeginPending :exec
-- BeginPending marks a subscription as pending; it does not change a running period.
update subscriptions set status = 'pending', updated_at = now()
where workspace_id = @workspace_id and (status = 'inactive' or status = 'active' and current_period_end <= now());

-- name: EndPending :exec
-- EndPending ends pending: nobody will pay this order any more; but a later one may be in its checkout.
update subscriptions s set status = 'inactive', updated_at = now()
where s.workspace_id = @workspace_id and s.status = 'pending'
  and not exists (select from payments newer, payments o where o.order_id = @order_id and newer.workspace_id = s.workspace_id
      and newer.created_at > o.created_at and newer.closed_at is null and newer.dismissed_at is null and newer.state in ('created', 'attempted'));

-- name: DismissPayment :execrows
update payments set dismissed_at = coalesce(dismissed_at, now())
where order_id = @order_id and workspace_id = @workspace_id;

-- name: Payment :one
select * from payments where order_id = @order_id;

-- name: LockPayment :one
select * from payments where order_id = @order_id for update;

-- name: OrderOfPayment :one
select order_id from payments where payment_id = @payment_id;

-- name: Payments :many
select * from payments order by created_at desc limit 200;

-- name: TakeEvent :execrows
insert into payment_events (id, order_id, kind) values (@id, @order_id, @kind) on conflict (id) do nothing;

-- name: PrunePaymentEvents :exec
delete from payment_events where at < now() - interval '60 days';

-- name: SetPaymentState :exec
update payments set state = @state, payment_id = coalesce(sqlc.narg(payment_id), payment_id), refunded_paise = greatest(refunded_paise, @refunded_paise)
where order_id = @order_id;

-- name: LockSubscription :one
select status, current_period_end, seats, now()::timestamptz as now from subscriptions where workspace_id = @workspace_id for update;

-- name: Activate :exec
update subscriptions set status = 'active', payment_id = @payment_id, current_period_end = @period_end, seats = @seats, updated_at = now()
where workspace_id = @workspace_id;

-- name: GrantPeriod :exec
update payments set paid_at = now(), period_from = sqlc.narg(period_from), period_to = sqlc.narg(period_to), receipt_number = sqlc.narg(receipt_number), receipt = sqlc.narg(receipt)
where order_id = @order_id;

-- name: NextReceipt :one
insert into receipt_series as r (series, last) values (@series, 1)
on conflict (series) do update set last = r.last + 1 returning r.last;

-- name: TakeBackDays :exec
-- TakeBackDays removes the unused days of a payment, and lets later paid periods start earlier.
with gone as (
    update payments p set period_to = greatest(p.period_from, now()), ended_at = now()
    where p.order_id = @order_id and p.period_to > now()
    returning p.workspace_id
)
update payments l set period_from = l.period_from - sqlc.arg(left_us)::bigint * interval '1 microsecond', period_to = l.period_to - sqlc.arg(left_us)::bigint * interval '1 microsecond'
from gone where l.workspace_id = gone.workspace_id and l.order_id <> @order_id and l.period_from >= sqlc.arg(was_to)::timestamptz;

-- name: ShortenPeriod :exec
update subscriptions set current_period_end = @period_end, status = case when status = 'active' and @period_end::timestamptz <= now() then 'inactive' else status end, updated_at = now()
where workspace_id = @workspace_id;

-- name: Period :one
select s.status, s.current_period_end, (s.reminded_of is not distinct from s.current_period_end)::bool as reminded, coalesce(p.email, '')::text as email
from subscriptions s left join people p on p.workspace_id = s.workspace_id where s.workspace_id = @workspace_id;

-- name: EndPeriod :execrows
update subscriptions set status = 'inactive', updated_at = now()
where workspace_id = @workspace_id and status = 'active' and current_period_end <= @period_end;

-- name: RemindOfEnd :execrows
update subscriptions set reminded_of = current_period_end, updated_at = now()
where workspace_id = @workspace_id and status = 'active' and current_period_end = @period_end and reminded_of is distinct from current_period_end;

-- name: OverduePeriods :many
-- OverduePeriods returns periods whose end, or reminder, was missed because a workflow was lost.
select workspace_id from subscriptions
where status = 'active' and (current_period_end < @ended or current_period_end < @reminded and reminded_of is distinct from current_period_end)
order by current_period_end limit 200;

-- name: UncheckedOrders :many
-- UncheckedOrders returns open orders whose workflow may be lost, and orders whose paid period is running, since a
-- refund may not have been reported. It marks them as checked.
update payments set checked_at = now()
where order_id in (select o.order_id from payments o where o.closed_at is null and o.state in ('created', 'attempted', 'failed')
        and coalesce(o.checked_at, o.created_at) < @before
    or o.state in ('paid', 'disputed', 'kept') and o.period_to > now() and greatest(o.checked_at, o.paid_at) < @paid_before
    order by o.created_at limit 200)
returning order_id, workspace_id, created_at, (paid_at is not null)::bool as paid;

-- name: PrunePayments :exec
delete from payments where coalesce(paid_at, created_at) < @before::timestamptz;

-- name: ClosePayment :exec
update payments set closed_at = coalesce(closed_at, now()) where order_id = @order_id and state in ('created', 'attempted', 'failed');
