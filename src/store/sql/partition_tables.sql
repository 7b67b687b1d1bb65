-- The range of a result set in a partitioned depot: its first INST_ID, the first INST_ID after it, and the suffix of its
-- tables. Returns no row if the depot is not partitioned, or if the login may write these tables only through the
-- relations to which they belong.
SELECT p.from_inst_id, p.to_inst_id, profdepot.partition_name('', p.from_inst_id)
FROM profdepot.partitions p
WHERE :inst_id::bigint >= p.from_inst_id AND :inst_id < p.to_inst_id
  AND pg_catalog.has_table_privilege('profdepot.' || profdepot.partition_name('stacks', p.from_inst_id), 'INSERT')
