-- name: Workload :many
-- Workload returns the open work of each member, and what is assigned to nobody.
select m.assignee_id, count(*)::int as matters, coalesce(sum(m.demand_paise), 0)::bigint as demand_paise, coalesce(sum(d.overdue), 0)::int as overdue,
       coalesce(sum(d.undated), 0)::int as undated, coalesce(sum(d.week), 0)::int as week, coalesce(sum(d.month), 0)::int as month, coalesce(sum(d.hearings), 0)::int as hearings
from matters m
left join (select matter_id,
                  count(*) filter (where not to_confirm and day < @today::text) as overdue,
                  count(*) filter (where to_confirm) as undated,
                  count(*) filter (where not to_confirm and day between @today and @week::text) as week,
                  count(*) filter (where not to_confirm and day between @today and @until::text) as month,
                  count(*) filter (where what = 'hearing' and day between @today and @until) as hearings
           from open_days where to_confirm or watched or day >= @today group by matter_id) d on d.matter_id = m.id
where m.closed_at is null and (m.papers > 0 or m.title <> '' or m.note <> '')
group by m.assignee_id;

-- name: ToReview :many
-- ToReview returns how many matters wait for each reviewer.
select reviewer_id, count(*)::int as matters from matters where closed_at is null and state = 'review' and reviewer_id is not null group by reviewer_id;

-- name: ExposureByYear :many
-- ExposureByYear returns the demands in open matters by financial year.
select coalesce(first_year, '')::text as first_year, coalesce(last_year, '')::text as last_year, count(*)::int as matters, coalesce(sum(demand_paise), 0)::bigint as demand_paise
from matters where closed_at is null and papers > 0 group by 1, 2 order by 1, 2;

-- name: ExposureByClient :many
-- ExposureByClient returns the clients with the largest demands first, and how many clients have open matters.
select m.client_id, c.name, count(*)::int as matters, coalesce(sum(m.demand_paise), 0)::bigint as demand_paise, (count(*) over ())::int as total
from matters m join clients c on c.id = m.client_id
where m.closed_at is null and m.papers > 0
group by m.client_id, c.name
order by coalesce(sum(m.demand_paise), 0) desc, c.name, m.client_id
limit @most::int offset @skip::int;

-- name: ExposureOf :many
select client_id, coalesce(first_year, '')::text as first_year, coalesce(last_year, '')::text as last_year, count(*)::int as matters, coalesce(sum(demand_paise), 0)::bigint as demand_paise
from matters where closed_at is null and papers > 0 and client_id = any (@clients::uuid[]) group by 1, 2, 3 order by 1, 2, 3;
