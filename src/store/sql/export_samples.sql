-- Samples of one result set, sorted by ID.
-- params: inst_id number
SELECT :number::bigint AS inst_id,
       s.id,
       s.track_id,
       s.stack_id,
       s.at,
       COALESCE(s.weights, ARRAY[s.weight]) AS weights,
       s.attributes
FROM profdepot.samples s
WHERE s.inst_id = :inst_id::bigint
ORDER BY s.id
