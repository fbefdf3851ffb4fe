-- name: Taxpayer :one
select * from taxpayers where workspace_id = @workspace_id and gstin = @gstin;

-- name: PutTaxpayer :exec
insert into taxpayers (workspace_id, gstin, signatory, designation, place, representative, enrolment)
values (@workspace_id, @gstin, @signatory, @designation, @place, @representative, @enrolment)
on conflict (workspace_id, gstin) do update set signatory = excluded.signatory, designation = excluded.designation, place = excluded.place,
    representative = excluded.representative, enrolment = excluded.enrolment, updated_at = clock_timestamp();

-- name: InterviewAnswers :many
select a.*, l.recipient from answers a left join links l on l.id = a.link_id where a.document_id = @document_id order by a.said_at, a.key;

-- name: PutInterviewAnswer :exec
insert into answers (document_id, key, workspace_id, answer, said_by, link_id) values (@document_id, @key, @workspace_id, @answer, @said_by, @link_id)
on conflict (document_id, key) do update set answer = excluded.answer, said_by = excluded.said_by, link_id = excluded.link_id, said_at = clock_timestamp();

-- name: DropInterviewAnswer :exec
delete from answers where document_id = @document_id and key = @key;
