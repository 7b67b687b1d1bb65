-- In place of what lies in blocks: a row for all events of a track, as $2 to $5 tell them.
SELECT s.inst_id, NULL::bigint AS id, s.track_id, NULL::integer AS stack_id, NULL::numeric AS at, s.weight,
       NULL::json AS attributes, s.count
FROM unnest($2::bigint[], $3::integer[], $4::bigint[], $5::bigint[]) s (inst_id, track_id, weight, count)
WHERE s.inst_id = ANY ($1::bigint[])
