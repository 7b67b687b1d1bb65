-- A result set's current row counts and sums, as arrays.
SELECT array_agg(c.relation), array_agg(c.row_count), array_agg(c.id_sum), array_agg(c.value_sum)
FROM profdepot.count_result_set(:inst_id::bigint) c
