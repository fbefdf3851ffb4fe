-- name: LockIntake :exec
-- LockIntake makes a firm accept one file after the other, so that the same file is accepted once.
select pg_advisory_xact_lock(hashtextextended(sqlc.arg(firm)::text, 42));

-- name: AddBatch :exec
insert into batches (id, workspace_id, member_id) values (@id, @workspace_id, sqlc.narg(member_id));

-- name: Batch :one
select id from batches where id = @id;

-- name: BatchFile :one
select * from batch_files where batch_id = @batch_id and sha256 = @sha256 and name = @name;

-- name: BatchFileCount :one
select count(*)::int from batch_files where batch_id = @batch_id;

-- name: AddBatchFile :exec
insert into batch_files (id, workspace_id, batch_id, name, bytes, sha256, conversation_id, repeats, problem, listed_id)
values (@id, @workspace_id, @batch_id, @name, @bytes, @sha256, sqlc.narg(conversation_id), sqlc.narg(repeats), sqlc.narg(problem), sqlc.narg(listed_id));

-- name: FileBefore :one
-- FileBefore returns the conversation in which a notice with these bytes was uploaded before.
select c.id from documents d join conversations c on c.id = d.conversation_id and c.deleted_at is null and c.plugin = @plugin
where d.workspace_id = @workspace_id and d.sha256 = @sha256 and d.type = ''
order by d.created_at limit 1;

-- name: Batches :many
-- Batches returns the latest, with their progress.
select b.id, b.created_at, m.name as member, count(*)::int as files,
       count(*) filter (where t.state in ('queued', 'running'))::int as reading,
       count(*) filter (where f.problem is not null or t.state in ('failed', 'stopped'))::int as refused,
       count(*) filter (where f.repeats is not null)::int as repeated
from batches b
join batch_files f on f.batch_id = b.id
left join members m on m.id = b.member_id
left join lateral (select t.state from turns t where t.conversation_id = f.conversation_id order by t.created_at limit 1) t on true
where b.created_at > now() - interval '7 days'
group by b.id, m.name
order by b.created_at desc limit 10;

-- name: TroubledFiles :many
-- TroubledFiles returns files that were refused, had been uploaded before, or could not be read, until somebody
-- dismisses them.
select f.id, f.batch_id, f.name, f.bytes, f.problem, f.created_at, f.conversation_id, f.repeats, coalesce(r.title, '')::text as repeats_title, coalesce(t.id::text, '')::text as turn_id,
       coalesce(t.error_code, '')::text as error_code, coalesce(t.error_sentence, '')::text as error_sentence
from batch_files f
left join conversations r on r.id = f.repeats and r.deleted_at is null
left join lateral (select t.id, t.state, t.error_code, t.error_sentence from turns t where t.conversation_id = f.conversation_id order by t.created_at limit 1) t on true
left join conversations c on c.id = f.conversation_id
where f.seen_at is null and c.deleted_at is null
  and (f.problem is not null or f.repeats is not null or t.state in ('failed', 'stopped'))
order by f.created_at, f.id
limit 500;

-- name: SeeBatchFiles :execrows
update batch_files set seen_at = clock_timestamp() where id = any (@ids::uuid[]) and seen_at is null;

-- name: TriagePapers :many
-- TriagePapers returns papers that nobody has checked: all of batches, and others that are not filed yet. The next due
-- comes first.
select sqlc.embed(n), sqlc.embed(p), c.matter_id, l.name as client_name, w.name as member
from papers p
join notices n on n.id = p.conversation_id
join conversations c on c.id = p.conversation_id and c.notice_id = p.document_id
left join clients l on l.id = p.client_id
left join batch_files f on f.conversation_id = c.id
left join batches b on b.id = f.batch_id
left join members w on w.id = b.member_id
where p.workspace_id = @workspace_id and p.seen_at is null and (p.settled_at is null or f.id is not null)
order by n.open_date desc, n.watch_by nulls last, p.filed_at, p.document_id
limit @most::int offset @skip::int;

-- name: TriageCount :one
select count(*)::int
from papers p join conversations c on c.id = p.conversation_id and c.notice_id = p.document_id and c.deleted_at is null
where p.workspace_id = @workspace_id and p.seen_at is null
  and (p.settled_at is null or exists (select from batch_files f where f.conversation_id = c.id));

-- name: TitlesOfPapers :many
select p.document_id, c.id, c.title from papers p join conversations c on c.id = p.conversation_id
where p.document_id = any (@ids::uuid[]) and c.deleted_at is null;
