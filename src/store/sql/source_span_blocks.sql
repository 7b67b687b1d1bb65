-- The calls that are stored in blocks, sorted by track and ID. `track`: only spans of this
-- track; 0 for all.
-- params: inst_id track
SELECT b.track_id,
       b.base_id + u.id AS id,
       t.metric_no,
       CASE WHEN u.parent <> 0 THEN b.base_id + u.id - u.parent END AS parent_id,
       u.routine_id,
       COALESCE(u.exact_start, u.start * b.time_unit) AS start,
       COALESCE(u.exact_stop, u.stop * b.time_unit) AS stop
FROM profdepot.span_blocks b
LEFT JOIN profdepot.tracks t ON t.inst_id = b.inst_id AND t.track_id = b.track_id
CROSS JOIN LATERAL unnest(b.ids, b.parents, b.routine_ids, b.starts, b.stops, b.exact_starts,
    b.exact_stops) AS u (id, parent, routine_id, start, stop, exact_start, exact_stop)
WHERE b.inst_id = :inst_id::bigint AND :track::bigint IN (0, b.track_id)
ORDER BY b.track_id, b.base_id + u.id
