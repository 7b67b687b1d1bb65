-- title: Temporary allocations, by own routine
-- with: heap_sites own
-- facts: temporary allocations
-- params: inst_id module routine own min_count min_share
-- order: count desc, own_module, own_class, own_routine
-- column: own_module text "Module"
-- column: own_class text "Class"
-- column: own_routine text "Routine"
-- column: count integer count "Temporary" sum
-- column: share decimal percent "Share"
-- column: allocations integer count "Allocations" sum
-- column: stacks integer count "Stacks"
-- A stack counts for its first own frame. Without --own, this is the first frame outside of allocators and
-- system libraries. Share is relative to all temporary allocations.
SELECT g.own_module, g.own_class, g.own_routine, g.count, g.share, g.allocations, g.stacks
FROM (SELECT COALESCE(w.own_module, '') AS own_module, COALESCE(w.own_class, '') AS own_class,
             COALESCE(w.own_routine, CASE i.stack_id WHEN 0 THEN '(stack unknown)'
                                     ELSE '(no own frame)' END) AS own_routine,
             sum(i.temporary) AS count, round(100 * sum(i.temporary) / min(a.temporary), 1) AS share,
             sum(i.allocations) AS allocations, count(*) AS stacks
      FROM sites i
      CROSS JOIN wholes a
      LEFT JOIN own_frames w ON w.stack_id = i.stack_id
      GROUP BY 1, 2, 3
      HAVING sum(i.temporary) <> 0) g
WHERE (:min_count::numeric IS NULL OR g.count >= :min_count::numeric)
  AND (:min_share::numeric IS NULL OR g.share >= :min_share::numeric)
