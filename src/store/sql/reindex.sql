-- Closes a result set. $1: its number.
SELECT profdepot.reindex_result_set($1::bigint)
