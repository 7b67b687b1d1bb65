-- Objects whose stack and kind of leak are hidden. $1: INST_ID, $2: stacks (0: none), $3: their
-- kinds ('': not said).
SELECT o.id
FROM profdepot.resource_profiler_objects o
JOIN unnest($2::integer[], $3::text[]) h (stack_id, leak_kind)
    ON h.stack_id = COALESCE(o.stack_id, 0) AND h.leak_kind = COALESCE(o.leak_kind, '')
WHERE o.inst_id = $1::bigint
ORDER BY o.id
