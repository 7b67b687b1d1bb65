-- The current counts of open result sets, one row per result set, in the order of inst_id. A count of 0 is NULL, because it
-- would not mean that something was measured. Posted samples and spans can be many, so only those are counted that
-- arrived after the counts in the column posted. The conditions on `inst_ids` are as in list_result_sets.
SELECT i.inst_id, NULLIF(o.n, 0)::bigint AS objects, NULLIF(e.n, 0)::bigint AS errors, NULLIF(t.n, 0)::bigint AS tracks,
       NULLIF(COALESCE(i.posted[1], 0) + COALESCE(b.n, 0) + r.n, 0)::bigint AS samples,
       NULLIF(COALESCE(i.posted[3], 0) + COALESCE(c.n, 0) + s.n, 0)::bigint AS spans
FROM profdepot.instances i
CROSS JOIN LATERAL (
    SELECT sum(x.block_count) AS n
    FROM profdepot.resource_profiler_objects x
    WHERE x.inst_id = i.inst_id AND (x.inst_id = ANY (:inst_ids::bigint[]) OR x.inst_id = (:inst_ids::bigint[])[1])
) o
CROSS JOIN LATERAL (
    SELECT sum(x.count) AS n
    FROM profdepot.resource_profiler_errors x
    WHERE x.inst_id = i.inst_id AND (x.inst_id = ANY (:inst_ids::bigint[]) OR x.inst_id = (:inst_ids::bigint[])[1])
) e
CROSS JOIN LATERAL (
    SELECT count(*) AS n
    FROM profdepot.tracks x
    WHERE x.inst_id = i.inst_id AND (x.inst_id = ANY (:inst_ids::bigint[]) OR x.inst_id = (:inst_ids::bigint[])[1])
) t
CROSS JOIN LATERAL (
    SELECT sum(cardinality(x.stack_ids)) AS n
    FROM profdepot.sample_blocks x
    WHERE x.inst_id = i.inst_id AND (x.inst_id = ANY (:inst_ids::bigint[]) OR x.inst_id = (:inst_ids::bigint[])[1])
      AND x.first_id > COALESCE(i.posted[2], 0)
) b
CROSS JOIN LATERAL (
    SELECT count(*) AS n
    FROM profdepot.sample_rows x
    WHERE x.inst_id = i.inst_id AND (x.inst_id = ANY (:inst_ids::bigint[]) OR x.inst_id = (:inst_ids::bigint[])[1])
      AND x.id > COALESCE(i.posted[2], 0)
) r
CROSS JOIN LATERAL (
    SELECT sum(cardinality(x.ids)) AS n
    FROM profdepot.span_blocks x
    WHERE x.inst_id = i.inst_id AND (x.inst_id = ANY (:inst_ids::bigint[]) OR x.inst_id = (:inst_ids::bigint[])[1])
) c
CROSS JOIN LATERAL (
    SELECT count(*) AS n
    FROM profdepot.span_rows x
    WHERE x.inst_id = i.inst_id AND (x.inst_id = ANY (:inst_ids::bigint[]) OR x.inst_id = (:inst_ids::bigint[])[1])
      AND x.id > COALESCE(i.posted[4], 0)
) s
WHERE i.inst_id = ANY (ARRAY(SELECT u.inst_id FROM unnest(:inst_ids::bigint[]) u (inst_id)))
ORDER BY i.inst_id
