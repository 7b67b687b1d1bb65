-- What the run of a result set looked for.
SELECT c.what, c.degree, c.source
FROM profdepot.coverage c
WHERE c.inst_id = :inst_id::bigint
ORDER BY c.what
