-- +goose Up
-- Several comparisons are made document by document: each document of a reconciliation belongs to one of them.
alter table figure_entries add column what text not null default 'credit_claimed';
drop index figure_entries_conversation_id_class_idx;
create index on figure_entries (conversation_id, what, class);
