-- 10,000 runs of one application with 200 findings each, for bench/history. Every tenth run belongs to a branch.
-- After every 100 runs, a new finding appears and the oldest one vanishes. Every 37th finding is missing in some runs.
-- psql variables: runs, findings.
SET synchronous_commit = off;
SET search_path = profdepot;

INSERT INTO ledger (ledger_no, recorded_at, event, inst_id)
SELECT n, '2026-01-01'::timestamptz + n * interval '30 min', 'run', n FROM generate_series(1, :runs) n;

INSERT INTO published_runs (inst_id, ledger_no, application, labels, position, fold_no, run_key, version,
    commit_id, parent_commit_id, ran_at, loaded_at, finished, leaks, errors, races, caption, format, tool, content_digest)
SELECT n, n, 'order-service', ARRAY['branch=' || CASE WHEN n % 10 = 7 THEN 'feature-' || n / 1000 ELSE 'main' END,
       'os=linux'], n, NULL, NULL, '5.' || n / 100 || '.' || n % 100, md5('c' || n), md5('c' || n - 1),
       '2026-01-01'::timestamptz + n * interval '30 min', '2026-01-01'::timestamptz + n * interval '30 min',
       true, 'full', 'full', 'none', 'order-service, process ' || 1000 + n % 30000, 'valgrind', 'memcheck',
       md5('r' || n)::uuid
FROM generate_series(1, :runs) n;

INSERT INTO runs (inst_id, started_at, version, commit_id, parent_commit_id, environment, finished)
SELECT r.inst_id, r.ran_at, r.version, r.commit_id, r.parent_commit_id, 'nightly', true FROM published_runs r;

INSERT INTO coverage (inst_id, what, degree, source)
SELECT r.inst_id, w.what, w.degree, 'the tool'
FROM published_runs r
CROSS JOIN (VALUES ('leaks', 'full'), ('errors', 'full'), ('races', 'none'), ('heap', 'none'), ('samples', 'none'),
    ('spans', 'none')) w (what, degree);

-- Run n sees the findings n / 100 to n / 100 + 199; the sizes of every fifth finding grow.
INSERT INTO sighting_blocks (inst_id, block_no, identities, kinds, names, class_names, module_names, routine_classes,
    routine_names, source_files, source_lines, places, counts, sizes)
SELECT n, 1, array_agg(md5('finding ' || f)::uuid ORDER BY f),
       array_agg(CASE WHEN f % 4 = 0 THEN 'access' ELSE 'leak' END::text ORDER BY f),
       array_agg(CASE WHEN f % 4 = 0 THEN 'InvalidRead' WHEN f % 4 = 1 THEN 'possible' ELSE 'definite' END ORDER BY f),
       array_agg(''::text ORDER BY f),
       array_agg('/srv/build/order-service/lib/liborders-' || f % 12 || '.so' ORDER BY f),
       array_agg('shop::orders::repository_' || f % 30 ORDER BY f),
       array_agg('load_customer_orders_' || f || '(std::string const&, unsigned long)' ORDER BY f),
       array_agg('/srv/build/order-service/src/orders/repository_' || f % 30 || '.cpp' ORDER BY f),
       array_agg(100 + f % 900 + n / 250 ORDER BY f),
       array_agg(1 + f % 3 ORDER BY f),
       array_agg((1 + f % 40 + CASE WHEN f % 5 = 0 THEN n / 20 ELSE 0 END)::bigint ORDER BY f),
       array_agg(CASE WHEN f % 4 = 0 THEN 0 ELSE (1 + f % 40 + CASE WHEN f % 5 = 0 THEN n / 20 ELSE 0 END)
                 * (16 + f % 200) END::numeric ORDER BY f)
FROM generate_series(1, :runs) n
CROSS JOIN LATERAL generate_series(n / 100, n / 100 + :findings - 1) f
WHERE f % 37 <> 0 OR n / 500 % 3 <> 0
GROUP BY n;
ANALYZE ledger, published_runs, runs, coverage, sighting_blocks;
