-- How many of these result sets the depot still has.
SELECT count(*)
FROM profdepot.instances i
WHERE i.inst_id = ANY (:inst_ids::bigint[])
