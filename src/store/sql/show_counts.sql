-- Rows of a result set by relation, as they stand. $1: its number.
SELECT c.relation, c.row_count AS rows
FROM profdepot.count_result_set($1::bigint) c
ORDER BY c.relation
