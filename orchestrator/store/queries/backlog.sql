-- name: OpenByState :many
select state, count(*)::int as turns from turns where state in ('queued', 'running') group by state;

-- name: ReadingQueue :one
select count(*)::int from turn_steps s join turns t on t.id = s.turn_id
where s.kind = 'extract' and s.state in ('pending', 'running') and t.state in ('queued', 'running');
