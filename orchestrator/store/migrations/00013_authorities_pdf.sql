-- An authority may come with its PDF, and one that was taken away can be brought back until the sweep erases it.

-- +goose Up
alter table authorities
    add column document_id uuid references documents on delete set null, -- its PDF, if the person has it
    add column removed_at timestamptz;
create index on authorities (removed_at) where removed_at is not null;
create index on authorities (document_id) where document_id is not null;
create policy system_sweep on authorities for select to munshi_system using (true);
grant select (id, workspace_id, removed_at) on authorities to munshi_system; -- the sweep erases what was removed
