-- A metric of several result sets and its sum, one row per result set. "simple" is false if only a report on the
-- result set can compute the sum. This is the case for metrics other than those of objects, errors and samples, for
-- facts without a row in metrics, for samples of an open result set, and for result sets that suppress facts.
-- The condition on inst_id is repeated for each relation. Without the repetition, the planner might read a relation
-- from end to end if there are no statistics.
-- params: inst_ids metric
SELECT i.inst_id, m.family, m.unit,
       COALESCE(m.family IN ('objects', 'errors') OR (m.family = 'samples' AND i.state = 'closed'),
                o.inst_id IS NULL AND e.inst_id IS NULL)
           AND NOT EXISTS (SELECT FROM profdepot.result_set_suppressions s
                           WHERE s.inst_id = i.inst_id AND s.inst_id = ANY (:inst_ids::bigint[])) AS simple,
       CASE m.family WHEN 'objects' THEN COALESCE(o.count, 0) WHEN 'errors' THEN COALESCE(e.count, 0) END AS count,
       CASE m.family WHEN 'objects' THEN COALESCE(o.size, 0) WHEN 'samples' THEN COALESCE(p.value, 0) END AS value
FROM profdepot.instances i
LEFT JOIN profdepot.metrics m
    ON m.inst_id = i.inst_id AND m.inst_id = ANY (:inst_ids::bigint[]) AND m.name = :metric::text
-- The planner never runs a full join as a nested loop, which could take minutes if statistics are missing.
LEFT JOIN (SELECT t.inst_id, t.count, t.size
           FROM (SELECT c.inst_id FROM profdepot.instances c
                 WHERE c.inst_id = ANY (:inst_ids::bigint[]) AND c.state = 'closed' AND c.live_summed) c
           FULL JOIN (SELECT t.inst_id, sum(t.count) AS count, sum(t.value) AS size
                      FROM profdepot.stack_totals t
                      WHERE t.inst_id = ANY (:inst_ids::bigint[]) AND t.metric = 'live'
                        AND :metric::text IN ('live_count', 'live_size')
                      GROUP BY t.inst_id) t ON t.inst_id = c.inst_id
           WHERE (c.inst_id IS NULL OR t.inst_id IS NULL) IS FALSE
           UNION ALL
           SELECT t.inst_id, sum(t.block_count), sum(t.col_size)
           FROM profdepot.instances c
           JOIN profdepot.resource_profiler_objects t
               ON t.inst_id = c.inst_id AND t.inst_id = ANY (:inst_ids::bigint[])
           WHERE c.inst_id = ANY (:inst_ids::bigint[]) AND (c.state <> 'closed' OR NOT c.live_summed)
             AND :metric::text IN ('live_count', 'live_size')
           GROUP BY t.inst_id) o ON o.inst_id = i.inst_id
LEFT JOIN (SELECT t.inst_id, sum(t.count) AS count
           FROM profdepot.resource_profiler_errors t
           WHERE t.inst_id = ANY (:inst_ids::bigint[]) AND :metric::text = 'errors'
           GROUP BY t.inst_id) e ON e.inst_id = i.inst_id
LEFT JOIN (SELECT t.inst_id, sum(t.value) AS value
           FROM profdepot.stack_totals t
           WHERE t.inst_id = ANY (:inst_ids::bigint[]) AND t.metric = :metric::text
             AND :metric::text NOT IN ('live_count', 'live_size', 'errors')
           GROUP BY t.inst_id) p ON p.inst_id = i.inst_id
WHERE i.inst_id = ANY (:inst_ids::bigint[])
