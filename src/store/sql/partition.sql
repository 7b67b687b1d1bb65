-- Partitions the depot, or changes the size of future ranges.
SELECT profdepot.partition_depot(:relations::text[], :size::bigint)
