-- Profiles in MiniProfiler's storage. Versions of the storage differ in their columns. Therefore
-- each row is converted to JSON, from which the columns are read by name.
SELECT j.row ->> 'id' AS id, j.row ->> 'roottimingid' AS roottimingid, j.row ->> 'name' AS name,
       regexp_replace(to_char(t.started::timestamptz, 'YYYY-MM-DD"T"HH24:MI:SS.US'), '\.?0+$', '')
           || 'Z' AS started,
       j.row ->> 'durationmilliseconds' AS durationmilliseconds,
       COALESCE(j.row ->> 'User', j.row ->> 'user') AS "user",
       j.row ->> 'hasuserviewed' AS hasuserviewed, j.row ->> 'machinename' AS machinename,
       j.row ->> 'customlinksjson' AS customlinksjson,
       j.row ->> 'clienttimingsredirectcount' AS clienttimingsredirectcount
FROM {table} t
CROSS JOIN LATERAL (SELECT to_json(t) AS row) j
ORDER BY t.id::text COLLATE "C"
