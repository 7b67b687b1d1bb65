-- title: Leaks
-- layout: findings
-- with: leak_groups own
-- facts: objects
-- params: inst_id thread excluded_objects own class module routine kind min_count min_size owner owner_files
-- order: severity, size desc, count desc, id
-- ties: stack
-- parts: kind
-- part: definite "definitely lost"
-- part: direct "directly lost"
-- part: - "not released"
-- part: indirect "indirectly lost"
-- part: possible "possibly lost"
-- part: reachable "still reachable"
-- column: number integer "#" rank
-- column: summary text "Leak"
-- column: kind text "Kind" machine
-- column: severity integer "Severity" machine
-- column: count integer count "Blocks" sum machine
-- column: size integer bytes "Size" sum machine
-- column: indirect_count integer count "Indirect Blocks" machine
-- column: indirect_size integer bytes "Indirect Size" machine
-- column: records integer count "Records" machine
-- column: class text "Class Name" machine
-- column: module text "Module Name" machine
-- column: own_module text "Own Module" machine
-- column: own_class text "Own Class" machine
-- column: own_routine text "Own Routine" machine
-- column: own_file text "Own Source File" machine
-- column: own_line integer "Own Source Line" machine
-- column: id integer id "Object"
-- column: stack frames "Creation Call Stack"
-- column: owner text "Owner" owner
-- One record per kind of leak and equal stack, most certain leaks first: definite, direct, unknown, indirect,
-- possible, reachable. Sizes are taken from the records. The record of a direct leak also shows the blocks that
-- this leak keeps alive, with the word "indirectly". Records of kind indirect contain these blocks again.
-- Without --own, the own frame is the first frame outside of allocators and system libraries.
SELECT NULL::bigint AS number,
       COALESCE(to_char(g.size, 'FM999,999,999,999,999,999,990')
                    || CASE g.size WHEN 1 THEN ' byte' ELSE ' bytes' END || ' in ', '')
           || to_char(g.count, 'FM999,999,999,999,999,999,990')
           || CASE g.count WHEN 1 THEN ' block ' ELSE ' blocks ' END
           || CASE g.kind WHEN 'definite' THEN 'definitely lost' WHEN 'indirect' THEN 'indirectly lost'
                  WHEN 'possible' THEN 'possibly lost' WHEN 'reachable' THEN 'still reachable'
                  WHEN 'direct' THEN 'directly lost' ELSE COALESCE(g.kind, 'not released') END
           || CASE WHEN g.indirect_size > 0
                  THEN ' (and ' || to_char(g.indirect_size, 'FM999,999,999,999,999,999,990')
                      || CASE g.indirect_size WHEN 1 THEN ' byte' ELSE ' bytes' END
                      || CASE WHEN g.indirect_count > 0
                             THEN ' in ' || to_char(g.indirect_count, 'FM999,999,999,999,999,999,990')
                                 || CASE g.indirect_count WHEN 1 THEN ' block' ELSE ' blocks' END
                             ELSE '' END || ' indirectly)'
                  ELSE '' END
           || COALESCE(w.own_words, '')
           || CASE WHEN g.records > 1 AND g.kind IS NOT NULL THEN '; ' || g.records || ' records alike' ELSE '' END AS summary,
       g.kind,
       CASE g.kind WHEN 'definite' THEN 1 WHEN 'direct' THEN 2 WHEN 'indirect' THEN 4
           WHEN 'possible' THEN 5 WHEN 'reachable' THEN 6 ELSE 3 END AS severity,
       g.count, g.size, g.indirect_count, g.indirect_size, g.records, g.class, g.module,
       w.own_module, w.own_class, w.own_routine, w.own_file, w.own_line, g.id,
       (SELECT s.routine_ids::text || COALESCE(s.line_ids::text, '')
        FROM profdepot.stacks s
        WHERE s.inst_id = :inst_id::bigint AND s.stack_id = g.stack_id) AS stack,
       w.own_file AS owner
FROM groups g
FULL JOIN own_frames w ON w.stack_id = g.stack_id -- not a nested loop, see part_own
WHERE (g.id IS NULL) IS FALSE
  AND (:min_count::numeric IS NULL OR g.count >= :min_count::numeric)
  AND (:min_size::numeric IS NULL OR g.size >= :min_size::numeric)
