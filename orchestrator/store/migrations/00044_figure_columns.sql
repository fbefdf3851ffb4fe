-- +goose Up
-- Which column of a client's registers holds what, as a person said it: it holds for each file with the same headings.
create table figure_columns (
    workspace_id uuid not null references workspaces on delete cascade,
    gstin text not null check (gstin ~ '^([0-9A-Z]{15})?$'), -- of the client; '' where a notice does not say it
    shape text not null check (shape <> ''),                 -- names the headings of a table
    columns jsonb not null,                                  -- the place of the column, from 0, by what it holds; -1: none holds it
    chosen_at timestamptz not null default clock_timestamp(),
    primary key (workspace_id, gstin, shape)
);

-- +goose StatementBegin
do $$
begin
    execute format('create or replace function moving_tables() returns text[] language sql immutable as %L',
                   format('select %L::text[]', moving_tables() || array['figure_columns']));
    alter table figure_columns enable row level security;
    alter table figure_columns force row level security;
    create policy own_workspace on figure_columns to munshi_app
        using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
        with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));
    create policy keeper_all on figure_columns to munshi_keeper using (true) with check (true);
    grant select, insert, update, delete on figure_columns to munshi_app;
    grant select (workspace_id, gstin, shape), update (workspace_id) on figure_columns to munshi_keeper;
    create policy adds on figure_columns as restrictive for insert to munshi_app with check ((select may_write()));
    create policy changes on figure_columns as restrictive for update to munshi_app using ((select may_write()));
    create policy removes on figure_columns as restrictive for delete to munshi_app using ((select may_write()));
    create policy in_reach on figure_columns as restrictive to munshi_app
        using ((select unscoped()) or exists (select from client_gstins g where g.gstin = figure_columns.gstin));
end $$;
-- +goose StatementEnd
create trigger not_erased before insert on figure_columns for each row execute function not_erased();

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
        if t = 'figure_columns' then -- as does what it has of a client's registers
            update figure_columns v set workspace_id = owner where v.workspace_id = visitor
                and not exists (select from figure_columns o where o.workspace_id = owner and o.gstin = v.gstin and o.shape = v.shape);
            continue;
        end if;
        execute format('update %I set workspace_id = $2 where workspace_id = $1', t) using visitor, owner;
    end loop;
end
$$;
-- +goose StatementEnd
