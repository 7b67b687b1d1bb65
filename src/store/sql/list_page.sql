-- The INST_IDs of the result sets that match the filters, newest first, and their number; NULL means no filter. `caption`
-- is a LIKE pattern. All `labels` ("key=value") must be present. If `metric` is given, a result set must declare this
-- metric, or its run must have looked for one of the things in `looked_for`. The newest `skip` matching result sets are
-- omitted. `before_us` and `from_us` are times of loads in microseconds, like `since` and `until`. `before_us` has a
-- comparison with -infinity, because without statistics the planner expects few rows between two limits, but a third of
-- all rows below one limit. The ICU collation folds the case of letters beyond ASCII; the collation "C" does not. The
-- condition on labels is a comparison of two counts: with such a condition, the planner expects to find result sets soon,
-- and starts to read at the newest one. A limited list therefore takes the same time in a depot of any size. `words` are
-- LIKE patterns without spaces, all of which must match. The labels of a result set are looked up only if one of them
-- has a word. The conditions on format, app_version, host and tool use the indexes of instances. If `sort` names a
-- column, the list is sorted by that column, and `direction` is 1 or -1. Without `sort`, all sort keys before loaded_at
-- are NULL. The planner ignores such keys, so it can use the index on loaded_at. If `after_id` is given, the list
-- continues after the result set with this INST_ID, this time of its load in microseconds, and this value in the column
-- `sort`. The depot need not have this result set any more. Citus hands a limit to the other servers only if the limit
-- is not an expression.
SELECT COALESCE(array_agg(p.inst_id), '{}') AS inst_ids, count(*) AS count
FROM (
    SELECT i.inst_id
    FROM profdepot.instances i
    WHERE (:inst_ids::bigint[] IS NULL OR i.inst_id = ANY (:inst_ids))
      AND (:format::text IS NULL OR (left(i.format, 200) = left(:format, 200)
           AND (length(:format) < 200 OR i.format = :format)))
      AND (:application::text IS NULL OR i.application = :application)
      AND (:app_version::text IS NULL OR (left(i.app_version, 200) = left(:app_version, 200)
           AND (length(:app_version) < 200 OR i.app_version = :app_version)))
      AND (:host::text IS NULL OR (left(i.host, 200) = left(:host, 200)
           AND (length(:host) < 200 OR i.host = :host)))
      AND (:tool::text IS NULL OR (left(i.tool, 200) = left(:tool, 200)
           AND (length(:tool) < 200 OR i.tool = :tool)))
      AND (:words::text[] = '{}'
           OR concat_ws(' ', i.inst_id, i.caption, i.application, i.app_version, i.host, i.format, i.tool, i.source_name)
               COLLATE "und-x-icu" ILIKE ALL (:words)
           OR i.inst_id IN (SELECT t.inst_id FROM profdepot.result_set_labels t
                            WHERE (t.key || '=' || t.value) COLLATE "und-x-icu" ILIKE ANY (:words))
              AND concat_ws(' ', i.inst_id, i.caption, i.application, i.app_version, i.host, i.format, i.tool, i.source_name,
                            (SELECT string_agg(l.key || '=' || l.value, ' ') FROM profdepot.result_set_labels l
                             WHERE l.inst_id = i.inst_id)) COLLATE "und-x-icu" ILIKE ALL (:words))
      AND (:run_key::text IS NULL
           OR i.inst_id = ANY (ARRAY(SELECT r.inst_id FROM profdepot.runs r WHERE r.run_key = :run_key)))
      AND (:caption::text IS NULL OR i.caption COLLATE "und-x-icu" ILIKE :caption)
      AND (:since::timestamptz IS NULL OR i.loaded_at >= :since)
      AND (:until::timestamptz IS NULL OR i.loaded_at < :until)
      AND (:from_us::bigint IS NULL
           OR i.loaded_at >= timestamptz 'epoch' + :from_us::bigint * interval '1 microsecond')
      AND (:before_us::bigint IS NULL
           OR i.loaded_at >= '-infinity'
              AND i.loaded_at < timestamptz 'epoch' + :before_us::bigint * interval '1 microsecond')
      AND (:labels::text[] = '{}'
           OR (SELECT count(*) FROM profdepot.result_set_labels l
               WHERE l.inst_id = i.inst_id AND l.key || '=' || l.value = ANY (:labels)) >= cardinality(:labels))
      AND (:metric::text IS NULL
           OR EXISTS (SELECT FROM profdepot.metrics k WHERE k.inst_id = i.inst_id AND k.name = :metric)
           OR EXISTS (SELECT FROM profdepot.coverage w
                      WHERE w.inst_id = i.inst_id AND w.what = ANY (:looked_for::text[])
                        AND w.degree IN ('sampled', 'full')))
      AND (:after_id::bigint IS NULL OR :sort::text IS NOT NULL
           OR (i.loaded_at, i.inst_id) < (timestamptz 'epoch' + :after_us::bigint * interval '1 microsecond', :after_id))
      AND (:after_id IS NULL OR :sort IS NULL
           OR CASE WHEN :sort = 'inst_id' THEN i.inst_id * :direction > :after_id * :direction
                  WHEN :sort = 'loaded_at' AND :direction = 1
                  THEN (i.loaded_at, -i.inst_id)
                       > (timestamptz 'epoch' + :after_us * interval '1 microsecond', -:after_id)
                  WHEN CASE :sort WHEN 'caption' THEN i.caption WHEN 'format' THEN i.format
                           WHEN 'application' THEN i.application WHEN 'app_version' THEN i.app_version
                           WHEN 'host' THEN i.host END IS NOT DISTINCT FROM :after_text::text
                  THEN (i.loaded_at, i.inst_id)
                       < (timestamptz 'epoch' + :after_us * interval '1 microsecond', :after_id)
                  ELSE COALESCE((CASE :sort WHEN 'caption' THEN i.caption WHEN 'format' THEN i.format
                           WHEN 'application' THEN i.application WHEN 'app_version' THEN i.app_version
                           WHEN 'host' THEN i.host END > :after_text) = (:direction = 1), :after_text IS NOT NULL) END)
    ORDER BY CASE WHEN :direction::integer = 1 THEN CASE :sort::text WHEN 'caption' THEN i.caption WHEN 'format' THEN i.format
                 WHEN 'application' THEN i.application WHEN 'app_version' THEN i.app_version
                 WHEN 'host' THEN i.host END END,
             CASE WHEN :direction = -1 THEN CASE :sort::text WHEN 'caption' THEN i.caption WHEN 'format' THEN i.format
                 WHEN 'application' THEN i.application WHEN 'app_version' THEN i.app_version
                 WHEN 'host' THEN i.host END END DESC NULLS LAST,
             CASE WHEN :sort = 'inst_id' THEN i.inst_id * :direction END,
             CASE WHEN :sort = 'loaded_at' AND :direction = 1 THEN i.loaded_at END,
             i.loaded_at DESC, i.inst_id DESC
    LIMIT :max_rows::bigint
    OFFSET :skip::bigint
) p
