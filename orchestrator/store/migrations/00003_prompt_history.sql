-- What the prompt folders held, what was made of it, and which questions were asked with it.

-- +goose Up

-- One line for each content that a folder showed and each decision of a person's. The last line of a folder's own
-- (served, same, held, broken, withdrawn) says what the folder holds, so that a process with an older copy is known as one.
create table prompt_history (
    id bigint generated always as identity primary key,
    plugin text not null,
    sha text not null,                  -- of the content; its bundle's where it has no mistake; '' for withdrawn
    event text not null check (event in (
        'served',                       -- saved, and serving from then on
        'same',                         -- without mistakes (again), but nothing that would change what serves
        'held',                         -- without mistakes, but a gate kept it from serving
        'broken',                       -- with the problems; what served goes on
        'rolled_back',                  -- a person had this one serve
        'withdrawn')),                  -- a person took the plugin out, whose folder was gone
    problems jsonb not null default '[]',
    commit_id text not null default '', -- where the folder is a git checkout that holds just this
    author text not null default '',
    at timestamptz not null default now()
);
create index on prompt_history (plugin, id desc);
create index on prompt_history (plugin, sha);
grant select, insert on prompt_history to munshi_system;

-- What each folder held when its process last looked, so that a change made while the process was away is known as one.
create table prompt_places (
    place text not null, -- host and path
    plugin text not null,
    sha text not null,
    at timestamptz not null default now(),
    primary key (place, plugin)
);
grant select, insert, update, delete on prompt_places to munshi_system;
grant delete on serving to munshi_system;

insert into prompt_history (plugin, sha, event, at)
select b.plugin, b.sha, 'served', coalesce(s.since, b.created_at)
from bundles b left join serving s on s.sha = b.sha and s.plugin = b.plugin
order by s.sha is not null, b.created_at;

-- The messages exactly as the model was given them, beside what came of them.
alter table step_results add column question jsonb;
