-- The judgments and other authorities that a person supplied for a matter: no answer may name another.

-- +goose Up
create table authorities (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    conversation_id uuid not null references conversations on delete cascade,
    citation text not null check (citation <> ''), -- the case and where it is reported, as the person writes it
    court text not null default '',
    decided text not null default '' check (decided = '' or decided ~ '^\d{4}-\d{2}-\d{2}$'),
    proposition text not null default '',          -- what it is relied on for
    created_at timestamptz not null default now()
);
create index on authorities (conversation_id, created_at);
alter table authorities enable row level security;
alter table authorities force row level security;
create policy own_workspace on authorities to munshi_app
    using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
    with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));
grant select, insert, update, delete on authorities to munshi_app;
