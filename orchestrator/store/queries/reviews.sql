-- name: DraftReview :one
select sqlc.embed(r), s.name as sender, coalesce(d.name, '')::text as decider
from draft_reviews r join members s on s.id = r.sent_by left join members d on d.id = r.decided_by
where r.draft_id = @draft_id;

-- name: SendDraft :exec
insert into draft_reviews (draft_id, workspace_id, state, version, sent_by) values (@draft_id, @workspace_id, 'review', @version, @sent_by)
on conflict (draft_id) do update set state = 'review', version = excluded.version, sent_by = excluded.sent_by, sent_at = clock_timestamp(),
    decided_by = null, decided_at = null, approved_version = null, reason = '';

-- name: TakeBackDraft :exec
delete from draft_reviews where draft_id = @draft_id;

-- name: ReturnDraft :exec
update draft_reviews set state = 'returned', decided_by = @decided_by::uuid, decided_at = clock_timestamp(), reason = @reason where draft_id = @draft_id;

-- name: ApproveDraft :exec
insert into draft_reviews (draft_id, workspace_id, state, version, sent_by, decided_by, decided_at, approved_version)
values (@draft_id, @workspace_id, 'approved', @version, @member, @member, clock_timestamp(), @version)
on conflict (draft_id) do update set state = 'approved', decided_by = excluded.decided_by, decided_at = excluded.decided_at, approved_version = excluded.approved_version;

-- name: UndoApproval :exec
update draft_reviews set state = 'undone' where draft_id = @draft_id;
