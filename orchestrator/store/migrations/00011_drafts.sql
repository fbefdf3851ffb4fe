-- What a person keeps of their writing: drafts with their versions; and what is said to each allegation of a notice.

-- +goose Up

-- The rows of the reply matrix that someone said something about. The person's own words stand in columns, null where they
-- said nothing; what a model proposed stands beside them and never takes their place.
create table points (
    document_id uuid not null references documents on delete cascade, -- the notice
    key text not null,                                                -- of the allegation, as the reading of the notice names it
    workspace_id uuid not null references workspaces on delete cascade,
    stance text check (stance in ('', 'admit', 'deny', 'explain')),
    facts text,
    documents jsonb,                        -- texts
    authorities jsonb,                      -- texts
    proposed jsonb not null default '{}',   -- stance, facts, documents, authorities
    updated_at timestamptz not null default now(),
    primary key (document_id, key)
);
create index on points (workspace_id);

-- A draft is a list of parts, written by the program, by a model or by the person. Its text is kept beside them, for lists
-- and for search.
create table drafts (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    conversation_id uuid references conversations on delete set null, -- where it was written
    notice_id uuid references documents on delete set null,           -- the notice that it answers
    kind text not null,                                               -- reply, or what sort of document it is
    title text not null,
    parts jsonb not null,
    text text not null,
    version int not null default 0,                                   -- the latest that was kept
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    deleted_at timestamptz                                            -- it can be taken back until the sweep erases it
);
create unique index drafts_one_reply on drafts (notice_id) where kind = 'reply' and deleted_at is null;
create index on drafts (workspace_id, updated_at desc, id);
create index on drafts (conversation_id);
create index on drafts (deleted_at) where deleted_at is not null;

-- The words of a draft, ready for search. Row-level security lets no index of words be asked before the workspace's own rows are
-- known: so each of those is looked at, without reading its text.
create table draft_words (
    draft_id uuid primary key references drafts on delete cascade,
    workspace_id uuid not null references workspaces on delete cascade,
    words tsvector not null
);
create index on draft_words (workspace_id);

create table draft_versions (
    draft_id uuid not null references drafts on delete cascade,
    version int not null,
    workspace_id uuid not null references workspaces on delete cascade,
    title text not null,
    parts jsonb not null,
    made_by text not null check (made_by in ('munshi', 'person')),
    turn_id uuid references turns on delete set null, -- the turn that wrote it
    made_at timestamptz not null default now(),
    primary key (draft_id, version)
);
create index on draft_versions (workspace_id);
create index on draft_versions (turn_id);

-- +goose StatementBegin
do $$
declare t text;
begin
    foreach t in array array['points', 'drafts', 'draft_words', 'draft_versions'] loop
        execute format('alter table %I enable row level security', t);
        execute format('alter table %I force row level security', t);
        execute format('create policy own_workspace on %I to munshi_app
            using (workspace_id = (select nullif(current_setting(''app.workspace_id'', true), '''')::uuid))
            with check (workspace_id = (select nullif(current_setting(''app.workspace_id'', true), '''')::uuid))', t);
        execute format('grant select, insert, update, delete on %I to munshi_app', t);
    end loop;
end $$;
-- +goose StatementEnd
create policy system_sweep on drafts for select to munshi_system using (true);
grant select (id, workspace_id, deleted_at) on drafts to munshi_system; -- the sweep erases what was deleted
