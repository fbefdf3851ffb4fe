-- name: AddFirm :exec
insert into firms (workspace_id, name) values (@workspace_id, @name);

-- name: FirmsOf :many
-- FirmsOf returns the firms in which a person works, by name.
select f.workspace_id as id, f.name, m.id as member_id, m.role
from members m join firms f on f.workspace_id = m.workspace_id join workspaces w on w.id = f.workspace_id and w.erasing_at is null
where m.person_id = @person_id::uuid and m.left_at is null
order by lower(f.name), f.workspace_id;

-- name: Standing :one
-- Standing returns a person's membership of a firm.
select f.name as firm, m.id as member_id, m.role, m.name, m.client_id
from members m join firms f on f.workspace_id = m.workspace_id join workspaces w on w.id = f.workspace_id and w.erasing_at is null
where m.workspace_id = @firm and m.person_id = @person_id::uuid and m.left_at is null;

-- name: FirmsOwned :many
-- FirmsOwned returns the names of the firms that a person owns.
select f.name from members m join firms f on f.workspace_id = m.workspace_id join workspaces w on w.id = f.workspace_id and w.erasing_at is null
where m.person_id = @person_id::uuid and m.role = 'owner' and m.left_at is null
order by lower(f.name);

-- name: Firm :one
select f.workspace_id as id, f.name, f.founded_at, s.seats, s.usage_count, (s.status = 'active' and s.current_period_end > now())::bool as premium
from firms f join subscriptions s on s.workspace_id = f.workspace_id where f.workspace_id = @id;

-- name: LockFirm :one
select workspace_id from firms where workspace_id = @id for no key update;

-- name: RenameFirm :execrows
update firms set name = @name where workspace_id = @id;

-- name: AddMember :exec
insert into members (id, workspace_id, person_id, name, role) values (@id, @workspace_id, @person_id::uuid, @name, @role);

-- name: Members :many
-- Members returns present and former members, present ones first.
select id, person_id, name, role, joined_at, left_at from members where workspace_id = @workspace_id order by left_at is not null, lower(name), id;

-- name: Addresses :many
-- Addresses returns the members' mail addresses.
select m.id, p.email from members m join people p on p.workspace_id = m.person_id
where m.workspace_id = @workspace_id and m.left_at is null;

-- name: LockMember :one
select id, person_id, name, role from members where workspace_id = @workspace_id and id = @id and left_at is null for no key update;

-- name: SetMember :exec
update members set role = @role, name = @name where workspace_id = @workspace_id and id = @id;

-- name: EndMember :exec
update members set left_at = clock_timestamp() where workspace_id = @workspace_id and id = @id;

-- name: ForgetMember :execrows
-- ForgetMember replaces the name of a former member.
update members set name = @name, person_id = null where workspace_id = @workspace_id and id = @id and left_at is not null;

-- name: LeaveFirms :exec
-- LeaveFirms ends all memberships of a person whose account is erased, and deletes those firms' calendar addresses,
-- which they may know.
with gone as (
    update members set left_at = clock_timestamp() where person_id = @person_id::uuid and left_at is null returning workspace_id
)
delete from calendars c using gone where c.workspace_id = gone.workspace_id;

-- name: SeatsTaken :one
select count(*)::int from members where workspace_id = @workspace_id and left_at is null and role in ('owner', 'partner', 'preparer');

-- name: AddInvitation :exec
insert into invitations (id, workspace_id, token_sha, role, email, invited_by, expires_at)
values (@id, @workspace_id, @token_sha, @role, @email, @invited_by, @expires_at);

-- name: Invitations :many
-- Invitations returns those that can still be accepted, latest first.
select i.id, i.role, i.email, i.created_at, i.expires_at, m.name as invited_by
from invitations i join members m on m.id = i.invited_by
where i.workspace_id = @workspace_id and i.accepted_by is null and i.withdrawn_at is null and i.expires_at > now()
order by i.created_at desc;

-- name: InvitationRole :one
select role from invitations where workspace_id = @workspace_id and id = @id;

-- name: WithdrawInvitation :execrows
update invitations set withdrawn_at = clock_timestamp()
where workspace_id = @workspace_id and id = @id and accepted_by is null and withdrawn_at is null;

-- name: Invitation :one
select i.id, i.workspace_id, i.role, i.email, i.expires_at, f.name as firm, m.name as invited_by
from invitations i join firms f on f.workspace_id = i.workspace_id join members m on m.id = i.invited_by and m.left_at is null
    join workspaces w on w.id = i.workspace_id and w.erasing_at is null
where i.token_sha = @token_sha and i.accepted_by is null and i.withdrawn_at is null and i.expires_at > now();

-- name: AcceptInvitation :exec
update invitations set accepted_by = @member::uuid where id = @id;

-- name: AddToLog :exec
insert into firm_log (id, workspace_id, member_id, who, event, about, detail, matter_id)
values (@id, @workspace_id, sqlc.narg(member_id), @who, @event, sqlc.narg(about), @detail, sqlc.narg(matter_id));

-- name: FirmLog :many
-- FirmLog returns entries latest first, older than a given entry if there is one, each with the name of the member or the
-- draft that it is about, and with its matter.
select l.id, l.at, l.member_id, coalesce(m.name, l.who)::text as who, l.event, l.about, l.detail,
       coalesce(b.name, d.title, '')::text as subject, x.id as matter_id, coalesce(c.name, '')::text as client, coalesce(x.title, '')::text as title,
       coalesce(x.forms, '{}')::text[] as forms
from firm_log l
left join members m on m.id = l.member_id
left join members b on b.id = l.about and b.id is distinct from l.member_id
left join drafts d on d.id = l.about
left join matters x on x.id = l.matter_id
left join clients c on c.id = x.client_id
where (sqlc.narg(before)::uuid is null or l.id < sqlc.narg(before)::uuid)
order by l.id desc
limit @most::int;

-- name: OwnerOf :one
select id from members where workspace_id = @workspace_id and role = 'owner' and left_at is null;

-- name: MemberRole :one
select role from members where workspace_id = @workspace_id and id = @id and left_at is null;

-- name: Payer :one
-- Payer returns who pays for a workspace: the person who owns it, or the owner of the firm.
select p.email, (p.confirmed_at is not null)::bool as confirmed, (p.workspace_id <> @id)::bool as firm
from people p
where p.workspace_id = @id or p.workspace_id = (select m.person_id from members m where m.workspace_id = @id and m.role = 'owner' and m.left_at is null);

-- name: Mailed :many
-- Mailed returns who gets mail reminders about a workspace's dates: the person who owns it, or the owner of the firm;
-- only with a confirmed address, and if they want mail.
select p.email, (p.workspace_id <> @id)::bool as firm
from people p
where p.confirmed_at is not null and p.mail_reminders
  and (p.workspace_id = @id or p.workspace_id in (select m.person_id from members m where m.workspace_id = @id and m.role = 'owner' and m.left_at is null));
