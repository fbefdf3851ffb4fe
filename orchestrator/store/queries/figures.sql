-- name: AddFigureFile :exec
insert into figure_files (document_id, workspace_id) values (@document_id, @workspace_id);

-- name: FigureFiles :many
-- FigureFiles returns the files in order of arrival.
select d.id, d.name, d.type, d.bytes, d.sha256, d.created_at, f.read, f.problem
from figure_files f join documents d on d.id = f.document_id
where d.conversation_id = @conversation_id
order by d.created_at, d.id;

-- name: NoteFigureFile :exec
update figure_files set read = @read, problem = @problem where document_id = @document_id;

-- name: DropFigureFile :execrows
delete from documents d using figure_files f where f.document_id = d.id and d.id = @id and d.conversation_id = @conversation_id;

-- name: Reconciliation :one
select * from reconciliations where conversation_id = @conversation_id;

-- name: PutReconciliation :exec
insert into reconciliations (conversation_id, workspace_id, inputs, result) values (@conversation_id, @workspace_id, @inputs, @result)
on conflict (conversation_id) do update set inputs = excluded.inputs, result = excluded.result, computed_at = clock_timestamp();

-- name: DropReconciliation :exec
delete from reconciliations where conversation_id = @conversation_id;

-- name: ClearFigureEntries :exec
delete from figure_entries where conversation_id = @conversation_id;

-- name: AddFigureEntries :exec
insert into figure_entries (conversation_id, position, workspace_id, what, record, class, own, gstin, name, number, date, period, paise, entry)
select @conversation_id, e.position, @workspace_id, e.what, e.record, e.class, e.own, e.gstin, e.name, e.number, e.date, e.period, e.paise, e.entry
from jsonb_to_recordset(@entries::jsonb) as e(position int, what text, record text, class text, own boolean, gstin text, name text, number text, date text,
    period text, paise bigint, entry jsonb);

-- name: FigureEntries :many
-- FigureEntries returns a page of the entries of a comparison, of one class or of all, that contain the words.
select position, what, record, class, own, entry, count(*) over ()::int as total
from figure_entries
where conversation_id = @conversation_id and what = @what and (@class::text = '' or class = @class or @class = 'open' and class <> 'matched')
  and (@search::text = '' or concat_ws(' ', gstin, name, number) ilike @search)
order by case when @sort::text = 'amount' then abs(paise) end desc, case when @sort = 'supplier' then lower(name) end,
         case when @sort = 'supplier' then gstin end, case when @sort = 'date' then date end, position
limit @most::int offset @skip::int;

-- name: AllFigureEntries :many
select what, record, class, own, entry from figure_entries where conversation_id = @conversation_id order by position;

-- name: ClassFigureEntry :execrows
update figure_entries set class = @class, own = @own where conversation_id = @conversation_id and record = @record;

-- name: FigureClasses :many
select record, class from figure_classes where conversation_id = @conversation_id;

-- name: PutFigureClass :exec
insert into figure_classes (conversation_id, record, workspace_id, class) values (@conversation_id, @record, @workspace_id, @class)
on conflict (conversation_id, record) do update set class = excluded.class, said_at = clock_timestamp();

-- name: FigureColumns :many
select shape, columns from figure_columns where workspace_id = @workspace_id and gstin = @gstin order by shape;

-- name: PutFigureColumns :exec
insert into figure_columns (workspace_id, gstin, shape, columns) values (@workspace_id, @gstin, @shape, @columns)
on conflict (workspace_id, gstin, shape) do update set columns = excluded.columns, chosen_at = clock_timestamp();

-- name: DropFigureColumns :exec
delete from figure_columns where workspace_id = @workspace_id and gstin = @gstin and shape = @shape;
