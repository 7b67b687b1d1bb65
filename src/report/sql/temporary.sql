-- title: Temporary allocations
-- layout: findings
-- with: heap_sites own
-- facts: temporary allocations
-- params: inst_id module routine own min_count min_share
-- order: count desc, stack_id
-- ties: stack
-- column: number integer "#" rank
-- column: summary text "Allocations"
-- column: count integer count "Temporary Allocations" sum machine
-- column: share decimal percent "Share" machine
-- column: allocations integer count "Allocations" machine
-- column: own_module text "Own Module" machine
-- column: own_class text "Own Class" machine
-- column: own_routine text "Own Routine" machine
-- column: own_file text "Own Source File" machine
-- column: own_line integer "Own Source Line" machine
-- column: stack_id integer "Stack" machine
-- column: stack frames "Call Stack"
-- Blocks that were freed before the next allocation, by the stack that allocated them. Share is relative
-- to all temporary allocations. Without --own, the own frame is the first frame outside of allocators and system
-- libraries.
SELECT NULL::bigint AS number,
       to_char(p.count, 'FM999,999,999,999,999,999,990') || ' temporary'
           || COALESCE(' of ' || to_char(p.allocations, 'FM999,999,999,999,999,999,990'), '')
           || CASE COALESCE(p.allocations, p.count) WHEN 1 THEN ' allocation' ELSE ' allocations' END
           || COALESCE(' (' || to_char(p.share, 'FM990.0') || ' % of all temporary ones)', '')
           || COALESCE(w.own_words, '') AS summary,
       p.count, p.share, p.allocations,
       w.own_module, w.own_class, w.own_routine, w.own_file, w.own_line, p.stack_id,
       (SELECT s.routine_ids::text || COALESCE(s.line_ids::text, '')
        FROM profdepot.stacks s
        WHERE s.inst_id = :inst_id::bigint AND s.stack_id = p.stack_id) AS stack
FROM (SELECT i.stack_id, i.temporary AS count, round(100 * i.temporary / a.temporary, 1) AS share,
             i.allocations
      FROM sites i
      CROSS JOIN wholes a
      WHERE i.temporary <> 0) p
LEFT JOIN own_frames w ON w.stack_id = p.stack_id
WHERE (:min_count::numeric IS NULL OR p.count >= :min_count::numeric)
  AND (:min_share::numeric IS NULL OR p.share >= :min_share::numeric)
