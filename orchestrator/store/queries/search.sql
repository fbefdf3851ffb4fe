-- name: FoundPapers :many
-- FoundPapers returns the documents and drafts that contain all words of a search, latest first, and how many there
-- are. What is only shown is read for the rows of the page alone.
with w as materialized (select g.kind, g.id from found_by_words(@query, @at_most) as g (kind, id))
select x.kind, x.id, x.title, x.type, x.at, c.id as conversation_id, (x.kind = 'document' and c.notice_id is not distinct from x.id)::bool as notice, coalesce(c.title, '') as conversation,
       f.form, f.reference, c.matter_id, m.client_id, l.name as client, x.total
from (select y.*, (count(*) over ())::int as total
      from (select 'draft'::text as kind, r.id, r.title, r.kind as type, r.updated_at as at, r.conversation_id as of, r.notice_id as about
            from w
            join drafts r on r.id = w.id and r.deleted_at is null
            where w.kind = 'draft' and @kind::text <> 'document'
            union all
            select 'document', d.id, d.name, d.type, d.created_at, d.conversation_id, d.id
            from w
            join documents d on d.id = w.id
            join conversations c on c.id = d.conversation_id and c.deleted_at is null
            where w.kind = 'document' and @kind <> 'draft') y
      order by y.at desc, y.id
      limit @most::int offset @skip::int) x
left join conversations c on c.id = x.of
left join facts f on f.document_id = x.about
left join matters m on m.id = c.matter_id
left join clients l on l.id = m.client_id
order by x.at desc, x.id;

-- name: BestPages :many
-- BestPages returns for each document the first page with the most words of a search.
select distinct on (p.document_id) p.document_id, p.number, p.text
from pages p
where p.document_id = any (@documents::uuid[])
order by p.document_id, (select count(*) from unnest(@words::text[]) w where position(w in lower(p.text)) > 0) desc, p.number;

-- name: TextsOfDrafts :many
select id, text from drafts where id = any (@ids::uuid[]);
