-- Live objects by stack and leak kind.
SELECT COALESCE(o.stack_id, 0), o.leak_kind, count(*), sum(o.block_count),
       LEAST(GREATEST(COALESCE(sum(o.col_size), 0), 0), 9223372036854775807)
FROM profdepot.resource_profiler_objects o
WHERE o.inst_id = :inst_id::bigint
GROUP BY 1, 2
ORDER BY 1, 2
