-- name: PutBundle :exec
insert into bundles (sha, plugin, files) values (@sha, @plugin, @files) on conflict (sha) do nothing;

-- name: Bundle :one
select * from bundles where sha = @sha;

-- name: Serve :exec
insert into serving (plugin, sha) values (@plugin, @sha)
on conflict (plugin) do update set sha = excluded.sha, since = now() where serving.sha <> excluded.sha;

-- name: Serving :many
select plugin, sha, since from serving order by plugin;
