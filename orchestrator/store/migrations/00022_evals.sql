-- Runs of chosen cases, which are not those of a whole set, and runs that are kept no longer.

-- +goose Up
alter table eval_runs add column chosen text[] not null default '{}'; -- plugin/id of the cases that were asked for; none: a whole set

create index on eval_tests (case_sha);
create index on eval_cases (document);

grant delete on eval_runs, eval_cases, eval_documents to munshi_system;
