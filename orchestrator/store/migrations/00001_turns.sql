-- The base of the house: whose rows (workspaces), what was said (conversations, messages), what was handed in
-- (documents, pages, facts), and the durable work on it (turns, steps, results, events).
--
-- Every row of a person carries workspace_id and stands under forced row-level security. Two roles exist beside the
-- owner: munshi_app sees the one workspace named by app.workspace_id, munshi_system sees what the few jobs without a
-- person need (sessions, the sweep) and nothing else.

-- +goose Up
-- +goose StatementBegin
do $$
declare wanted text;
begin
    foreach wanted in array array['munshi_app', 'munshi_system'] loop
        if not exists (select from pg_roles where rolname = wanted) then
            begin
                execute format('create role %I nologin nosuperuser nobypassrls', wanted);
            exception when duplicate_object or unique_violation then
                null; -- another database of the same server was migrated at this moment
            end;
        end if;
        -- Who makes a role may give it on, but may not yet act as it.
        if not (select rolsuper from pg_roles where rolname = current_user)
           and not pg_has_role(current_user, wanted, case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end) then
            execute format('grant %I to current_user', wanted);
        end if;
    end loop;
end $$;
-- +goose StatementEnd

create table workspaces (
    id uuid primary key,
    kind text not null check (kind in ('visitor', 'person', 'evals')),
    created_at timestamptz not null default now()
);

create table sessions (
    token_sha bytea primary key check (length(token_sha) = 32),
    workspace_id uuid not null references workspaces on delete cascade,
    created_at timestamptz not null default now(),
    seen_at timestamptz not null default now(),
    expires_at timestamptz not null
);
create index on sessions (workspace_id);
create index on sessions (expires_at);

create table conversations (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    plugin text not null,
    title text not null default '',
    epoch bigint not null default 0, -- the last epoch given out; see run_events
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
create index on conversations (workspace_id, updated_at desc);

create table documents (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    conversation_id uuid not null references conversations on delete cascade,
    name text not null,
    type text not null default '', -- what the person said it is; empty for the notice itself
    bytes bigint not null,
    sha256 bytea not null,
    pages int not null,
    damaged boolean not null default false, -- the file is cut or broken: there may be more than was read
    created_at timestamptz not null default now()
);
create index on documents (conversation_id, created_at);

create table blob_chunks (
    blob_id uuid not null,
    n int not null,
    workspace_id uuid not null references workspaces on delete cascade,
    data bytea not null,
    primary key (blob_id, n)
);
alter table blob_chunks alter column data set storage external; -- PDFs are compressed already

create table pages (
    document_id uuid not null references documents on delete cascade,
    number int not null check (number > 0),
    workspace_id uuid not null references workspaces on delete cascade,
    text text not null,
    method text not null,
    confidence double precision not null,
    languages text not null,
    width double precision not null,
    height double precision not null,
    read_at timestamptz not null default now(),
    primary key (document_id, number)
);

create table facts (
    document_id uuid primary key references documents on delete cascade,
    workspace_id uuid not null references workspaces on delete cascade,
    facts jsonb not null,
    computed_at timestamptz not null default now()
);

create table turns (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    conversation_id uuid not null references conversations on delete cascade,
    kind text not null,
    state text not null default 'queued' check (state in ('queued', 'running', 'answered', 'failed', 'stopped')),
    document_id uuid references documents on delete set null,
    idempotency_key text,
    run_id text,                              -- the workflow run that may write; see claim in queries/turns.sql
    past_runs text[] not null default '{}',   -- runs that a reset replaced: their writes change nothing
    epoch bigint not null default 0,          -- the epoch whose text is current
    stop_requested boolean not null default false,
    error_code text not null default '',
    error_sentence text not null default '',
    created_at timestamptz not null default now(),
    started_at timestamptz,
    finished_at timestamptz
);
create index on turns (conversation_id, created_at desc);
create unique index turns_one_open on turns (conversation_id) where state in ('queued', 'running');
create unique index turns_idempotent on turns (conversation_id, idempotency_key) where idempotency_key is not null;
create index turns_open on turns (created_at) where state in ('queued', 'running');

create table turn_steps (
    turn_id uuid not null references turns on delete cascade,
    position int not null,
    workspace_id uuid not null references workspaces on delete cascade,
    id text not null,
    kind text not null,
    title text not null,
    state text not null default 'pending' check (state in ('pending', 'running', 'done', 'failed')),
    note text not null default '',
    done int not null default 0,
    total int not null default 0,
    primary key (turn_id, position),
    unique (turn_id, id)
);
create index turn_steps_reading on turn_steps (turn_id) where kind = 'extract' and state in ('pending', 'running');

create table step_results (
    turn_id uuid not null references turns on delete cascade,
    step text not null,
    part text not null,        -- '' for the whole, else level.number of a fan-out
    input_sha text not null,
    workspace_id uuid not null references workspaces on delete cascade,
    output jsonb not null,
    created_at timestamptz not null default now(),
    primary key (turn_id, step, part, input_sha)
);

create table messages (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    conversation_id uuid not null references conversations on delete cascade,
    turn_id uuid not null references turns on delete cascade,
    role text not null check (role in ('user', 'assistant')),
    text text not null,
    state text not null default 'complete' check (state in ('complete', 'stopped', 'failed')),
    document_id uuid references documents on delete set null,
    provenance jsonb,
    checks jsonb not null default '[]',
    created_at timestamptz not null default now(),
    unique (turn_id, role)
);
create index on messages (conversation_id, created_at);

-- What was written, as it was written. An attempt of a step and a lost connection each open a new epoch (committed
-- durably); the chunks within one need not be durable. The id of an event is epoch * 1,000,000 + seq.
create table run_events (
    conversation_id uuid not null references conversations on delete cascade,
    epoch bigint not null,
    seq bigint not null,
    turn_id uuid not null,
    workspace_id uuid not null,
    text text not null,
    primary key (conversation_id, epoch, seq)
);
create index on run_events (turn_id);

create table required_documents (
    conversation_id uuid not null references conversations on delete cascade,
    position int not null,
    workspace_id uuid not null references workspaces on delete cascade,
    type text not null,
    reason text not null default '',
    document_id uuid references documents on delete set null,
    primary key (conversation_id, position)
);

-- Prompt folders as they stood: nothing personal, no workspace.
create table bundles (
    sha text primary key,
    plugin text not null,
    files jsonb not null,
    created_at timestamptz not null default now()
);
create table serving (
    plugin text primary key,
    sha text not null references bundles,
    since timestamptz not null default now()
);

-- +goose StatementBegin
do $$
declare t text;
begin
    foreach t in array array['conversations', 'documents', 'blob_chunks', 'pages', 'facts', 'turns', 'turn_steps',
                             'step_results', 'messages', 'run_events', 'required_documents'] loop
        execute format('alter table %I enable row level security', t);
        execute format('alter table %I force row level security', t);
        execute format('create policy own_workspace on %I to munshi_app
            using (workspace_id = (select nullif(current_setting(''app.workspace_id'', true), '''')::uuid))
            with check (workspace_id = (select nullif(current_setting(''app.workspace_id'', true), '''')::uuid))', t);
        execute format('grant select, insert, update, delete on %I to munshi_app', t);
    end loop;
    foreach t in array array['workspaces', 'sessions'] loop
        execute format('alter table %I enable row level security', t);
        execute format('alter table %I force row level security', t);
        execute format('create policy system_all on %I to munshi_system using (true) with check (true)', t);
        execute format('grant select, insert, update, delete on %I to munshi_system', t);
    end loop;
end $$;
-- +goose StatementEnd

-- The sweep and the reading queue look across workspaces at states, never at words.
create policy system_sweep on turns for select to munshi_system using (true);
grant select (id, workspace_id, conversation_id, kind, state, stop_requested, created_at, finished_at) on turns to munshi_system;
create policy system_read on conversations for select to munshi_system using (true);
grant select (id, plugin) on conversations to munshi_system;
create policy system_steps on turn_steps for select to munshi_system using (true);
grant select (turn_id, kind, state) on turn_steps to munshi_system;
create policy system_prune on run_events for delete to munshi_system using (true);
create policy system_prune_see on run_events for select to munshi_system using (true);
grant delete, select (turn_id) on run_events to munshi_system;

grant select, insert, update on bundles, serving to munshi_system;

-- How many notices wait to be read before this turn's.
-- +goose StatementBegin
create function reading_before(this_turn uuid) returns int language sql stable security definer
    set search_path = public, pg_temp
as $$
    select count(*)::int
    from turn_steps s
    join turns t on t.id = s.turn_id
    where s.kind = 'extract' and s.state in ('pending', 'running')
      and t.state in ('queued', 'running')
      and (t.created_at, t.id) < (select created_at, id from turns where id = this_turn)
$$;
-- +goose StatementEnd
grant create on schema public to munshi_system; -- owning a function needs it for a moment
alter function reading_before(uuid) owner to munshi_system;
revoke create on schema public from munshi_system;
revoke all on function reading_before(uuid) from public;
grant execute on function reading_before(uuid) to munshi_app;
grant usage on schema public to munshi_app, munshi_system;
