-- People with an account, what was used of the product, whether it is paid for, and who did what.

-- +goose Up
-- A third role, for what concerns all rows of a person at once: that they go to an account.
-- +goose StatementBegin
do $$
declare wanted text;
begin
    foreach wanted in array array['munshi_keeper'] loop
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

-- A visitor's rows go to the account that they sign in to. Durable work that was begun for the visitor finds them by this.
alter table workspaces add column adopted_by uuid references workspaces on delete cascade;

-- A person is their workspace.
create table people (
    workspace_id uuid primary key references workspaces on delete cascade,
    email text not null,                -- as they wrote it
    address text not null unique,       -- the same in the form in which addresses are compared
    password text not null,             -- argon2id with its parameters and salt
    confirmed_at timestamptz,           -- null: no mail could be sent, so nobody knows whether the address is theirs
    consent text not null,              -- which notice on the use of their data they agreed to
    consented_at timestamptz not null default now(),
    operator_since timestamptz,
    created_at timestamptz not null default now()
);

-- What a link in a mail is good for, once: a sign-up that waits for its confirmation, or a new password.
create table letters (
    token_sha bytea primary key check (length(token_sha) = 32),
    purpose text not null check (purpose in ('confirm', 'reset')),
    email text not null,
    address text not null,
    password text not null default '',  -- confirm: the hash of what was chosen
    consent text not null default '',
    visitor_id uuid references workspaces on delete set null, -- confirm: who signed up
    expires_at timestamptz not null
);
create index on letters (address);
create index on letters (expires_at);

alter table sessions
    add column id uuid not null default gen_random_uuid() unique, -- by which a person ends it from another device
    add column device text not null default '',
    add column ends_at timestamptz not null default 'infinity',   -- however often it is used
    add column visitor_id uuid references workspaces on delete set null; -- who the browser is when nobody is signed in

-- How often something may be done (GCRA). Nothing is lost when a crash empties it.
create unlogged table throttles (
    key text primary key,
    free_at timestamptz not null -- when all of it has been forgotten
);
create index on throttles (free_at);

-- Everyone's allowance, visitors included. A visitor's never becomes active.
create table subscriptions (
    workspace_id uuid primary key references workspaces on delete cascade,
    status text not null default 'inactive' check (status in ('active', 'inactive', 'pending')),
    usage_count int not null default 0 check (usage_count >= 0), -- uses that are reserved or settled
    payment_id text,
    current_period_end timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
insert into subscriptions (workspace_id) select id from workspaces where kind <> 'evals';

-- The ledger of uses: one for each turn that a person starts. It outlives the turn, and does not follow it to an account.
create table uses (
    turn_id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    state text not null default 'reserved' check (state in ('reserved', 'settled', 'released')),
    reserved_at timestamptz not null default now(),
    ended_at timestamptz
);
create index on uses (workspace_id);

-- What models have cost, by the configured prices. Days are India's.
create table spending (
    workspace_id uuid not null references workspaces on delete cascade,
    day date not null,
    paise bigint not null default 0,
    calls int not null default 0,
    primary key (workspace_id, day)
);
create index on spending (day);

-- Who did what, without words: it outlives whom it is about.
create table audit (
    id bigint generated always as identity primary key,
    at timestamptz not null default now(),
    workspace_id uuid,
    event text not null,
    detail jsonb not null default '{}'
);
create index on audit (workspace_id, at);

-- +goose StatementBegin
-- The tables whose rows go with a person; a later migration that adds one replaces this function.
create function moving_tables() returns text[] language sql immutable as $$
    select array['conversations', 'documents', 'blob_chunks', 'pages', 'facts', 'turns', 'turn_steps', 'step_results', 'messages', 'run_events',
                 'required_documents', 'follow_ups', 'authorities', 'corrections', 'reminders', 'calendars', 'points', 'drafts', 'draft_words',
                 'draft_versions']
$$;
-- +goose StatementEnd
-- +goose StatementBegin
create function move_rows(visitor uuid, owner uuid) returns void language plpgsql set search_path = public, pg_temp
as $$
declare t text;
begin
    foreach t in array moving_tables() loop
        if t = 'calendars' and exists (select from calendars where workspace_id = owner) then
            continue; -- the account has an address for its calendar already
        end if;
        execute format('update %I set workspace_id = $2 where workspace_id = $1', t) using visitor, owner;
    end loop;
end
$$;
-- +goose StatementEnd
-- +goose StatementBegin
do $$
declare t text;
begin
    foreach t in array array['people', 'letters', 'audit'] loop
        execute format('alter table %I enable row level security', t);
        execute format('alter table %I force row level security', t);
        execute format('create policy system_all on %I to munshi_system using (true) with check (true)', t);
    end loop;
    foreach t in array array['subscriptions', 'uses', 'spending'] loop
        execute format('alter table %I enable row level security', t);
        execute format('alter table %I force row level security', t);
        execute format('create policy own_workspace on %I to munshi_app
            using (workspace_id = (select nullif(current_setting(''app.workspace_id'', true), '''')::uuid))
            with check (workspace_id = (select nullif(current_setting(''app.workspace_id'', true), '''')::uuid))', t);
        execute format('create policy system_all on %I to munshi_system using (true) with check (true)', t);
        execute format('grant select, insert, update, delete on %I to munshi_system', t);
    end loop;
    -- Whose a row is, is the one thing that changes when a visitor's work goes to an account.
    foreach t in array moving_tables() loop
        execute format('create policy keeper_all on %I to munshi_keeper using (true) with check (true)', t);
        execute format('grant select (workspace_id), update (workspace_id) on %I to munshi_keeper', t);
    end loop;
end $$;
-- +goose StatementEnd
grant usage on schema public to munshi_keeper;
grant select, insert, update, delete on people, letters, throttles to munshi_system;
grant select, insert, update (workspace_id) on audit to munshi_system; -- an entry is never changed; whom it is about may be forgotten
grant usage on sequence audit_id_seq to munshi_system;
-- Nobody makes themselves a subscriber: that is for the jobs without a person.
grant select, update (usage_count, updated_at) on subscriptions to munshi_app;
grant select, insert, update on uses to munshi_app;
grant select, insert, update on spending to munshi_app;

-- The ledger follows the turn, whoever ends it and however: answered, or stopped with something written, is a use; failed, or
-- stopped before anything was written, is none; tried again, it is the same use.
-- +goose StatementBegin
create function settle_use() returns trigger language plpgsql set search_path = public, pg_temp
as $$
declare
    wanted text := 'reserved';
    was text;
begin
    if new.state = 'answered' or new.state = 'stopped' and exists (
        select from messages where turn_id = new.id and role = 'assistant' and text <> '') then
        wanted := 'settled';
    elsif new.state in ('failed', 'stopped') then
        wanted := 'released';
    end if;
    select state into was from uses where turn_id = new.id for no key update;
    if was is null or was = wanted then
        return null;
    end if;
    update uses set state = wanted, ended_at = case when wanted = 'reserved' then null else now() end where turn_id = new.id;
    if (was = 'released') <> (wanted = 'released') then
        update subscriptions set usage_count = greatest(0, usage_count + case when wanted = 'released' then -1 else 1 end), updated_at = now()
        where workspace_id = new.workspace_id;
    end if;
    return null;
end
$$;
-- +goose StatementEnd
create trigger settle_use after update of state on turns for each row
    when (old.state is distinct from new.state and (new.state in ('answered', 'failed', 'stopped') or old.state in ('failed', 'stopped')))
    execute function settle_use();
