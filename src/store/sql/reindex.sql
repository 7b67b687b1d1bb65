-- Closes a result set.
SELECT profdepot.reindex_result_set(:inst_id::bigint)
