-- Notices and orders that a firm knows of from its old register or from the portal's table, whose document it may not have; registers that
-- are being imported; and when somebody last looked at a client's portal. See docs/practice.md.

-- +goose Up
create table listed_notices (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    matter_id uuid not null references matters on delete cascade,
    source text not null check (source in ('register', 'portal')),
    mark text not null,                              -- by which the same line is known when it comes again
    number text not null default '',                 -- its reference, in the form in which numbers are compared
    reference text,
    form text,
    kind text not null default '',                   -- what it is in the list's own words, where that is no form
    about text not null default '',                  -- what else the list says of it
    gstin text,
    track text not null,
    stage text not null,
    years text[] not null default '{}',
    issued text,
    received text,
    due text,
    hearing text,
    officer text,
    demand jsonb not null default '[]',              -- rows by head, in rupees, as facts have them
    demand_paise bigint,
    answered_on text,
    replied boolean not null default false,          -- nothing is to be answered any more
    arn text,
    document_id uuid references documents on delete set null,  -- that has arrived
    aside_at timestamptz,                            -- somebody has said that it is none, or that its document is not needed
    added_by uuid references members,
    created_at timestamptz not null default clock_timestamp()
);
create unique index listed_notices_mark on listed_notices (workspace_id, mark);
create index on listed_notices (workspace_id, number) where number <> '';
create index on listed_notices (matter_id);
create index on listed_notices (document_id) where document_id is not null;

create table register_imports (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    member_id uuid references members,
    name text not null,                              -- of the file
    cells jsonb not null,                            -- its rows, as they were read; empty when all is imported
    columns jsonb not null,                          -- the place of the column for each value
    heading int not null,                            -- the number of the row of headings, 0 where there is none
    rows int not null,
    made jsonb not null default '{}',                -- what became of each row, by its number
    taken_at timestamptz,                            -- somebody is importing it
    done_at timestamptz,
    created_at timestamptz not null default clock_timestamp()
);
create index on register_imports (workspace_id, created_at);

alter table clients add column portal_looked_at timestamptz;
alter table batch_files add column listed_id uuid references listed_notices on delete set null; -- whose document it is said to be

-- Whether the document of a listed notice is there.
-- +goose StatementBegin
create function has_document(document uuid) returns boolean language sql stable as $$
    select document is not null and exists (select from documents d join conversations c on c.id = d.conversation_id where d.id = document and c.deleted_at is null)
$$;
-- +goose StatementEnd

-- A day is of a paper, or of a listed notice.
alter table open_days drop constraint open_days_pkey, alter column conversation_id drop not null, alter column document_id drop not null,
    add column listed_id uuid references listed_notices on delete cascade,
    add column subject uuid not null generated always as (coalesce(conversation_id, listed_id)) stored;
alter table open_days add primary key (subject, what);
create index on open_days (conversation_id);
create index on open_days (listed_id) where listed_id is not null;

-- The days of the listed notices of a matter. One that a later paper stands behind is no longer to be answered.
-- +goose StatementBegin
create function keep_listed_days(which uuid) returns void language sql set search_path = public, pg_temp as $$
    delete from open_days where matter_id = which and listed_id is not null;
    with open as (
        select l.* from listed_notices l
        where l.matter_id = which and l.aside_at is null and not has_document(l.document_id)
    ), later as (
        select max(array_position(array['scrutiny', 'intimation', 'notice', 'order', 'appeal', 'tribunal'], s.stage)) as rank
        from (select stage from open
              union all
              select p.stage from papers p join conversations c on c.notice_id = p.document_id where c.matter_id = which and c.deleted_at is null) s
    )
    insert into open_days (listed_id, what, workspace_id, matter_id, day, to_confirm, watched)
    select o.id, 'reply', o.workspace_id, o.matter_id, o.due, false, true from open o, later
    where o.due is not null and o.answered_on is null and not o.replied
      and array_position(array['scrutiny', 'intimation', 'notice', 'order', 'appeal', 'tribunal'], o.stage) >= later.rank
    union all
    select o.id, 'hearing', o.workspace_id, o.matter_id, o.hearing, false, false from open o where o.hearing is not null
$$;
-- +goose StatementEnd

-- +goose StatementBegin
create or replace function refresh_matter(which uuid) returns void language plpgsql set search_path = public, pg_temp
as $$
begin
    if which is null then
        return;
    end if;
    perform keep_listed_days(which);
    with of as (
        select c.id, c.answered_at is not null as answered, f.watch_by, f.watch_what, f.hearing_on, f.attention, f.first_year, f.last_year, f.demand_paise, f.form, f.gstin,
               p.stage, p.issued, p.issues, p.officer, c.created_at,
               array_position(array['scrutiny', 'intimation', 'notice', 'order', 'appeal', 'tribunal'], p.stage) as rank
        from conversations c
        join facts f on f.document_id = c.notice_id
        left join papers p on p.document_id = c.notice_id
        where c.matter_id = which and c.deleted_at is null
        union all
        select null, true, null, null, null, null, l.years[1], l.years[cardinality(l.years)], l.demand_paise, coalesce(l.form, nullif(l.kind, '')), l.gstin,
               l.stage, l.issued, '{}', l.officer, l.created_at,
               array_position(array['scrutiny', 'intimation', 'notice', 'order', 'appeal', 'tribunal'], l.stage)
        from listed_notices l
        where l.matter_id = which and l.aside_at is null and not has_document(l.document_id)
    ), open as (
        select id, watch_by as day, coalesce(watch_what, 'reply') as what from of
        where not answered and watch_by is not null
        union all
        select id, hearing_on, 'hearing' from of
        where not answered and hearing_on is not null and hearing_on >= to_char(now() at time zone 'Asia/Kolkata', 'YYYY-MM-DD')
        union all
        select null, day, what from open_days
        where matter_id = which and listed_id is not null and (watched or day >= to_char(now() at time zone 'Asia/Kolkata', 'YYYY-MM-DD'))
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
        open_date = coalesce((select bool_or(date_open(attention)) from of where not answered), false),
        updated_at = clock_timestamp()
    where m.id = which;
end
$$;
-- +goose StatementEnd

-- A document that is removed, or comes back, decides whether its listed notice is there.
-- +goose StatementBegin
create function refresh_listed() returns trigger language plpgsql set search_path = public, pg_temp
as $$
begin
    if tg_table_name = 'conversations' then
        perform refresh_matter(l.matter_id) from listed_notices l where l.document_id = new.notice_id;
    else
        perform refresh_matter(new.matter_id);
        if tg_op = 'UPDATE' and old.matter_id is distinct from new.matter_id then
            perform refresh_matter(old.matter_id);
        end if;
    end if;
    return null;
end
$$;
-- +goose StatementEnd
create trigger refresh_listed after insert or update of matter_id, document_id, aside_at, answered_on, replied on listed_notices
    for each row execute function refresh_listed();
create trigger refresh_listed after update of deleted_at on conversations for each row
    when (new.matter_id is not null and old.deleted_at is distinct from new.deleted_at) execute function refresh_listed();

-- +goose StatementBegin
do $$
declare
    t text;
    added text[] := array['listed_notices', 'register_imports'];
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
    end loop;
    create policy in_reach on listed_notices as restrictive to munshi_app using ((select unscoped()) or matter_id in (select scoped_matters()));
    create policy in_reach on register_imports as restrictive to munshi_app using ((select unscoped())); -- nothing of it is a client's
end $$;
-- +goose StatementEnd
