-- Evaluations: what was asked, what was answered and what graders said of it. Nothing here is anybody's: the cases are files of
-- ours, and the conversations in which they are asked are in the workspace of nobody and go when the run has ended.

-- +goose Up

-- What a case was when it was asked, and its document, by the sha of each.
create table eval_documents (
    sha text primary key,
    name text not null,
    data bytea not null
);
create table eval_cases (
    sha text primary key,
    plugin text not null,
    id text not null,
    source text not null,                 -- YAML
    asked text not null,                  -- the sha of what is asked, without what is expected
    document text references eval_documents
);

create table eval_runs (
    id uuid primary key,
    by text not null check (by in ('command', 'operator', 'training', 'gate')),
    state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
    cancel_requested boolean not null default false,
    reason text not null default '',      -- why it failed, in a sentence
    sets text not null default '',        -- which cases: a set, '' for all
    bundles jsonb not null,               -- the sha of each plugin's prompts
    repeats int not null,
    at_once int not null,
    settings jsonb not null default '{}', -- of the models, as the worker had them
    totals jsonb,                         -- when it has ended
    held jsonb not null default '[]',     -- by = gate: why its prompts may not serve, in sentences
    created_at timestamptz not null default now(),
    started_at timestamptz,
    finished_at timestamptz
);
create index on eval_runs (created_at desc);
create index eval_runs_open on eval_runs (created_at) where state in ('queued', 'running');

-- One case, once, in a run.
create table eval_tests (
    run_id uuid not null references eval_runs on delete cascade,
    number int not null check (number > 0),
    case_sha text not null references eval_cases,
    repeat int not null check (repeat > 0),
    primary key (run_id, number)
);

create table eval_results (
    run_id uuid not null,
    number int not null,
    key text not null,                    -- names program, prompts, model and what was asked: the same again is not asked again
    answered boolean not null,
    body jsonb not null,                  -- the answer, the verdicts, tokens, time
    created_at timestamptz not null default now(),
    primary key (run_id, number),
    foreign key (run_id, number) references eval_tests on delete cascade
);
create index on eval_results (key, created_at desc) where answered;

-- The run that others are held against.
create table eval_baselines (
    plugin text primary key,
    run_id uuid not null references eval_runs,
    at timestamptz not null default now(),
    by text not null
);

-- A run that has ended stays as it is.
-- +goose StatementBegin
create function eval_run_ended() returns trigger language plpgsql set search_path = public, pg_temp
as $$
begin
    if tg_table_name = 'eval_runs' then
        if old.state in ('done', 'failed', 'cancelled') then
            raise exception 'the evaluation has ended and does not change' using errcode = 'MU002';
        end if;
    elsif tg_op = 'UPDATE' or exists (select from eval_runs r where r.id = new.run_id and r.state in ('done', 'failed', 'cancelled')) then
        raise exception 'the evaluation has ended and does not change' using errcode = 'MU002';
    end if;
    return new;
end
$$;
-- +goose StatementEnd
create trigger ended before update on eval_runs for each row execute function eval_run_ended();
create trigger ended before insert or update on eval_results for each row execute function eval_run_ended();

grant select, insert on eval_documents, eval_cases, eval_tests, eval_results to munshi_system;
grant select, insert, update on eval_runs, eval_baselines to munshi_system;

-- The prompts that a turn is pinned to, whatever serves; '' for none, as with every person's.
alter table turns add column pinned text not null default '';
grant select (pinned) on turns to munshi_system;

-- Why a person had prompts serve that the gate held back.
alter table prompt_history
    add column reason text not null default '',
    drop constraint prompt_history_event_check,
    add constraint prompt_history_event_check check (event in ('served', 'same', 'held', 'broken', 'rolled_back', 'withdrawn', 'published', 'overridden'));
