-- Search in the papers and drafts of a firm. Row-level security and an index of words do not go together: @@ is not leak-proof, so that the
-- planner looks at each of the workspace's rows first. So a function finds the rows by the index, and names the workspace itself; whoever
-- asks joins what it found with tables that row-level security guards.

-- +goose Up
create extension if not exists btree_gin; -- the workspace stands in the index beside the words

-- The words of a document that was read in a firm, its file's name among them.
create table document_words (
    document_id uuid primary key references documents on delete cascade,
    workspace_id uuid not null references workspaces on delete cascade,
    pages int not null,                              -- of which it has the words
    words tsvector not null
);
create index on document_words using gin (workspace_id, words);
create index on draft_words using gin (workspace_id, words);

-- A text as its words are kept and looked for: DRC-06 is two words, and letters with a nukta are written in one way.
-- +goose StatementBegin
create function words_in(text) returns tsvector language plpgsql immutable parallel safe as $$
declare
    plain text := translate(normalize($1, NFC), '-/_.:,@', '       ');
begin
    return strip(to_tsvector('simple', left(plain, 1000000)));
exception when program_limit_exceeded then -- more words than one row can have
    return strip(to_tsvector('simple', left(plain, 150000)));
end
$$;
-- +goose StatementEnd

-- +goose StatementBegin
create function keep_words(which uuid) returns void language sql as $$
    insert into document_words (document_id, workspace_id, pages, words)
    select d.id, d.workspace_id, p.pages, words_in(d.name || ' ' || p.text)
    from documents d
    cross join lateral (select count(*)::int as pages, coalesce(string_agg(text, ' ' order by number), '') as text from pages where document_id = d.id) p
    where d.id = which
    on conflict (document_id) do update set pages = excluded.pages, words = excluded.words
$$;
-- +goose StatementEnd
-- +goose StatementBegin
create function keep_words_of_turn() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
    if exists (select from workspaces where id = new.workspace_id and kind = 'firm')
       and (select pages from document_words where document_id = new.document_id)
           is distinct from (select count(*)::int from pages where document_id = new.document_id) then
        perform keep_words(new.document_id);
    end if;
    return null;
end
$$;
-- +goose StatementEnd
create trigger keep_words after update of state on turns for each row
    when (new.document_id is not null and new.state is distinct from old.state and new.state in ('answered', 'failed', 'stopped'))
    execute function keep_words_of_turn();

-- +goose StatementBegin
do $$
begin
    execute format('create or replace function moving_tables() returns text[] language sql immutable as %L',
                   format('select %L::text[]', moving_tables() || array['document_words']));
    alter table document_words enable row level security;
    alter table document_words force row level security;
    create policy own_workspace on document_words to munshi_app
        using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
        with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));
    create policy keeper_all on document_words to munshi_keeper using (true) with check (true);
    grant select, insert, update, delete on document_words to munshi_app;
    grant select (workspace_id), update (workspace_id) on document_words to munshi_keeper;
    create policy adds on document_words as restrictive for insert to munshi_app with check ((select may_write()));
    create policy changes on document_words as restrictive for update to munshi_app using ((select may_write()));
    create policy removes on document_words as restrictive for delete to munshi_app using ((select may_write()));
    create policy in_reach on document_words as restrictive to munshi_app using ((select unscoped()) or document_id in (select scoped_documents()));
end $$;
-- +goose StatementEnd

insert into document_words (document_id, workspace_id, pages, words)
select d.id, d.workspace_id, count(p.number)::int, words_in(d.name || ' ' || coalesce(string_agg(p.text, ' ' order by p.number), ''))
from documents d join workspaces w on w.id = d.workspace_id and w.kind = 'firm' left join pages p on p.document_id = d.id
group by d.id;

-- The latest documents and drafts of the workspace in which all words of a query stand, at most so many of each.
-- +goose StatementBegin
create function found_by_words(query text, most int) returns table (kind text, id uuid) language sql stable rows 100
security definer set search_path = public, pg_temp as $$
    (select 'document', w.document_id from document_words w
     where w.workspace_id = nullif(current_setting('app.workspace_id', true), '')::uuid and w.words @@ to_tsquery('simple', query)
     order by w.document_id desc limit most)
    union all
    (select 'draft', w.draft_id from draft_words w
     where w.workspace_id = nullif(current_setting('app.workspace_id', true), '')::uuid and w.words @@ to_tsquery('simple', query)
     order by w.draft_id desc limit most)
$$;
-- +goose StatementEnd
grant create on schema public to munshi_system; -- owning a function needs it for a moment
alter function found_by_words(text, int) owner to munshi_system;
revoke create on schema public from munshi_system;
create policy system_finds on document_words for select to munshi_system using (true);
create policy system_finds on draft_words for select to munshi_system using (true);
grant select (document_id, workspace_id, words) on document_words to munshi_system;
grant select (draft_id, workspace_id, words) on draft_words to munshi_system;
