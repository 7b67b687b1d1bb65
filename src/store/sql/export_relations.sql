-- AQTime's RELATIONS of one result set, sorted by ID.
-- params: inst_id number
SELECT t.col_child_table,
       t.col_parent_table,
       t.id,
       :number::bigint AS inst_id
FROM profdepot.relations t
WHERE t.inst_id = :inst_id::bigint
ORDER BY t.id
