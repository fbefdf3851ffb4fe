-- name: FirmConversation :one
-- FirmConversation returns what is needed to file the paper of a conversation in a firm.
select c.id, c.notice_id::uuid as document_id, c.matter_id, coalesce(f.corrected, f.facts)::jsonb as facts, d.sha256
from conversations c
join workspaces w on w.id = c.workspace_id and w.kind = 'firm'
join facts f on f.document_id = c.notice_id
join documents d on d.id = c.notice_id
where c.id = @id and c.deleted_at is null;

-- name: LockFiling :exec
-- LockFiling makes a firm file one paper after the other, so that two papers of a new client create one client.
select pg_advisory_xact_lock(hashtextextended(sqlc.arg(firm)::text, 41));

-- name: PutPaper :exec
insert into papers as p (document_id, workspace_id, conversation_id, gstin, pan, name_key, form, track, stage, issued, years, issues, officer, demand_paise, sketch)
values (@document_id, @workspace_id, @conversation_id, sqlc.narg(gstin), sqlc.narg(pan), @name_key, sqlc.narg(form), @track, @stage, sqlc.narg(issued), @years::text[],
        @issues::text[], sqlc.narg(officer), sqlc.narg(demand_paise), @sketch::bigint[])
on conflict (document_id) do update set gstin = excluded.gstin, pan = excluded.pan, name_key = excluded.name_key, form = excluded.form, track = excluded.track,
    stage = excluded.stage, issued = excluded.issued, years = excluded.years, issues = excluded.issues, officer = excluded.officer,
    demand_paise = excluded.demand_paise, sketch = excluded.sketch;

-- name: DropNumbers :exec
delete from paper_numbers where document_id = @document_id;

-- name: AddNumbers :exec
insert into paper_numbers (document_id, workspace_id, number, own)
select @document_id, @workspace_id, n, @own::bool from unnest(@numbers::text[]) n
on conflict do nothing;

-- name: Paper :one
select * from papers where document_id = @document_id;

-- name: PaperOf :one
-- PaperOf returns the filing details of a conversation's notice, and where it is filed.
select sqlc.embed(p), c.matter_id, f.client as name, l.name as client_name
from papers p join conversations c on c.notice_id = p.document_id join facts f on f.document_id = p.document_id left join clients l on l.id = p.client_id
where c.id = @conversation_id and c.deleted_at is null;

-- name: Siblings :many
-- Siblings returns papers to which a paper may belong: of the same taxpayer, or mentioned by it or mentioning it.
select p.document_id, p.conversation_id, c.matter_id, m.client_id as matter_client, p.gstin, p.pan, p.form, p.track, p.stage, p.issued, p.years, p.issues, p.demand_paise,
       p.sketch, n.numbered, n.own_same, n.cites, n.cited
from papers p
join conversations c on c.id = p.conversation_id and c.deleted_at is null and c.notice_id = p.document_id
left join matters m on m.id = c.matter_id
join lateral (
    select coalesce(bool_or(x.own), false)::bool as numbered,
           coalesce(bool_or(x.own and x.number = any (@own::text[])), false)::bool as own_same,
           coalesce(bool_or(not x.own and x.number = any (@own::text[])), false)::bool as cites,
           coalesce(bool_or(x.own and x.number = any (@cited::text[])), false)::bool as cited
    from paper_numbers x where x.document_id = p.document_id
) n on true
where p.document_id <> @document_id and p.workspace_id = @workspace_id
  and (p.document_id in (select y.document_id from paper_numbers y where y.workspace_id = @workspace_id and y.number = any (@own::text[] || @cited::text[]))
       or p.gstin = @gstin::text or p.pan = @pan::text)
order by p.issued desc nulls last, p.document_id
limit 400;

-- name: SameFile :one
-- SameFile returns the first other paper with the same bytes.
select d.id, p.conversation_id from documents d join papers p on p.document_id = d.id join conversations c on c.id = p.conversation_id and c.deleted_at is null
where d.workspace_id = @workspace_id and d.sha256 = @sha256 and d.id <> @id order by d.created_at limit 1;

-- name: ClientByGstin :one
select c.* from client_gstins g join clients c on c.id = g.client_id where g.workspace_id = @workspace_id and g.gstin = @gstin;

-- name: ClientByPan :one
select * from clients where workspace_id = @workspace_id and pan = @pan::text;

-- name: ClientsByName :many
select * from clients where workspace_id = @workspace_id and name_key = @name_key limit 3;

-- name: AddClient :exec
insert into clients (id, workspace_id, name, name_key, pan, language, people, note, made_by)
values (@id, @workspace_id, @name, @name_key, sqlc.narg(pan), @language, @people, @note, @made_by);

-- name: SetClient :execrows
update clients set name = @name, name_key = @name_key, pan = sqlc.narg(pan), language = @language, people = @people, note = @note, updated_at = clock_timestamp()
where id = @id;

-- name: NameClient :exec
-- NameClient names a client who was created from a paper without a name, and so far is called by their registration.
update clients c set name = @name, name_key = @name_key, updated_at = clock_timestamp()
where c.id = @id and c.made_by = 'munshi' and exists (select from client_gstins g where g.client_id = c.id and g.gstin = c.name);

-- name: AddGstin :execrows
insert into client_gstins (workspace_id, gstin, client_id) values (@workspace_id, @gstin, @client_id) on conflict do nothing;

-- name: RemoveGstin :execrows
delete from client_gstins where client_id = @client_id and gstin = @gstin;

-- name: Client :one
select * from clients where id = @id;

-- name: LockClient :one
select * from clients where id = @id for no key update;

-- name: DropClient :execrows
-- DropClient deletes a client without matters.
delete from clients c where c.id = @id and not exists (select from matters m where m.client_id = c.id);

-- name: Gstins :many
select gstin from client_gstins where client_id = @client_id order by gstin;

-- name: Clients :many
select c.id, c.name, c.pan, c.language, c.portal_looked_at, c.created_at, coalesce(m.matters, 0)::int as matters, coalesce(m.open, 0)::int as open_matters, coalesce(m.next_on, '')::text as next_on, coalesce(m.demand, 0)::bigint as demand_paise,
       coalesce(m.open_date, false)::bool as open_date,
       array(select g.gstin from client_gstins g where g.client_id = c.id order by g.gstin)::text[] as gstins
from clients c
left join (select client_id, count(*) as matters, count(*) filter (where closed_at is null) as open, min(next_on) filter (where closed_at is null) as next_on,
                  sum(demand_paise) filter (where closed_at is null) as demand, bool_or(open_date) filter (where closed_at is null) as open_date
           from matters group by client_id) m on m.client_id = c.id
where (@search::text = '' or c.name ilike @search or c.pan ilike @search
       or exists (select from client_gstins g where g.client_id = c.id and g.gstin ilike @search))
order by lower(c.name), c.id
limit @most::int offset @skip::int;

-- name: ClientCount :one
select count(*)::int from clients c
where (@search::text = '' or c.name ilike @search or c.pan ilike @search
       or exists (select from client_gstins g where g.client_id = c.id and g.gstin ilike @search));

-- name: AddMatter :exec
insert into matters (id, workspace_id, client_id, track, stage) values (@id, @workspace_id, @client_id, @track, @stage);

-- name: Matter :one
select m.*, c.name as client, c.pan, c.language,
       (select count(*) from tasks k where k.matter_id = m.id and k.done_at is null)::int as tasks,
       ((select count(*) from comments k where k.matter_id = m.id and k.settled_at is null)
        + (select count(*) from comments k join conversations x on x.id = k.conversation_id and x.deleted_at is null where x.matter_id = m.id and k.settled_at is null))::int as comments
from matters m join clients c on c.id = m.client_id where m.id = @id;

-- name: MatterState :one
select * from matters where id = @id;

-- name: LockMatter :one
select * from matters where id = @id for no key update;

-- name: DropEmptyMatter :execrows
delete from matters m where m.id = @id and m.title = '' and m.note = ''
    and not exists (select from conversations c where c.matter_id = m.id)
    and not exists (select from listed_notices l where l.matter_id = m.id);

-- name: SetMatter :execrows
update matters set title = @title, note = @note, state = @state, assignee_id = sqlc.narg(assignee_id), reviewer_id = sqlc.narg(reviewer_id),
    closed_at = case when @state = 'closed' then coalesce(closed_at, clock_timestamp()) end, updated_at = clock_timestamp()
where id = @id;

-- name: MoveMatters :execrows
update matters set client_id = @to_client where client_id = @from_client;

-- name: MoveGstins :exec
update client_gstins set client_id = @to_client where client_id = @from_client;

-- name: MovePapers :exec
update papers set client_id = sqlc.narg(to_client) where client_id = sqlc.narg(from_client);

-- name: HandMatters :execrows
-- HandMatters gives the matters of a member who leaves to another.
update matters set assignee_id = case when assignee_id = @from_member then @to_member::uuid else assignee_id end,
                   reviewer_id = case when reviewer_id = @from_member then @to_member::uuid else reviewer_id end
where workspace_id = @workspace_id and (assignee_id = @from_member or reviewer_id = @from_member);

-- name: FileConversation :execrows
update conversations set matter_id = sqlc.narg(matter_id) where id = @id and deleted_at is null;

-- name: SettlePaper :exec
update papers set client_id = sqlc.narg(client_id), settled_at = clock_timestamp(), settled_by = sqlc.narg(settled_by),
    seen_at = case when @seen::bool then coalesce(seen_at, clock_timestamp()) else seen_at end
where document_id = @document_id;

-- name: ProposePaper :exec
update papers set client_id = sqlc.narg(client_id), candidates = @candidates, duplicate_of = sqlc.narg(duplicate_of), why = sqlc.narg(why), settled_at = null, settled_by = null
where document_id = @document_id;

-- name: SeePaper :execrows
update papers p set seen_at = coalesce(p.seen_at, clock_timestamp()) from conversations c where c.notice_id = p.document_id and c.id = @conversation_id;

-- name: PassPapers :exec
-- PassPapers marks papers of a matter as answered if the matter has a paper of a later stage.
update conversations c set answered_at = clock_timestamp(), passed = true
from papers p
where p.document_id = c.notice_id and c.matter_id = @matter_id::uuid and c.answered_at is null
  and exists (
    select from conversations l join papers q on q.document_id = l.notice_id
    where l.matter_id = c.matter_id and l.id <> c.id and l.deleted_at is null
      and array_position(array['scrutiny', 'intimation', 'notice', 'order', 'appeal', 'tribunal'], q.stage)
          > array_position(array['scrutiny', 'intimation', 'notice', 'order', 'appeal', 'tribunal'], p.stage));

-- name: UnpassPapers :exec
-- UnpassPapers opens them again if there is no such paper any more.
update conversations c set answered_at = null, passed = false
from papers p
where p.document_id = c.notice_id and c.matter_id = @matter_id::uuid and c.passed
  and not exists (
    select from conversations l join papers q on q.document_id = l.notice_id
    where l.matter_id = c.matter_id and l.id <> c.id and l.deleted_at is null
      and array_position(array['scrutiny', 'intimation', 'notice', 'order', 'appeal', 'tribunal'], q.stage)
          > array_position(array['scrutiny', 'intimation', 'notice', 'order', 'appeal', 'tribunal'], p.stage));

-- name: MatterPapers :many
-- MatterPapers returns the papers of a matter by date.
select c.id, c.title, c.created_at, c.answered_at, c.passed, f.client, f.gstin, f.form, f.reference, f.first_year, f.last_year, f.demand_paise, f.reply_by, f.watch_by,
       f.watch_what, f.hearing_on, coalesce(f.attention, '[]')::jsonb as attention, coalesce(f.corrected, f.facts)::jsonb as facts, p.stage, p.issued, p.document_id,
       date_open(f.attention)::bool as open_date, n.arn, n.filed_on, n.document_id as acknowledgement
from conversations c
join facts f on f.document_id = c.notice_id
join papers p on p.document_id = c.notice_id
left join filed_notes n on n.conversation_id = c.id
where c.matter_id = @matter_id and c.deleted_at is null
order by coalesce(p.issued, ''), c.created_at;

-- name: MatterDrafts :many
select d.id, d.title, d.kind, d.version, d.created_at, d.updated_at, d.conversation_id, coalesce(r.state, '')::text as review
from drafts d join conversations c on c.id = d.conversation_id left join draft_reviews r on r.draft_id = d.id
where c.matter_id = @matter_id and d.deleted_at is null order by d.updated_at desc limit 100;

-- name: MatterAuthorities :many
select a.id, a.citation, a.proposition, a.conversation_id from authorities a join conversations c on c.id = a.conversation_id
where c.matter_id = @matter_id and a.removed_at is null order by a.created_at limit 200;

-- name: MatterAnswers :many
-- MatterAnswers returns when questions about the papers were last answered, and by whom.
select c.id as conversation_id, a.said_by, max(a.said_at)::timestamptz as at, count(*)::int as answers
from answers a join conversations c on c.notice_id = a.document_id where c.matter_id = @matter_id group by c.id, a.said_by;

-- name: MatterHandedIn :many
select d.id, d.name, d.type, d.created_at, d.conversation_id from documents d join conversations c on c.id = d.conversation_id
where c.matter_id = @matter_id and d.type not in ('', 'Acknowledgement') order by d.created_at desc limit 200;

-- name: MatterLog :many
select l.id, l.at, coalesce(m.name, l.who)::text as who, l.event, l.about, l.detail
from firm_log l left join members m on m.id = l.member_id
where l.matter_id = @matter_id order by l.id desc limit 200;

-- name: RefreshMatter :exec
select refresh_matter(@matter_id::uuid);

-- name: Matters :many
-- Matters returns matters as its filters say, open ones first, then by what is due. Tasks and comments are counted for
-- the rows of the page alone.
select m.*,
       (select count(*) from tasks k where k.matter_id = m.id and k.done_at is null)::int as tasks,
       ((select count(*) from comments k where k.matter_id = m.id and k.settled_at is null)
        + (select count(*) from comments k join conversations x on x.id = k.conversation_id and x.deleted_at is null where x.matter_id = m.id and k.settled_at is null))::int as comments
from (select m.id, m.title, m.track, m.stage, m.state, m.papers, m.gstin, m.first_year, m.last_year, m.issues, m.forms, m.officer, m.demand_paise, m.next_on, m.next_what,
       m.next_paper, m.open_date, m.assignee_id, m.reviewer_id, m.closed_at, m.updated_at, m.client_id, c.name as client, a.name as assignee, r.name as reviewer
from matters m join clients c on c.id = m.client_id left join members a on a.id = m.assignee_id left join members r on r.id = m.reviewer_id
where (@closed::bool or m.closed_at is null) and (m.papers > 0 or m.title <> '' or m.note <> '')
  and (sqlc.narg(ids)::uuid[] is null or m.id = any (sqlc.narg(ids)))
  and (sqlc.narg(client_id)::uuid is null or m.client_id = sqlc.narg(client_id))
  and (sqlc.narg(assignee_id)::uuid is null or m.assignee_id = sqlc.narg(assignee_id))
  and (@stage::text = '' or m.stage = @stage)
  and (not @unassigned::bool or m.assignee_id is null)
  and (@officer::text = '' or m.officer = @officer)
  and (@region::text = '' or left(m.gstin, 2) = @region)
  and (@least_paise::bigint = 0 or m.demand_paise >= @least_paise)
  and (@state::text = '' or m.state = @state)
  and (@search::text = '' or concat_ws(' ', c.name, m.gstin, m.title, m.officer, array_to_string(m.forms, ' ')) ilike @search)
order by m.closed_at is not null, m.open_date desc, m.next_on nulls last, m.id
limit @most::int offset @skip::int) m
order by m.closed_at is not null, m.open_date desc, m.next_on nulls last, m.id;

-- name: MatterCount :one
select count(*)::int from matters m join clients c on c.id = m.client_id
where (@closed::bool or m.closed_at is null) and (m.papers > 0 or m.title <> '' or m.note <> '')
  and (sqlc.narg(client_id)::uuid is null or m.client_id = sqlc.narg(client_id))
  and (sqlc.narg(assignee_id)::uuid is null or m.assignee_id = sqlc.narg(assignee_id))
  and (@stage::text = '' or m.stage = @stage)
  and (not @unassigned::bool or m.assignee_id is null)
  and (@officer::text = '' or m.officer = @officer)
  and (@region::text = '' or left(m.gstin, 2) = @region)
  and (@least_paise::bigint = 0 or m.demand_paise >= @least_paise)
  and (@state::text = '' or m.state = @state)
  and (@search::text = '' or concat_ws(' ', c.name, m.gstin, m.title, m.officer, array_to_string(m.forms, ' ')) ilike @search);
