-- Marks the ranges that will be empty when these result sets are removed. Returns the result sets in
-- these ranges.
SELECT * FROM profdepot.partition_remove(:inst_ids::bigint[])
