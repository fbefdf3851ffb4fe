-- name: OpenFollowUp :exec
-- OpenFollowUp starts or restarts the wait, with each list that requests something.
insert into follow_ups (conversation_id, workspace_id) values (@conversation_id, @workspace_id)
on conflict (conversation_id) do update
set state = 'waiting', close_requested = false, opened_at = now(), woken_at = now(), ended_at = null;

-- name: FollowUpNews :one
-- FollowUpNews returns when something was last requested or received.
select greatest(f.opened_at, (select max(d.created_at) from required_documents r join documents d on d.id = r.document_id
                              where r.conversation_id = f.conversation_id))::timestamptz
from follow_ups f where f.conversation_id = @conversation_id;

-- name: FollowUp :one
select * from follow_ups where conversation_id = @conversation_id;

-- name: FollowUpWaits :one
select exists (select from follow_ups where conversation_id = @conversation_id and state = 'waiting');

-- name: CloseFollowUp :execrows
update follow_ups set close_requested = true, checked_at = now() where conversation_id = @conversation_id and state = 'waiting';

-- name: EndFollowUp :execrows
-- EndFollowUp ends the wait, unless the person has asked again after closing it, or a document was requested
-- meanwhile.
update follow_ups f set state = @ending::text, ended_at = now()
where f.conversation_id = @conversation_id and f.state = 'waiting'
  and (@ending::text <> 'closed' or f.close_requested)
  and (@ending::text <> 'complete' or not exists (
      select from required_documents r where r.conversation_id = f.conversation_id
      and not exists (select from turns t where t.document_id = r.document_id and t.state = 'answered')
      and not exists (select from figure_files g where g.document_id = r.document_id and g.read is not null)));

-- name: UncheckedFollowUps :many
-- UncheckedFollowUps returns those woken longest ago, and those closed but not ended; they are due again after
-- a minute, unless WokeFollowUp says that they were woken.
update follow_ups f set checked_at = greatest(f.checked_at, @before) + interval '1 minute'
from conversations c
where c.id = f.conversation_id and f.conversation_id in (
    select w.conversation_id from follow_ups w where (w.state = 'waiting' or w.watch_until > now())
    and (w.checked_at < @before or w.state = 'waiting' and w.close_requested and w.checked_at < @closed_before) order by w.checked_at limit 200)
returning f.conversation_id, f.workspace_id, c.plugin;

-- name: WokeFollowUp :exec
update follow_ups set checked_at = now(), woken_at = now() where conversation_id = @conversation_id;

-- name: EndWatches :exec
-- EndWatches forgets dates that are over, so that no round comes by them again.
update follow_ups set watch_until = null where watch_until < now();
