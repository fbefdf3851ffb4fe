-- The unanswered notices of a firm are few among all that it ever had.

-- +goose Up
create index conversations_unanswered on conversations (workspace_id) where answered_at is null and deleted_at is null;
