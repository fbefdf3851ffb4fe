-- Who operates the product. Until people have accounts, an operator is who holds a link that the product's own machine printed.

-- +goose Up
create table operator_links (
    key_sha bytea primary key check (length(key_sha) = 32), -- gone once it was used
    expires_at timestamptz not null
);
create table operator_sessions (
    token_sha bytea primary key check (length(token_sha) = 32),
    seen_at timestamptz not null default now()
);
grant select, insert, delete on operator_links to munshi_system;
grant select, insert, update, delete on operator_sessions to munshi_system;
