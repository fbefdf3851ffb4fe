-- How well the reader of notices did on corpora of labelled papers, each time that somebody measured it. Only counts are kept:
-- neither the papers nor what they say.

-- +goose Up
create table eval_readings (
    id uuid primary key,
    corpus text not null check (corpus <> ''),
    version text not null default '', -- of Munshi
    papers integer not null check (papers > 0),
    scores jsonb not null,
    created_at timestamptz not null default clock_timestamp()
);
create index on eval_readings (created_at desc);
grant select, insert, delete on eval_readings to munshi_system;
