-- Returns whether all the requested result sets come from detectors and heap profilers, not from AQTime or SQL.
SELECT COALESCE(bool_and(i.format NOT LIKE 'aqtime%' AND i.format IS NOT NULL), false) AS detected
FROM profdepot.instances i
WHERE i.inst_id = ANY (:inst_ids::bigint[])
