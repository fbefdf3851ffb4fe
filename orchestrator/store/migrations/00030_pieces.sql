-- Which pieces of a step have ended: they are worked on side by side, and end in any order.

-- +goose Up

alter table turn_steps add column pieces int[] not null default '{}';
