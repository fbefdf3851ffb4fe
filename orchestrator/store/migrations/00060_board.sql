-- The board of what is due: each day by which something is to be done about an open paper of a firm, or be at; and the views of lists that
-- a member keeps.

-- +goose Up
-- The days of the papers that are still to be answered, which triggers keep: a board over many papers reads these rows alone. The day that
-- reminders go by is watched; where it is to be confirmed, it is the earliest that may be it, or null.
create table open_days (
    conversation_id uuid not null references conversations on delete cascade,
    what text not null check (what in ('reply', 'hearing')),
    workspace_id uuid not null references workspaces on delete cascade,
    matter_id uuid not null references matters on delete cascade,
    document_id uuid not null references documents on delete cascade,
    day text,
    to_confirm boolean not null,
    watched boolean not null,
    primary key (conversation_id, what)
);
create index on open_days (workspace_id, day);
create index on open_days (matter_id);
create index on open_days (document_id);

-- +goose StatementBegin
create function keep_days(which uuid) returns void language sql set search_path = public, pg_temp as $$
    delete from open_days where conversation_id = which;
    insert into open_days (conversation_id, what, workspace_id, matter_id, document_id, day, to_confirm, watched)
    select c.id, coalesce(f.watch_what, 'reply'), c.workspace_id, c.matter_id, c.notice_id, f.watch_by, date_open(f.attention), true
    from conversations c join facts f on f.document_id = c.notice_id
    where c.id = which and c.matter_id is not null and c.answered_at is null and c.deleted_at is null
      and (f.watch_by is not null or date_open(f.attention))
    union all
    select c.id, 'hearing', c.workspace_id, c.matter_id, c.notice_id, f.hearing_on, false, false
    from conversations c join facts f on f.document_id = c.notice_id
    where c.id = which and c.matter_id is not null and c.answered_at is null and c.deleted_at is null
      and f.hearing_on is not null and f.watch_what is distinct from 'hearing'
$$;
-- +goose StatementEnd
-- +goose StatementBegin
create function keep_days() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
    if tg_table_name = 'conversations' then
        perform keep_days(new.id);
    else
        perform keep_days(c.id) from conversations c where c.notice_id = new.document_id and c.matter_id is not null;
    end if;
    return null;
end
$$;
-- +goose StatementEnd
create trigger keep_days after update of matter_id, answered_at, deleted_at, notice_id on conversations for each row
    when (old.matter_id is not null or new.matter_id is not null) execute function keep_days();
create trigger keep_days after update of facts, corrected on facts for each row execute function keep_days();
-- Everything that is there already.
insert into open_days (conversation_id, what, workspace_id, matter_id, document_id, day, to_confirm, watched)
select c.id, coalesce(f.watch_what, 'reply'), c.workspace_id, c.matter_id, c.notice_id, f.watch_by, date_open(f.attention), true
from conversations c join facts f on f.document_id = c.notice_id
where c.matter_id is not null and c.answered_at is null and c.deleted_at is null and (f.watch_by is not null or date_open(f.attention))
union all
select c.id, 'hearing', c.workspace_id, c.matter_id, c.notice_id, f.hearing_on, false, false
from conversations c join facts f on f.document_id = c.notice_id
where c.matter_id is not null and c.answered_at is null and c.deleted_at is null and f.hearing_on is not null and f.watch_what is distinct from 'hearing';

create table saved_views (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    member_id uuid not null references members on delete cascade,
    page text not null check (page in ('board', 'matters')),
    name text not null check (name <> ''),
    filters text not null,                           -- as they stand in the page's address
    created_at timestamptz not null default clock_timestamp()
);
create index on saved_views (workspace_id, member_id);

-- +goose StatementBegin
do $$
declare
    t text;
    added text[] := array['saved_views', 'open_days'];
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
    create policy in_reach on saved_views as restrictive to munshi_app using ((select unscoped())); -- nothing of it is a client's
    create policy in_reach on open_days as restrictive to munshi_app using ((select unscoped()) or matter_id in (select scoped_matters()));
    create policy system_drops on saved_views to munshi_system using (true); -- of whoever leaves
    grant select (workspace_id, member_id), delete on saved_views to munshi_system;
end $$;
-- +goose StatementEnd
