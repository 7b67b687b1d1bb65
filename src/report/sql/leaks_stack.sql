-- title: Leaks by equal stack
-- layout: records
-- with: live chosen
-- facts: objects
-- params: inst_id thread excluded_objects class module routine min_count min_size owner owner_files
-- order: count desc, size desc
-- ties: stack
-- column: number integer "#" rank
-- column: count integer count "Objects" sum
-- column: size integer bytes "Size" sum
-- column: classes integer count "Classes"
-- column: stack frames "Creation Call Stack"
WITH groups AS (
    SELECT k.key, sum(c.count)::bigint AS count, sum(c.size) AS size,
           count(DISTINCT (c.class_name, c.module_name)) AS classes, min(NULLIF(c.stack_id, 0)) AS stack_id
    FROM chosen c
    FULL JOIN (SELECT s.stack_id, s.line_identity AS key
               FROM profdepot.stack_keys s WHERE s.inst_id = :inst_id::bigint) k
        ON k.stack_id = c.stack_id -- not a nested loop, see part_own
    WHERE (c.class_name IS NULL) IS FALSE
    GROUP BY k.key
)
SELECT NULL::bigint AS number, g.count, g.size, g.classes,
       (SELECT s.routine_ids::text || COALESCE(s.line_ids::text, '')
        FROM profdepot.stacks s
        WHERE s.inst_id = :inst_id::bigint AND s.stack_id = g.stack_id) AS stack
FROM groups g
WHERE (:min_count::numeric IS NULL OR g.count >= :min_count::numeric)
  AND (:min_size::numeric IS NULL OR g.size >= :min_size::numeric)
