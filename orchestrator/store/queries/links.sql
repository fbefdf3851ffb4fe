-- name: PutLink :one
insert into links (id, workspace_id, kind, conversation_id, token_hash, recipient, language, expires_at)
values (@id, @workspace_id, @kind, @conversation_id, @token_hash, @recipient, @language, @expires_at)
returning *;

-- name: LinkOf :one
-- LinkOf returns the link of an address, and whether it is a firm's, if the link is valid and its target exists.
select sqlc.embed(l), w.kind = 'firm' as firm from links l join workspaces w on w.id = l.workspace_id
where l.token_hash = @token_hash and l.revoked_at is null and l.expires_at > now()
    and (l.conversation_id is null or exists (select from conversations c where c.id = l.conversation_id and c.deleted_at is null));

-- name: UseLink :exec
update links set used_at = now() where id = @id;

-- name: Links :many
select * from links where conversation_id = @conversation_id order by created_at desc;

-- name: RevokeLink :one
update links set revoked_at = coalesce(revoked_at, now()) where id = @id returning conversation_id, recipient;
