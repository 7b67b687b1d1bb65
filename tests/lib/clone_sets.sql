-- Copies the result set :from (default 1). The copies get the numbers :first to :sets, and their load times are one
-- minute apart. They have different digests, as if they had different contents and inputs.
\if :{?from} \else
    \set from 1
\endif
SET search_path = profdepot;
SELECT ensure_partition(n) FROM generate_series(:first::bigint, :sets::bigint) n;
SELECT format('INSERT INTO %I (%s) SELECT %s FROM %I t CROSS JOIN generate_series(%s::bigint, %s::bigint) n WHERE t.inst_id = %s',
              c.relname, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum),
              string_agg(CASE
                  WHEN a.attname = 'inst_id' THEN 'n'
                  WHEN c.relname = 'published_runs' AND a.attname IN ('ledger_no', 'position')
                      THEN format('n - %s + 1 + (SELECT max(ledger_no) FROM ledger)', :first)
                  WHEN a.attname = 'content_digest' THEN 'md5(n::text)::uuid'
                  WHEN a.attname = 'input_digest' THEN 'decode(md5(n::text), ''hex'')'
                  WHEN a.attname IN ('loaded_at', 'ran_at') THEN format('t.%I + n * interval ''1 minute''', a.attname)
                  ELSE format('t.%I', a.attname) END, ', ' ORDER BY a.attnum),
              c.relname, :first, :sets, :from)
FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
WHERE c.relnamespace = 'profdepot'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  AND EXISTS (SELECT FROM pg_attribute f WHERE f.attrelid = c.oid AND f.attname = 'inst_id')
  AND c.relname NOT IN ('ledger', 'unpublished_runs', 'posted_batches', 'posted_progress')
GROUP BY c.relname
\gexec
INSERT INTO ledger (ledger_no, event, inst_id)
SELECT n - :first + 1 + (SELECT max(ledger_no) FROM ledger), 'run', n FROM generate_series(:first, :sets) n;
SELECT setval('instances_inst_id_seq', :sets);
