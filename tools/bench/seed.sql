-- A store as it is after years: workspaces with conversations of answered turns, each a question and an answer, with their
-- steps and results. The rows of workspace n, conversation n and so on have ids made of n, so that one can find another's.
-- Settings: seed.workspaces, seed.conversations, seed.turns (in each conversation).
create or replace function seed_id(kind int, n bigint) returns uuid language sql immutable parallel safe
return (lpad(to_hex(kind), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid;

create or replace procedure seed_store() language plpgsql as $$
declare
    w constant int := current_setting('seed.workspaces');
    c constant int := current_setting('seed.conversations');
    k constant int := current_setting('seed.turns');
    start constant timestamptz := now() - interval '1000 days';
begin
    set local session_replication_role = replica; -- the rows refer to each other by construction
    set local synchronous_commit = off;
    insert into workspaces (id, kind, created_at)
    select seed_id(1, n), 'visitor', start from generate_series(1, w) n;
    insert into sessions (token_sha, workspace_id, expires_at)
    select sha256(n::text::bytea), seed_id(1, n), now() + interval '100 days' from generate_series(1, w) n;
    insert into conversations (id, workspace_id, plugin, title, epoch, created_at, updated_at)
    select seed_id(2, n), seed_id(1, 1 + n % w), 'notice', 'Notice ' || n, k, start + n * interval '10 minutes', start + n * interval '11 minutes'
    from generate_series(1, c) n;
    insert into turns (id, workspace_id, conversation_id, kind, state, run_id, epoch, created_at, started_at, finished_at)
    select seed_id(3, n), seed_id(1, 1 + (1 + n / k) % w), seed_id(2, 1 + n / k), 'chat', 'answered', 'run-' || n, 1 + n % k, at, at, at + interval '9 seconds'
    from generate_series(0, c::bigint * k - 1) n, lateral (select start + n * interval '2 minutes' as at) t;
    insert into messages (id, workspace_id, conversation_id, turn_id, role, text, created_at)
    select seed_id(4 + side, n), seed_id(1, 1 + (1 + n / k) % w), seed_id(2, 1 + n / k), seed_id(3, n),
           case side when 0 then 'user' else 'assistant' end, repeat('What the notice alleges, and by when to reply. ', 2 + 8 * side),
           start + n * interval '2 minutes'
    from generate_series(0, c::bigint * k - 1) n, generate_series(0, 1) side;
    insert into turn_steps (turn_id, position, workspace_id, id, kind, title, state)
    select seed_id(3, n), p, seed_id(1, 1 + (1 + n / k) % w), (array['answer', 'check', 'required'])[1 + p],
           (array['prompt', 'check', 'required_documents'])[1 + p], 'Step', 'done'
    from generate_series(0, c::bigint * k - 1) n, generate_series(0, 2) p;
    insert into step_results (turn_id, step, part, input_sha, workspace_id, output)
    select seed_id(3, n), s, '', md5(n::text), seed_id(1, 1 + (1 + n / k) % w), '{"text": "What was answered"}'
    from generate_series(0, c::bigint * k - 1) n, unnest(array['answer', 'check']) s;
end $$;
