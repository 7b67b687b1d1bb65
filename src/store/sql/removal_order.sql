-- The order in which listed result sets are removed.
SELECT o.place, o.range, o.partial FROM profdepot.partition_order(:inst_ids::bigint[]) o
