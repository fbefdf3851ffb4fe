-- name: Authorities :many
select * from authorities where conversation_id = @conversation_id order by created_at, id;

-- name: AddAuthority :one
insert into authorities (id, workspace_id, conversation_id, citation, court, decided, proposition)
values (@id, @workspace_id, @conversation_id, @citation, @court, @decided, @proposition)
returning *;

-- name: RemoveAuthority :execrows
delete from authorities where id = @id and conversation_id = @conversation_id;
