-- name: CreateTurn :one
insert into turns (id, workspace_id, conversation_id, kind, document_id, inputs, idempotency_key, replaces, pinned, language)
values (@id, @workspace_id, @conversation_id, @kind, @document_id, @inputs, @idempotency_key, @replaces, @pinned, @language)
returning *;

-- name: AcceptWords :one
-- AcceptWords accepts a question in one statement, since a person is waiting. No row: Accept must find out why.
with conversation as (
    select c.id, c.title, c.named from conversations c where c.id = @conversation_id and c.deleted_at is null for no key update
), gate as (
    update subscriptions s set usage_count = s.usage_count + 1, updated_at = now() from conversation
    where @charged::bool and s.workspace_id = @workspace_id
      and (s.usage_count < @free::int or s.status = 'active' and s.current_period_end > now())
    returning s.workspace_id
), turn as (
    insert into turns (id, workspace_id, conversation_id, kind, inputs, idempotency_key, pinned, language)
    select @id, @workspace_id, conversation.id, @kind, @inputs, @idempotency_key, @pinned, @language from conversation
    where (not @charged::bool or exists (select from gate))
      and not exists (select from turns t where t.conversation_id = conversation.id and t.idempotency_key = @idempotency_key::text)
    returning *
), use as (
    insert into uses (turn_id, workspace_id) select turn.id, gate.workspace_id from turn, gate
), message as (
    insert into messages (id, workspace_id, conversation_id, turn_id, role, text, state, created_at)
    select @message_id, turn.workspace_id, turn.conversation_id, turn.id, 'user', @text, 'complete', turn.created_at from turn
), touched as (
    update conversations c set updated_at = now(), title = case when c.title = '' and not c.named then @title else c.title end from turn where c.id = turn.conversation_id
)
select turn.created_at, pg_notify('munshi_turns', turn.conversation_id::text)::text as told from turn;

-- name: TurnByKey :one
select * from turns where conversation_id = @conversation_id and idempotency_key = @idempotency_key::text;

-- name: AskedOf :one
-- AskedOf returns whether the document has a turn of this kind.
select exists (select from turns where document_id = @document_id and kind = @kind)::bool;

-- name: Turn :one
select * from turns where id = @id;

-- name: MaterialsOf :one
-- MaterialsOf returns what a turn's prompts may use, except pages, as of the time when the turn was accepted, so that
-- a retried turn knows no more. It is one statement, since a model is waiting.
select sqlc.embed(t), coalesce(d.type, '')::text as document_type,
    coalesce(n.id::text, '')::text as notice,
    coalesce((select coalesce(f.corrected, f.facts)::text from facts f where f.document_id = n.id), '')::text as facts, -- including the person's corrections
    coalesce((select jsonb_agg(jsonb_build_object('TurnID', m.turn_id, 'Role', m.role, 'Text', m.text, 'State', m.state)
                               order by mt.created_at, mt.id, m.role desc)
              from messages m join turns mt on mt.id = m.turn_id
              where m.conversation_id = t.conversation_id and mt.created_at <= t.created_at
                and (mt.id = t.id or coalesce(mt.replaces, mt.id) <> coalesce(t.replaces, t.id) -- without the exchange that this turn replaces
                     and mt.id in (select s.turn_id from standing s where s.conversation_id = t.conversation_id))), '[]')::jsonb as messages,
    -- The latest notes on the earlier part of the conversation, from any turn.
    coalesce((select m.provenance -> 'earlier'
              from messages m join turns mt on mt.id = m.turn_id
              where m.conversation_id = t.conversation_id and mt.created_at < t.created_at and m.provenance ? 'earlier'
              order by mt.created_at desc limit 1), 'null')::jsonb as earlier,
    -- The values of inputs, oldest first: of answered turns, and of this one.
    coalesce((select jsonb_agg(i.inputs order by i.created_at)
              from turns i where i.conversation_id = t.conversation_id and i.created_at <= t.created_at
                and (i.state = 'answered' or i.id = t.id) and i.inputs <> '{}'), '[]')::jsonb as inputs,
    coalesce((select jsonb_agg(jsonb_build_object('Type', r.type, 'Reason', r.reason, 'State',
                  case when r.document_id is null then 'needed'
                       when exists (select from turns rt where rt.document_id = r.document_id and rt.state = 'answered')
                            or exists (select from figure_files rf where rf.document_id = r.document_id and rf.read is not null) then 'reviewed'
                       else 'uploaded' end) order by r.position)
              from required_documents r where r.conversation_id = t.conversation_id), '[]')::jsonb as required,
    -- First of this conversation, then of the workspace's other conversations.
    coalesce((select jsonb_agg(jsonb_build_object('ID', a.id, 'ConversationID', a.conversation_id, 'Citation', a.citation, 'Court', a.court,
                                                  'Decided', a.decided, 'Proposition', a.proposition, 'DocumentID', a.document_id)
                               order by a.conversation_id <> t.conversation_id, a.created_at, a.id)
              from authorities a join conversations ac on ac.id = a.conversation_id and ac.deleted_at is null
              where a.removed_at is null), '[]')::jsonb as authorities,
    -- The steps with stored results; results of law searches, since every later question needs them; and whether text
    -- is masked, empty if the person has not chosen.
    coalesce((select array_agg(distinct k.step) from step_results k where k.turn_id = t.id), '{}')::text[] as kept,
    coalesce((select jsonb_object_agg(k.step || ' ' || k.input_sha, k.output)
              from step_results k join turn_steps s on s.turn_id = k.turn_id and s.id = k.step
              where k.turn_id = t.id and k.part = '' and s.kind = 'law'), '{}')::jsonb as law,
    coalesce(current_setting('app.mask', true), '')::text as mask -- see readMask
from turns t
left join documents d on d.id = t.document_id
left join lateral (
    -- The turn's own document, if the plugin is about it; else as in NoticeOf.
    select case when d.type = '' then d.id else (
        select nd.id from turns nt join documents nd on nd.id = nt.document_id left join facts nf on nf.document_id = nd.id
        where nt.conversation_id = t.conversation_id and nd.type = '' and nt.created_at <= t.created_at
          and (nf.document_id is not null or nt.state = 'answered')
        order by nt.created_at desc limit 1) end as id
) n on true
where t.id = @id;

-- name: LockTurn :one
select * from turns where id = @id for no key update;

-- name: FirstTurn :one
select id from turns where conversation_id = @conversation_id order by created_at, id limit 1;

-- name: LatestTurn :one
select * from turns where conversation_id = @conversation_id order by created_at desc limit 1;

-- name: Live :one
-- Live returns the latest turn of a conversation, its steps, how many turns wait to be read before it and, if wanted,
-- the text of its epoch: from seq on if the caller knows that epoch, else all of it. Every listener runs this after
-- every change, so it is one statement.
select sqlc.embed(t),
    coalesce((select jsonb_agg(jsonb_build_object('ID', s.id, 'Kind', s.kind, 'Title', s.title, 'State', s.state, 'Note', s.note,
                                                  'Done', s.done, 'Total', s.total) order by s.position)
              from turn_steps s where s.turn_id = t.id), '[]')::jsonb as steps,
    coalesce((select jsonb_agg(jsonb_build_object('Seq', e.seq, 'Text', e.text) order by e.seq)
              from run_events e
              where @texts::bool and e.conversation_id = t.conversation_id and e.epoch = t.epoch
                and e.seq >= case t.epoch when @epoch::bigint then @seq::bigint else 0 end), '[]')::jsonb as events,
    (case when t.state = 'queued'
            or exists (select from turn_steps s where s.turn_id = t.id and s.kind = 'extract' and s.state = 'pending')
          then reading_before(t.id) else 0 end)::int as queue
from turns t
where t.conversation_id = @conversation_id
order by t.created_at desc
limit 1;

-- name: BeginFirst :one
-- BeginFirst assigns a turn without a run to the first run that asks, and stores its steps. No row: it has a run.
with begun as (
    update turns t set run_id = @run_id::text, state = 'running', trace_id = @trace_id, started_at = coalesce(t.started_at, now())
    where t.id = @id and t.run_id is null and t.state = 'queued'
    returning t.id, t.workspace_id, t.conversation_id, t.stop_requested, t.document_id
), plan as (
    insert into turn_steps (turn_id, position, workspace_id, id, kind, title)
    select begun.id, number - 1, begun.workspace_id, (@ids::text[])[number], (@kinds::text[])[number], (@titles::text[])[number]
    from begun, generate_series(1, cardinality(@ids::text[])) as number
)
select begun.stop_requested, (begun.document_id is not null
        and exists (select from follow_ups f where f.conversation_id = begun.conversation_id and f.state = 'waiting'))::bool as awaited,
    exists (select from subscriptions s where s.workspace_id = begun.workspace_id and s.status = 'active' and s.current_period_end > now())::bool as premium,
    pg_notify('munshi_turns', begun.conversation_id::text || ' step')::text as told
from begun;

-- name: ClaimTurn :one
-- ClaimTurn assigns a turn to a run: the first that asks, or a later one (after a reset) that was not replaced before.
-- No row: the run was replaced, or has ended the turn.
update turns set
    past_runs = case when run_id is null or run_id = @run_id::text then past_runs else array_append(past_runs, run_id) end,
    run_id = @run_id::text,
    trace_id = coalesce(nullif(@trace_id::text, ''), trace_id),
    state = 'running',
    epoch = case when run_id is not distinct from @run_id::text then epoch else 0 end, -- the text of another run is no longer valid
    started_at = coalesce(started_at, now()),
    finished_at = null, error_code = '', error_sentence = '',
    stop_requested = stop_requested and (state = 'queued' or run_id is null or run_id = @run_id::text)
where id = @id
  and not @run_id::text = any (past_runs)
  and (state = 'running' or (state in ('queued', 'failed', 'stopped') and run_id is distinct from @run_id::text))
returning *;

-- name: EndTurn :exec
update turns set state = @state, finished_at = now(), error_code = @error_code, error_sentence = @error_sentence
where id = @id and state in ('queued', 'running');

-- name: EndAnswered :one
-- EndAnswered ends a run's turn with its answer in one statement, since a person is waiting. No row: the run does not
-- own the turn, or it has ended.
with ended as (
    update turns t set state = 'answered', finished_at = now(), error_code = '', error_sentence = ''
    where t.id = @id and t.run_id = @run_id::text and t.state = 'running'
    returning t.id, t.workspace_id, t.conversation_id, t.document_id
), answer as (
    insert into messages (id, workspace_id, conversation_id, turn_id, role, text, state, provenance, checks)
    select @message_id, ended.workspace_id, ended.conversation_id, ended.id, 'assistant', @text, 'complete', @provenance, @checks from ended
    on conflict (turn_id, role) do update
    set text = excluded.text, state = excluded.state, provenance = excluded.provenance, checks = excluded.checks
), steps as (
    update turn_steps s set state = 'done', note = '' from ended where s.turn_id = ended.id and s.state in ('running', 'pending')
), touched as (
    update conversations c set updated_at = now() from ended where c.id = ended.conversation_id
)
select (ended.document_id is not null
        and exists (select from follow_ups f where f.conversation_id = ended.conversation_id and f.state = 'waiting'))::bool as awaited,
    pg_notify('munshi_turns', ended.conversation_id::text)::text as told
from ended;

-- name: RequestStop :execrows
update turns set stop_requested = true where id = @id and state in ('queued', 'running');

-- name: SweepAlone :one
-- SweepAlone takes a lock for the transaction, since one sweep at a time is enough for all processes.
select pg_try_advisory_xact_lock(7235420831);

-- name: JobAlone :one
-- JobAlone takes a lock for the transaction, so that only one process at a time runs the job of this name.
select pg_try_advisory_xact_lock(72354208, hashtext(@job::text));

-- name: StayAwake :one
select true;

-- name: OpenTurns :many
-- OpenTurns returns the turns that a reconciler looks after. Those of a workspace that is being erased are not among
-- them: their workflows are deleted before their rows, and must not be started again.
select t.id, t.workspace_id, t.conversation_id, t.kind, t.state, t.stop_requested, coalesce(t.run_id, '')::text as run_id, c.plugin, t.pinned
from turns t join conversations c on c.id = t.conversation_id
where t.state in ('queued', 'running') and t.created_at < @before and (@running::boolean or t.state = 'queued' or t.stop_requested)
  and not exists (select from workspaces w where w.id = t.workspace_id and w.erasing_at is not null)
order by t.state = 'queued' desc, t.created_at
limit 500;

-- name: PluginOf :one
select plugin from conversations where id = @id and deleted_at is null;

-- name: OpenEpoch :one
-- OpenEpoch starts the text anew for the run that owns the turn. No row: the run does not own it, or the turn is not
-- running.
with held as (
    select h.id, h.conversation_id from turns h where h.id = @id and h.run_id = @run_id::text and h.state = 'running' for no key update
), next as (
    update conversations c set epoch = c.epoch + 1 from held where c.id = held.conversation_id returning c.epoch
), step as (
    update turn_steps s set state = 'running', note = '', done = 0, total = 0 from held where s.turn_id = held.id and s.id = @step
)
update turns t set epoch = next.epoch from held, next where t.id = held.id
returning t.epoch, pg_notify('munshi_turns', held.conversation_id::text || ' step')::text as told;

-- name: AddEvent :one
-- AddEvent adds a piece, but only after the previous one, which a killed database may have lost. It notifies
-- listeners.
with added as (
    insert into run_events (conversation_id, epoch, seq, turn_id, workspace_id, text)
    select t.conversation_id, t.epoch, @seq, t.id, t.workspace_id, @text
    from turns t where t.id = @turn_id and t.epoch = @epoch and t.run_id = @run_id::text and t.state = 'running'
      and (@after::bigint = 0 or exists (select from run_events e where e.conversation_id = t.conversation_id and e.epoch = t.epoch and e.seq = @after::bigint))
    returning conversation_id, epoch, seq
), told as (select pg_notify('munshi_turns', conversation_id::text || ' ' || (epoch * 1000000 + seq)) from added)
select exists (select from told)::bool;

-- name: AddLastEvent :exec
-- AddLastEvent adds the last piece, together with the answer's result. Listeners are notified by the end of the turn.
insert into run_events (conversation_id, epoch, seq, turn_id, workspace_id, text)
select t.conversation_id, t.epoch, @seq, t.id, t.workspace_id, @text
from turns t where t.id = @turn_id and t.epoch = @epoch and t.run_id = @run_id::text and t.state = 'running'
  and (@after::bigint = 0 or exists (select from run_events e where e.conversation_id = t.conversation_id and e.epoch = t.epoch and e.seq = @after::bigint))
on conflict do nothing;

-- name: EventExists :one
select exists (select from run_events where conversation_id = @conversation_id and epoch = @epoch and seq = @seq);

-- name: Events :many
select seq, text from run_events
where conversation_id = @conversation_id and epoch = @epoch and seq > @after
order by seq;

-- name: PruneEvents :execrows
delete from run_events e using turns t
where t.id = e.turn_id and t.state in ('answered', 'failed', 'stopped') and t.finished_at < @before;

-- name: AddSteps :exec
insert into turn_steps (turn_id, position, workspace_id, id, kind, title)
select @turn_id, number - 1, @workspace_id, (@ids::text[])[number], (@kinds::text[])[number], (@titles::text[])[number]
from generate_series(1, cardinality(@ids::text[])) as number
on conflict (turn_id, position) do nothing;

-- name: DropSteps :exec
delete from turn_steps where turn_id = @turn_id;

-- name: SetStep :exec
update turn_steps set state = @state, note = @note, done = @done, total = @total, pieces = '{}' where turn_id = @turn_id and id = @id;

-- name: NoteStep :exec
update turn_steps set state = 'running', note = @note where turn_id = @turn_id and id = @id;

-- name: EndPiece :exec
-- EndPiece records a finished piece; pieces end in any order, and may be reported twice.
update turn_steps
set pieces = array_remove(pieces, @piece::int) || @piece::int, done = cardinality(array_remove(pieces, @piece::int)) + 1, total = @total, note = '',
    state = case when cardinality(array_remove(pieces, @piece::int)) + 1 >= @total then 'done' else 'running' end
where turn_id = @turn_id and id = @id;

-- name: EndSteps :exec
-- EndSteps ends all steps with their turn: running ones failed with it; those of an answered turn are done.
update turn_steps set state = @state, note = '' where turn_id = @turn_id and (state = 'running' or @state = 'done' and state = 'pending');

-- name: ReopenSteps :exec
update turn_steps set state = 'pending', note = '', done = 0, total = 0, pieces = '{}' where turn_id = @turn_id and state = 'failed';

-- name: Result :one
select output from step_results where turn_id = @turn_id and step = @step and part = @part and input_sha = @input_sha;

-- name: KeepResult :one
-- KeepResult stores a step's result for the run that owns the running turn, and ends the step unless this is only a
-- part of it. No row: the run does not own the turn.
with held as (
    select h.id, h.conversation_id, h.epoch from turns h where h.id = @turn_id and h.run_id = @run_id::text and h.state = 'running' for no key update
), put as (
    insert into step_results (turn_id, step, part, input_sha, workspace_id, output, question)
    select held.id, @step, @part, @input_sha, @workspace_id, @output, @question from held
    on conflict do nothing
), step as (
    update turn_steps s set state = 'done', note = '', done = 0, total = 0 from held where @part = '' and s.turn_id = held.id and s.id = @step
)
select held.epoch, pg_notify('munshi_turns', held.conversation_id::text || ' step')::text as told from held;

-- name: NotifyStep :exec
-- NotifyStep reports a minor change: see smallChange in notifier.go.
select pg_notify('munshi_turns', cast(sqlc.arg(conversation_id)::uuid as text) || ' step');

-- name: Notify :exec
select pg_notify('munshi_turns', cast(sqlc.arg(conversation_id)::uuid as text));

-- name: WrittenOf :one
-- WrittenOf returns whether a stopped turn has started to write its answer.
select exists (select from messages where turn_id = @turn_id and role = 'assistant' and text <> '')::bool;

-- name: RequeueTurn :one
update turns set state = 'queued', epoch = 0, started_at = null, error_code = '', error_sentence = '', finished_at = null, stop_requested = false
where id = @id and state in ('failed', 'stopped')
returning *;

-- name: LastLanguage :one
select language from turns order by created_at desc limit 1;
