-- name: HoldEvalCases :exec
-- HoldEvalCases keeps the cases and documents from being erased before the transaction ends, so that it can refer to
-- them.
select pg_advisory_xact_lock_shared(723542091);

-- name: LockEvalCases :exec
-- LockEvalCases waits for all transactions that called HoldEvalCases.
select pg_advisory_xact_lock(723542091);

-- name: AddEvalDocument :exec
insert into eval_documents (sha, name, data) values (@sha, @name, @data) on conflict (sha) do nothing;

-- name: AddEvalCase :exec
insert into eval_cases (sha, plugin, id, source, asked, document) values (@sha, @plugin, @id, @source, @asked, sqlc.narg(document)) on conflict (sha) do nothing;

-- name: AddEvalRun :exec
insert into eval_runs (id, by, sets, chosen, bundles, repeats, at_once) values (@id, @by, @sets, @chosen, @bundles, @repeats, @at_once);

-- name: AddEvalTest :exec
insert into eval_tests (run_id, number, case_sha, repeat) values (@run_id, @number, @case_sha, @repeat);

-- name: EvalRun :one
select sqlc.embed(r), (select count(*) from eval_tests t where t.run_id = r.id)::int as tests,
    (select count(*) from eval_results e where e.run_id = r.id)::int as done
from eval_runs r where r.id = @id;

-- name: EvalRunsLike :many
select id from eval_runs where starts_with(id::text, @prefix::text) order by created_at desc limit 2;

-- name: EvalRuns :many
select sqlc.embed(r), (select count(*) from eval_tests t where t.run_id = r.id)::int as tests,
    (select count(*) from eval_results e where e.run_id = r.id)::int as done
from eval_runs r where (@by::text = '' or r.by = @by) order by r.created_at desc limit @most;

-- name: EvalHistory :many
-- EvalHistory returns the latest completed runs of whole sets, a limited number of each kind, since visitors start
-- more trainings than anyone else starts runs.
select id, by, bundles, settings, totals, created_at
from (select r.*, row_number() over (partition by r.by, r.sets order by r.created_at desc) as nth from eval_runs r where r.state = 'done' and r.chosen = '{}') latest
where nth <= sqlc.arg(each)::int order by created_at desc;

-- name: OpenEvalRuns :many
-- OpenEvalRuns returns runs whose work may never have started, or that should end.
select id, cancel_requested from eval_runs where state in ('queued', 'running') and created_at < @before order by created_at limit 100;

-- name: GateRun :one
-- GateRun returns the latest run that tests these prompts for the gate.
select id, state, held from eval_runs where by = 'gate' and bundles ->> @plugin::text = @sha::text order by created_at desc limit 1;

-- name: BeginEvalRun :execrows
update eval_runs set state = 'running', settings = @settings, started_at = coalesce(started_at, now()) where id = @id and state in ('queued', 'running');

-- name: EndEvalRun :execrows
update eval_runs set state = @state, reason = @reason, totals = @totals, held = @held, finished_at = now() where id = @id and state in ('queued', 'running');

-- name: CancelEvalRun :execrows
update eval_runs set cancel_requested = true where id = @id and state in ('queued', 'running');

-- name: EvalTests :many
-- EvalTests returns the tests of a run that have no result yet.
select t.number, t.repeat, c.plugin, c.source, c.asked, c.document
from eval_tests t join eval_cases c on c.sha = t.case_sha
where t.run_id = @run_id and not exists (select from eval_results e where e.run_id = t.run_id and e.number = t.number)
order by t.number;

-- name: EvalDocument :one
select name, data from eval_documents where sha = @sha;

-- name: AddEvalResult :exec
insert into eval_results (run_id, number, key, answered, body) values (@run_id, @number, @key, @answered, @body) on conflict (run_id, number) do nothing;

-- name: EvalResults :many
select e.number, e.body from eval_results e where e.run_id = @run_id order by e.number;

-- name: EvalAnswers :many
-- EvalAnswers returns the latest stored answer for each key.
select distinct on (key) key, body from eval_results where answered and key = any(@keys::text[]) order by key, created_at desc;

-- name: Bless :exec
insert into eval_baselines (plugin, run_id, by) values (@plugin, @run_id, @by)
on conflict (plugin) do update set run_id = excluded.run_id, at = now(), by = excluded.by;

-- name: Blessed :many
select * from eval_baselines order by plugin;

-- name: EvalConversation :execrows
insert into conversations (id, workspace_id, plugin, title) values (@id, @workspace_id, @plugin, 'evaluation') on conflict (id) do nothing;

-- name: EvalSaid :exec
-- EvalSaid adds an answered turn with the messages before the case.
insert into turns (id, workspace_id, conversation_id, kind, state, created_at, started_at, finished_at)
values (@id, @workspace_id, @conversation_id, @kind, 'answered', @at, @at, @at);

-- name: OpenEvalTurns :many
select id from turns where conversation_id = any(@conversations::uuid[]) and state in ('queued', 'running');

-- name: EvalTokens :one
-- EvalTokens counts what models read and wrote in a conversation, including parts of steps, but not the pieces whose
-- sums are in an answer. An unknown cost is -1.
select count(*)::int as calls, coalesce(sum((r.output ->> 'input_tokens')::int), 0)::int as input_tokens, coalesce(sum((r.output ->> 'output_tokens')::int), 0)::int as output_tokens,
    (case when bool_or(r.output ->> 'cost_paise' is null) then -1 else coalesce(sum((r.output ->> 'cost_paise')::bigint), 0) end)::bigint as cost_paise,
    coalesce(sum((r.output ->> 'waited')::int) filter (where t.id = @turn_id), 0)::int as waited
from step_results r join turns t on t.id = r.turn_id
where t.conversation_id = @conversation_id and r.question is not null and r.part not like 'piece %';

-- name: EraseEvalRuns :execrows
-- EraseEvalRuns deletes the runs that ended before a time, except baselines.
delete from eval_runs r where r.finished_at < @before and not exists (select from eval_baselines b where b.run_id = r.id);

-- name: EraseEvalCases :exec
-- EraseEvalCases deletes the cases that no run has any more.
delete from eval_cases c where not exists (select from eval_tests t where t.case_sha = c.sha);

-- name: EraseEvalDocuments :exec
delete from eval_documents d where not exists (select from eval_cases c where c.document = d.sha);

-- name: EraseEvalConversation :exec
with written as (delete from drafts d where d.conversation_id = @id)
delete from conversations c where c.id = @id;

-- name: AddEvalReading :exec
insert into eval_readings (id, corpus, version, papers, scores) values (@id, @corpus, @version, @papers, @scores);

-- name: EvalReadings :many
-- EvalReadings returns the latest readings of each corpus, latest first.
select id, corpus, version, papers, scores, created_at
from (select r.*, row_number() over (partition by r.corpus order by r.created_at desc, r.id) as nth from eval_readings r) latest
where nth <= sqlc.arg(each)::int order by created_at desc, id;

-- name: EraseEvalReadings :exec
delete from eval_readings where created_at < @before;
