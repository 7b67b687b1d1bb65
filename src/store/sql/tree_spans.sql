-- A result set's spans, for building its call tree, sorted by ID. A span of the kind "frame" without a
-- routine is a call of an unknown routine. A span of any other kind without a routine is not a call. The
-- duration is (stop - start) in units of 10^-digits. If these are NULL, the duration is exact_duration,
-- which is rounded as in the loader.
SELECT f.id, f.parent_id, f.routine_id, t.metric_no, f.start, f.stop, f.digits, f.exact_duration
FROM (
    SELECT b.track_id,
           b.base_id + u.id AS id,
           CASE WHEN u.parent <> 0 THEN b.base_id + u.id - u.parent END AS parent_id,
           u.routine_id::bigint AS routine_id,
           u.start,
           u.stop,
           scale(b.time_unit) AS digits,
           round(u.exact_stop, 18) - round(u.exact_start, 18) AS exact_duration
    FROM profdepot.span_blocks b
    CROSS JOIN LATERAL unnest(b.ids, b.parents, b.routine_ids, b.starts, b.stops, b.exact_starts, b.exact_stops)
        u (id, parent, routine_id, start, stop, exact_start, exact_stop)
    WHERE b.inst_id = :inst_id::bigint
    UNION ALL
    SELECT s.track_id, s.id, s.parent_id,
           COALESCE(s.routine_id, CASE s.kind WHEN 'frame' THEN -1 END), NULL, NULL, NULL, s.duration
    FROM profdepot.span_rows s
    WHERE s.inst_id = :inst_id::bigint
) f
LEFT JOIN profdepot.tracks t ON t.inst_id = :inst_id::bigint AND t.track_id = f.track_id
ORDER BY f.id
