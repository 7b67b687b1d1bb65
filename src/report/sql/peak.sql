-- title: Memory at the peak
-- layout: findings
-- with: heap_sites own
-- facts: peaks
-- params: inst_id module routine own min_count min_size min_share
-- order: size desc, count desc, stack_id
-- ties: stack
-- column: number integer "#" rank
-- column: summary text "Memory"
-- column: size integer bytes "Size" sum machine
-- column: count integer count "Objects" sum machine
-- column: share decimal percent "Share" machine
-- column: max_size integer bytes "Site's Maximum" machine
-- column: own_module text "Own Module" machine
-- column: own_class text "Own Class" machine
-- column: own_routine text "Own Routine" machine
-- column: own_file text "Own Source File" machine
-- column: own_line integer "Own Source Line" machine
-- column: stack_id integer "Stack" machine
-- column: stack frames "Call Stack"
-- The blocks that were alive when the program held the most memory, by the stack that allocated
-- them. Share is relative to all blocks at that time. Without --own, the own frame is the first
-- frame outside of allocators and system libraries.
SELECT NULL::bigint AS number,
       to_char(p.size, 'FM999,999,999,999,999,999,990') || CASE p.size WHEN 1 THEN ' byte' ELSE ' bytes' END
           || COALESCE(' in ' || to_char(p.count, 'FM999,999,999,999,999,999,990')
                       || CASE p.count WHEN 1 THEN ' block' ELSE ' blocks' END, '')
           || COALESCE(' (' || to_char(p.share, 'FM990.0') || ' %)', '')
           || COALESCE(w.own_words, '')
           || CASE WHEN p.max_size > p.size
                  THEN '; at most ' || to_char(p.max_size, 'FM999,999,999,999,999,999,990') || ' at another time'
                  ELSE '' END AS summary,
       p.size, p.count, p.share, p.max_size,
       w.own_module, w.own_class, w.own_routine, w.own_file, w.own_line, p.stack_id,
       (SELECT s.routine_ids::text || COALESCE(s.line_ids::text, '')
        FROM profdepot.stacks s
        WHERE s.inst_id = :inst_id::bigint AND s.stack_id = p.stack_id) AS stack
FROM (SELECT i.stack_id, i.peak_space AS size, i.peak_objects AS count,
             round(100 * i.peak_space / a.peak_space, 1) AS share, i.max_space AS max_size
      FROM sites i
      CROSS JOIN wholes a
      WHERE i.peak_space <> 0) p
LEFT JOIN own_frames w ON w.stack_id = p.stack_id
WHERE (:min_count::numeric IS NULL OR p.count >= :min_count::numeric)
  AND (:min_size::numeric IS NULL OR p.size >= :min_size::numeric)
  AND (:min_share::numeric IS NULL OR p.share >= :min_share::numeric)
