-- Operators see which turns ran of late, across workspaces: what kind, in which state, how long; never a word, nor whose.

-- +goose Up
grant select (started_at, error_code) on turns to munshi_system;
create index turns_recent on turns (created_at desc);
