-- name: OpenByState :many
select state, count(*)::int as turns from turns where state in ('queued', 'running') group by state;

-- name: ReadingQueue :one
select count(*)::int from turn_steps s join turns t on t.id = s.turn_id
where s.kind = 'extract' and s.state in ('pending', 'running') and t.state in ('queued', 'running');

-- name: OldestQueued :one
-- OldestQueued returns for how many seconds the turn has waited that no worker has taken for the longest time; 0 if none
-- waits.
select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 from turns where state = 'queued';

-- name: OverdueFollowUps :one
-- OverdueFollowUps counts the waiting follow-ups that were last woken before a time.
select count(*)::int from follow_ups where (state = 'waiting' or watch_until > now()) and woken_at < @before;
