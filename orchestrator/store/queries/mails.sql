-- name: MailChoices :one
select * from mail_choices where member_id = @member_id;

-- name: SetMailChoices :exec
insert into mail_choices (member_id, workspace_id, digest_hour, reviews, reminders, language)
values (@member_id, @workspace_id, sqlc.narg(digest_hour), @reviews, @reminders, @language)
on conflict (member_id) do update set digest_hour = excluded.digest_hour, reviews = excluded.reviews, reminders = excluded.reminders, language = excluded.language;

-- name: DueDigests :many
-- DueDigests returns the members with a confirmed address whose digest is due today and has not been sent.
select m.id, m.workspace_id, m.name, m.role, f.name as firm, p.email, c.language
from mail_choices c
join members m on m.id = c.member_id and m.left_at is null and m.role in ('owner', 'partner', 'preparer')
join firms f on f.workspace_id = m.workspace_id
join people p on p.workspace_id = m.person_id and p.confirmed_at is not null
where c.digest_hour <= @hour::int
  and not exists (select from member_mails s where s.member_id = m.id and s.kind = 'digest' and s.about = m.workspace_id and s.day = @day
                                               and not (s.failed and s.tries < @most_tries::int))
order by m.workspace_id, m.id limit 200;

-- name: ReviewNews :many
-- ReviewNews returns the drafts that were sent for review, returned or approved since the given time.
select draft_id, workspace_id, state, sent_by, decided_by, coalesce(decided_at, sent_at)::timestamptz as at
from draft_reviews
where state = 'review' and sent_at >= @since or state in ('returned', 'approved') and decided_at >= @since
order by at limit 1000;

-- name: MailedMembers :many
-- MailedMembers returns the owner, partners and preparers of a firm, with the mails that they want; the address is empty
-- if it is not confirmed.
select m.id, m.name, m.role, f.name as firm, coalesce(p.email, '')::text as email, coalesce(c.reviews, true)::bool as reviews,
       (coalesce(c.reminders, true) and coalesce(p.mail_reminders, false))::bool as reminders, coalesce(c.language, 'en')::text as language
from members m
join firms f on f.workspace_id = m.workspace_id
left join people p on p.workspace_id = m.person_id and p.confirmed_at is not null
left join mail_choices c on c.member_id = m.id
where m.workspace_id = @workspace_id and m.left_at is null and m.role in ('owner', 'partner', 'preparer')
order by m.id;

-- name: ClaimMail :execrows
insert into member_mails (member_id, workspace_id, kind, about, day) values (@member_id, @workspace_id, @kind, @about, @day)
on conflict (member_id, kind, about, day) do update set tries = member_mails.tries + 1, failed = false
where member_mails.failed and member_mails.tries < @most_tries::int;

-- name: FailMail :exec
update member_mails set failed = true where member_id = @member_id and kind = @kind and about = @about and day = @day;

-- name: ForgetMails :exec
delete from member_mails where day < @before;

-- name: DraftForMail :one
select d.title, m.reviewer_id from drafts d left join conversations c on c.id = d.conversation_id and c.deleted_at is null left join matters m on m.id = c.matter_id
where d.id = @id and d.deleted_at is null;

-- name: WaitingReviews :many
-- WaitingReviews returns the drafts that wait for a member's review, because the member is the reviewer of the matter, or
-- because it has none and the member may approve. Drafts that the member sent are left out.
select d.id, d.title, r.sent_at
from draft_reviews r
join drafts d on d.id = r.draft_id and d.deleted_at is null
left join conversations c on c.id = d.conversation_id
left join matters m on m.id = c.matter_id
where r.state = 'review' and r.sent_by <> @member_id and c.deleted_at is null and (m.reviewer_id = @member_id or m.reviewer_id is null and @approves::bool)
order by r.sent_at limit 50;

-- name: RemindedMembers :many
-- RemindedMembers returns the assignee and the reviewer of a conversation's matter, if it has them.
select u.id from (
    select m.assignee_id as id from conversations c join matters m on m.id = c.matter_id where c.id = @conversation_id
    union select m.reviewer_id from conversations c join matters m on m.id = c.matter_id where c.id = @conversation_id) u
where u.id is not null;
