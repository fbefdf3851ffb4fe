-- name: AddDocument :exec
insert into documents (id, workspace_id, conversation_id, name, type, bytes, sha256, pages, damaged)
values (@id, @workspace_id, @conversation_id, @name, @type, @bytes, @sha256, @pages, @damaged);

-- name: DropDocument :exec
-- DropDocument deletes a document with its file.
delete from documents where id = @id;

-- name: Document :one
select * from documents where id = @id;

-- name: Documents :many
select d.*, count(p.number)::int as pages_read, (count(p.number) filter (where p.method = 'recognition'))::int as recognised
from documents d left join pages p on p.document_id = d.id
where d.conversation_id = @conversation_id and not exists (select from figure_files f where f.document_id = d.id)
group by d.id
order by d.created_at;

-- name: HandedIn :many
-- HandedIn returns the documents received for requests, the latest of each kind last, without the PDFs of authorities.
select d.id, lower(d.type)::text as type,
       (case when exists (select from turns t where t.document_id = d.id and t.state = 'answered')
                  or exists (select from figure_files f where f.document_id = d.id and f.read is not null) then 'reviewed' else 'uploaded' end)::text as state
from documents d where d.conversation_id = @conversation_id and d.type <> ''
  and not exists (select from authorities a where a.document_id = d.id) and not exists (select from filed_notes n where n.document_id = d.id)
order by d.created_at;

-- name: AddBlobChunk :exec
insert into blob_chunks (blob_id, n, workspace_id, data) values (@blob_id, @n, @workspace_id, @data);

-- name: BlobChunk :one
select data from blob_chunks where blob_id = @blob_id and n = @n;

-- name: AddPage :exec
insert into pages (document_id, number, workspace_id, text, method, confidence, languages, width, height, words)
values (@document_id, @number, @workspace_id, @text, @method, @confidence, @languages, @width, @height, @words)
on conflict (document_id, number) do nothing;

-- name: Pages :many
select number, text, method, confidence, languages, width, height from pages where document_id = @document_id order by number;

-- name: PageSizes :many
select number, method, width, height from pages where document_id = @document_id order by number;

-- name: PageWithWords :one
select * from pages where document_id = @document_id and number = @number;

-- name: MissingPages :many
select n::int from documents d cross join generate_series(1, d.pages) n
where d.id = @document_id and not exists (select from pages p where p.document_id = d.id and p.number = n)
order by n;

-- name: PutFacts :exec
insert into facts (document_id, workspace_id, facts) values (@document_id, @workspace_id, @facts)
on conflict (document_id) do update set facts = excluded.facts, computed_at = now();

-- name: PutProposed :exec
-- PutProposed stores proposals for fields that the facts leave open. They are stored in the facts as read, so that
-- they can be checked again after each correction, and in the facts in force.
update facts set facts = jsonb_set(facts, '{proposed}', @proposed::jsonb), corrected = jsonb_set(corrected, '{proposed}', @proposed::jsonb)
where document_id = @document_id;

-- name: NoteNotice :exec
update conversations set notice_id = @document_id::uuid where id = @id;

-- name: Facts :one
-- Facts returns the facts in force, including the person's corrections.
select coalesce(corrected, facts)::jsonb as facts from facts where document_id = @document_id;

-- name: LockFacts :one
select facts from facts where document_id = @document_id for no key update;

-- name: PutCorrected :exec
update facts set corrected = @corrected where document_id = @document_id;

-- name: NoticeOf :one
-- NoticeOf returns a conversation's notice (or whatever document its plugin is about) at a time: the latest such
-- document with known facts or, for a plugin without facts, the latest that was answered.
select d.* from turns t join documents d on d.id = t.document_id left join facts f on f.document_id = d.id
where t.conversation_id = @conversation_id and d.type = '' and t.created_at <= @until
  and (f.document_id is not null or t.state = 'answered')
order by t.created_at desc
limit 1;

-- name: PagesWithWords :one
select count(*)::int from pages where document_id = @document_id and text ~ '\S';
