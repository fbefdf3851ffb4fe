-- What people pay, and what they were given for it.

-- +goose Up
-- One row for each order. It has no reference to the workspace: the tax law wants it kept (s.36 CGST) when the person is gone, and then
-- the id leads to nobody. No name and no address is in it; who reads it sees their own from their account.
create table payments (
    order_id text primary key,          -- as the provider names it
    workspace_id uuid not null,
    provider text not null,
    amount_paise bigint not null check (amount_paise > 0),
    currency text not null,
    -- It only goes forward: created → attempted or failed → paid → disputed → kept → lost or refunded.
    state text not null default 'created' check (state in ('created', 'attempted', 'failed', 'paid', 'disputed', 'kept', 'lost', 'refunded')),
    payment_id text unique,             -- the one payment that paid it
    refunded_paise bigint not null default 0,
    period_from timestamptz,            -- the days that it bought; null: none
    period_to timestamptz,
    recipient_state text not null default '', -- the person's State or Union territory, by its GST code, where a tax invoice needs it
    receipt_number text unique,
    receipt jsonb,                      -- what stands on it, as it was when it was paid
    created_at timestamptz not null default now(),
    paid_at timestamptz,
    ended_at timestamptz,               -- when the days were taken back
    dismissed_at timestamptz,           -- the person closed the checkout
    checked_at timestamptz,             -- when the durable work on it was last looked after
    closed_at timestamptz               -- nobody asks the provider about it any more
);
create index on payments (workspace_id, created_at desc);
create index payments_open on payments (created_at) where closed_at is null and state in ('created', 'attempted', 'failed');

-- Each of the provider's events is taken once.
create table payment_events (
    id text primary key,
    order_id text not null,
    kind text not null,
    at timestamptz not null default now()
);
create index on payment_events (at);

-- Numbers of receipts and invoices, without gaps: the row is locked until what bears the number is stored.
create table receipt_series (
    series text primary key, -- its letters and the financial year
    last int not null
);

-- The end of a period that the person was reminded of.
alter table subscriptions add column reminded_of timestamptz;
create index subscriptions_ending on subscriptions (current_period_end) where status = 'active';

-- +goose StatementBegin
do $$
declare t text;
begin
    foreach t in array array['payments', 'payment_events', 'receipt_series'] loop
        execute format('alter table %I enable row level security', t);
        execute format('alter table %I force row level security', t);
        execute format('create policy system_all on %I to munshi_system using (true) with check (true)', t);
    end loop;
end $$;
-- +goose StatementEnd
create policy own_workspace on payments to munshi_app
    using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
    with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));
grant select on payments to munshi_app; -- nobody writes what they have paid
grant select, insert, update on payments, receipt_series to munshi_system;
grant select, insert, delete on payment_events to munshi_system;
