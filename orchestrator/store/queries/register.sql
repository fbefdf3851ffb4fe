-- name: Register :many
-- Register returns the notices and orders of a firm's matters by date, each as a row of the register, listed notices
-- whose document is not there among them.
with chosen as (
    select m.id, m.gstin, m.officer, m.state, l.name as client, a.name as assignee
    from matters m
    join clients l on l.id = m.client_id
    left join members a on a.id = m.assignee_id
    where (@closed::bool or m.closed_at is null)
      and (sqlc.narg(client_id)::uuid is null or m.client_id = sqlc.narg(client_id))
      and (sqlc.narg(assignee_id)::uuid is null or m.assignee_id = sqlc.narg(assignee_id))
      and (not @unassigned::bool or m.assignee_id is null)
      and (@stage::text = '' or m.stage = @stage)
      and (@officer::text = '' or m.officer = @officer)
      and (@region::text = '' or left(m.gstin, 2) = @region)
      and (@least_paise::bigint = 0 or m.demand_paise >= @least_paise)
)
select c.id, m.client, coalesce(f.gstin, m.gstin) as gstin, f.form, f.reference, p.issued, c.created_at, coalesce(coalesce(f.corrected, f.facts) ->> 'served_on', '')::text as served_on,
       f.reply_by, f.hearing_on, coalesce(coalesce(f.corrected, f.facts) #> '{demand,rows}', '[]')::jsonb as demand, f.demand_paise, coalesce(p.officer, m.officer) as officer, p.stage, m.state,
       m.assignee, c.answered_at, f.first_year, f.last_year, n.arn, false as listed, ''::text as answered_on
from chosen m
join conversations c on c.matter_id = m.id and c.deleted_at is null
join facts f on f.document_id = c.notice_id
join papers p on p.document_id = c.notice_id
left join filed_notes n on n.conversation_id = c.id
union all
select l.id, m.client, l.gstin, coalesce(l.form, nullif(l.kind, '')), l.reference, l.issued, l.created_at, coalesce(l.received, '')::text,
       l.due, l.hearing, l.demand, l.demand_paise, l.officer, l.stage, m.state,
       m.assignee, null, l.years[1], l.years[cardinality(l.years)], l.arn, true, coalesce(l.answered_on, '')::text
from chosen m
join listed_notices l on l.matter_id = m.id and l.aside_at is null and not has_document(l.document_id)
order by 6 nulls first, 7, 1
limit 100000;
