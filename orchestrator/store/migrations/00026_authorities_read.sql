-- The PDF of an authority is read, so that prompts and checks know its words; the sweep reads what was not.

-- +goose Up
alter table authorities add column read_at timestamptz; -- null until its PDF was read, or could not be
create index on authorities (created_at) where document_id is not null and read_at is null and removed_at is null;
grant select (document_id, read_at, created_at) on authorities to munshi_system;
