-- name: MailAddress :one
select token from mail_addresses where workspace_id = @workspace_id;

-- name: SetMailAddress :exec
insert into mail_addresses (workspace_id, token) values (@workspace_id, @token)
on conflict (workspace_id) do update set token = excluded.token, made_at = clock_timestamp();

-- name: FirmOfAddress :one
select workspace_id from mail_addresses where token = @token;

-- name: MailSenders :many
select id, address from mail_senders where workspace_id = @workspace_id order by address;

-- name: MailSender :one
select id from mail_senders where workspace_id = @workspace_id and address = @address;

-- name: AddMailSender :execrows
insert into mail_senders (id, workspace_id, address) values (@id, @workspace_id, @address) on conflict do nothing;

-- name: RemoveMailSender :one
delete from mail_senders where id = @id returning address;

-- name: KeepMail :execrows
insert into mails_in (id, workspace_id, sha256, sender, subject, files, state, problem, raw, batch_id)
values (@id, @workspace_id, @sha256, @sender, @subject, @files, @state, @problem, sqlc.narg(raw), sqlc.narg(batch_id))
on conflict (workspace_id, sha256) do nothing;

-- name: CountQuarantine :one
select count(*)::int from mails_in where workspace_id = @workspace_id and state = 'quarantine';

-- name: Quarantine :many
select id, sender, subject, files, problem, received_at from mails_in where state = 'quarantine' order by received_at desc, id limit 200;

-- name: LockMail :one
select * from mails_in where id = @id for no key update;

-- name: AcceptMail :exec
update mails_in set state = 'waiting', problem = '', batch_id = @batch_id, tries = 0, try_after = null where id = @id;

-- name: TryMail :exec
update mails_in set tries = tries + 1, try_after = @try_after where id = @id;

-- name: HoldMail :exec
-- HoldMail puts a mail into quarantine that could not be processed.
update mails_in set state = 'quarantine', problem = @problem where id = @id;

-- name: EndMail :exec
update mails_in set state = @state, raw = null where id = @id;

-- name: WaitingMails :many
select id, workspace_id from mails_in where state = 'waiting' and (try_after is null or try_after <= @now::timestamptz) order by received_at, id limit 20;

-- name: DropMails :exec
-- DropMails deletes mails that have been in quarantine since before the given time.
delete from mails_in where state = 'quarantine' and received_at < @before;

-- name: MailPlace :one
select validity, uid from mail_places where mailbox = @mailbox;

-- name: SetMailPlace :exec
insert into mail_places (mailbox, validity, uid) values (@mailbox, @validity, @uid)
on conflict (mailbox) do update set validity = excluded.validity, uid = excluded.uid;
