-- name: FoundPapers :many
-- FoundPapers returns the documents and drafts that contain all words of a search, latest first, and how many there
-- are.
select x.*, (count(*) over ())::int as total
from (
    select 'draft'::text as kind, r.id, r.title, r.kind as type, r.updated_at as at, r.conversation_id, false as notice, coalesce(c.title, '') as conversation,
           f.form, f.reference, c.matter_id, m.client_id, l.name as client
    from found_by_words(@query, @at_most) w
    join drafts r on r.id = w.id and r.deleted_at is null
    left join conversations c on c.id = r.conversation_id
    left join facts f on f.document_id = r.notice_id
    left join matters m on m.id = c.matter_id
    left join clients l on l.id = m.client_id
    where w.kind = 'draft' and @kind::text <> 'document'
    union all
    select 'document', d.id, d.name, d.type, d.created_at, c.id, (c.notice_id is not distinct from d.id), c.title,
           f.form, f.reference, c.matter_id, m.client_id, l.name
    from found_by_words(@query, @at_most) w
    join documents d on d.id = w.id
    join conversations c on c.id = d.conversation_id and c.deleted_at is null
    left join facts f on f.document_id = d.id
    left join matters m on m.id = c.matter_id
    left join clients l on l.id = m.client_id
    where w.kind = 'document' and @kind <> 'draft'
) x
order by x.at desc, x.id
limit @most::int offset @skip::int;

-- name: BestPages :many
-- BestPages returns for each document the first page with the most words of a search.
select distinct on (p.document_id) p.document_id, p.number, p.text
from pages p
where p.document_id = any (@documents::uuid[])
order by p.document_id, (select count(*) from unnest(@words::text[]) w where position(w in lower(p.text)) > 0) desc, p.number;

-- name: TextsOfDrafts :many
select id, text from drafts where id = any (@ids::uuid[]);
