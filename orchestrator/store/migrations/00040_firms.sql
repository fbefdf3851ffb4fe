-- Firms: workspaces with members. What a member may do is decided in the code (orchestrator/role); each transaction says who acts, and the
-- restrictive policies below hold it against every row. Where nobody is named, the product itself works: see docs/practice.md.

-- +goose Up
alter table workspaces
    drop constraint workspaces_kind_check,
    add constraint workspaces_kind_check check (kind in ('visitor', 'person', 'evals', 'firm'));

create table firms (
    workspace_id uuid primary key references workspaces on delete cascade,
    name text not null check (name <> ''),
    founded_at timestamptz not null default clock_timestamp()
);

-- Who works in a firm, or did. The row of a member who left stays, so that what they did has a name.
create table members (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,  -- the firm
    person_id uuid references workspaces on delete set null,             -- null: they have erased their account
    name text not null,                                                  -- as colleagues read it
    role text not null check (role in ('owner', 'partner', 'preparer', 'viewer', 'client')),
    joined_at timestamptz not null default clock_timestamp(),
    left_at timestamptz
);
create unique index members_once on members (workspace_id, person_id) where left_at is null;
create unique index members_one_owner on members (workspace_id) where role = 'owner' and left_at is null;
create index on members (person_id) where person_id is not null;

create table invitations (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    token_sha bytea not null unique check (length(token_sha) = 32),
    role text not null check (role in ('partner', 'preparer', 'viewer', 'client')),
    email text not null default '',                                      -- whom it was sent to, or is meant for
    invited_by uuid not null references members,
    created_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz not null,
    accepted_by uuid references members,
    withdrawn_at timestamptz
);
create index on invitations (workspace_id, created_at desc);

-- Who did what. Rows are added and read; only when the firm itself is erased are they removed.
create table firm_log (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    at timestamptz not null default clock_timestamp(),
    member_id uuid references members,                                   -- null: Munshi, or a guest
    who text not null default '',                                        -- a guest's name
    event text not null,
    about uuid,                                                          -- the row that it is about, whatever became of it
    detail jsonb not null default '{}'
);
create index on firm_log (workspace_id, at desc, id);
create index on firm_log (member_id) where member_id is not null;

-- Seats that are paid for: members who work take one each.
alter table subscriptions add column seats int not null default 1 check (seats > 0);
alter table payments add column seats int not null default 1 check (seats > 0);

-- +goose StatementBegin
-- Whether whoever acts in this transaction may change anything.
create function may_write() returns boolean language sql stable as $$
    select coalesce(current_setting('app.writes', true), '') <> 'no'
$$;
-- +goose StatementEnd
-- +goose StatementBegin
-- Whether they may change who works in the firm, and as what.
create function may_manage() returns boolean language sql stable as $$
    select coalesce(current_setting('app.manages', true), '') <> 'no'
$$;
-- +goose StatementEnd
-- +goose StatementBegin
-- Whether they may read the log.
create function may_read_log() returns boolean language sql stable as $$
    select coalesce(current_setting('app.reads_log', true), '') <> 'no'
$$;
-- +goose StatementEnd
-- +goose StatementBegin
create function is_being_erased(workspace uuid) returns boolean language sql stable security definer set search_path = public, pg_temp
as $$
    select exists (select from workspaces where id = workspace and erasing_at is not null)
$$;
-- +goose StatementEnd
grant create on schema public to munshi_system; -- owning a function needs it for a moment
alter function is_being_erased(uuid) owner to munshi_system;
revoke create on schema public from munshi_system;

-- +goose StatementBegin
-- The tables whose rows go with a workspace. Those that a firm has come after those that everybody has.
do $$
declare
    t text;
    added text[] := array['firms', 'members', 'invitations', 'firm_log'];
begin
    execute format('create or replace function moving_tables() returns text[] language sql immutable as %L',
                   format('select %L::text[]', moving_tables() || added));
    foreach t in array added loop
        execute format('alter table %I enable row level security', t);
        execute format('alter table %I force row level security', t);
        execute format('create policy own_workspace on %I to munshi_app
            using (workspace_id = (select nullif(current_setting(''app.workspace_id'', true), '''')::uuid))
            with check (workspace_id = (select nullif(current_setting(''app.workspace_id'', true), '''')::uuid))', t);
        execute format('create policy system_all on %I to munshi_system using (true) with check (true)', t);
        execute format('create policy keeper_all on %I to munshi_keeper using (true) with check (true)', t);
        execute format('grant select, insert, update, delete on %I to munshi_app', t);
        execute format('grant select, insert, update on %I to munshi_system', t);
        execute format('grant select (workspace_id), update (workspace_id) on %I to munshi_keeper', t);
    end loop;
    foreach t in array moving_tables() loop
        execute format('create policy adds on %I as restrictive for insert to munshi_app with check ((select may_write()))', t);
        execute format('create policy changes on %I as restrictive for update to munshi_app using ((select may_write()))', t);
        execute format('create policy removes on %I as restrictive for delete to munshi_app using ((select may_write()))', t);
    end loop;
    foreach t in array array['firms', 'members'] loop
        execute format('create policy manages_adds on %I as restrictive for insert to munshi_app with check ((select may_manage()))', t);
        execute format('create policy manages_changes on %I as restrictive for update to munshi_app using ((select may_manage()))', t);
        execute format('create policy manages_removes on %I as restrictive for delete to munshi_app using ((select may_manage()))', t);
    end loop;
end $$;
-- +goose StatementEnd
create policy log_read on firm_log as restrictive for select to munshi_app using ((select may_read_log()));
create policy log_stays on firm_log as restrictive for delete to munshi_app using (is_being_erased(workspace_id));
revoke update on firm_log from munshi_app, munshi_system;
grant select (id, kind, erasing_at) on workspaces to munshi_app;
create policy firm_of on workspaces for select to munshi_app
    using (id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));

create trigger not_erased before insert on members for each row execute function not_erased();

-- +goose StatementBegin
create or replace function export_rows(wanted text, after jsonb, most int) returns setof jsonb language plpgsql stable set search_path = public, pg_temp
as $$
declare
    key text;
begin
    if wanted <> all (moving_tables() || kept_tables() || array['subscriptions', 'uses', 'spending']) then
        raise exception 'no table of a person''s: %', wanted;
    end if;
    select string_agg(format('%I', a.attname), ', ' order by k.n) into key
    from pg_index i cross join unnest(i.indkey) with ordinality k(att, n) join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.att
    where i.indrelid = to_regclass('public.' || quote_ident(wanted)) and i.indisprimary;
    -- Where words stand on a page is packed for the program; of secrets nothing is given.
    return query execute format('select to_jsonb(t) - ''words'' - ''token_sha'' - ''token_hash'' from %1$I t
        where workspace_id = (select nullif(current_setting(''app.workspace_id'', true), '''')::uuid)
          and ($1 is null or (%2$s) > (select %2$s from jsonb_populate_record(null::%1$I, $1) r))
        order by %2$s limit $2', wanted, key) using after, most;
end
$$;
-- +goose StatementEnd
