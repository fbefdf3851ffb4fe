-- The review of drafts in a firm: see docs/practice.md. One row for each draft that was ever sent for review, with how it stands; what went
-- before is in the firm's log.

-- +goose Up
-- +goose StatementBegin
-- Whether whoever acts in this transaction may approve.
create function may_approve() returns boolean language sql stable as $$
    select coalesce(current_setting('app.approves', true), '') <> 'no'
$$;
-- +goose StatementEnd

create table draft_reviews (
    draft_id uuid primary key references drafts on delete cascade,
    workspace_id uuid not null references workspaces on delete cascade,
    -- review: its preparer waits; undone: it was approved, and changed since
    state text not null check (state in ('review', 'returned', 'approved', 'undone')),
    version int not null,                            -- that was sent
    sent_by uuid not null references members,
    sent_at timestamptz not null default clock_timestamp(),
    decided_by uuid references members,              -- who returned or approved it
    decided_at timestamptz,
    approved_version int,
    check (state = 'review' or decided_at is not null)
);
create index on draft_reviews (workspace_id, state);

alter table draft_versions add column member_id uuid references members; -- who made it in a firm

-- +goose StatementBegin
do $$
begin
    execute format('create or replace function moving_tables() returns text[] language sql immutable as %L',
                   format('select %L::text[]', moving_tables() || array['draft_reviews']));
    alter table draft_reviews enable row level security;
    alter table draft_reviews force row level security;
    create policy own_workspace on draft_reviews to munshi_app
        using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
        with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));
    create policy keeper_all on draft_reviews to munshi_keeper using (true) with check (true);
    grant select, insert, update, delete on draft_reviews to munshi_app;
    grant select (workspace_id), update (workspace_id) on draft_reviews to munshi_keeper;
    create policy adds on draft_reviews as restrictive for insert to munshi_app
        with check ((select may_write()) and (state <> 'approved' or (select may_approve())));
    create policy changes on draft_reviews as restrictive for update to munshi_app
        using ((select may_write())) with check (state <> 'approved' or (select may_approve()));
    create policy removes on draft_reviews as restrictive for delete to munshi_app using ((select may_write()));
    create policy in_reach on draft_reviews as restrictive to munshi_app using ((select unscoped()));
end $$;
-- +goose StatementEnd
