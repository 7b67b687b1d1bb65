-- What the run of one result set looked for. If there is no row, a reader assumes AQTime's usual
-- coverage. Therefore this query returns no rows for a result set with that coverage.
-- params: inst_id number
SELECT :number::bigint AS inst_id,
       w.what,
       COALESCE(c.degree, 'unknown') AS degree,
       c.source
FROM profdepot.instances i
CROSS JOIN unnest(ARRAY['leaks', 'errors', 'races', 'heap', 'samples', 'spans']) WITH ORDINALITY w (what, position)
LEFT JOIN profdepot.coverage c ON c.inst_id = i.inst_id AND c.what = w.what
WHERE i.inst_id = :inst_id::bigint
  AND (i.format IS DISTINCT FROM 'aqtime' OR c.source IS NULL
       OR c.source NOT IN ('the format', 'aqtime files do not hold them'))
ORDER BY w.position
