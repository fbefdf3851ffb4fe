-- name: Authorities :many
select * from authorities where conversation_id = @conversation_id and removed_at is null order by created_at, id;

-- name: AddAuthority :one
insert into authorities (id, workspace_id, conversation_id, citation, court, decided, proposition)
values (@id, @workspace_id, @conversation_id, @citation, @court, @decided, @proposition)
returning *;

-- name: Authority :one
select * from authorities where id = @id and conversation_id = @conversation_id and removed_at is null;

-- name: AttachToAuthority :one
update authorities set document_id = @document_id::uuid, read_at = null where id = @id returning *;

-- name: RemoveAuthority :execrows
-- RemoveAuthority hides an authority until it is restored, or erased by the reconciler.
update authorities set removed_at = now() where id = @id and conversation_id = @conversation_id and removed_at is null;

-- name: RestoreAuthority :execrows
update authorities set removed_at = null where id = @id and conversation_id = @conversation_id;

-- name: RemovedAuthorities :many
select id, workspace_id from authorities where removed_at < @before::timestamptz order by removed_at limit 100;

-- name: EraseAuthority :exec
-- EraseAuthority deletes an authority with its file.
with gone as (delete from authorities a where a.id = @id and a.removed_at < @before::timestamptz returning a.document_id)
delete from documents d using gone where d.id = gone.document_id;

-- name: UnreadAuthorities :many
select workspace_id, document_id::uuid as document_id from authorities
where document_id is not null and read_at is null and removed_at is null order by created_at limit 100;

-- name: AuthorityRead :exec
update authorities set read_at = now() where document_id = @document_id::uuid;

-- name: AuthorityPages :many
-- AuthorityPages returns the pages read from the PDFs of a workspace's authorities, newest authority first.
select a.id, p.number, p.text from authorities a
join conversations c on c.id = a.conversation_id and c.deleted_at is null
join pages p on p.document_id = a.document_id
where a.removed_at is null and p.text <> ''
order by a.created_at desc, a.id, p.number limit @most;
