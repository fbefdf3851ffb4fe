-- Fills a firm with 60 members, 500 clients, 5,000 matters, 50,000 papers of three pages each and 2,500 drafts, all of it invented. One paper in
-- ten is still to be answered: of those some are overdue, some have a day to confirm, the others are spread over five months, and a fifth have
-- a hearing. Run it as the database's owner, with the firm's workspace in seed.firm: select set_config('seed.firm', '…', false).
set synchronous_commit = off;
-- No triggers and no checks of keys: what triggers keep is made at the end. That needs a superuser, as the product's own owner is.
set session_replication_role = replica;
select setseed(0.27);

-- In one statement: an index on rows that this transaction has changed would not be used in it.
create temp table seed_pages as
select n, text, words_in(text) as words from (
select n, string_agg(w, ' ') as text
from (select n, (array['notice', 'show', 'cause', 'tax', 'credit', 'input', 'supply', 'section', 'rule', 'turnover', 'return', 'GSTR-3B', 'GSTR-2A', 'ledger', 'invoice',
                       'supplier', 'penalty', 'interest', 'demand', 'hearing', 'officer', 'reply', 'paragraph', 'liability', 'reversal', 'exempt', 'works',
                       'contract', 'refund', 'सुनवाई', 'व्यक्तिगत', 'कर', 'नोटिस', 'जवाब'])[1 + floor(random() * 34)::int]
             || case when random() < 0.35 then ' ' || substr(md5((random() * 9000)::int::text), 1, 7) else '' end as w
      from generate_series(1, 3000) n, generate_series(1, 220)) x
group by n) y;
create index on seed_pages (n);
analyze seed_pages;

create temp table seed_members as select i, gen_random_uuid() as id from generate_series(1, 59) i;
insert into members (id, workspace_id, name, role)
select id, current_setting('seed.firm')::uuid, 'Member ' || to_char(i, 'FM00'), case when i < 5 then 'partner' when i < 50 then 'preparer' else 'viewer' end from seed_members;

create temp table seed_clients as
select i, gen_random_uuid() as id, 'Client ' || to_char(i, 'FM000') || ' ' || (array['Textiles', 'Traders', 'Steels', 'Agro', 'Exports'])[1 + i % 5] as name,
       (array['27', '29', '33', '24', '07', '09'])[1 + i % 6] || 'ABC' || chr(65 + i % 26) || chr(65 + i / 26 % 26) || to_char(1000 + i, 'FM0000') || 'F1Z' || (i % 10) as gstin
from generate_series(1, 500) i;
insert into clients (id, workspace_id, name, name_key, made_by) select id, current_setting('seed.firm')::uuid, name, upper(replace(name, ' ', '')), 'munshi' from seed_clients;
insert into client_gstins (workspace_id, gstin, client_id) select current_setting('seed.firm')::uuid, gstin, id from seed_clients;

create temp table seed_matters as
select i, gen_random_uuid() as id, 1 + i % 500 as client, '20' || (17 + i % 8) || '-' || (18 + i % 8) as year, 'Ward ' || (1 + i % 80) || ', Range ' || (1 + i % 7) as officer
from generate_series(1, 5000) i;
insert into matters (id, workspace_id, client_id, track, stage, state, assignee_id, reviewer_id)
select m.id, current_setting('seed.firm')::uuid, c.id, 'demand', 'notice', (array['new', 'settled', 'waiting', 'drafting', 'review', 'filed'])[1 + m.i % 6],
       case when m.i % 9 > 0 then (select id from seed_members where seed_members.i = 1 + m.i % 49) end, case when m.i % 3 = 0 then (select id from seed_members where seed_members.i = 1 + m.i % 4) end
from seed_matters m join seed_clients c on c.i = m.client;

-- Ids grow with the day, as those of the product do.
create temp table seed_papers as
select n as i, m.i as matter, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5('c' || n), 1, 3) || '8' || substr(md5('c' || n), 4, 15))::uuid as conversation,
       (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5('d' || n), 1, 3) || '8' || substr(md5('d' || n), 4, 15))::uuid as document,
       n > 45000 as open, (current_date + (random() * 150)::int - 15)::text as due, at, 'ZD' || (27 + n % 3) || to_char(n, 'FM0000000000') || chr(65 + n % 26) as reference
from (select n, now() - (50001 - n) * interval '30 minutes' as at from generate_series(1, 50000) n) x join seed_matters m on m.i = 1 + n % 5000;

analyze seed_clients;
analyze seed_matters;
analyze seed_papers;
create index on seed_papers (conversation);
insert into conversations (id, workspace_id, plugin, title, created_at, updated_at, matter_id, answered_at)
select p.conversation, current_setting('seed.firm')::uuid, 'notice', 'DRC-01 ' || p.reference, p.at, p.at, m.id, case when not p.open then p.at end
from seed_papers p join seed_matters m on m.i = p.matter;
insert into documents (id, workspace_id, conversation_id, name, bytes, sha256, pages, created_at)
select document, current_setting('seed.firm')::uuid, conversation, reference || '.pdf', 1000, decode(md5(reference) || md5(reference), 'hex'), 3, at from seed_papers;
update conversations c set notice_id = p.document from seed_papers p where c.id = p.conversation;
insert into facts (document_id, workspace_id, facts)
select p.document, current_setting('seed.firm')::uuid, jsonb_build_object('form', (array['ASMT-10', 'DRC-01A', 'DRC-01', 'DRC-07'])[1 + p.i % 4], 'reference', p.reference, 'gstin', c.gstin, 'legal_name', c.name,
    'periods', jsonb_build_array(jsonb_build_object('fy', m.year)), 'demand', jsonb_build_object('total', 100000 + p.i % 977 * 10000), 'issue_date', (p.at::date)::text,
    'reply_due', jsonb_build_object('date', case when p.i % 20 > 0 then p.due end, 'source', 'printed'),
    'watch', case when p.i % 20 > 0 then jsonb_build_object('date', p.due, 'what', 'reply', 'settled', true) end,
    'hearing', case when p.i % 5 = 0 then jsonb_build_object('date', (p.due::date + 7)::text, 'time', '11:30', 'venue', 'Room ' || p.i % 9) end,
    'attention', case when p.i % 20 = 0 then '[{"code": "no_date", "page": 0}]'::jsonb else '[]' end,
    'paragraphs', jsonb_build_array(jsonb_build_object('number', '1', 'text', (select text from seed_pages where n = 1 + p.i % 3000), 'page', 1, 'kind', 'charge')))
from seed_papers p join seed_matters m on m.i = p.matter join seed_clients c on c.i = m.client;
insert into papers (document_id, workspace_id, conversation_id, gstin, form, track, stage, issued, years, issues, officer, demand_paise, client_id, settled_at, seen_at)
select p.document, current_setting('seed.firm')::uuid, p.conversation, c.gstin, (array['ASMT-10', 'DRC-01A', 'DRC-01', 'DRC-07'])[1 + p.i % 4], 'demand',
       (array['scrutiny', 'intimation', 'notice', 'order'])[1 + p.i % 4], (p.at::date)::text, array[m.year], array['excess_itc'], m.officer, (100000 + p.i % 977 * 10000) * 100, c.id, now(), now()
from seed_papers p join seed_matters m on m.i = p.matter join seed_clients c on c.i = m.client;
insert into paper_numbers (document_id, workspace_id, number, own) select document, current_setting('seed.firm')::uuid, reference, true from seed_papers;
insert into pages (document_id, number, workspace_id, text, method, confidence, languages, width, height)
select p.document, g, current_setting('seed.firm')::uuid, case when g = 1 then 'Reference ' || p.reference || ' ' || c.name || ' ' || c.gstin || E'\n' else '' end
       || (select text from seed_pages where seed_pages.n = 1 + (p.i * 7 + g * 131) % 3000), 'text', 1, 'eng', 595, 842
from seed_papers p join seed_matters m on m.i = p.matter join seed_clients c on c.i = m.client, generate_series(1, 3) g;
-- An index is made faster than it is filled row by row.
drop index document_words_workspace_id_words_idx;
insert into document_words (document_id, workspace_id, pages, words)
select p.document, current_setting('seed.firm')::uuid, 3, words_in(p.reference || ' ' || c.name || ' ' || c.gstin) || a.words || b.words || d.words
from seed_papers p join seed_matters m on m.i = p.matter join seed_clients c on c.i = m.client
join seed_pages a on a.n = 1 + (p.i * 7 + 131) % 3000 join seed_pages b on b.n = 1 + (p.i * 7 + 262) % 3000 join seed_pages d on d.n = 1 + (p.i * 7 + 393) % 3000;
set maintenance_work_mem = '256MB';
create index document_words_workspace_id_words_idx on document_words using gin (workspace_id, words);

create temp table seed_drafts as
select n as i, (lpad(to_hex((extract(epoch from now() - n * interval '3 hours') * 1000)::bigint), 12, '0') || '7' || substr(md5('r' || n), 1, 3) || '8' || substr(md5('r' || n), 4, 15))::uuid as id,
       p.conversation, p.document, p.reference from generate_series(1, 2500) n join seed_papers p on p.i = n * 20;
insert into drafts (id, workspace_id, conversation_id, notice_id, kind, title, parts, text)
select id, current_setting('seed.firm')::uuid, conversation, document, 'reply', 'Reply to ' || reference, '[]', 'Reply to ' || reference || E'\n' || (select text from seed_pages where n = 1 + i % 3000) from seed_drafts;
insert into draft_words (draft_id, workspace_id, words) select id, workspace_id, words_in(title || ' ' || text) from drafts where workspace_id = current_setting('seed.firm')::uuid
on conflict do nothing;
analyze;
select count(*) from (select refresh_matter(id) from seed_matters) x;
select count(*) from (select keep_days(conversation) from seed_papers where open) x;
analyze;
