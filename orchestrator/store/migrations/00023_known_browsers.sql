-- Browsers that an account was signed in to from, and the end of the records of payments.

-- +goose Up
-- By these an account's owner is let in while somebody else tries its passwords from everywhere.
create table known_browsers (
    token_sha bytea not null check (length(token_sha) = 32),
    workspace_id uuid not null references workspaces on delete cascade,
    seen_at timestamptz not null default now(),
    primary key (workspace_id, token_sha)
);
create index on known_browsers (seen_at);
alter table known_browsers enable row level security;
alter table known_browsers force row level security;
create policy system_all on known_browsers to munshi_system using (true) with check (true);
grant select, insert, update, delete on known_browsers to munshi_system;

create index payments_running on payments (period_to) where state in ('paid', 'disputed', 'kept');
grant delete on payments to munshi_system; -- when the law wants their records no longer

-- With a password the address of the calendar goes, which whoever knew it may have read.
create policy system_password on calendars for delete to munshi_system using (true);
grant delete on calendars to munshi_system;
