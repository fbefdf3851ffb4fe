-- name: Register :many
-- Register returns the notices and orders of a firm's matters by date, each as a row of the register.
select c.id, l.name as client, coalesce(f.gstin, m.gstin) as gstin, f.form, f.reference, p.issued, c.created_at, coalesce(coalesce(f.corrected, f.facts) ->> 'served_on', '')::text as served_on,
       f.reply_by, f.hearing_on, coalesce(coalesce(f.corrected, f.facts) #> '{demand,rows}', '[]')::jsonb as demand, f.demand_paise, coalesce(p.officer, m.officer) as officer, p.stage, m.state,
       a.name as assignee, c.answered_at, f.first_year, f.last_year, n.arn
from matters m
join clients l on l.id = m.client_id
join conversations c on c.matter_id = m.id and c.deleted_at is null
join facts f on f.document_id = c.notice_id
join papers p on p.document_id = c.notice_id
left join members a on a.id = m.assignee_id
left join filed_notes n on n.conversation_id = c.id
where (@closed::bool or m.closed_at is null)
  and (sqlc.narg(client_id)::uuid is null or m.client_id = sqlc.narg(client_id))
  and (sqlc.narg(assignee_id)::uuid is null or m.assignee_id = sqlc.narg(assignee_id))
  and (not @unassigned::bool or m.assignee_id is null)
  and (@stage::text = '' or m.stage = @stage)
  and (@officer::text = '' or m.officer = @officer)
  and (@region::text = '' or left(m.gstin, 2) = @region)
  and (@least_paise::bigint = 0 or m.demand_paise >= @least_paise)
order by coalesce(p.issued, ''), c.created_at, c.id
limit 100000;
