-- A database of many workspaces: each with a session, an allowance, and a conversation of one answered question, over the
-- last 170 days; some with a notice that waits for documents. The rows of workspace n have ids made of n, and the token of
-- its session is "n". Settings: scale.workspaces, scale.follow_ups.
create or replace function seed_id(kind int, n bigint) returns uuid language sql immutable parallel safe
return (lpad(to_hex(kind), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid;

create or replace procedure seed_crowd() language plpgsql as $$
declare
    w constant int := current_setting('scale.workspaces');
    f constant int := current_setting('scale.follow_ups');
    start constant timestamptz := now() - interval '170 days';
    apart constant interval := interval '170 days' / w;
begin
    set local session_replication_role = replica; -- the rows refer to each other by construction
    set local synchronous_commit = off;
    insert into workspaces (id, kind, created_at)
    select seed_id(1, n), 'visitor', start + n * apart from generate_series(1, w) n;
    insert into sessions (token_sha, workspace_id, created_at, seen_at, expires_at)
    select sha256(n::text::bytea), seed_id(1, n), start + n * apart, now(), now() + interval '100 days' from generate_series(1, w) n;
    insert into subscriptions (workspace_id, usage_count, created_at) select seed_id(1, n), 1, start + n * apart from generate_series(1, w) n;
    insert into conversations (id, workspace_id, plugin, title, epoch, created_at, updated_at)
    select seed_id(2, n), seed_id(1, n), 'notice', 'Notice ' || n, 1, start + n * apart, start + n * apart from generate_series(1, w) n;
    insert into turns (id, workspace_id, conversation_id, kind, state, run_id, epoch, created_at, started_at, finished_at)
    select seed_id(3, n), seed_id(1, n), seed_id(2, n), 'chat', 'answered', 'run-' || n, 1, at, at, at + interval '9 seconds'
    from generate_series(1, w) n, lateral (select start + n * apart as at) t;
    insert into messages (id, workspace_id, conversation_id, turn_id, role, text, created_at)
    select seed_id(4 + side, n), seed_id(1, n), seed_id(2, n), seed_id(3, n), case side when 0 then 'user' else 'assistant' end,
           repeat('What the notice alleges, and by when to reply. ', 2 + 8 * side), start + n * apart
    from generate_series(1, w) n, generate_series(0, 1) side;
    insert into turn_steps (turn_id, position, workspace_id, id, kind, title, state)
    select seed_id(3, n), p, seed_id(1, n), (array['answer', 'check', 'required'])[1 + p],
           (array['prompt', 'check', 'required_documents'])[1 + p], 'Step', 'done'
    from generate_series(1, w) n, generate_series(0, 2) p;
    insert into step_results (turn_id, step, part, input_sha, workspace_id, output)
    select seed_id(3, n), s, '', md5(n::text), seed_id(1, n), '{"text": "What was answered"}'
    from generate_series(1, w) n, unnest(array['answer', 'check']) s;
    insert into uses (turn_id, workspace_id, state, reserved_at, ended_at)
    select seed_id(3, n), seed_id(1, n), 'settled', start + n * apart, start + n * apart from generate_series(1, w) n;
    insert into spending (workspace_id, day, paise, calls) select seed_id(1, n), (start + n * apart)::date, 100, 1 from generate_series(1, w) n;
    insert into audit (at, workspace_id, event) select start + n * apart, seed_id(1, n), 'signed_in' from generate_series(1, w) n;
    -- as many pieces of answers as an hour leaves behind
    insert into run_events (conversation_id, epoch, seq, turn_id, workspace_id, text)
    select seed_id(2, w - n), 1, s, seed_id(3, w - n), seed_id(1, w - n), 'A piece of an answer. '
    from generate_series(0, w / 50) n, generate_series(1, 20) s;
    -- these were looked at long ago, so that the reconciler wakes them
    insert into follow_ups (conversation_id, workspace_id, state, checked_at, opened_at)
    select seed_id(2, n), seed_id(1, n), 'waiting', now() - interval '2 days', now() - interval '2 days' from generate_series(1, f) n;
    insert into required_documents (conversation_id, position, workspace_id, type)
    select seed_id(2, n), p, seed_id(1, n), 'Purchase register' from generate_series(1, f) n, generate_series(0, 1) p;
end $$;
