-- Values of one result set for which the depot has no column.
-- params: inst_id number
SELECT :number::bigint AS inst_id,
       t.attributes
FROM profdepot.instances t
WHERE t.inst_id = :inst_id::bigint AND t.attributes IS NOT NULL
