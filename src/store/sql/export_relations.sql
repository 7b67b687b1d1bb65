-- AQTime's RELATIONS of one result set by ID. $1: its number; $2: the number to write.
SELECT t.col_child_table,
       t.col_parent_table,
       t.id,
       $2::bigint AS inst_id
FROM profdepot.relations t
WHERE t.inst_id = $1::bigint
ORDER BY t.id
