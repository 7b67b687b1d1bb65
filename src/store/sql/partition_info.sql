-- The state of partitioning: the number of result sets per range (0 if the depot is not partitioned), the number of
-- ranges, the last INST_ID of the first range, and the size of the relations in bytes.
SELECT COALESCE((SELECT s.value::bigint FROM profdepot.settings s WHERE s.name = 'partition_size'), 0),
       (SELECT count(*) FROM profdepot.partitions p),
       COALESCE((SELECT min(p.to_inst_id) - 1 FROM profdepot.partitions p),
                (greatest((SELECT s.last_value FROM profdepot.instances_inst_id_seq s),
                          (SELECT max(i.inst_id) FROM profdepot.instances i)) / :size::bigint + 1) * :size),
       (SELECT sum(pg_catalog.pg_total_relation_size(c.oid))::bigint
        FROM pg_catalog.pg_class c
        LEFT JOIN pg_catalog.pg_inherits h ON h.inhrelid = c.oid
        WHERE c.relkind = 'r'
          AND COALESCE(h.inhparent, c.oid) = ANY (ARRAY(
              SELECT pg_catalog.format('profdepot.%I', r)::pg_catalog.regclass FROM unnest(:relations::text[]) r)))
