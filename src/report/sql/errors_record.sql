-- title: Errors
-- layout: findings
-- with: error_groups own
-- facts: errors
-- params: inst_id thread excluded_errors own routine kind min_count owner owner_files
-- order: id
-- parts: kind
-- part: - "of no kind"
-- column: number integer "#" rank
-- column: summary text "Error"
-- column: kind text "Kind" machine
-- column: severity text "Severity" machine
-- column: description text "Description" machine
-- column: error_code integer "Error Code" machine
-- column: count integer count "Errors" sum machine
-- column: records integer count "Records" machine
-- column: thread text "Thread" machine
-- column: threads integer count "Threads" machine
-- column: own_module text "Own Module" machine
-- column: own_class text "Own Class" machine
-- column: own_routine text "Own Routine" machine
-- column: own_file text "Own Source File" machine
-- column: own_line integer "Own Source Line" machine
-- column: id integer id "Error"
-- column: stack frames "Call Stack"
-- column: stacks stacks "Further Stacks"
-- column: owner text "Owner" owner
-- Each record combines the errors that have the same text and equal stacks. The records are in the order of their
-- first occurrence. Without --own, the own frame is the first frame outside of allocators and system libraries.
SELECT NULL::bigint AS number,
       COALESCE(NULLIF(e.col_description, ''), NULLIF(e.col_name, ''), 'error')
           || COALESCE(w.own_words, '')
           || CASE WHEN COALESCE(e.col_name, '') <> '' AND COALESCE(e.col_description, '') <> ''
                       AND strpos(lower(e.col_description), lower(e.col_name)) = 0
                  THEN ' [' || e.col_name || ']' ELSE '' END
           || CASE WHEN g.count > 1
                  THEN ', ' || to_char(g.count, 'FM999,999,999,999,999,999,990') || ' times' ELSE '' END
           || CASE WHEN (SELECT count(*) FROM thread_words) > 1 THEN COALESCE(', ' || t.words, '') ELSE '' END
           || CASE WHEN g.threads > 1 THEN ' and ' || (g.threads - 1) || ' more' ELSE '' END
           || CASE WHEN g.records > 1 THEN '; ' || g.records || ' records alike' ELSE '' END AS summary,
       e.col_name AS kind,
       CASE e.col_kind WHEN 1 THEN 'error' WHEN 2 THEN 'warning'
           ELSE 'unknown' || COALESCE(' (' || e.col_kind || ')', '') END COLLATE "C" AS severity,
       e.col_description AS description, e.col_error_code AS error_code, g.count, g.records,
       t.words AS thread, g.threads,
       w.own_module, w.own_class, w.own_routine, w.own_file, w.own_line, e.id,
       (SELECT s.routine_ids::text || COALESCE(s.line_ids::text, '')
        FROM profdepot.stacks s
        WHERE s.inst_id = :inst_id::bigint AND s.stack_id = e.stack_id) AS stack,
       x.stacks, w.own_file AS owner
FROM groups g
JOIN profdepot.resource_profiler_errors e ON e.inst_id = :inst_id::bigint AND e.id = g.id
LEFT JOIN thread_words t ON t.id = e.parent_id
FULL JOIN own_frames w ON w.stack_id = e.stack_id -- not a nested loop, see part_own
FULL JOIN stacks_told x ON x.id = g.id
WHERE (g.id IS NULL) IS FALSE
  AND (:min_count::numeric IS NULL OR g.count >= :min_count::numeric)
