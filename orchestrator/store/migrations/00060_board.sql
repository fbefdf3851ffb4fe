-- The board of what is due: each day by which something is to be done about an open paper of a firm, or be at; and the views of lists that
-- a member keeps.

-- +goose Up
create index conversations_open on conversations (workspace_id) where matter_id is not null and answered_at is null and deleted_at is null;

-- A day of a paper that is still to be answered. Where it is to be confirmed, the earliest that may be it stands in day, or none.
create view open_days with (security_invoker = true) as
select c.workspace_id, c.matter_id, c.id as conversation_id, coalesce(f.watch_what, 'reply') as what, f.watch_by as day,
       date_open(f.attention) as to_confirm, f.form, f.reference, f.gstin, f.document_id
from conversations c join facts f on f.document_id = c.notice_id
where c.matter_id is not null and c.answered_at is null and c.deleted_at is null and (f.watch_by is not null or date_open(f.attention))
union all
select c.workspace_id, c.matter_id, c.id, 'hearing', f.hearing_on, false, f.form, f.reference, f.gstin, f.document_id
from conversations c join facts f on f.document_id = c.notice_id
where c.matter_id is not null and c.answered_at is null and c.deleted_at is null
  and f.hearing_on >= to_char(now() at time zone 'Asia/Kolkata', 'YYYY-MM-DD')
  and (f.watch_what is distinct from 'hearing' or f.watch_by is distinct from f.hearing_on);
grant select on open_days to munshi_app;

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
begin
    execute format('create or replace function moving_tables() returns text[] language sql immutable as %L',
                   format('select %L::text[]', moving_tables() || array['saved_views']));
    alter table saved_views enable row level security;
    alter table saved_views force row level security;
    create policy own_workspace on saved_views to munshi_app
        using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
        with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));
    create policy keeper_all on saved_views to munshi_keeper using (true) with check (true);
    grant select, insert, update, delete on saved_views to munshi_app;
    grant select (workspace_id), update (workspace_id) on saved_views to munshi_keeper;
    create policy system_drops on saved_views to munshi_system using (true); -- of whoever leaves
    grant select (workspace_id, member_id), delete on saved_views to munshi_system;
    create policy adds on saved_views as restrictive for insert to munshi_app with check ((select may_write()));
    create policy changes on saved_views as restrictive for update to munshi_app using ((select may_write()));
    create policy removes on saved_views as restrictive for delete to munshi_app using ((select may_write()));
    create policy in_reach on saved_views as restrictive to munshi_app using ((select unscoped())); -- nothing of it is a client's
end $$;
-- +goose StatementEnd
