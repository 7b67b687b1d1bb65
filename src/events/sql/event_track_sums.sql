-- Returns one row per track, in place of the events in its blocks. The service passes the sums of the tracks in arrays.
-- params: inst_ids set_ids track_ids sums counts
SELECT s.inst_id, NULL::bigint AS id, s.track_id, NULL::integer AS stack_id, NULL::numeric AS at, s.weight,
       NULL::json AS attributes, s.count
FROM unnest(:set_ids::bigint[], :track_ids::integer[], :sums::bigint[], :counts::bigint[]) s (inst_id, track_id, weight, count)
WHERE s.inst_id = ANY (:inst_ids::bigint[])
