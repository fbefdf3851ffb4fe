-- What was filed in answer to a notice of a firm: the ARN that the portal gave, the day, and the acknowledgement as a PDF.

-- +goose Up
create table filed_notes (
    conversation_id uuid primary key references conversations on delete cascade, -- of the notice
    workspace_id uuid not null references workspaces on delete cascade,
    arn text not null check (arn <> ''),
    filed_on text not null check (filed_on ~ '^\d{4}-\d\d-\d\d$'),
    document_id uuid references documents on delete set null,                    -- the acknowledgement
    noted_by uuid references members,
    noted_at timestamptz not null default clock_timestamp()
);
create index on filed_notes (workspace_id, filed_on);

-- +goose StatementBegin
do $$
begin
    execute format('create or replace function moving_tables() returns text[] language sql immutable as %L',
                   format('select %L::text[]', moving_tables() || array['filed_notes']));
    alter table filed_notes enable row level security;
    alter table filed_notes force row level security;
    create policy own_workspace on filed_notes to munshi_app
        using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
        with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));
    create policy keeper_all on filed_notes to munshi_keeper using (true) with check (true);
    grant select, insert, update, delete on filed_notes to munshi_app;
    grant select (workspace_id), update (workspace_id) on filed_notes to munshi_keeper;
    create policy adds on filed_notes as restrictive for insert to munshi_app with check ((select may_write()));
    create policy changes on filed_notes as restrictive for update to munshi_app using ((select may_write()));
    create policy removes on filed_notes as restrictive for delete to munshi_app using ((select may_write()));
    create policy in_reach on filed_notes as restrictive to munshi_app
        using ((select unscoped()) or conversation_id in (select scoped_conversations()));
end $$;
-- +goose StatementEnd
