-- name: PutBundle :exec
insert into bundles (sha, plugin, files) values (@sha, @plugin, @files) on conflict (sha) do nothing;

-- name: Bundle :one
select * from bundles where sha = @sha;

-- name: BundlesLike :many
select sha from bundles where starts_with(sha, @prefix::text) limit 2;

-- name: Serve :execrows
insert into serving (plugin, sha) values (@plugin, @sha)
on conflict (plugin) do update set sha = excluded.sha, since = now() where serving.sha <> excluded.sha;

-- name: Withdraw :execrows
delete from serving where plugin = @plugin;

-- name: Serving :many
select plugin, sha, since from serving order by plugin;

-- name: LockPlugin :exec
-- LockPlugin makes processes that saw the same change decide one after the other, until the transaction ends.
select pg_advisory_xact_lock(723542083, hashtext(@plugin));

-- name: FolderStates :many
-- FolderStates returns the content of each folder at its last change.
select distinct on (plugin) * from prompt_history
where event in ('served', 'same', 'held', 'broken', 'withdrawn') and (@plugin::text = '' or plugin = @plugin)
order by plugin, id desc;

-- name: KnownContent :one
select count(*) > 0 as known, coalesce(bool_or(event in ('served', 'rolled_back', 'published', 'overridden')), false)::boolean as served
from prompt_history where plugin = @plugin and sha = @sha;

-- name: AddPromptEvent :exec
insert into prompt_history (plugin, sha, event, problems, commit_id, author, reason)
values (@plugin, @sha, @event, @problems, @commit_id, @author, @reason);

-- name: PromptHistory :many
select * from prompt_history where (@plugin::text = '' or plugin = @plugin) and event <> 'same' order by id desc limit @most;

-- name: PlaceHeld :one
select coalesce(max(sha), '')::text from prompt_places where place = @place and plugin = @plugin;

-- name: PlaceHolds :exec
insert into prompt_places (place, plugin, sha) values (@place, @plugin, @sha)
on conflict (place, plugin) do update set sha = excluded.sha, at = now();

-- name: ForgetUnserved :many
-- ForgetUnserved forgets plugins that are no longer in a folder and not in use.
delete from prompt_places p
where p.place = @place and not p.plugin = any(@present::text[]) and not exists (select from serving s where s.plugin = p.plugin)
returning p.plugin;

-- name: HeldAnywhere :one
select count(*) > 0 from prompt_places where plugin = @plugin;

-- name: ForgetPlugin :exec
delete from prompt_places where plugin = @plugin;

-- name: ForgetPlaces :exec
-- ForgetPlaces forgets old places, since containers come and go.
delete from prompt_places where at < now() - interval '180 days';
