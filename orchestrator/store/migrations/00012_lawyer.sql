-- Questions that are asked anew, and titles that a person gave.

-- +goose Up
alter table turns add column replaces uuid references turns on delete cascade; -- the first turn of the exchange that this one is asked in anew
create index on turns (replaces) where replaces is not null;
alter table conversations add column named boolean not null default false; -- the person gave the title: nothing else does

create index messages_said on messages (workspace_id) where role = 'user'; -- what a person searches among

-- The turn that stands for each exchange: the latest with an answer, or just the latest. Whoever asks sees their own.
create view standing with (security_invoker = true) as
select distinct on (t.conversation_id, coalesce(t.replaces, t.id)) t.conversation_id, t.id as turn_id
from turns t left join messages a on a.turn_id = t.id and a.role = 'assistant' and a.state <> 'failed'
order by t.conversation_id, coalesce(t.replaces, t.id), a.id is not null desc, t.created_at desc;
grant select on standing to munshi_app;
