-- A result set's run, and what it looked for: one row per known coverage, but at least one row.
SELECT r.run_key, r.finished, c.what, c.degree, c.source
FROM profdepot.instances i
LEFT JOIN profdepot.runs r ON r.inst_id = i.inst_id
LEFT JOIN profdepot.coverage c ON c.inst_id = i.inst_id
WHERE i.inst_id = :inst_id::bigint
