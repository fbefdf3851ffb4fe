-- name: Points :many
select * from points where document_id = @document_id order by key;

-- name: SayPoint :execrows
-- SayPoint stores the person's answer to an allegation; null fields stay unchanged. It stores nothing if they saw an
-- older revision, unless the answer is already the same.
insert into points (document_id, key, workspace_id, stance, facts, documents, authorities, revision)
values (@document_id, @key, @workspace_id, sqlc.narg(stance), sqlc.narg(facts), sqlc.narg(documents), sqlc.narg(authorities), sqlc.arg(revision)::int + 1)
on conflict (document_id, key) do update
set stance = coalesce(excluded.stance, points.stance), facts = coalesce(excluded.facts, points.facts),
    documents = coalesce(excluded.documents, points.documents), authorities = coalesce(excluded.authorities, points.authorities),
    revision = points.revision + 1, updated_at = now()
where points.revision = sqlc.arg(revision)::int
   or (points.stance, points.facts, points.documents, points.authorities) is not distinct from
      (coalesce(excluded.stance, points.stance), coalesce(excluded.facts, points.facts),
       coalesce(excluded.documents, points.documents), coalesce(excluded.authorities, points.authorities));

-- name: ProposePoint :exec
insert into points (document_id, key, workspace_id, proposed)
values (@document_id, @key, @workspace_id, @proposed)
on conflict (document_id, key) do update set proposed = excluded.proposed, updated_at = now();

-- name: Reviews :many
-- Reviews returns the reviews of documents received for this notice, not for an earlier one, oldest first.
select d.type, m.text
from turns t join documents d on d.id = t.document_id join messages m on m.turn_id = t.id and m.role = 'assistant'
join documents n on n.id = @notice_id
where t.conversation_id = @conversation_id and t.kind = 'document' and t.state = 'answered' and d.created_at >= n.created_at
order by t.created_at, t.id;

-- name: AddDraft :one
insert into drafts (id, workspace_id, conversation_id, notice_id, kind, title, parts, text, idempotency_key, template)
values (@id, @workspace_id, @conversation_id, @notice_id, @kind, @title, @parts, @text, sqlc.narg(idempotency_key), sqlc.narg(template))
returning *;

-- name: DraftByKey :one
select * from drafts where workspace_id = @workspace_id and idempotency_key = @idempotency_key::text;

-- name: LockDraft :one
select * from drafts where id = @id and deleted_at is null for update;

-- name: LockReply :one
select * from drafts where notice_id = @notice_id and kind = 'reply' and deleted_at is null for update;

-- name: ReplyTo :one
select * from drafts where notice_id = @notice_id and kind = 'reply' and deleted_at is null;

-- name: Draft :one
select * from drafts where id = @id and deleted_at is null;

-- name: PutDraft :one
update drafts set title = @title, parts = @parts, text = @text, version = @version, updated_at = now()
where id = @id
returning *;

-- name: PutDraftWords :exec
insert into draft_words (draft_id, workspace_id, words)
values (@draft_id, @workspace_id, to_tsvector('simple', left(@words::text, 200000)))
on conflict (draft_id) do update set words = excluded.words;

-- name: Drafts :many
-- Drafts returns one page of the list, latest first.
select d.id, d.conversation_id, d.notice_id, d.kind, d.title, left(d.text, 400)::text as beginning, d.version, d.created_at, d.updated_at,
       coalesce(r.state, '')::text as review
from drafts d left join draft_reviews r on r.draft_id = d.id
where d.deleted_at is null
  and (@search::text = '' or d.id in (select w.draft_id from draft_words w where w.words @@ to_tsquery('simple', @search::text)))
order by d.updated_at desc, d.id
limit @most::int offset @skip::int;

-- name: KeepVersion :exec
-- KeepVersion stores a version, and overwrites the one that the same turn, or the same person a moment ago, stored.
-- The time of the first save stays.
insert into draft_versions (draft_id, version, workspace_id, title, parts, made_by, turn_id, member_id)
values (@draft_id, @version, @workspace_id, @title, @parts, @made_by, sqlc.narg(turn_id), sqlc.narg(member_id))
on conflict (draft_id, version) do update set title = excluded.title, parts = excluded.parts;

-- name: LatestVersion :one
select version, made_by, turn_id, member_id, made_at from draft_versions where draft_id = @draft_id order by version desc limit 1;

-- name: Versions :many
select v.version, v.title, v.made_by, v.turn_id, v.made_at, coalesce(m.name, '')::text as who
from draft_versions v left join members m on m.id = v.member_id where v.draft_id = @draft_id order by v.version desc;

-- name: Version :one
select * from draft_versions where draft_id = @draft_id and version = @version;

-- name: DeleteDraft :execrows
update drafts set deleted_at = now() where id = @id and deleted_at is null;

-- name: UndeleteDraft :execrows
update drafts set deleted_at = null where id = @id;

-- name: DeletedDrafts :many
select id, workspace_id from drafts where deleted_at < @before::timestamptz order by deleted_at limit 100;

-- name: EraseDraft :exec
delete from drafts where id = @id and deleted_at < @before::timestamptz;

-- name: DraftOfTurn :one
-- DraftOfTurn returns the draft that a turn wrote, deleted or not.
select d.* from draft_versions v join drafts d on d.id = v.draft_id
where v.turn_id = @turn_id and v.version = 1 and d.kind <> 'reply'
for update of d;

-- name: DraftsOfConversation :many
-- DraftsOfConversation returns the drafts that the turns of a conversation wrote, latest first.
select v.turn_id::uuid as turn_id, d.id, d.kind, d.title from draft_versions v join drafts d on d.id = v.draft_id
where d.conversation_id = @conversation_id and d.deleted_at is null and v.version = 1 and v.turn_id is not null and d.kind <> 'reply'
order by d.created_at desc, d.id;
