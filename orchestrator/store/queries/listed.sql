-- name: AddListed :execrows
insert into listed_notices (id, workspace_id, matter_id, source, mark, number, reference, form, kind, about, gstin, track, stage, years, issued, received, due, hearing,
                            officer, demand, demand_paise, answered_on, replied, arn, added_by)
values (@id, @workspace_id, @matter_id, @source, @mark, @number, sqlc.narg(reference), sqlc.narg(form), @kind, @about, sqlc.narg(gstin), @track, @stage, @years::text[],
        sqlc.narg(issued), sqlc.narg(received), sqlc.narg(due), sqlc.narg(hearing), sqlc.narg(officer), @demand, sqlc.narg(demand_paise), sqlc.narg(answered_on), @replied,
        sqlc.narg(arn), sqlc.narg(added_by))
on conflict (workspace_id, mark) do nothing;

-- name: ListedByMark :one
select id from listed_notices where workspace_id = @workspace_id and mark = @mark;

-- name: MatterListed :many
-- MatterListed returns the listed notices of a matter whose document the firm does not have.
select * from listed_notices l where l.matter_id = @matter_id and not has_document(l.document_id) order by l.issued nulls last, l.created_at;

-- name: ClientListed :many
-- ClientListed returns the listed notices of a client whose document the firm does not have, by due date; those put
-- aside come last.
select l.* from listed_notices l join matters m on m.id = l.matter_id
where m.client_id = @client_id and not has_document(l.document_id)
order by l.aside_at is not null, l.due nulls last, l.issued desc nulls last, l.created_at limit 1000;

-- name: LockListed :one
select sqlc.embed(l), m.client_id from listed_notices l join matters m on m.id = l.matter_id where l.id = @id for no key update of l;

-- name: SetListed :exec
update listed_notices set aside_at = case when @aside::bool then coalesce(aside_at, clock_timestamp()) end, replied = @replied::bool,
    answered_on = case when @replied::bool then answered_on end
where id = @id;

-- name: ArriveListed :exec
update listed_notices set document_id = @document_id where id = @id;

-- name: ArriveListedOf :exec
-- ArriveListedOf records the document of a conversation as that of a listed notice.
update listed_notices l set document_id = c.notice_id from conversations c
where l.id = @id and c.id = @conversation_id and c.notice_id is not null and c.deleted_at is null;

-- name: ListedFor :one
-- ListedFor returns the listed notice to which a document belongs: the one for which it was uploaded, or else one with
-- its number and, if both are known, the same form. If both registrations are known, they must be the same.
select l.* from listed_notices l
left join batch_files b on b.listed_id = l.id and b.conversation_id = @conversation_id::uuid
where l.workspace_id = @workspace_id and (l.document_id is null or l.document_id = @document_id::uuid or not has_document(l.document_id))
  and (b.id is not null or l.number <> '' and l.number = any (@own::text[])
       and (l.form is null or sqlc.narg(form)::text is null or l.form = sqlc.narg(form)))
  and (l.gstin is null or sqlc.narg(gstin)::text is null or l.gstin = sqlc.narg(gstin))
order by b.id is null, l.aside_at is not null, l.created_at limit 1;

-- name: KnownClients :many
-- KnownClients returns clients by registration, PAN or name.
select c.id, c.name, c.name_key, c.pan, array(select g.gstin from client_gstins g where g.client_id = c.id order by g.gstin)::text[] as gstins
from clients c
where c.workspace_id = @workspace_id
  and (c.pan = any (@pans::text[]) or c.name_key = any (@names::text[])
       or exists (select from client_gstins g where g.client_id = c.id and g.gstin = any (@gstins::text[])))
order by c.created_at, c.id;

-- name: KnownPapers :many
-- KnownPapers returns the papers of the given clients, and all papers with one of the numbers.
select p.document_id as id, c.matter_id, m.client_id, p.gstin, p.form, p.track, p.stage, p.issued, f.reply_by as due, p.years, p.demand_paise,
       array(select n.number from paper_numbers n where n.document_id = p.document_id and n.own)::text[] as numbers
from papers p
join conversations c on c.notice_id = p.document_id and c.deleted_at is null
join facts f on f.document_id = p.document_id
left join matters m on m.id = c.matter_id
where p.workspace_id = @workspace_id
  and (m.client_id = any (@clients::uuid[])
       or p.document_id in (select n.document_id from paper_numbers n where n.workspace_id = @workspace_id and n.own and n.number = any (@numbers::text[])));

-- name: KnownListed :many
-- KnownListed returns the listed notices of the given clients, and all with one of the numbers or marks.
select l.*, m.client_id, has_document(l.document_id)::bool as here from listed_notices l join matters m on m.id = l.matter_id
where l.workspace_id = @workspace_id
  and (m.client_id = any (@clients::uuid[]) or l.mark = any (@marks::text[]) or l.number <> '' and l.number = any (@numbers::text[]));

-- name: AddListedMatter :exec
insert into matters (id, workspace_id, client_id, track, stage, state, assignee_id, closed_at)
values (@id, @workspace_id, @client_id, @track, @stage, @state, sqlc.narg(assignee_id), case when @state::text = 'closed' then clock_timestamp() end);

-- name: AddRegisterImport :exec
insert into register_imports (id, workspace_id, member_id, name, cells, columns, heading, rows)
values (@id, @workspace_id, sqlc.narg(member_id), @name, @cells, @columns, @heading, @rows);

-- name: DropRegisterImports :exec
-- DropRegisterImports deletes imports that are more than a week old.
delete from register_imports where workspace_id = @workspace_id and created_at < now() - interval '7 days';

-- name: RegisterImport :one
select * from register_imports where id = @id;

-- name: SetImportColumns :execrows
update register_imports set columns = @columns, heading = @heading where id = @id and done_at is null and made = '{}';

-- name: TakeImport :execrows
-- TakeImport reserves an import for a minute; it changes no row if the import is done or reserved.
update register_imports set taken_at = clock_timestamp()
where id = @id and done_at is null and (taken_at is null or taken_at < now() - interval '1 minute');

-- name: NoteMade :exec
update register_imports set made = made || @made::jsonb, taken_at = clock_timestamp() where id = @id;

-- name: LeaveImport :exec
update register_imports set taken_at = null where id = @id;

-- name: EndImport :exec
update register_imports set done_at = clock_timestamp(), taken_at = null where id = @id;

-- name: LookedAtPortal :execrows
update clients set portal_looked_at = clock_timestamp() where id = @id;

-- name: Unlooked :many
-- Unlooked returns clients with a registration whose portal nobody has checked for that many days, the longest first,
-- each with the total number.
select c.id, c.name, c.portal_looked_at, (count(*) over ())::int as total from clients c
where exists (select from client_gstins g where g.client_id = c.id)
  and coalesce(c.portal_looked_at, c.created_at) < now() - make_interval(days => @days::int)
order by coalesce(c.portal_looked_at, c.created_at), c.id limit 20;
