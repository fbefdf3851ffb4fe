-- The waiting for required documents: one per conversation, opened when a reply lists some.

-- +goose Up
alter table required_documents add column id uuid not null default gen_random_uuid();

create table follow_ups (
    conversation_id uuid primary key references conversations on delete cascade,
    workspace_id uuid not null references workspaces on delete cascade,
    state text not null default 'waiting' check (state in ('waiting', 'complete', 'closed', 'expired')),
    close_requested boolean not null default false, -- by the person; its workflow has yet to end
    checked_at timestamptz not null default now(),  -- when the sweep last saw that its workflow is there
    opened_at timestamptz not null default now(),
    ended_at timestamptz
);
alter table follow_ups enable row level security;
alter table follow_ups force row level security;
create policy own_workspace on follow_ups to munshi_app
    using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
    with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));
grant select, insert, update, delete on follow_ups to munshi_app;

-- The sweep brings a close to a workflow that did not hear of it, and starts one that is gone.
create policy system_sweep on follow_ups for select to munshi_system using (true);
create index follow_ups_unchecked on follow_ups (checked_at) where state = 'waiting';
create policy system_check on follow_ups for update to munshi_system using (true);
grant select (conversation_id, workspace_id, state, close_requested, checked_at), update (checked_at) on follow_ups to munshi_system;
-- So that the sweep ends only what it has looked at.
grant select (run_id) on turns to munshi_system;
