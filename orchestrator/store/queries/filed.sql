-- name: FiledNote :one
select * from filed_notes where conversation_id = @conversation_id;

-- name: PutFiledNote :exec
insert into filed_notes (conversation_id, workspace_id, arn, filed_on, noted_by) values (@conversation_id, @workspace_id, @arn, @filed_on, @noted_by)
on conflict (conversation_id) do update set arn = excluded.arn, filed_on = excluded.filed_on, noted_by = excluded.noted_by, noted_at = clock_timestamp();

-- name: AttachAcknowledgement :exec
update filed_notes set document_id = @document_id::uuid where conversation_id = @conversation_id;

-- name: DropFiledNote :exec
delete from filed_notes where conversation_id = @conversation_id;
