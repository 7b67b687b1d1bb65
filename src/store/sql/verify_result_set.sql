-- What of a closed result set is not as recorded: rows and sums that the loader counted, totals
-- against the facts, identities against the names. No row: all agree. $1: its number.
(SELECT COALESCE(r.relation, f.relation) AS relation,
        v.what,
        v.recorded::text,
        v.found::text
 FROM (SELECT * FROM profdepot.result_set_counts t WHERE t.inst_id = $1::bigint) r
 FULL JOIN profdepot.count_result_set($1::bigint) f ON f.relation = r.relation
 CROSS JOIN LATERAL (VALUES
     ('rows', r.row_count::numeric, f.row_count::numeric),
     ('sum of ids', r.id_sum, f.id_sum),
     ('sum of values', r.value_sum, f.value_sum)) v (what, recorded, found)
 WHERE v.recorded IS DISTINCT FROM v.found
   AND NOT (r.relation IS NULL AND v.found = 0)
 ORDER BY 1, 2)
UNION ALL
(SELECT 'stack_totals',
        COALESCE(t.metric, f.metric) || ' of class ' || COALESCE(t.class, f.class)
            || ', stack ' || COALESCE(t.stack_id, f.stack_id) || ': ' || v.what,
        v.recorded::text,
        v.found::text
 FROM (SELECT * FROM profdepot.stack_totals s WHERE s.inst_id = $1::bigint) t
 FULL JOIN (
     SELECT 'live' AS metric, COALESCE(o.col_classrid, -1) AS class,
            COALESCE(o.stack_id, 0) AS stack_id,
            sum(o.block_count) AS count, COALESCE(sum(o.col_size), 0) AS value
     FROM profdepot.resource_profiler_objects o
     WHERE o.inst_id = $1::bigint
     GROUP BY 2, 3
     UNION ALL
     SELECT 'errors', COALESCE(e.col_kind, -1), COALESCE(e.stack_id, 0), count(*), count(*)
     FROM profdepot.resource_profiler_errors e
     WHERE e.inst_id = $1::bigint
     GROUP BY 2, 3
 ) f ON f.metric = t.metric AND f.class = t.class AND f.stack_id = t.stack_id
 CROSS JOIN LATERAL (VALUES
     ('count', t.count::numeric, f.count),
     ('value', t.value, f.value)) v (what, recorded, found)
 WHERE v.recorded IS DISTINCT FROM v.found
 ORDER BY 2
 LIMIT 100)
UNION ALL
(SELECT 'stacks',
        v.what || ' of stack ' || s.stack_id,
        v.recorded::text,
        v.found::text
 FROM profdepot.stacks s
 LEFT JOIN (SELECT * FROM profdepot.stack_identities i WHERE i.inst_id = $1::bigint) k
     ON k.stack_id = s.stack_id
 CROSS JOIN LATERAL (VALUES
     ('identity', s.identity, k.identity),
     ('line identity', s.line_identity, k.line_identity)) v (what, recorded, found)
 WHERE s.inst_id = $1::bigint
   AND v.recorded IS DISTINCT FROM v.found
 ORDER BY s.stack_id, v.what
 LIMIT 100)
