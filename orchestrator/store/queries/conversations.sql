-- name: CreateConversation :one
insert into conversations (id, workspace_id, plugin) values (@id, @workspace_id, @plugin) returning *;

-- name: Conversations :many
-- Conversations returns those with messages, latest first; with a search, those with the words in the title or in one
-- of the person's messages.
select c.id, c.plugin, c.title, c.created_at, c.updated_at,
       coalesce((select t.state from turns t where t.conversation_id = c.id order by t.created_at desc limit 1), 'none')::text as turn_state
from conversations c
where (@plugin::text = '' or c.plugin = @plugin) and c.deleted_at is null and c.title <> ''
  and (@search::text = '' or c.title ilike @search
       or c.id in (select m.conversation_id from messages m where m.role = 'user' and m.text ilike @search))
order by c.updated_at desc, c.id
limit @most::int offset @skip::int;

-- name: Conversation :one
select * from conversations where id = @id and deleted_at is null;

-- name: LockConversation :one
select * from conversations where id = @id and deleted_at is null for no key update;

-- name: DeleteConversation :execrows
-- DeleteConversation hides a conversation until it is restored, or erased by the reconciler.
update conversations set deleted_at = now() where id = @id and deleted_at is null;

-- name: RestoreConversation :execrows
update conversations set deleted_at = null where id = @id;

-- name: DeletedConversations :many
select id, workspace_id from conversations where deleted_at < @before::timestamptz order by deleted_at limit 100;

-- name: EraseConversation :exec
-- EraseConversation deletes a conversation with everything in it, including files.
delete from conversations where id = @id and deleted_at < @before::timestamptz;

-- name: TouchConversation :exec
update conversations set updated_at = now() where id = @id;

-- name: TitleConversation :exec
update conversations set title = @title where id = @id and not named;

-- name: RenameConversation :execrows
update conversations set title = @title, named = true where id = @id and deleted_at is null;

-- name: Messages :many
select sqlc.embed(m), coalesce(t.replaces, t.id)::uuid as exchange, t.inputs
from messages m join turns t on t.id = m.turn_id
where m.conversation_id = @conversation_id and t.created_at <= @until
order by t.created_at, t.id, m.role desc;

-- name: UserText :one
select text from messages where turn_id = @turn_id and role = 'user';

-- name: AddMessage :exec
insert into messages (id, workspace_id, conversation_id, turn_id, role, text, state, document_id, created_at)
values (@id, @workspace_id, @conversation_id, @turn_id, @role, @text, @state, @document_id, @created_at);

-- name: PutAnswer :exec
insert into messages (id, workspace_id, conversation_id, turn_id, role, text, state, provenance, checks)
values (@id, @workspace_id, @conversation_id, @turn_id, 'assistant', @text, @state, @provenance, @checks)
on conflict (turn_id, role) do update
set text = excluded.text, state = excluded.state, provenance = excluded.provenance, checks = excluded.checks;

-- name: DropUnanswered :exec
-- DropUnanswered deletes the apology of a failed turn, or what a stopped turn wrote, before the turn runs again.
delete from messages where turn_id = @turn_id and role = 'assistant' and state in ('failed', 'stopped');

-- name: RequiredDocuments :many
-- RequiredDocuments returns them with unique names: if several have the same type, the name is the type with the
-- reason.
select r.id, r.position, r.type, r.reason, r.document_id,
       (case when r.reason <> '' and exists (select from required_documents o where o.conversation_id = r.conversation_id
                                             and o.id <> r.id and lower(o.type) = lower(r.type))
             then r.type || ': ' || r.reason else r.type end)::text as name,
       (case when r.document_id is null then 'needed'
             when exists (select from turns t where t.document_id = r.document_id and t.state = 'answered')
                  or exists (select from figure_files f where f.document_id = r.document_id and f.read is not null) then 'reviewed'
             else 'uploaded' end)::text as state
from required_documents r
where r.conversation_id = @conversation_id
order by r.position;

-- name: ClearRequiredDocuments :exec
delete from required_documents where conversation_id = @conversation_id;

-- name: AddRequiredDocument :exec
insert into required_documents (id, conversation_id, position, workspace_id, type, reason, document_id)
values (@id, @conversation_id, @position, @workspace_id, @type, @reason, @document_id);

-- name: AskedFor :one
-- AskedFor returns whether a document with this type or name was requested and none has been reviewed as it.
select exists (select from required_documents r
    where r.conversation_id = @conversation_id and lower(@type::text) in (lower(r.type), lower(r.type || ': ' || r.reason))
      and not exists (select from turns t where t.document_id = r.document_id and t.state = 'answered')
      and not exists (select from figure_files f where f.document_id = r.document_id and f.read is not null))::bool as asked;

-- name: HandInRequiredDocument :exec
-- HandInRequiredDocument assigns a document to the entry with this name or, if several have the same type, to the
-- first that is still needed.
update required_documents set document_id = @document_id
where id = (select r.id from required_documents r
            where r.conversation_id = @conversation_id and lower(@type::text) in (lower(r.type), lower(r.type || ': ' || r.reason))
            order by lower(@type::text) = lower(r.type), r.document_id is not null, r.position limit 1);
