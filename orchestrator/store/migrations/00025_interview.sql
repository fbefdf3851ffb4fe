-- What a reply needs besides the notice: who signs for a taxpayer and who appears, kept for every later reply to a notice of the same
-- GSTIN; and what a person answered when they were asked about one notice.

-- +goose Up
create table taxpayers (
    workspace_id uuid not null references workspaces on delete cascade,
    gstin text not null check (gstin ~ '^[0-9A-Z]{15}$'),
    signatory text not null default '',
    designation text not null default '',
    place text not null default '',
    representative text not null default '', -- who appears for the taxpayer under section 116
    enrolment text not null default '',      -- their number in the roll of the bar or the institute
    updated_at timestamptz not null default clock_timestamp(),
    primary key (workspace_id, gstin)
);

create table answers (
    document_id uuid not null references documents on delete cascade,
    key text not null check (key <> ''),     -- the question's
    workspace_id uuid not null references workspaces on delete cascade,
    answer jsonb not null,
    said_by text not null,                   -- 'owner': whoever works on the notice
    said_at timestamptz not null default clock_timestamp(),
    primary key (document_id, key)
);
create index on answers (workspace_id);

-- +goose StatementBegin
do $$
declare t text;
begin
    foreach t in array array['taxpayers', 'answers'] loop
        execute format('alter table %I enable row level security', t);
        execute format('alter table %I force row level security', t);
        execute format('create policy own_workspace on %I to munshi_app
            using (workspace_id = (select nullif(current_setting(''app.workspace_id'', true), '''')::uuid))
            with check (workspace_id = (select nullif(current_setting(''app.workspace_id'', true), '''')::uuid))', t);
        execute format('create policy keeper_all on %I to munshi_keeper using (true) with check (true)', t);
        execute format('grant select, insert, update, delete on %I to munshi_app', t);
        execute format('grant select (workspace_id), update (workspace_id) on %I to munshi_keeper', t);
    end loop;
end $$;
-- +goose StatementEnd
grant select (gstin) on taxpayers to munshi_keeper;
create trigger not_erased before insert on taxpayers for each row execute function not_erased();

-- +goose StatementBegin
create or replace function moving_tables() returns text[] language sql immutable as $$
    select array['conversations', 'documents', 'blob_chunks', 'pages', 'facts', 'turns', 'turn_steps', 'step_results', 'messages', 'run_events',
                 'required_documents', 'follow_ups', 'authorities', 'corrections', 'reminders', 'calendars', 'points', 'drafts', 'draft_words',
                 'draft_versions', 'taxpayers', 'answers']
$$;
-- +goose StatementEnd
-- +goose StatementBegin
create or replace function move_rows(visitor uuid, owner uuid) returns void language plpgsql set search_path = public, pg_temp
as $$
declare t text;
begin
    foreach t in array moving_tables() loop
        if t = 'calendars' and exists (select from calendars where workspace_id = owner) then
            continue; -- the account has an address for its calendar already
        end if;
        if t = 'taxpayers' then -- what the account has of a taxpayer holds
            update taxpayers v set workspace_id = owner where v.workspace_id = visitor
                and not exists (select from taxpayers o where o.workspace_id = owner and o.gstin = v.gstin);
            continue;
        end if;
        execute format('update %I set workspace_id = $2 where workspace_id = $1', t) using visitor, owner;
    end loop;
end
$$;
-- +goose StatementEnd
