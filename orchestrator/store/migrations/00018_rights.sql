-- What a person may ask for: that names are masked, that they get all that is kept of them, that it is erased.

-- +goose Up
alter table workspaces
    add column mask boolean,             -- names and numbers are masked before a text goes to a provider; null: as the configuration says
    add column erasing_at timestamptz;   -- nothing new may begin here

-- Each erasure, under a name that nobody can guess: who asked for it can see that it is done, though nobody is there any more.
create table erasures (
    id uuid primary key,
    workspace_id uuid,                   -- null once it is done: then nothing tells whose it was
    begun_at timestamptz not null default now(),
    done_at timestamptz,
    payments int not null default 0,     -- that are kept, since the law asks for it,
    kept_until text not null default ''  -- and until when, as an ISO date
);
create unique index erasures_open on erasures (workspace_id) where done_at is null;
alter table erasures enable row level security;
alter table erasures force row level security;
create policy system_all on erasures to munshi_system using (true) with check (true);
grant select, insert, update, delete on erasures to munshi_system;
grant delete on audit to munshi_system; -- what is older than the configuration keeps
create index on audit (at);

-- What erased people had cost counts on for the installation's limit, as nobody's.
insert into workspaces (id, kind) values ('00000000-0000-0000-0000-000000000000', 'evals');

-- By which all of a person's rows are found: to be given to them, to go to an account, to be erased.
create index on documents (workspace_id, id);
create index on blob_chunks (workspace_id);
create index on pages (workspace_id, document_id, number);
create index on turns (workspace_id, id);
create index on turn_steps (workspace_id, turn_id, position);
create index on step_results (workspace_id, turn_id, step, part, input_sha);
create index on messages (workspace_id, id);
create index on follow_ups (workspace_id);
create index on authorities (workspace_id);
create index on workspaces (adopted_by) where adopted_by is not null;
create index on sessions (visitor_id) where visitor_id is not null;

-- Nothing begins in a workspace that is being erased, or whose work has gone to an account. Who marks it waits for what has begun, and what begins waits for who marks it.
-- +goose StatementBegin
create function not_erased() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
    perform from workspaces where id = new.workspace_id and erasing_at is null and adopted_by is null for key share;
    if not found then
        raise exception 'the workspace is being erased, or was given to an account' using errcode = 'MU001';
    end if;
    return new;
end
$$;
-- +goose StatementEnd
grant create on schema public to munshi_system; -- owning a function needs it for a moment
alter function not_erased() owner to munshi_system;
revoke create on schema public from munshi_system;
-- +goose StatementBegin
do $$
declare t text;
begin
    foreach t in array array['conversations', 'documents', 'turns', 'drafts', 'sessions'] loop
        execute format('create trigger not_erased before insert on %I for each row execute function not_erased()', t);
    end loop;
end $$;
-- +goose StatementEnd

-- +goose StatementBegin
-- The tables whose rows the law has us keep when a person goes: nothing in them tells whose they were but an id that leads nowhere
-- then. A migration that adds one replaces this function.
create function kept_tables() returns text[] language sql immutable as $$
    select array['payments']
$$;
-- +goose StatementEnd
-- +goose StatementBegin
-- The next rows of a table that whoever asks may see, after a row that was given, in the order of its key.
create function export_rows(wanted text, after jsonb, most int) returns setof jsonb language plpgsql stable set search_path = public, pg_temp
as $$
declare
    key text;
    hidden text := '';
begin
    if wanted <> all (moving_tables() || kept_tables() || array['subscriptions', 'uses', 'spending']) then
        raise exception 'no table of a person''s: %', wanted;
    end if;
    select string_agg(format('%I', a.attname), ', ' order by k.n) into key
    from pg_index i cross join unnest(i.indkey) with ordinality k(att, n) join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.att
    where i.indrelid = to_regclass('public.' || quote_ident(wanted)) and i.indisprimary;
    if wanted = 'pages' then
        hidden := ' - ''words'''; -- where the words stand, packed for the program
    end if;
    return query execute format('select to_jsonb(t)%3$s from %1$I t
        where workspace_id = (select nullif(current_setting(''app.workspace_id'', true), '''')::uuid)
          and ($1 is null or (%2$s) > (select %2$s from jsonb_populate_record(null::%1$I, $1) r))
        order by %2$s limit $2', wanted, key, hidden) using after, most;
end
$$;
-- +goose StatementEnd
-- +goose StatementBegin
-- Deletes some rows of the workspace that is acted for, what hangs on others first, and tells how many; 0: none is left.
create function erase_rows(most int) returns int language plpgsql set search_path = public, pg_temp
as $$
declare
    t text;
    ofwhom uuid := nullif(current_setting('app.workspace_id', true), '')::uuid;
    n int;
begin
    foreach t in array (select array_agg(name order by place desc) from unnest(moving_tables()) with ordinality m(name, place)) loop
        execute format('delete from %1$I where ctid = any (array(select ctid from %1$I where workspace_id = $1 limit $2))', t)
            using ofwhom, case t when 'blob_chunks' then greatest(1, most / 16) else most end;
        get diagnostics n = row_count;
        if n > 0 then
            return n;
        end if;
    end loop;
    return 0;
end
$$;
-- +goose StatementEnd
