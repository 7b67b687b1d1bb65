-- The calls of one result set that are stored in blocks, sorted by track and ID.
-- params: inst_id number
SELECT :number::bigint AS inst_id,
       b.base_id + u.id AS id,
       CASE WHEN u.parent <> 0 THEN b.base_id + u.id - u.parent END AS parent_id,
       b.track_id,
       u.routine_id,
       COALESCE(u.exact_start, u.start * b.time_unit) AS start,
       COALESCE(u.exact_stop, u.stop * b.time_unit) AS stop
FROM profdepot.span_blocks b
CROSS JOIN LATERAL unnest(b.ids, b.parents, b.routine_ids, b.starts, b.stops, b.exact_starts,
    b.exact_stops) AS u (id, parent, routine_id, start, stop, exact_start, exact_stop)
WHERE b.inst_id = :inst_id::bigint
ORDER BY b.track_id, b.base_id + u.id
