-- Properties of result sets that affect their export, in the given order of result sets. error_lines: the
-- stacks of some errors have call lines. private_stacks: frame IDs are not consecutive.
SELECT n.inst_id, i.source_inst_id, i.error_lines, i.private_stacks, i.inst_id IS NOT NULL AS found
FROM unnest(:inst_ids::bigint[]) WITH ORDINALITY n (inst_id, position)
LEFT JOIN (
    SELECT t.inst_id,
           t.source_inst_id,
           EXISTS (SELECT FROM profdepot.resource_profiler_errors e
                   JOIN profdepot.stacks s ON s.inst_id = e.inst_id AND s.stack_id = e.stack_id
                   WHERE e.inst_id = t.inst_id
                     AND array_remove(s.line_ids, NULL) <> '{}') AS error_lines,
           EXISTS (SELECT FROM profdepot.stacks s
                   WHERE s.inst_id = t.inst_id AND s.frame_ids IS NOT NULL) AS private_stacks
    FROM profdepot.instances t
    WHERE t.inst_id = ANY (:inst_ids::bigint[])
) i ON i.inst_id = n.inst_id
ORDER BY n.position
