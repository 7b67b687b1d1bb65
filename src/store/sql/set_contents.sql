-- What identifies the facts of result sets: while these values stay the same, the facts of a closed result set do, too.
SELECT i.inst_id, i.state, (extract(epoch FROM i.loaded_at) * 1000000)::bigint AS loaded_us, i.content_digest
FROM profdepot.instances i
WHERE i.inst_id = ANY (:inst_ids::bigint[])
ORDER BY i.inst_id
