-- The language that a person asked to be answered in, by its code; prompts are told of any but English.

-- +goose Up
alter table turns add column language text not null default 'en' check (language in ('en', 'hi'));
grant select (language) on turns to munshi_system;
