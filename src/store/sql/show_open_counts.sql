-- An open result set's current row counts by relation.
SELECT c.relation, c.row_count AS rows
FROM profdepot.count_result_set(:inst_id::bigint) c
ORDER BY c.relation
