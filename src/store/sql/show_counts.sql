-- A closed result set's row counts by relation. An open result set has no rows here.
SELECT c.relation, c.row_count AS rows
FROM profdepot.result_set_counts c
WHERE c.inst_id = :inst_id::bigint
  AND EXISTS (SELECT FROM profdepot.instances i WHERE i.inst_id = :inst_id AND i.state = 'closed')
ORDER BY c.relation
