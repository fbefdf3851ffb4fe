-- +goose Up
-- Addresses that are given to somebody without an account, for one thing alone: what kind of thing, and which. The secret in the address
-- is known to whom it was given; kept is its hash. What a kind allows is for the program to say; what it leads to is in a column of its
-- own for each sort of thing.
create table links (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    kind text not null check (kind ~ '^[a-z]+$'), -- 'interview'
    conversation_id uuid references conversations on delete cascade,
    token_hash bytea not null unique check (length(token_hash) = 32),
    recipient text not null default '',           -- to whom it was given, as its maker wrote it
    language text not null check (language in ('en', 'hi')),
    created_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz not null,
    revoked_at timestamptz,
    used_at timestamptz,                          -- when it was last opened
    check (kind <> 'interview' or conversation_id is not null)
);
create index on links (workspace_id);
create index on links (conversation_id);

alter table links enable row level security;
alter table links force row level security;
create policy own_workspace on links to munshi_app
    using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
    with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));
create policy keeper_all on links to munshi_keeper using (true) with check (true);
create policy system_lookup on links for select to munshi_system using (true);
grant select, insert, update, delete on links to munshi_app;
grant select (workspace_id), update (workspace_id) on links to munshi_keeper;
grant select on links to munshi_system;

-- Who gave an answer where that was not whoever works on the notice.
alter table answers add column link_id uuid references links on delete set null;

-- +goose StatementBegin
create or replace function moving_tables() returns text[] language sql immutable as $$
    select array['conversations', 'documents', 'blob_chunks', 'pages', 'facts', 'turns', 'turn_steps', 'step_results', 'messages', 'run_events',
                 'required_documents', 'follow_ups', 'authorities', 'corrections', 'reminders', 'calendars', 'points', 'drafts', 'draft_words',
                 'draft_versions', 'taxpayers', 'links', 'answers', 'figure_files', 'reconciliations', 'figure_entries', 'figure_classes']
$$;
-- +goose StatementEnd
