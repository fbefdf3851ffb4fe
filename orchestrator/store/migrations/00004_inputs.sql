-- What a person gave for a plugin's inputs with a turn: texts by the ids of the manifest.

-- +goose Up
alter table turns add column inputs jsonb not null default '{}';
