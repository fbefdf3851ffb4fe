-- name: DraftOfTurn :one
-- The draft that a turn wrote as one document, deleted or not.
select d.* from draft_versions v join drafts d on d.id = v.draft_id
where v.turn_id = @turn_id and v.version = 1 and d.kind <> 'reply'
for update of d;

-- name: DraftsOfConversation :many
-- What the turns of a conversation wrote as documents of their own, latest first.
select v.turn_id::uuid as turn_id, d.id, d.kind, d.title from draft_versions v join drafts d on d.id = v.draft_id
where d.conversation_id = @conversation_id and d.deleted_at is null and v.version = 1 and v.turn_id is not null and d.kind <> 'reply'
order by d.created_at desc, d.id;
