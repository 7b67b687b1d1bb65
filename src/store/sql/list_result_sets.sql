-- What a list shows of the result sets that list_page has found, in the same order. If there are few of them, `few` is the
-- same array as `inst_ids`. The condition on `few` lets the planner exclude all other ranges of a partitioned depot;
-- otherwise it would read the properties of every table of call_tree_blocks. The comparison with the first element
-- changes no result, but prevents the planner from using the array for look-ups in the index: it would expect a look-up
-- per element, and prefer to read the whole relation. For the same reason, the planner does not see the elements
-- of `inst_ids`. A long array would make the condition slow, so `few` is then NULL. Without `counts`, only the labels of a
-- result set are looked up; its counts are NULL. The conditions are then not constants, because with PostgreSQL 17 Citus
-- refuses a join with a table that a constant condition excludes. If a run found no leaks or errors, their count is 0 only
-- if the run finished and completed its search for them; otherwise it is NULL. The counts and labels are looked up per
-- listed result set, so their cost does not grow with the depot. `loaded_us` is the time of the load in microseconds, and
-- `sorted` the value in the column `sort`; the next page continues after them. Labels are text as in a column of kind
-- labels (model/table.h).
SELECT m.inst_id,
       m.caption,
       m.format,
       m.state,
       m.application,
       m.app_version,
       m.host,
       profdepot.time_text(m.loaded_at, :time_zone::text) AS loaded_at,
       CASE WHEN m.state = 'closed' THEN COALESCE(n.objects, CASE WHEN v.leaks THEN 0 END) END AS objects,
       CASE WHEN m.state = 'closed' THEN COALESCE(n.errors, CASE WHEN v.errors THEN 0 END) END AS errors,
       -- Most formats have no such facts, so 0 would not mean that something was measured.
       CASE WHEN m.state = 'closed' THEN NULLIF(c.tracks, 0) END AS tracks,
       CASE WHEN m.state = 'closed' THEN NULLIF(c.samples, 0) END AS samples,
       CASE WHEN m.state = 'closed' THEN NULLIF(c.spans, 0) END AS spans,
       CASE WHEN m.state = 'closed' THEN c.row_count END AS rows,
       l.labels,
       w.warnings,
       (extract(epoch FROM m.loaded_at) * 1000000)::bigint AS loaded_us,
       CASE :sort::text WHEN 'caption' THEN m.caption WHEN 'format' THEN m.format WHEN 'application' THEN m.application
           WHEN 'app_version' THEN m.app_version WHEN 'host' THEN m.host END AS sorted
FROM profdepot.instances m
CROSS JOIN LATERAL (
    SELECT max(t.row_count) FILTER (WHERE t.relation = 'tracks') AS tracks,
           max(t.row_count) FILTER (WHERE t.relation = 'samples') AS samples,
           max(t.row_count) FILTER (WHERE t.relation = 'spans') AS spans,
           sum(t.row_count) FILTER (WHERE t.relation NOT IN ('stacks', 'metrics')) AS row_count
    FROM profdepot.result_set_counts t
    WHERE t.inst_id = m.inst_id AND t.relation LIKE CASE WHEN :counts::boolean THEN '%' ELSE '' END
) c
CROSS JOIN LATERAL (
    SELECT max(t.totals[1]) FILTER (WHERE k.name = 'live_count') AS objects,
           max(t.totals[1]) FILTER (WHERE k.name = 'errors') AS errors
    FROM profdepot.metrics k
    JOIN profdepot.call_tree_blocks t ON t.inst_id = k.inst_id AND t.metric_no = k.metric_no AND t.first_rank = 0
    WHERE k.inst_id = m.inst_id AND t.inst_id = m.inst_id
      AND (:few::bigint[] IS NULL OR t.inst_id = ANY (:few::bigint[]) OR t.inst_id = (:few::bigint[])[1])
      AND k.name = ANY (CASE WHEN :counts::boolean THEN '{live_count,errors}'::text[] ELSE '{}' END)
) n
CROSS JOIN LATERAL (
    SELECT bool_or(w.what = 'leaks') AS leaks,
           bool_or(w.what IN ('errors', 'races')) AS errors
    FROM profdepot.coverage w
    WHERE w.inst_id = m.inst_id
      AND w.degree = ANY (CASE WHEN :counts::boolean THEN '{sampled,full}'::text[] ELSE '{}' END)
      AND NOT EXISTS (SELECT FROM profdepot.runs u WHERE u.inst_id = w.inst_id AND NOT u.finished)
) v
CROSS JOIN LATERAL (
    SELECT string_agg(translate(t.key, chr(30) || chr(31), '  ') || chr(31) || translate(t.value, chr(30) || chr(31), '  '), chr(30) ORDER BY t.key) AS labels
    FROM profdepot.result_set_labels t
    WHERE t.inst_id = m.inst_id
) l
CROSS JOIN LATERAL (
    SELECT CASE WHEN :counts::boolean THEN COALESCE(sum(t.occurrences), 0)::bigint END AS warnings
    FROM profdepot.import_issues t
    WHERE t.inst_id = m.inst_id
      AND t.severity = ANY (CASE WHEN :counts::boolean THEN '{warning,error}'::text[] ELSE '{}' END)
) w
WHERE m.inst_id = ANY (ARRAY(SELECT u.inst_id FROM unnest(:inst_ids::bigint[]) u (inst_id)))
ORDER BY CASE WHEN :direction::integer = 1 THEN CASE :sort::text WHEN 'caption' THEN m.caption WHEN 'format' THEN m.format
             WHEN 'application' THEN m.application WHEN 'app_version' THEN m.app_version
             WHEN 'host' THEN m.host END END,
         CASE WHEN :direction = -1 THEN CASE :sort::text WHEN 'caption' THEN m.caption WHEN 'format' THEN m.format
             WHEN 'application' THEN m.application WHEN 'app_version' THEN m.app_version
             WHEN 'host' THEN m.host END END DESC NULLS LAST,
         CASE WHEN :sort = 'inst_id' THEN m.inst_id * :direction END,
         CASE WHEN :sort = 'loaded_at' AND :direction = 1 THEN m.loaded_at END,
         m.loaded_at DESC, m.inst_id DESC
