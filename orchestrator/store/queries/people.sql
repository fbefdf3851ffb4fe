-- name: CreateWorkspace :exec
insert into workspaces (id, kind) values (@id, @kind);

-- name: CreateSession :exec
insert into sessions (token_sha, workspace_id, expires_at) values (@token_sha, @workspace_id, @expires_at);

-- name: Session :one
select workspace_id, seen_at from sessions where token_sha = @token_sha and expires_at > now();

-- name: TouchSession :exec
update sessions set seen_at = now(), expires_at = @expires_at where token_sha = @token_sha;

-- name: PruneSessions :exec
delete from sessions where expires_at < now();
