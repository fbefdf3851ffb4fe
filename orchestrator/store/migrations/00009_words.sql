-- Where the words of a page stand, packed as the document reader packs them; null for pages that were read before.

-- +goose Up
alter table pages add column words bytea;
alter table pages alter column words set storage external; -- out of the row, so that a text is read without them
