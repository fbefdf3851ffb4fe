-- name: AddOperatorLink :exec
insert into operator_links (key_sha, expires_at) values (@key_sha, @expires_at);

-- name: UseOperatorLink :execrows
delete from operator_links where key_sha = @key_sha and expires_at > now();

-- name: AddOperatorSession :exec
insert into operator_sessions (token_sha) values (@token_sha);

-- name: OperatorSession :one
select seen_at from operator_sessions where token_sha = @token_sha and seen_at > @since;

-- name: TouchOperatorSession :exec
update operator_sessions set seen_at = now() where token_sha = @token_sha;

-- name: EndOperatorSession :exec
delete from operator_sessions where token_sha = @token_sha;

-- name: PruneOperatorLinks :exec
delete from operator_links where expires_at < now();

-- name: PruneOperatorSessions :exec
delete from operator_sessions where seen_at < @since;

-- name: RecentRuns :many
select t.id, c.plugin, t.kind, t.state, t.error_code, t.created_at, t.started_at, t.finished_at, t.trace_id
from turns t join conversations c on c.id = t.conversation_id
order by t.created_at desc
limit @most;

-- name: TurnOwner :one
select workspace_id from turns where id = @id;

-- name: Questions :many
-- Questions returns the questions of the turn in app.shown_turn, to which the row-level policy limits it.
select step, part, output, question, created_at from step_results
where turn_id = @turn_id and question is not null order by created_at, step, part;
