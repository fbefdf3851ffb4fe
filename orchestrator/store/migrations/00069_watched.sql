-- What operators watch: follow-ups that could not be woken, and the trace of a turn. What is asked for every few seconds
-- is found without reading a table whole.

-- +goose Up
alter table follow_ups add column woken_at timestamptz not null default now(); -- last time that waking it succeeded; checked_at: was tried
create index follow_ups_overdue on follow_ups (woken_at) where state = 'waiting' or watch_until is not null;
create index follow_ups_over on follow_ups (watch_until) where watch_until is not null;
grant select (woken_at), update (woken_at, watch_until) on follow_ups to munshi_system;

alter table turns add column trace_id text not null default ''; -- of the latest run; empty if its trace was not sent
grant select (trace_id) on turns to munshi_system;
