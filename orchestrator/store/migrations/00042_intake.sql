-- Documents uploaded many at once: see docs/practice.md. Each file that is accepted starts a conversation with a turn that reads it, which is
-- durable by itself; a batch lists what was uploaded and what was refused.

-- +goose Up
create table batches (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    member_id uuid references members,               -- who uploaded it
    created_at timestamptz not null default clock_timestamp()
);
create index on batches (workspace_id, created_at desc);

create table batch_files (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    batch_id uuid not null references batches on delete cascade,
    name text not null,
    bytes bigint not null,
    sha256 bytea not null,
    conversation_id uuid references conversations on delete cascade,   -- that it began
    repeats uuid references conversations on delete cascade,           -- where the same file was handed in before
    problem jsonb,                                                     -- why it was not taken
    seen_at timestamptz,                                               -- somebody has put it aside
    created_at timestamptz not null default clock_timestamp(),
    unique (batch_id, sha256, name)
);
create index on batch_files (conversation_id) where conversation_id is not null;
create index on batch_files (repeats) where repeats is not null;
create index on batch_files (workspace_id, created_at) where seen_at is null;

create index on documents (workspace_id, sha256);

-- +goose StatementBegin
do $$
declare
    t text;
    added text[] := array['batches', 'batch_files'];
begin
    execute format('create or replace function moving_tables() returns text[] language sql immutable as %L',
                   format('select %L::text[]', moving_tables() || added));
    foreach t in array added loop
        execute format('alter table %I enable row level security', t);
        execute format('alter table %I force row level security', t);
        execute format('create policy own_workspace on %I to munshi_app
            using (workspace_id = (select nullif(current_setting(''app.workspace_id'', true), '''')::uuid))
            with check (workspace_id = (select nullif(current_setting(''app.workspace_id'', true), '''')::uuid))', t);
        execute format('create policy keeper_all on %I to munshi_keeper using (true) with check (true)', t);
        execute format('grant select, insert, update, delete on %I to munshi_app', t);
        execute format('grant select (workspace_id), update (workspace_id) on %I to munshi_keeper', t);
        execute format('create policy adds on %I as restrictive for insert to munshi_app with check ((select may_write()))', t);
        execute format('create policy changes on %I as restrictive for update to munshi_app using ((select may_write()))', t);
        execute format('create policy removes on %I as restrictive for delete to munshi_app using ((select may_write()))', t);
        execute format('create policy in_reach on %I as restrictive to munshi_app using ((select unscoped()))', t); -- nothing of it is a client's
    end loop;
end $$;
-- +goose StatementEnd
