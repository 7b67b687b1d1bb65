-- title: Leaks by class, module and equal stack
-- layout: records
-- with: live chosen
-- facts: objects
-- detectors: record
-- params: inst_id thread excluded_objects class module routine min_count min_size by owner owner_files
-- order: count desc, size desc, class, module
-- ties: stack
-- column: number integer "#" rank
-- column: count integer count "Objects" sum
-- column: size integer bytes "Size" sum
-- column: class text "Class Name"
-- column: module text "Module Name"
-- column: stack frames "Creation Call Stack"
-- column: owner text "Owner" owner routine
-- Stacks are equal if their routines and call lines are equal. --by names ignores lines and shows the first
-- line of each routine.
-- If the loader found that no two sums have the same class and stack, they are not grouped, because
-- grouping takes longer than all the rest.
WITH grouped AS MATERIALIZED (
    SELECT i.state = 'closed' AND i.live_distinct AND :by::text IS DISTINCT FROM 'names' AS already
    FROM profdepot.instances i
    WHERE i.inst_id = :inst_id::bigint
),
groups AS (
    SELECT c.class_name, c.module_name, c.count, c.size, NULLIF(c.stack_id, 0) AS stack_id
    FROM chosen c
    WHERE (SELECT g.already FROM grouped g)
    UNION ALL
    SELECT c.class_name, c.module_name, profdepot.light_sum(c.count), profdepot.light_sum(c.size), min(NULLIF(c.stack_id, 0))
    FROM chosen c
    FULL JOIN (SELECT s.stack_id,
                      CASE WHEN :by::text = 'names' THEN s.identity ELSE s.line_identity END AS key
               FROM profdepot.stack_keys s WHERE s.inst_id = :inst_id::bigint) k
        ON k.stack_id = c.stack_id -- not a nested loop, see part_own
    WHERE (c.class_name IS NULL) IS FALSE AND NOT (SELECT g.already FROM grouped g)
    GROUP BY c.class_name, c.module_name, k.key
)
SELECT NULL::bigint AS number, g.count, g.size, g.class_name AS class, g.module_name AS module,
       (SELECT s.routine_ids::text || CASE WHEN :by::text = 'names' THEN ''
                                           ELSE COALESCE(s.line_ids::text, '') END
        FROM profdepot.stacks s
        WHERE s.inst_id = :inst_id::bigint AND s.stack_id = g.stack_id) AS stack,
       (SELECT s.routine_ids[s.own_place] FROM profdepot.stacks s
        WHERE s.inst_id = :inst_id::bigint AND s.stack_id = g.stack_id) AS owner
FROM groups g
WHERE (:min_count::numeric IS NULL OR g.count >= :min_count::numeric)
  AND (:min_size::numeric IS NULL OR g.size >= :min_size::numeric)
