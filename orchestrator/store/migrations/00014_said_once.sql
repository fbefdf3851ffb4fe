-- Nobody's words vanish under another's: what is said to an allegation is counted, and a draft is begun once.

-- +goose Up
alter table points add column revision int not null default 0; -- counts the changes of what the person says
alter table drafts
    add column idempotency_key text, -- of the request that began it
    add column template text;        -- that it was begun from
create unique index drafts_idempotent on drafts (workspace_id, idempotency_key) where idempotency_key is not null;
