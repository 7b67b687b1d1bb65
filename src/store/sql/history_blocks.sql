-- Which findings were seen in these runs. Reading the kinds takes as long as reading the identities, so the kinds are
-- omitted if only one finding is wanted.
SELECT b.inst_id, b.identities, CASE WHEN NOT :single::boolean THEN b.kinds END AS kinds
FROM profdepot.sighting_blocks b
WHERE b.inst_id = ANY (:inst_ids::bigint[])
ORDER BY b.inst_id, b.block_no
