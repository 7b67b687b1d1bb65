-- One result set's values that have no column in the depot.
-- params: inst_id number
SELECT :number::bigint AS inst_id,
       t.attributes
FROM profdepot.instances t
WHERE t.inst_id = :inst_id::bigint AND t.attributes IS NOT NULL
