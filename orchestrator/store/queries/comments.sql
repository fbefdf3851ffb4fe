-- name: AddComment :exec
insert into comments (id, workspace_id, matter_id, draft_id, document_id, part, quote, conversation_id, member_id, text, mentions)
values (@id, @workspace_id, sqlc.narg(matter_id), sqlc.narg(draft_id), sqlc.narg(document_id), @part, @quote, sqlc.narg(conversation_id), @member_id, @text, @mentions::uuid[]);

-- name: Comments :many
-- Comments returns those on a draft, a document, or a matter with its drafts and documents; or the open ones that
-- mention a member. Oldest first.
select sqlc.embed(k), a.name as author, coalesce(s.name, '')::text as settler,
       coalesce(d.title, f.name, '')::text as about, coalesce(k.matter_id, c.matter_id) as in_matter
from comments k
join members a on a.id = k.member_id
left join members s on s.id = k.settled_by
left join drafts d on d.id = k.draft_id
left join documents f on f.id = k.document_id
left join conversations c on c.id = k.conversation_id
where (sqlc.narg(draft_id)::uuid is null or k.draft_id = sqlc.narg(draft_id))
  and (sqlc.narg(document_id)::uuid is null or k.document_id = sqlc.narg(document_id))
  and (sqlc.narg(matter_id)::uuid is null or k.matter_id = sqlc.narg(matter_id)
       or k.conversation_id in (select x.id from conversations x where x.matter_id = sqlc.narg(matter_id) and x.deleted_at is null))
  and (sqlc.narg(mentioned)::uuid is null or k.settled_at is null and k.mentions @> array[sqlc.narg(mentioned)::uuid])
  and (d.id is null or d.deleted_at is null) and (c.id is null or c.deleted_at is null)
order by k.created_at, k.id limit 500;

-- name: LockComment :one
select * from comments where id = @id for no key update;

-- name: SettleComment :exec
update comments set settled_at = case when @settled::bool then clock_timestamp() end, settled_by = case when @settled::bool then @member::uuid end where id = @id;

-- name: DropComment :exec
delete from comments where id = @id;

-- name: AddTask :exec
insert into tasks (id, workspace_id, matter_id, text, due_on, assignee_id, made_by)
values (@id, @workspace_id, @matter_id, @text, sqlc.narg(due_on), sqlc.narg(assignee_id), @made_by);

-- name: Tasks :many
-- Tasks returns those of a matter, or the open ones of a member: open ones first, by due date.
select sqlc.embed(k), coalesce(a.name, '')::text as assignee, c.name as client
from tasks k join matters m on m.id = k.matter_id join clients c on c.id = m.client_id left join members a on a.id = k.assignee_id
where (sqlc.narg(matter_id)::uuid is null or k.matter_id = sqlc.narg(matter_id))
  and (sqlc.narg(assignee_id)::uuid is null or k.assignee_id = sqlc.narg(assignee_id) and k.done_at is null)
order by k.done_at is not null, k.due_on nulls last, k.created_at limit 500;

-- name: LockTask :one
select * from tasks where id = @id for no key update;

-- name: SetTask :exec
update tasks set text = @text, due_on = sqlc.narg(due_on), assignee_id = sqlc.narg(assignee_id),
    done_at = case when @done::bool then coalesce(done_at, clock_timestamp()) end, done_by = case when @done::bool then coalesce(done_by, @member::uuid) end
where id = @id;

-- name: DropTask :exec
delete from tasks where id = @id;

-- name: HandTasks :exec
-- HandTasks gives the tasks of a member who leaves to another.
update tasks set assignee_id = @to_member::uuid where workspace_id = @workspace_id and assignee_id = @from_member;
