-- Result sets of the input with this digest.
SELECT i.inst_id
FROM profdepot.instances i
WHERE i.input_bytes = :bytes::bigint AND i.input_digest = :digest::bytea
ORDER BY i.inst_id
