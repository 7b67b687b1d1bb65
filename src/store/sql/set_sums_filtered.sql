-- The same as set_sums, but only the facts that pass the filters are summed. The filters are LIKE patterns; NULL means
-- no filter. "simple" is also false if a filter does not apply to the metric's facts, because the report explains this.
-- The condition on inst_id is repeated for each relation, as in set_sums. Most joins are full joins, which the planner
-- never runs as nested loops: without statistics, those could take minutes. COALESCE and IS FALSE keep them full joins.
-- params: inst_ids metric thread class module routine name
SELECT i.inst_id, m.family, m.unit,
       CASE m.family
       WHEN 'objects' THEN :name::text[] IS NULL
       WHEN 'errors' THEN :class::text[] IS NULL AND :module::text[] IS NULL
       WHEN 'samples' THEN i.state = 'closed' AND :class::text[] IS NULL AND :module::text[] IS NULL
                           AND :thread::text[] IS NULL AND :name::text[] IS NULL
       ELSE m.family IS NULL AND i.state = 'closed'
            AND NOT (:metric::text IN ('live_count', 'live_size')
                     AND EXISTS (SELECT FROM profdepot.resource_profiler_objects x
                                 WHERE x.inst_id = i.inst_id AND x.inst_id = ANY (:inst_ids::bigint[])))
            AND NOT (:metric::text = 'errors'
                     AND EXISTS (SELECT FROM profdepot.resource_profiler_errors x
                                 WHERE x.inst_id = i.inst_id AND x.inst_id = ANY (:inst_ids::bigint[])))
       END
           AND NOT EXISTS (SELECT FROM profdepot.result_set_suppressions s
                           WHERE s.inst_id = i.inst_id AND s.inst_id = ANY (:inst_ids::bigint[])) AS simple,
       CASE m.family WHEN 'objects' THEN COALESCE(o.count, 0) WHEN 'errors' THEN COALESCE(e.count, 0) END AS count,
       CASE m.family WHEN 'objects' THEN COALESCE(o.size, 0) WHEN 'samples' THEN COALESCE(p.value, 0) END AS value
FROM profdepot.instances i
LEFT JOIN profdepot.metrics m
    ON m.inst_id = i.inst_id AND m.inst_id = ANY (:inst_ids::bigint[]) AND m.name = :metric::text
LEFT JOIN (
    SELECT l.inst_id, sum(l.count) AS count, sum(l.size) AS size
    FROM (SELECT t.inst_id, t.class, t.stack_id, t.count, t.value AS size
          FROM (SELECT c.inst_id FROM profdepot.instances c
                WHERE c.inst_id = ANY (:inst_ids::bigint[]) AND c.state = 'closed' AND c.live_summed) c
          FULL JOIN (SELECT t.inst_id, t.class, t.stack_id, t.count, t.value
                     FROM profdepot.stack_totals t
                     WHERE t.inst_id = ANY (:inst_ids::bigint[]) AND t.metric = 'live') t ON t.inst_id = c.inst_id
          WHERE (c.inst_id IS NULL OR t.inst_id IS NULL) IS FALSE AND :thread::text[] IS NULL
          UNION ALL
          SELECT t.inst_id, COALESCE(t.col_classrid, -1), COALESCE(t.stack_id, 0), t.block_count,
                 t.col_size
          FROM profdepot.instances c
          JOIN profdepot.resource_profiler_objects t
              ON t.inst_id = c.inst_id AND t.inst_id = ANY (:inst_ids::bigint[])
          WHERE c.inst_id = ANY (:inst_ids::bigint[])
            AND (c.state <> 'closed' OR NOT c.live_summed) AND :thread::text[] IS NULL
          UNION ALL
          SELECT t.inst_id, COALESCE(t.col_classrid, -1), COALESCE(t.stack_id, 0), t.block_count,
                 t.col_size
          FROM (SELECT DISTINCT c.inst_id, CASE c.thread_key WHEN 'id' THEN h.id ELSE h.rec_id END AS key
                FROM profdepot.instances c
                JOIN profdepot.resource_profiler_threads h
                    ON h.inst_id = c.inst_id AND h.inst_id = ANY (:inst_ids::bigint[])
                WHERE c.inst_id = ANY (:inst_ids::bigint[])
                  AND h.col_win32threadid::text ILIKE ANY (:thread::text[])) h
          JOIN profdepot.resource_profiler_objects t
              ON t.inst_id = h.inst_id AND t.col_threadid = h.key AND t.inst_id = ANY (:inst_ids::bigint[])) l
    FULL JOIN (SELECT c.inst_id, c.rec_id, COALESCE(max(NULLIF(c.col_class_name, '')), '') AS class_name,
                      COALESCE(max(NULLIF(c.col_module_name, '')), '') AS module_name
               FROM (SELECT x.inst_id, x.rec_id, x.col_class_name, x.col_module_name
                     FROM profdepot.resource_profiler_meta_classes_data x
                     WHERE x.inst_id = ANY (:inst_ids::bigint[])
                     UNION ALL
                     SELECT x.inst_id, x.rec_id, x.col_class_name, x.col_module_name
                     FROM profdepot.resource_profiler_classes_data x
                     WHERE x.inst_id = ANY (:inst_ids::bigint[])
                       AND NOT EXISTS (SELECT FROM profdepot.resource_profiler_meta_classes_data y
                                       WHERE y.inst_id = x.inst_id AND y.rec_id = x.rec_id
                                         AND y.inst_id = ANY (:inst_ids::bigint[]))) c
               WHERE :class::text[] IS NOT NULL OR :module::text[] IS NOT NULL
               GROUP BY c.inst_id, c.rec_id) n ON n.inst_id = l.inst_id AND n.rec_id = l.class
    FULL JOIN (SELECT s.inst_id, s.stack_id
               FROM (SELECT s.inst_id, s.stack_id, s.routine_ids FROM profdepot.stacks s
                     WHERE s.inst_id = ANY (:inst_ids::bigint[]) AND :routine::text[] IS NOT NULL) s
               FULL JOIN (SELECT r.inst_id, array_agg(r.rec_id) AS rec_ids
                          FROM profdepot.resource_profiler_meta_routines r
                          WHERE r.inst_id = ANY (:inst_ids::bigint[]) AND r.rec_id IS NOT NULL
                            AND COALESCE(r.col_routine_name, '') COLLATE "und-x-icu" ILIKE ANY (:routine::text[])
                          GROUP BY r.inst_id) r ON r.inst_id = s.inst_id
               WHERE COALESCE(s.routine_ids && r.rec_ids, false)) s
        ON s.inst_id = l.inst_id AND s.stack_id = l.stack_id
    WHERE (l.inst_id IS NULL) IS FALSE AND :metric::text IN ('live_count', 'live_size')
      AND (:class::text[] IS NULL OR COALESCE(n.class_name, '') COLLATE "und-x-icu" ILIKE ANY (:class::text[]))
      AND (:module::text[] IS NULL OR COALESCE(n.module_name, '') COLLATE "und-x-icu" ILIKE ANY (:module::text[])
           OR regexp_replace(COALESCE(n.module_name, ''), '^.*[/\\]', '') COLLATE "und-x-icu"
               ILIKE ANY (:module::text[]))
      AND (:routine::text[] IS NULL OR (s.stack_id IS NULL) IS FALSE)
    GROUP BY l.inst_id) o ON o.inst_id = i.inst_id
LEFT JOIN (
    SELECT t.inst_id, sum(t.count) AS count
    FROM (SELECT t.inst_id, t.stack_id, t.count
          FROM profdepot.resource_profiler_errors t
          WHERE t.inst_id = ANY (:inst_ids::bigint[]) AND :metric::text = 'errors'
            AND (:thread::text[] IS NULL
                 OR EXISTS (SELECT FROM profdepot.resource_profiler_threads h
                            WHERE h.inst_id = t.inst_id AND h.inst_id = ANY (:inst_ids::bigint[]) AND h.id = t.parent_id
                              AND h.col_win32threadid::text ILIKE ANY (:thread::text[])))
            AND (:name::text[] IS NULL
                 OR COALESCE(t.col_name, '') COLLATE "und-x-icu" ILIKE ANY (:name::text[]))) t
    FULL JOIN (SELECT s.inst_id, s.stack_id
               FROM (SELECT s.inst_id, s.stack_id, s.routine_ids FROM profdepot.stacks s
                     WHERE s.inst_id = ANY (:inst_ids::bigint[]) AND :routine::text[] IS NOT NULL) s
               FULL JOIN (SELECT r.inst_id, array_agg(r.rec_id) AS rec_ids
                          FROM profdepot.resource_profiler_meta_routines r
                          WHERE r.inst_id = ANY (:inst_ids::bigint[]) AND r.rec_id IS NOT NULL
                            AND COALESCE(r.col_routine_name, '') COLLATE "und-x-icu" ILIKE ANY (:routine::text[])
                          GROUP BY r.inst_id) r ON r.inst_id = s.inst_id
               WHERE COALESCE(s.routine_ids && r.rec_ids, false)) s
        ON s.inst_id = t.inst_id AND s.stack_id = t.stack_id
    WHERE (t.inst_id IS NULL) IS FALSE AND (:routine::text[] IS NULL OR (s.stack_id IS NULL) IS FALSE)
    GROUP BY t.inst_id) e ON e.inst_id = i.inst_id
LEFT JOIN (
    SELECT t.inst_id, sum(t.value) AS value
    FROM profdepot.stack_totals t
    JOIN (SELECT s.inst_id, s.stack_id
          FROM (SELECT s.inst_id, s.stack_id, s.routine_ids FROM profdepot.stacks s
                WHERE s.inst_id = ANY (:inst_ids::bigint[])) s
          FULL JOIN (SELECT r.inst_id, array_agg(r.rec_id) AS rec_ids
                     FROM profdepot.resource_profiler_meta_routines r
                     WHERE r.inst_id = ANY (:inst_ids::bigint[]) AND r.rec_id IS NOT NULL
                       AND COALESCE(r.col_routine_name, '') COLLATE "und-x-icu" ILIKE ANY (:routine::text[])
                     GROUP BY r.inst_id) r ON r.inst_id = s.inst_id
          WHERE COALESCE(s.routine_ids && r.rec_ids, false)) s ON s.inst_id = t.inst_id AND s.stack_id = t.stack_id
    WHERE t.inst_id = ANY (:inst_ids::bigint[]) AND t.metric = :metric::text
      AND :metric::text NOT IN ('live_count', 'live_size', 'errors')
    GROUP BY t.inst_id) p ON p.inst_id = i.inst_id
WHERE i.inst_id = ANY (:inst_ids::bigint[])
