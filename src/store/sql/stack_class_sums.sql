-- Objects summed by class. `unsized`: some objects have no size.
-- params: inst_id
SELECT l.class, sum(l.count)::bigint, sum(l.size),
       l.class IN (SELECT COALESCE(o.col_classrid, -1)
                   FROM profdepot.resource_profiler_objects o
                   WHERE o.inst_id = :inst_id::bigint AND o.col_size IS NULL) AS unsized
FROM profdepot.live_totals l
WHERE l.inst_id = :inst_id::bigint
GROUP BY l.class
