-- Further stacks of one result set by owner. $1: its number; $2 is not used.
SELECT t.owner,
       t.owner_id,
       t.position,
       t.role,
       t.description,
       t.thread_id,
       t.stack_id
FROM profdepot.further_stacks t
WHERE t.inst_id = $1::bigint AND $2::bigint IS NOT NULL
ORDER BY t.owner, t.owner_id, t.position
