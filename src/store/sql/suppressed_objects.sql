-- Objects whose combination of stack and leak kind is suppressed. In `stacks`, 0 means no stack. In
-- `kinds`, '' means no kind.
SELECT o.id
FROM profdepot.resource_profiler_objects o
JOIN unnest(:stacks::integer[], :kinds::text[]) h (stack_id, leak_kind)
    ON h.stack_id = COALESCE(o.stack_id, 0) AND h.leak_kind = COALESCE(o.leak_kind, '')
WHERE o.inst_id = :inst_id::bigint
ORDER BY o.id
