-- What members of a firm are written to about, and which mails of a day they have had.

-- +goose Up
-- What a member wants to be mailed; who has no row has what they have who never chose.
create table mail_choices (
    member_id uuid primary key references members on delete cascade,
    workspace_id uuid not null references workspaces on delete cascade,
    digest_hour int check (digest_hour between 0 and 23), -- in India; null: no digest
    reviews boolean not null,                             -- drafts that come into review, come back or are approved
    reminders boolean not null,                           -- days of the matters that they answer for or review
    language text not null check (language in ('en', 'hi'))
);
create index on mail_choices (workspace_id);

-- A mail is claimed before it is sent: whoever dies between the two leaves it unsent, and never sent twice.
create table member_mails (
    member_id uuid not null references members on delete cascade,
    kind text not null,                              -- digest, review, returned, approved, reminder
    about uuid not null,                             -- the draft or the conversation; of a digest the firm
    day text not null check (day ~ '^\d{4}-\d\d-\d\d$'), -- in India, on which it is sent
    workspace_id uuid not null references workspaces on delete cascade,
    tries int not null default 1,
    failed boolean not null default false,           -- the last try; it is tried again
    primary key (member_id, kind, about, day)
);
create index on member_mails (workspace_id);
create index on member_mails (day);
create index on draft_reviews (sent_at) where state = 'review';
create index on draft_reviews (decided_at) where state in ('returned', 'approved');

-- +goose StatementBegin
do $$
declare
    t text;
    added text[] := array['mail_choices', 'member_mails'];
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
        execute format('create policy system_all on %I to munshi_system using (true) with check (true)', t);
        execute format('grant select, insert, update, delete on %I to munshi_app', t);
        execute format('grant select (workspace_id), update (workspace_id) on %I to munshi_keeper', t);
        execute format('create policy adds on %I as restrictive for insert to munshi_app with check ((select may_write()))', t);
        execute format('create policy changes on %I as restrictive for update to munshi_app using ((select may_write()))', t);
        execute format('create policy removes on %I as restrictive for delete to munshi_app using ((select may_write()))', t);
        execute format('create policy in_reach on %I as restrictive to munshi_app using ((select unscoped()))', t); -- nothing of it is a client's
    end loop;
end $$;
-- +goose StatementEnd
grant select on mail_choices to munshi_system;
grant select, insert, update, delete on member_mails to munshi_system;
grant select (draft_id, workspace_id, state, sent_by, sent_at, decided_by, decided_at) on draft_reviews to munshi_system;
create policy system_reads on draft_reviews for select to munshi_system using (true);
