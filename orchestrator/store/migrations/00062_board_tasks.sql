-- The board also shows tasks, and whoever returns a draft says why.

-- +goose Up
create index on tasks (workspace_id, due_on) where done_at is null;
alter table draft_reviews add column reason text not null default ''; -- for which it was returned
