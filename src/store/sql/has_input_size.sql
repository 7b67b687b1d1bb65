-- One row if the depot has an input of this size.
SELECT 1
FROM profdepot.instances i
WHERE i.input_bytes = :bytes::bigint
LIMIT 1
