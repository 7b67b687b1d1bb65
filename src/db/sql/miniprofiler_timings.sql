-- Steps in MiniProfiler's storage, ordered by profile; siblings ordered by start.
SELECT t.miniprofilerid::text AS miniprofilerid, t.id::text AS id,
       t.parenttimingid::text AS parenttimingid, t.name::text AS name,
       t.durationmilliseconds::text AS durationmilliseconds,
       t.startmilliseconds::text AS startmilliseconds, j.row ->> 'isroot' AS isroot,
       j.row ->> 'customtimingsjson' AS customtimingsjson
FROM {table} t
CROSS JOIN LATERAL (SELECT to_json(t) AS row) j
ORDER BY t.miniprofilerid::text COLLATE "C", t.startmilliseconds, t.rowid
