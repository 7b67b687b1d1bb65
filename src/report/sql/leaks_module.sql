-- title: Leaks by calling module
-- with: live chosen
-- facts: objects
-- params: inst_id thread excluded_objects class module routine min_count min_size owner owner_files
-- order: count desc, size desc, module
-- column: module text "Module Name"
-- column: count integer count "Objects" sum
-- column: size integer bytes "Size" sum
-- column: stacks integer count "Stacks"
SELECT g.module, g.count, g.size, g.stacks
FROM (SELECT c.module_name AS module, sum(c.count)::bigint AS count, sum(c.size) AS size,
             count(DISTINCT NULLIF(c.stack_id, 0)) AS stacks
      FROM chosen c
      GROUP BY c.module_name) g
WHERE (:min_count::numeric IS NULL OR g.count >= :min_count::numeric)
  AND (:min_size::numeric IS NULL OR g.size >= :min_size::numeric)
