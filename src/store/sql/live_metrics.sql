-- Metrics of an open result set, and its highest numbers.
SELECT m.metric_no, m.name,
       GREATEST(
           (SELECT r.id FROM profdepot.sample_rows r WHERE r.inst_id = :inst_id::bigint ORDER BY r.id DESC LIMIT 1),
           (SELECT b.first_id + cardinality(b.stack_ids) - 1 FROM profdepot.sample_blocks b
            WHERE b.inst_id = :inst_id::bigint ORDER BY b.first_id DESC LIMIT 1)),
       (SELECT s.id FROM profdepot.span_rows s WHERE s.inst_id = :inst_id::bigint ORDER BY s.id DESC LIMIT 1)
FROM (SELECT 1) one
LEFT JOIN profdepot.metrics m ON m.inst_id = :inst_id::bigint
ORDER BY m.metric_no
