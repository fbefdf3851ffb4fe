-- How often it was tried to take the files of a mail: one that fails for a lasting reason is held in quarantine in the end.

-- +goose Up
alter table mails_in add column tries int not null default 0;
alter table mails_in add column try_after timestamptz; -- not before then
grant select (try_after) on mails_in to munshi_system;
