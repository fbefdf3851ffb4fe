-- Papers that come by e-mail: a firm's secret address, whose mails are taken, and the mails themselves until their files are taken.

-- +goose Up
create table mail_addresses (
    workspace_id uuid primary key references workspaces on delete cascade,
    token text not null unique check (token ~ '^[a-z2-7]{26}$'), -- the secret part of the address
    made_at timestamptz not null default clock_timestamp()
);

create table mail_senders (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    address text not null check (address = lower(address) and address <> ''),
    added_at timestamptz not null default clock_timestamp(),
    unique (workspace_id, address)
);

-- A mail is kept from the moment that it was fetched; its words go when its files are taken, or when it is discarded.
create table mails_in (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    sha256 bytea not null,
    sender text not null,
    subject text not null,
    files int not null,                              -- that it has attached
    state text not null check (state in ('waiting', 'quarantine', 'taken', 'discarded')),
    problem text not null default '',                -- why it is in quarantine: a code of the catalogue
    raw bytea,                                       -- null once it is taken or discarded
    batch_id uuid references batches on delete set null, -- of its files
    received_at timestamptz not null default clock_timestamp(),
    unique (workspace_id, sha256)
);
create index on mails_in (workspace_id, received_at) where state = 'quarantine';
create index on mails_in (received_at) where state = 'waiting';
create index on mails_in (batch_id) where batch_id is not null;

-- How far the mailbox was read: nobody's.
create table mail_places (
    mailbox text primary key,
    validity bigint not null,
    uid bigint not null
);
grant select, insert, update on mail_places to munshi_system;

-- +goose StatementBegin
do $$
declare
    t text;
    added text[] := array['mail_addresses', 'mail_senders', 'mails_in'];
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
    foreach t in array array['mail_addresses', 'mail_senders'] loop
        execute format('create policy manages_adds on %I as restrictive for insert to munshi_app with check ((select may_manage()))', t);
        execute format('create policy manages_changes on %I as restrictive for update to munshi_app using ((select may_manage()))', t);
        execute format('create policy manages_removes on %I as restrictive for delete to munshi_app using ((select may_manage()))', t);
    end loop;
end $$;
-- +goose StatementEnd
grant select (workspace_id, token) on mail_addresses to munshi_system;
create policy system_finds on mail_addresses for select to munshi_system using (true);
grant select (id, workspace_id, state, received_at), delete on mails_in to munshi_system;
create policy system_sees on mails_in for select to munshi_system using (true);
create policy system_drops on mails_in for delete to munshi_system using (true);
