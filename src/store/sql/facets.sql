-- The number of result sets per value of a property, for a list with the filters of list_result_sets. When the
-- values of a property are counted, the filter on this property is ignored, so that another value can be chosen.
-- Returns at most `max_values` values per property, the most frequent ones first. The row `total` counts the result
-- sets that pass all filters. The query reads all result sets. Therefore it reads the labels once, not per result set,
-- and groups equal result sets before it counts each property.
WITH matching AS MATERIALIZED (
    SELECT m.application, m.app_version, m.format, m.host, m.tool, m.month, m.branch, m.is_time, m.is_labelled,
           :application::text IS NULL OR m.application IS NOT DISTINCT FROM :application AS is_application,
           :app_version::text IS NULL OR m.app_version IS NOT DISTINCT FROM :app_version AS is_app_version,
           :format::text IS NULL OR m.format IS NOT DISTINCT FROM :format AS is_format,
           :host::text IS NULL OR m.host IS NOT DISTINCT FROM :host AS is_host,
           :tool::text IS NULL OR m.tool IS NOT DISTINCT FROM :tool AS is_tool,
           count(*) AS count
    FROM (SELECT i.inst_id, i.caption, i.application, i.app_version, i.format, i.host, i.tool, l.branch,
                 date_trunc('month', i.loaded_at AT TIME ZONE :time_zone::text) AS month,
                 (:since::timestamptz IS NULL OR i.loaded_at >= :since)
                     AND (:until::timestamptz IS NULL OR i.loaded_at < :until) AS is_time,
                 :labels::text[] = '{}' OR COALESCE(l.wanted, 0) >= cardinality(:labels::text[]) AS is_labelled,
                 CASE WHEN :words::text[] <> '{}'
                     THEN concat_ws(' ', i.inst_id, i.caption, i.application, i.app_version, i.host, i.format, i.tool,
                                    i.source_name, l.words) END AS words
          FROM profdepot.instances i
          LEFT JOIN (SELECT t.inst_id, max(t.value) FILTER (WHERE t.key = 'branch') AS branch,
                            count(*) FILTER (WHERE t.key || '=' || t.value = ANY (:labels::text[])) AS wanted,
                            CASE WHEN :words::text[] <> '{}' THEN string_agg(t.key || '=' || t.value, ' ') END AS words
                     FROM profdepot.result_set_labels t
                     WHERE t.key = 'branch' OR :labels::text[] <> '{}' OR :words::text[] <> '{}'
                     GROUP BY t.inst_id) l ON l.inst_id = i.inst_id) m
    WHERE (:run_key::text IS NULL
           OR m.inst_id = ANY (ARRAY(SELECT r.inst_id FROM profdepot.runs r WHERE r.run_key = :run_key)))
      AND (:caption::text IS NULL OR m.caption COLLATE "und-x-icu" ILIKE :caption)
      AND (:words::text[] = '{}' OR m.words COLLATE "und-x-icu" ILIKE ALL (:words::text[]))
    GROUP BY m.application, m.app_version, m.format, m.host, m.tool, m.month, m.branch, m.is_time, m.is_labelled
),
counted AS (
    SELECT 1 AS place, 'total' AS facet, NULL AS value, COALESCE(sum(m.count), 0) AS count FROM matching m
    WHERE m.is_application AND m.is_app_version AND m.is_format AND m.is_host AND m.is_tool AND m.is_time AND m.is_labelled
    UNION ALL
    SELECT 2, 'application', m.application, sum(m.count) FROM matching m
    WHERE m.is_app_version AND m.is_format AND m.is_host AND m.is_tool AND m.is_time AND m.is_labelled
    GROUP BY m.application
    UNION ALL
    SELECT 3, 'branch', m.branch, sum(m.count) FROM matching m
    WHERE m.is_application AND m.is_app_version AND m.is_format AND m.is_host AND m.is_tool AND m.is_time
    GROUP BY m.branch
    UNION ALL
    SELECT 4, 'app_version', m.app_version, sum(m.count) FROM matching m
    WHERE m.is_application AND m.is_format AND m.is_host AND m.is_tool AND m.is_time AND m.is_labelled
    GROUP BY m.app_version
    UNION ALL
    SELECT 5, 'format', m.format, sum(m.count) FROM matching m
    WHERE m.is_application AND m.is_app_version AND m.is_host AND m.is_tool AND m.is_time AND m.is_labelled
    GROUP BY m.format
    UNION ALL
    SELECT 6, 'host', m.host, sum(m.count) FROM matching m
    WHERE m.is_application AND m.is_app_version AND m.is_format AND m.is_tool AND m.is_time AND m.is_labelled
    GROUP BY m.host
    UNION ALL
    SELECT 7, 'tool', m.tool, sum(m.count) FROM matching m
    WHERE m.is_application AND m.is_app_version AND m.is_format AND m.is_host AND m.is_time AND m.is_labelled
    GROUP BY m.tool
    UNION ALL
    SELECT 8, 'month', to_char(m.month, 'YYYY-MM'), sum(m.count) FROM matching m
    WHERE m.is_application AND m.is_app_version AND m.is_format AND m.is_host AND m.is_tool AND m.is_labelled
    GROUP BY m.month
)
SELECT r.facet, r.value, r.count::bigint AS count
FROM (SELECT c.place, c.facet, c.value, c.count,
             row_number() OVER (PARTITION BY c.place ORDER BY c.count DESC, c.value) AS n
      FROM counted c
      WHERE c.value IS NOT NULL OR c.place = 1) r
WHERE r.n <= :max_values::bigint
ORDER BY r.place, r.n
