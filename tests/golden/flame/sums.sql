-- Computes from the facts, with SQL alone, what call_tree and routine_totals must contain for every
-- result set. Prints one row per difference. A node's key is a hash of the routines from the root
-- to the node.
SET search_path = profdepot;
SET client_min_messages = warning;
SET jit = off;
SET enable_nestloop = off; -- temporary tables have few statistics
-- On Citus, functions of a session cannot run on other servers. Therefore this script compares local copies.
SET citus.enable_ddl_propagation = off;
CREATE TEMP TABLE stacks AS TABLE profdepot.stacks;
CREATE TEMP TABLE metrics AS TABLE profdepot.metrics;
CREATE TEMP TABLE tracks AS TABLE profdepot.tracks;
CREATE TEMP TABLE spans AS TABLE profdepot.spans;
CREATE TEMP TABLE samples AS TABLE profdepot.samples;
CREATE TEMP TABLE resource_profiler_objects AS TABLE profdepot.resource_profiler_objects;
CREATE TEMP TABLE resource_profiler_errors AS TABLE profdepot.resource_profiler_errors;
CREATE TEMP TABLE call_tree AS TABLE profdepot.call_tree;
CREATE TEMP TABLE routine_totals AS TABLE profdepot.routine_totals;
ANALYZE;

CREATE FUNCTION pg_temp.deeper(key uuid, routine bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
AS $$ SELECT md5(COALESCE(key::text, '') || ',' || routine)::uuid $$;

CREATE TEMP TABLE nodes (inst_id bigint, key uuid, parent uuid, depth int, routine bigint,
    again boolean, -- the routine is also among the node's ancestors
    PRIMARY KEY (inst_id, key));
CREATE TEMP TABLE facts (inst_id bigint, metric_no int, key uuid, self numeric, call numeric);

-- Adds a stack's nodes, outermost frame first. Returns the innermost node's key, or NULL for the
-- root.
CREATE FUNCTION pg_temp.enter(inst bigint, ids bigint[]) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
    here uuid;
    above uuid;
    seen bigint[] := '{}';
    routine bigint;
BEGIN
    FOR i IN REVERSE COALESCE(array_length(ids, 1), 0) .. 1 LOOP
        routine := COALESCE(ids[i], -1);
        above := here;
        here := pg_temp.deeper(above, routine);
        INSERT INTO nodes VALUES (inst, here, above, array_length(ids, 1) - i + 1, routine,
                                  routine = ANY (seen)) ON CONFLICT DO NOTHING;
        seen := seen || routine;
    END LOOP;
    RETURN here;
END $$;

CREATE TEMP TABLE ends AS
SELECT s.inst_id, s.stack_id, pg_temp.enter(s.inst_id, s.routine_ids) AS key FROM stacks s;
CREATE INDEX ON ends (inst_id, stack_id);
ANALYZE ends;

INSERT INTO facts
SELECT m.inst_id, m.metric_no, e.key,
       CASE m.name WHEN 'live_size' THEN o.col_size WHEN 'live_count' THEN o.block_count END, 0
FROM metrics m
JOIN resource_profiler_objects o ON o.inst_id = m.inst_id
LEFT JOIN ends e ON e.inst_id = o.inst_id AND e.stack_id = o.stack_id
WHERE m.family = 'objects';
INSERT INTO facts
SELECT m.inst_id, m.metric_no, e.key, o.count, 0
FROM metrics m
JOIN resource_profiler_errors o ON o.inst_id = m.inst_id
LEFT JOIN ends e ON e.inst_id = o.inst_id AND e.stack_id = o.stack_id
WHERE m.family = 'errors';
INSERT INTO facts
SELECT s.inst_id, t.metric_no + w.n - 1, e.key, round(w.value, 18), 0
FROM samples s
JOIN tracks t ON t.inst_id = s.inst_id AND t.track_id = s.track_id
JOIN metrics m ON m.inst_id = t.inst_id AND m.metric_no = t.metric_no AND m.family <> 'gauges'
CROSS JOIN LATERAL unnest(COALESCE(s.weights, ARRAY[s.weight])) WITH ORDINALITY w (value, n)
LEFT JOIN ends e ON e.inst_id = s.inst_id AND e.stack_id = s.stack_id;

-- Spans. A span with a routine or of the kind frame is a call, and its node is a child of its
-- parent's node. Any other span has no node; its children are placed under its parent's node.
CREATE TEMP TABLE calls AS
SELECT s.inst_id, s.id, s.parent_id, t.metric_no, s.duration,
       COALESCE(s.routine_id, CASE s.kind WHEN 'frame' THEN -1 END) AS routine
FROM spans s
JOIN tracks t ON t.inst_id = s.inst_id AND t.track_id = s.track_id;
CREATE INDEX ON calls (inst_id, parent_id);
CREATE INDEX ON calls (inst_id, id);
ANALYZE calls;
SET enable_nestloop = on;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
CREATE TEMP TABLE placed AS
WITH RECURSIVE p AS (
    SELECT c.inst_id, c.id, c.metric_no, c.duration, c.routine, NULL::uuid AS above,
           CASE WHEN c.routine IS NOT NULL THEN pg_temp.deeper(NULL, c.routine) END AS key,
           (c.routine IS NOT NULL)::int AS depth, false AS again,
           array_remove(ARRAY[c.routine], NULL) AS seen
    FROM calls c
    WHERE NOT EXISTS (SELECT FROM calls a WHERE a.inst_id = c.inst_id AND a.id = c.parent_id)
    UNION ALL
    SELECT c.inst_id, c.id, c.metric_no, c.duration, c.routine, p.key,
           CASE WHEN c.routine IS NULL THEN p.key ELSE pg_temp.deeper(p.key, c.routine) END,
           p.depth + (c.routine IS NOT NULL)::int, c.routine = ANY (p.seen),
           CASE WHEN c.routine IS NULL OR c.routine = ANY (p.seen) THEN p.seen ELSE p.seen || c.routine END
    FROM p JOIN calls c ON c.inst_id = p.inst_id AND c.parent_id = p.id
)
SELECT p.inst_id, p.metric_no, p.duration, p.routine, p.above, p.key, p.depth, p.again FROM p;
RESET enable_hashjoin;
RESET enable_mergejoin;
SET enable_nestloop = off;
INSERT INTO nodes
SELECT p.inst_id, p.key, p.above, p.depth, p.routine, p.again FROM placed p
WHERE p.routine IS NOT NULL
ON CONFLICT DO NOTHING;
INSERT INTO facts
SELECT p.inst_id, p.metric_no, p.key, 0, COALESCE(round(p.duration, 18), 0) FROM placed p
WHERE p.routine IS NOT NULL;

-- Adds up the nodes, from the deepest ones to the root. Here, the key of the root is all zeros.
CREATE FUNCTION pg_temp.root() RETURNS uuid LANGUAGE sql IMMUTABLE
AS $$ SELECT '00000000-0000-0000-0000-000000000000'::uuid $$;
CREATE TEMP TABLE sums (inst_id bigint, metric_no int, key uuid, parent uuid, depth int, routine bigint,
    again boolean, self numeric, total numeric, calls numeric, width numeric);
CREATE INDEX ON nodes (depth);
CREATE INDEX ON sums (depth);
CREATE TEMP TABLE own AS
SELECT f.inst_id, f.metric_no, COALESCE(f.key, pg_temp.root()) AS key, COALESCE(n.depth, 0) AS depth,
       sum(f.self) AS self, sum(f.call) AS call
FROM facts f LEFT JOIN nodes n ON n.inst_id = f.inst_id AND n.key = f.key
GROUP BY 1, 2, 3, 4;
CREATE INDEX ON own (depth);
ANALYZE nodes;
ANALYZE own;
DO $$
BEGIN
    FOR d IN REVERSE COALESCE((SELECT max(depth) FROM nodes), 0) .. 0 LOOP
        INSERT INTO sums
        WITH below AS (
            SELECT s.inst_id, s.metric_no, COALESCE(s.parent, pg_temp.root()) AS key,
                   sum(s.total) AS total, sum(s.calls) AS calls, max(s.width) AS width
            FROM sums s WHERE s.depth = d + 1
            GROUP BY 1, 2, 3
        ), own_here AS (
            SELECT o.inst_id, o.metric_no, o.key, o.self, o.call FROM own o WHERE o.depth = d
        ), here AS (
            SELECT inst_id, metric_no, key,
                   COALESCE(o.self, 0) AS self,
                   CASE WHEN COALESCE(o.call, 0) = 0 THEN COALESCE(b.calls, 0) ELSE o.call END AS calls,
                   COALESCE(b.calls, 0) AS calls_below, COALESCE(b.total, 0) AS total_below,
                   COALESCE(b.width, 0) AS width
            FROM below b FULL JOIN own_here o USING (inst_id, metric_no, key)
        )
        SELECT h.inst_id, h.metric_no, h.key, n.parent, d, n.routine, n.again,
               h.self + h.calls - h.calls_below,
               h.self + h.calls + h.total_below - h.calls_below, h.calls,
               GREATEST(h.width, abs(h.self + h.calls + h.total_below - h.calls_below))
        FROM here h LEFT JOIN nodes n ON n.inst_id = h.inst_id AND n.key = h.key AND n.depth = d;
    END LOOP;
END $$;

ALTER TABLE call_tree RENAME TO tree;
CREATE INDEX ON tree (inst_id, metric_no, parent);
ANALYZE tree;
-- The recursion reads one level at a time, and trees have thousands of levels, so it must use the
-- index.
SET enable_nestloop = on;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
CREATE TEMP TABLE stored AS
WITH RECURSIVE t AS (
    SELECT c.inst_id, c.metric_no, c.node, pg_temp.root() AS key, c.self, c.total, c.folded, c.depth, 0 AS level
    FROM tree c WHERE c.node = 0
    UNION ALL
    SELECT c.inst_id, c.metric_no, c.node,
           pg_temp.deeper(NULLIF(t.key, pg_temp.root()), COALESCE(c.routine_id, -1)),
           c.self, c.total, c.folded, c.depth, t.level + 1
    FROM t JOIN tree c ON c.inst_id = t.inst_id AND c.metric_no = t.metric_no AND c.parent = t.node
)
SELECT * FROM t;
RESET enable_hashjoin;
RESET enable_mergejoin;
SET enable_nestloop = off;
CREATE TEMP TABLE cut AS SELECT DISTINCT s.inst_id, s.metric_no FROM stored s WHERE s.folded;
ANALYZE stored;
ANALYZE sums;

\pset tuples_only on
\pset format unaligned
-- Nodes that are missing, should not exist, or have wrong sums. If a tree is cut, only its stored
-- nodes are compared.
SELECT 'node', inst_id, metric_no, key, e.depth, e.routine, e.self, e.total, s.depth, s.self, s.total
FROM (SELECT * FROM sums e WHERE e.width > 0 OR e.depth = 0) e
FULL JOIN stored s USING (inst_id, metric_no, key)
WHERE (e.total IS DISTINCT FROM s.total OR e.depth IS DISTINCT FROM s.depth OR s.level <> s.depth
       OR (e.self IS DISTINCT FROM s.self AND NOT s.folded))
  AND NOT (s.key IS NULL AND (e.inst_id, e.metric_no) IN (SELECT c.inst_id, c.metric_no FROM cut c))
LIMIT 20;
-- A node's total must be its self value plus its children's totals. PostgreSQL 17 would merge the nodes by result set and
-- metric, and then compare all pairs of nodes.
SET enable_mergejoin = off;
WITH below AS MATERIALIZED (
    SELECT c.inst_id, c.metric_no, c.parent AS node, sum(c.total) AS total
    FROM tree c WHERE c.parent IS NOT NULL GROUP BY 1, 2, 3
)
SELECT 'sum', t.inst_id, t.metric_no, t.node, t.total, t.self, b.total
FROM tree t LEFT JOIN below b USING (inst_id, metric_no, node)
WHERE t.total <> t.self + COALESCE(b.total, 0)
LIMIT 20;
RESET enable_mergejoin;
-- Stored nodes that cannot be reached from the root, or are not numbered in preorder.
SELECT 'lost', c.inst_id, c.metric_no, count(*), max(c.node), (SELECT count(*) FROM stored s
    WHERE s.inst_id = c.inst_id AND s.metric_no = c.metric_no)
FROM tree c
GROUP BY 1, 2, 3
HAVING count(*) <> (SELECT count(*) FROM stored s WHERE s.inst_id = c.inst_id AND s.metric_no = c.metric_no)
    OR count(*) <> max(c.node) + 1;
SELECT 'order', c.inst_id, c.metric_no, c.node
FROM tree c JOIN tree b
    ON b.inst_id = c.inst_id AND b.metric_no = c.metric_no AND b.node = c.node - 1
WHERE c.depth > b.depth + 1 OR (c.depth = b.depth + 1) <> (c.parent = b.node)
LIMIT 20;
-- A routine's self value is the sum over all its nodes, and its total is the sum over its outermost
-- nodes.
SELECT 'routine', inst_id, metric_no, routine, e.self, e.total, r.self, r.total
FROM (SELECT s.inst_id, s.metric_no, s.routine, sum(s.self) AS self,
             COALESCE(sum(s.total) FILTER (WHERE NOT s.again), 0) AS total
      FROM sums s WHERE s.depth > 0 AND s.width > 0 GROUP BY 1, 2, 3) e
FULL JOIN (SELECT inst_id, metric_no, routine_id AS routine, self, total FROM routine_totals) r
    USING (inst_id, metric_no, routine)
WHERE e.self IS DISTINCT FROM r.self OR e.total IS DISTINCT FROM r.total
LIMIT 20;
-- The same totals, computed from the stacks: each fact counts once for every routine that occurs in
-- its stack.
ANALYZE facts;
CREATE TEMP TABLE occurring AS
SELECT DISTINCT e.inst_id, e.key, COALESCE(u.id, -1) AS routine
FROM ends e
JOIN stacks s ON s.inst_id = e.inst_id AND s.stack_id = e.stack_id
CROSS JOIN LATERAL unnest(s.routine_ids) u (id);
ANALYZE occurring;
SELECT 'stack', inst_id, metric_no, routine, e.total, r.total
FROM (SELECT f.inst_id, f.metric_no, u.routine, sum(f.self) AS total
      FROM (SELECT f.inst_id, f.metric_no, f.key, sum(f.self) AS self FROM facts f
            WHERE f.key IS NOT NULL GROUP BY 1, 2, 3) f
      JOIN occurring u ON u.inst_id = f.inst_id AND u.key = f.key
      JOIN metrics m ON m.inst_id = f.inst_id AND m.metric_no = f.metric_no AND m.family <> 'spans'
      GROUP BY 1, 2, 3) e
LEFT JOIN (SELECT inst_id, metric_no, routine_id AS routine, total FROM routine_totals) r
    USING (inst_id, metric_no, routine)
WHERE e.total <> COALESCE(r.total, 0)
LIMIT 20;
-- The root's total must be the sum of all facts.
SELECT 'root', m.inst_id, m.name, sum(f.self), c.total
FROM metrics m
LEFT JOIN facts f ON f.inst_id = m.inst_id AND f.metric_no = m.metric_no
LEFT JOIN tree c ON c.inst_id = m.inst_id AND c.metric_no = m.metric_no AND c.node = 0
WHERE m.family <> 'spans'
GROUP BY 1, 2, 3, c.total
HAVING COALESCE(sum(f.self), 0) <> COALESCE(c.total, 0);
