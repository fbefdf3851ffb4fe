-- What members of a firm say to each other about a matter, a draft (or a paragraph of it) or a document, and what they have to do in a matter.

-- +goose Up
create table comments (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    -- What it is about: one of these.
    matter_id uuid references matters on delete cascade,
    draft_id uuid references drafts on delete cascade,
    document_id uuid references documents on delete cascade,
    part text not null default '',                   -- of the draft
    quote text not null default '',                  -- the words of it that are meant
    conversation_id uuid references conversations on delete cascade, -- of the draft or document, by which a matter has it
    member_id uuid not null references members,
    text text not null check (text <> ''),
    mentions uuid[] not null default '{}',           -- members
    created_at timestamptz not null default clock_timestamp(),
    settled_at timestamptz,
    settled_by uuid references members,
    check (num_nonnulls(matter_id, draft_id, document_id) = 1)
);
create index on comments (matter_id) where matter_id is not null;
create index on comments (draft_id) where draft_id is not null;
create index on comments (document_id) where document_id is not null;
create index on comments (conversation_id) where conversation_id is not null;
create index on comments using gin (mentions) where settled_at is null;

create table tasks (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    matter_id uuid not null references matters on delete cascade,
    text text not null check (text <> ''),
    due_on text check (due_on ~ '^\d{4}-\d\d-\d\d$'),
    assignee_id uuid references members,
    made_by uuid not null references members,
    created_at timestamptz not null default clock_timestamp(),
    done_at timestamptz,
    done_by uuid references members
);
create index on tasks (matter_id);
create index on tasks (assignee_id, due_on) where done_at is null;

-- +goose StatementBegin
do $$
declare t text;
begin
    execute format('create or replace function moving_tables() returns text[] language sql immutable as %L',
                   format('select %L::text[]', moving_tables() || array['comments', 'tasks']));
    foreach t in array array['comments', 'tasks'] loop
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
        execute format('create policy in_reach on %I as restrictive to munshi_app using ((select unscoped()))', t);
    end loop;
end $$;
-- +goose StatementEnd
grant select (id, workspace_id, assignee_id), update (assignee_id) on tasks to munshi_system; -- who leaves hands theirs over
create policy system_reach on tasks for select to munshi_system using (true);
create policy system_hands_over on tasks for update to munshi_system using (true);
