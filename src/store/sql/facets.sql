-- The number of result sets per value of a property, for a list with the filters of list_result_sets. When the
-- values of a property are counted, the filter on this property is ignored, so that another value can be chosen.
-- Returns at most `max_values` values per property, the most frequent ones first. The row `total` counts the result
-- sets that pass all filters.
WITH matching AS MATERIALIZED (
    SELECT i.application, i.app_version, i.format, i.host, i.tool, to_char(i.loaded_at AT TIME ZONE :time_zone::text, 'YYYY-MM') AS month,
           (SELECT l.value FROM profdepot.result_set_labels l WHERE l.inst_id = i.inst_id AND l.key = 'branch') AS branch,
           :application::text IS NULL OR i.application IS NOT DISTINCT FROM :application AS is_application,
           :app_version::text IS NULL OR i.app_version IS NOT DISTINCT FROM :app_version AS is_app_version,
           :format::text IS NULL OR i.format IS NOT DISTINCT FROM :format AS is_format,
           :host::text IS NULL OR i.host IS NOT DISTINCT FROM :host AS is_host,
           :tool::text IS NULL OR i.tool IS NOT DISTINCT FROM :tool AS is_tool,
           (:since::timestamptz IS NULL OR i.loaded_at >= :since)
               AND (:until::timestamptz IS NULL OR i.loaded_at < :until) AS is_time,
           :labels::text[] = '{}'
               OR (SELECT count(*) FROM profdepot.result_set_labels l
                   WHERE l.inst_id = i.inst_id AND l.key || '=' || l.value = ANY (:labels)) >= cardinality(:labels)
               AS is_labelled
    FROM profdepot.instances i
    WHERE (:run_key::text IS NULL
           OR i.inst_id = ANY (ARRAY(SELECT r.inst_id FROM profdepot.runs r WHERE r.run_key = :run_key)))
      AND (:caption::text IS NULL OR i.caption COLLATE "und-x-icu" ILIKE :caption)
      AND (:words::text[] = '{}'
           OR concat_ws(' ', i.inst_id, i.caption, i.application, i.app_version, i.host, i.format, i.tool, i.source_name,
                        (SELECT string_agg(l.key || '=' || l.value, ' ') FROM profdepot.result_set_labels l
                         WHERE l.inst_id = i.inst_id)) COLLATE "und-x-icu" ILIKE ALL (:words))
),
counted AS (
    SELECT 1 AS place, 'total' AS facet, NULL AS value, count(*) AS count FROM matching m
    WHERE m.is_application AND m.is_app_version AND m.is_format AND m.is_host AND m.is_tool AND m.is_time AND m.is_labelled
    UNION ALL
    SELECT 2, 'application', m.application, count(*) FROM matching m
    WHERE m.is_app_version AND m.is_format AND m.is_host AND m.is_tool AND m.is_time AND m.is_labelled
    GROUP BY m.application
    UNION ALL
    SELECT 3, 'branch', m.branch, count(*) FROM matching m
    WHERE m.is_application AND m.is_app_version AND m.is_format AND m.is_host AND m.is_tool AND m.is_time
    GROUP BY m.branch
    UNION ALL
    SELECT 4, 'app_version', m.app_version, count(*) FROM matching m
    WHERE m.is_application AND m.is_format AND m.is_host AND m.is_tool AND m.is_time AND m.is_labelled
    GROUP BY m.app_version
    UNION ALL
    SELECT 5, 'format', m.format, count(*) FROM matching m
    WHERE m.is_application AND m.is_app_version AND m.is_host AND m.is_tool AND m.is_time AND m.is_labelled
    GROUP BY m.format
    UNION ALL
    SELECT 6, 'host', m.host, count(*) FROM matching m
    WHERE m.is_application AND m.is_app_version AND m.is_format AND m.is_tool AND m.is_time AND m.is_labelled
    GROUP BY m.host
    UNION ALL
    SELECT 7, 'tool', m.tool, count(*) FROM matching m
    WHERE m.is_application AND m.is_app_version AND m.is_format AND m.is_host AND m.is_time AND m.is_labelled
    GROUP BY m.tool
    UNION ALL
    SELECT 8, 'month', m.month, count(*) FROM matching m
    WHERE m.is_application AND m.is_app_version AND m.is_format AND m.is_host AND m.is_tool AND m.is_labelled
    GROUP BY m.month
)
SELECT r.facet, r.value, r.count
FROM (SELECT c.place, c.facet, c.value, c.count,
             row_number() OVER (PARTITION BY c.place ORDER BY c.count DESC, c.value) AS n
      FROM counted c
      WHERE c.value IS NOT NULL OR c.place = 1) r
WHERE r.n <= :max_values::bigint
ORDER BY r.place, r.n
