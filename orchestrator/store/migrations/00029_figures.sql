-- Files of the portal and the books that are held against a notice: what was read from each, what their comparison comes to, its
-- documents one by one, and the classes that a person gave. The files themselves are documents without pages.

-- +goose Up
create table figure_files (
    document_id uuid primary key references documents on delete cascade,
    workspace_id uuid not null references workspaces on delete cascade,
    read jsonb,   -- what was read, without the rows; null: not read, or refused
    problem jsonb -- why it was refused: a problem's code and values
);
create index on figure_files (workspace_id);

create table reconciliations (
    conversation_id uuid primary key references conversations on delete cascade,
    workspace_id uuid not null references workspaces on delete cascade,
    inputs text not null, -- a hash of the files, the notice's months and the rules: the same have the same result
    result jsonb not null,
    computed_at timestamptz not null default clock_timestamp()
);
create index on reconciliations (workspace_id);

create table figure_entries (
    conversation_id uuid not null references conversations on delete cascade,
    position int not null,
    workspace_id uuid not null references workspaces on delete cascade,
    record text not null, -- names the document: the same in other files has the same name
    class text not null,
    own boolean not null, -- the class is a person's
    gstin text not null,
    name text not null,
    number text not null,
    date text not null,
    period text not null,
    paise bigint not null, -- its tax: in the books, else on the portal
    entry jsonb not null,  -- both sides
    primary key (conversation_id, position)
);
create index on figure_entries (workspace_id);
create index on figure_entries (conversation_id, class);

create table figure_classes (
    conversation_id uuid not null references conversations on delete cascade,
    record text not null,
    workspace_id uuid not null references workspaces on delete cascade,
    class text not null,
    said_at timestamptz not null default clock_timestamp(),
    primary key (conversation_id, record)
);
create index on figure_classes (workspace_id);

-- +goose StatementBegin
do $$
declare t text;
begin
    foreach t in array array['figure_files', 'reconciliations', 'figure_entries', 'figure_classes'] loop
        execute format('alter table %I enable row level security', t);
        execute format('alter table %I force row level security', t);
        execute format('create policy own_workspace on %I to munshi_app
            using (workspace_id = (select nullif(current_setting(''app.workspace_id'', true), '''')::uuid))
            with check (workspace_id = (select nullif(current_setting(''app.workspace_id'', true), '''')::uuid))', t);
        execute format('create policy keeper_all on %I to munshi_keeper using (true) with check (true)', t);
        execute format('grant select, insert, update, delete on %I to munshi_app', t);
        execute format('grant select (workspace_id), update (workspace_id) on %I to munshi_keeper', t);
    end loop;
end $$;
-- +goose StatementEnd

-- +goose StatementBegin
create or replace function moving_tables() returns text[] language sql immutable as $$
    select array['conversations', 'documents', 'blob_chunks', 'pages', 'facts', 'turns', 'turn_steps', 'step_results', 'messages', 'run_events',
                 'required_documents', 'follow_ups', 'authorities', 'corrections', 'reminders', 'calendars', 'points', 'drafts', 'draft_words',
                 'draft_versions', 'taxpayers', 'answers', 'figure_files', 'reconciliations', 'figure_entries', 'figure_classes']
$$;
-- +goose StatementEnd
