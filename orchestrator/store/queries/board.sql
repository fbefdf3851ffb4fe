-- name: Board :many
-- Board returns what is due up to a day (overdue first, then dates to confirm, then by date, then tasks without a
-- date), with the number of each kind. A task counts for its own assignee, not for the matter's. What is only shown is
-- read for the rows of the page alone; papers are joined before only if they are filtered by.
select b.*, coalesce(p.form, l.form, nullif(l.kind, '')) as form, coalesce(p.gstin, l.gstin, b.matter_gstin) as gstin, coalesce(p.officer, l.officer, b.matter_officer) as officer,
       c.name as client, a.id as assignee_id, a.name as assignee, coalesce(f.reference, l.reference) as reference,
       coalesce(coalesce(f.corrected, f.facts) #>> '{hearing,time}', '')::text as at, coalesce(coalesce(f.corrected, f.facts) #>> '{hearing,venue}', '')::text as venue
from (select d.matter_id, d.conversation_id, d.document_id, d.task_id, d.task, d.what, d.day, d.to_confirm, d.listed_id, m.gstin as matter_gstin, m.officer as matter_officer,
             m.title, m.stage, m.state, m.forms, m.first_year, m.last_year, m.demand_paise, m.client_id, case when d.what = 'task' then d.task_assignee else m.assignee_id end as whose,
             case when d.to_confirm then 1 when d.day < @today::text then 0 when d.day is null then 3 else 2 end::int as part,
             (count(*) filter (where not d.to_confirm and d.day < @today::text) over ())::int as overdue,
             (count(*) filter (where d.to_confirm) over ())::int as undated,
             (count(*) filter (where not d.to_confirm and d.day >= @today::text) over ())::int as coming,
             (count(*) filter (where not d.to_confirm and d.day is null) over ())::int as dateless,
             (count(*) filter (where d.what = 'hearing') over ())::int as hearings,
             (count(*) filter (where d.what = 'task') over ())::int as tasks
      from (select o.matter_id, o.conversation_id, o.document_id, o.listed_id, null::uuid as task_id, null::text as task, o.what, o.day, o.to_confirm,
                   null::uuid as task_assignee
            from open_days o
            where not @only_tasks::bool and (o.to_confirm or o.day <= @until::text and (o.watched or o.day >= @today))
              and (not @only_hearings::bool or o.what = 'hearing')
            union all
            select k.matter_id, null, null, null, k.id, k.text, 'task', k.due_on, false, k.assignee_id
            from tasks k
            where not @only_hearings::bool and k.done_at is null and (k.due_on is null or k.due_on <= @until::text)) d
      join matters m on m.id = d.matter_id and m.closed_at is null
      left join papers p on p.document_id = d.document_id and (@officer::text <> '' or @region::text <> '')
      left join listed_notices l on l.id = d.listed_id and (@officer <> '' or @region <> '')
      where (sqlc.narg(client_id)::uuid is null or m.client_id = sqlc.narg(client_id))
        and (sqlc.narg(assignee_id)::uuid is null or case when d.what = 'task' then d.task_assignee else m.assignee_id end = sqlc.narg(assignee_id))
        and (not @unassigned::bool or case when d.what = 'task' then d.task_assignee else m.assignee_id end is null)
        and (@stage::text = '' or m.stage = @stage)
        and (@officer = '' or coalesce(p.officer, l.officer, m.officer) = @officer)
        and (@region = '' or left(coalesce(p.gstin, l.gstin, m.gstin), 2) = @region)
        and (@least_paise::bigint = 0 or m.demand_paise >= @least_paise)
      order by part, d.day nulls last, d.what, d.conversation_id, d.listed_id, d.task_id
      limit @most::int offset @skip::int) b
join clients c on c.id = b.client_id
left join papers p on p.document_id = b.document_id
left join listed_notices l on l.id = b.listed_id
left join members a on a.id = b.whose
left join facts f on f.document_id = b.document_id
order by b.part, b.day nulls last, case when b.part = 2 then coalesce(f.corrected, f.facts) #>> '{hearing,time}' end nulls last, b.what, b.conversation_id, b.listed_id, b.task_id;

-- name: OpenOfficers :many
select distinct officer::text from matters where closed_at is null and officer is not null order by 1 limit 1000;

-- name: OpenRegions :many
-- OpenRegions returns the State codes of open matters.
select distinct left(gstin, 2)::text as code from matters where closed_at is null and gstin is not null order by 1;

-- name: OpenClients :many
select distinct c.id, c.name from matters m join clients c on c.id = m.client_id where m.closed_at is null order by c.name, c.id limit 2000;

-- name: SavedViews :many
select id, page, name, filters from saved_views where workspace_id = @workspace_id and member_id = @member_id order by created_at, id;

-- name: CountViews :one
select count(*)::int from saved_views where workspace_id = @workspace_id and member_id = @member_id;

-- name: SaveView :exec
insert into saved_views (id, workspace_id, member_id, page, name, filters) values (@id, @workspace_id, @member_id, @page, @name, @filters);

-- name: RemoveView :execrows
delete from saved_views where id = @id and member_id = @member_id;

-- name: DropViews :exec
-- DropViews deletes the views of a member who leaves.
delete from saved_views where workspace_id = @workspace_id and member_id = @member_id;
