-- Result sets of the input with this digest.
SELECT i.inst_id
FROM profdepot.instances i
WHERE i.input_bytes = $1::bigint AND i.input_digest = $2::bytea
ORDER BY i.inst_id
