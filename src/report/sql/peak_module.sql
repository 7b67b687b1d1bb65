-- title: Memory at the peak, by own module
-- with: heap_sites own
-- facts: peaks
-- params: inst_id module routine own min_count min_size min_share
-- order: size desc, count desc, own_module
-- column: own_module text "Module"
-- column: size integer bytes "Size" sum
-- column: share decimal percent "Share"
-- column: count integer count "Objects" sum
-- column: stacks integer count "Stacks"
-- A stack counts for the module of its first own frame. Without --own, this is the first frame outside of
-- allocators and system libraries.
SELECT g.own_module, g.size, g.share, g.count, g.stacks
FROM (SELECT COALESCE(w.own_module, CASE i.stack_id WHEN 0 THEN '(stack unknown)'
                                    ELSE '(no own frame)' END) AS own_module,
             sum(i.peak_space) AS size, round(100 * sum(i.peak_space) / min(a.peak_space), 1) AS share,
             sum(i.peak_objects) AS count, count(*) AS stacks
      FROM sites i
      CROSS JOIN wholes a
      LEFT JOIN own_frames w ON w.stack_id = i.stack_id
      WHERE i.peak_space <> 0
      GROUP BY 1) g
WHERE (:min_count::numeric IS NULL OR g.count >= :min_count::numeric)
  AND (:min_size::numeric IS NULL OR g.size >= :min_size::numeric)
  AND (:min_share::numeric IS NULL OR g.share >= :min_share::numeric)
