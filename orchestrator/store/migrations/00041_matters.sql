-- Clients and matters: see docs/practice.md. A matter is the chain of papers about the same thing, from scrutiny to the tribunal; its
-- row also keeps what lists show of it, which triggers bring up to date.

-- +goose Up
create table clients (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    name text not null check (name <> ''),
    name_key text not null,                          -- in the form in which names are compared
    pan text check (pan ~ '^[A-Z]{5}[0-9]{4}[A-Z]$'),
    language text not null default 'en' check (language in ('en', 'hi')),
    people jsonb not null default '[]',              -- name, what they are, email, phone
    note text not null default '',
    made_by text not null check (made_by in ('munshi', 'person')),
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp()
);
create unique index clients_pan on clients (workspace_id, pan) where pan is not null;
create index on clients (workspace_id, name_key);

create table client_gstins (
    workspace_id uuid not null references workspaces on delete cascade,
    gstin text not null check (gstin ~ '^[0-9A-Z]{15}$'),
    client_id uuid not null references clients on delete cascade,
    primary key (workspace_id, gstin)
);
create index on client_gstins (client_id);

create table matters (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    client_id uuid not null references clients on delete cascade,
    title text not null default '',                  -- a person's; empty: it is called by its papers
    track text not null,                             -- demand, registration, refund, …
    note text not null default '',
    state text not null default 'new' check (state in ('new', 'settled', 'waiting', 'drafting', 'review', 'approved', 'filed', 'heard', 'closed')),
    assignee_id uuid references members,
    reviewer_id uuid references members,
    closed_at timestamptz,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp(),
    -- What its papers say, for lists.
    stage text not null default 'notice',
    papers int not null default 0,
    gstin text,
    first_year text,
    last_year text,
    issues text[] not null default '{}',
    forms text[] not null default '{}',              -- in the order of the papers' dates
    officer text,
    demand_paise bigint,                             -- of the latest paper that demands anything
    next_on text,                                    -- the nearest day by which something is to be done, or be at
    next_what text,                                  -- reply, hearing
    next_paper uuid,                                 -- the conversation whose day that is
    open_date boolean not null default false         -- a paper has no settled date
);
create index on matters (workspace_id, next_on);
create index on matters (client_id);
create index on matters (assignee_id) where assignee_id is not null;

alter table conversations
    add column matter_id uuid references matters on delete set null,
    add column passed boolean not null default false;  -- it counts as answered since a later stage has come
create index on conversations (matter_id) where matter_id is not null;

-- What is known of a paper for finding where it belongs, and what was found. One row for each notice that was read in a firm.
create table papers (
    document_id uuid primary key references documents on delete cascade,
    workspace_id uuid not null references workspaces on delete cascade,
    conversation_id uuid not null references conversations on delete cascade,
    gstin text,
    pan text,
    name_key text not null default '',
    form text,
    track text not null,
    stage text not null,
    issued text,
    years text[] not null default '{}',
    issues text[] not null default '{}',
    officer text,
    demand_paise bigint,
    sketch bigint[] not null default '{}',           -- of its words, by which another scan of it is known
    -- Where it belongs: the client, and the matters that it may continue, best first, each with why.
    client_id uuid references clients on delete set null,
    candidates jsonb not null default '[]',
    duplicate_of uuid references documents on delete set null,
    why jsonb,                                       -- of the duplicate
    settled_at timestamptz,                          -- where it belongs is decided
    settled_by uuid references members,              -- null: Munshi was sure
    seen_at timestamptz,                             -- somebody has looked at it in triage
    filed_at timestamptz not null default clock_timestamp()
);
create index on papers (workspace_id, gstin);
create index on papers (workspace_id, pan);
create index on papers (workspace_id, filed_at desc) where seen_at is null;
create index on papers (conversation_id);

-- Numbers by which papers name themselves (own) and each other.
create table paper_numbers (
    document_id uuid not null references documents on delete cascade,
    workspace_id uuid not null references workspaces on delete cascade,
    number text not null,                            -- in the form in which numbers are compared
    own boolean not null,
    primary key (document_id, number, own)
);
create index on paper_numbers (workspace_id, number);

alter table members add column client_id uuid references clients on delete set null;      -- of a client: whose matters they see
alter table invitations add column client_id uuid references clients on delete cascade;
alter table members add constraint members_client check ((role = 'client') = (client_id is not null) or left_at is not null);
alter table firm_log add column matter_id uuid;
create index on firm_log (matter_id, at) where matter_id is not null;
drop policy log_read on firm_log;
create policy log_read on firm_log as restrictive for select to munshi_app using (matter_id is not null or (select may_read_log()));

-- What lists show of a matter, worked out from its papers.
-- +goose StatementBegin
create function refresh_matter(which uuid) returns void language plpgsql set search_path = public, pg_temp
as $$
begin
    if which is null then
        return;
    end if;
    with of as (
        select c.id, c.answered_at, f.watch_by, f.watch_what, f.hearing_on, f.attention, f.first_year, f.last_year, f.demand_paise, f.form, f.gstin,
               p.stage, p.issued, p.issues, p.officer, c.created_at,
               array_position(array['scrutiny', 'intimation', 'notice', 'order', 'appeal', 'tribunal'], p.stage) as rank
        from conversations c
        join facts f on f.document_id = c.notice_id
        left join papers p on p.document_id = c.notice_id
        where c.matter_id = which and c.deleted_at is null
    ), open as (
        select id, watch_by as day, coalesce(watch_what, 'reply') as what from of
        where answered_at is null and watch_by is not null
        union all
        select id, hearing_on, 'hearing' from of
        where answered_at is null and hearing_on is not null and hearing_on >= to_char(now() at time zone 'Asia/Kolkata', 'YYYY-MM-DD')
    ), next as (select * from open order by day, what limit 1)
    update matters m set
        papers = (select count(*) from of),
        stage = coalesce((select stage from of where rank is not null order by rank desc, issued desc nulls last limit 1), m.stage),
        gstin = (select gstin from of where gstin is not null order by issued desc nulls last limit 1),
        first_year = (select min(first_year) from of),
        last_year = (select max(last_year) from of),
        issues = coalesce((select array_agg(distinct i order by i) from of, unnest(of.issues) i), '{}'),
        forms = coalesce((select array_agg(form order by coalesce(issued, ''), created_at) from of where form is not null), '{}'),
        officer = (select officer from of where officer is not null order by issued desc nulls last limit 1),
        demand_paise = (select demand_paise from of where demand_paise is not null order by rank desc nulls last, issued desc nulls last limit 1),
        next_on = (select day from next),
        next_what = (select what from next),
        next_paper = (select id from next),
        open_date = coalesce((select bool_or(date_open(attention)) from of where answered_at is null), false),
        updated_at = clock_timestamp()
    where m.id = which;
end
$$;
-- +goose StatementEnd
-- +goose StatementBegin
create function refresh_matters() returns trigger language plpgsql set search_path = public, pg_temp
as $$
begin
    if tg_table_name = 'conversations' then
        perform refresh_matter(new.matter_id);
        if tg_op = 'UPDATE' and old.matter_id is distinct from new.matter_id then
            perform refresh_matter(old.matter_id);
        end if;
    else
        perform refresh_matter(c.matter_id) from conversations c where c.notice_id = new.document_id and c.matter_id is not null;
    end if;
    return null;
end
$$;
-- +goose StatementEnd
create trigger refresh_matter after update of matter_id, answered_at, deleted_at, notice_id on conversations for each row
    when (old.matter_id is not null or new.matter_id is not null) execute function refresh_matters();
create trigger refresh_matter after update of facts, corrected on facts for each row execute function refresh_matters();

-- What whoever acts may see: everything, or where they are a client or came by a link, one client's matters, or one matter.
-- +goose StatementBegin
create function unscoped() returns boolean language sql stable as $$
    select coalesce(current_setting('app.matter_id', true), '') = '' and coalesce(current_setting('app.client_id', true), '') = ''
$$;
-- +goose StatementEnd
-- +goose StatementBegin
create function scoped_matters() returns setof uuid language sql stable security definer set search_path = public, pg_temp
as $$
    select m.id from matters m
    where m.workspace_id = nullif(current_setting('app.workspace_id', true), '')::uuid
      and (m.id = nullif(current_setting('app.matter_id', true), '')::uuid or m.client_id = nullif(current_setting('app.client_id', true), '')::uuid)
$$;
-- +goose StatementEnd
-- +goose StatementBegin
create function scoped_conversations() returns setof uuid language sql stable security definer set search_path = public, pg_temp
as $$
    select c.id from conversations c
    where c.workspace_id = nullif(current_setting('app.workspace_id', true), '')::uuid and c.deleted_at is null
      and c.matter_id in (select scoped_matters())
$$;
-- +goose StatementEnd
-- +goose StatementBegin
create function scoped_documents() returns setof uuid language sql stable security definer set search_path = public, pg_temp
as $$
    select d.id from documents d where d.conversation_id in (select scoped_conversations())
$$;
-- +goose StatementEnd

grant create on schema public to munshi_system; -- owning a function needs it for a moment
alter function scoped_matters() owner to munshi_system;
alter function scoped_conversations() owner to munshi_system;
alter function scoped_documents() owner to munshi_system;
revoke create on schema public from munshi_system;
grant select (matter_id) on conversations to munshi_system;
create policy system_reach on documents for select to munshi_system using (true);
grant select (id, conversation_id) on documents to munshi_system;

-- +goose StatementBegin
do $$
declare
    t text;
    mine text;
    added text[] := array['clients', 'client_gstins', 'matters', 'papers', 'paper_numbers'];
    moving text[] := moving_tables();
begin
    -- Conversations and members refer to them: they are erased after those, and so stand before them.
    execute format('create or replace function moving_tables() returns text[] language sql immutable as %L',
                   format('select %L::text[]', array['firms', 'clients', 'client_gstins', 'members', 'matters', 'invitations', 'firm_log']
                          || array(select x from unnest(moving) x where x not in ('firms', 'members', 'invitations', 'firm_log'))
                          || array['papers', 'paper_numbers']));
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
    end loop;
    for t, mine in
        select * from (values
            ('conversations', 'matter_id in (select scoped_matters())'),
            ('matters', 'id in (select scoped_matters())'),
            ('documents', 'conversation_id in (select scoped_conversations())'),
            ('turns', 'conversation_id in (select scoped_conversations())'),
            ('messages', 'conversation_id in (select scoped_conversations())'),
            ('run_events', 'conversation_id in (select scoped_conversations())'),
            ('required_documents', 'conversation_id in (select scoped_conversations())'),
            ('follow_ups', 'conversation_id in (select scoped_conversations())'),
            ('authorities', 'conversation_id in (select scoped_conversations())'),
            ('reminders', 'conversation_id in (select scoped_conversations())'),
            ('drafts', 'conversation_id in (select scoped_conversations())'),
            ('reconciliations', 'conversation_id in (select scoped_conversations())'),
            ('figure_entries', 'conversation_id in (select scoped_conversations())'),
            ('figure_classes', 'conversation_id in (select scoped_conversations())'),
            ('papers', 'conversation_id in (select scoped_conversations())'),
            ('pages', 'document_id in (select scoped_documents())'),
            ('facts', 'document_id in (select scoped_documents())'),
            ('corrections', 'document_id in (select scoped_documents())'),
            ('points', 'document_id in (select scoped_documents())'),
            ('answers', 'document_id in (select scoped_documents())'),
            ('figure_files', 'document_id in (select scoped_documents())'),
            ('paper_numbers', 'document_id in (select scoped_documents())'),
            ('blob_chunks', 'blob_id in (select scoped_documents())'),
            ('turn_steps', 'exists (select from turns t where t.id = turn_id)'),          -- which has its own
            ('step_results', 'exists (select from turns t where t.id = turn_id)'),
            ('draft_words', 'exists (select from drafts d where d.id = draft_id)'),
            ('draft_versions', 'exists (select from drafts d where d.id = draft_id)'),
            ('clients', 'exists (select from matters m where m.client_id = clients.id)'),
            ('client_gstins', 'exists (select from matters m where m.client_id = client_gstins.client_id)'),
            ('taxpayers', 'exists (select from client_gstins g where g.gstin = taxpayers.gstin)'),
            ('firm_log', 'false'), ('calendars', 'false'), ('invitations', 'false'), ('links', 'false'), ('members', 'false')) s
    loop
        execute format('create policy in_reach on %I as restrictive to munshi_app using ((select unscoped()) or %s)', t, mine);
    end loop;
end $$;
-- +goose StatementEnd

grant select (id, workspace_id, client_id, assignee_id, reviewer_id), update (assignee_id, reviewer_id) on matters to munshi_system;
create policy system_reach on matters for select to munshi_system using (true);
create policy system_hands_over on matters for update to munshi_system using (true);
grant select (id, workspace_id, name) on clients to munshi_system;
create policy system_reach on clients for select to munshi_system using (true);
