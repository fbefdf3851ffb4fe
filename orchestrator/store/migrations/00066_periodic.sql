-- What is looked for again and again is found without reading a table whole: visitors who have not come back for long.

-- +goose Up
create index workspaces_visitors on workspaces (created_at) where kind = 'visitor' and adopted_by is null and erasing_at is null;
