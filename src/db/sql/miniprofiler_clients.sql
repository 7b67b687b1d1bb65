-- Client timings in MiniProfiler's storage, ordered by profile and start.
SELECT t.miniprofilerid::text AS miniprofilerid, t.id::text AS id, t.name::text AS name,
       t.start::text AS start, t.duration::text AS duration
FROM {table} t
ORDER BY t.miniprofilerid::text COLLATE "C", t.start, t.rowid
