-- Samples by stack, with arrays in binary form. Sums of a closed result set come from its totals. An open result set
-- has no totals, so its samples are summed.
-- params: inst_id metric
SELECT s.routine_ids, x.value::text
FROM profdepot.instances i
JOIN profdepot.stack_totals x ON x.inst_id = i.inst_id AND x.metric = :metric::text
LEFT JOIN profdepot.stacks s ON s.inst_id = :inst_id::bigint AND s.stack_id = x.stack_id
WHERE i.inst_id = :inst_id::bigint AND i.state = 'closed' AND x.value IS NOT NULL
UNION ALL
SELECT s.routine_ids, t.value::text
FROM (SELECT v.stack_id, sum(v.value) AS value
      FROM (SELECT COALESCE(p.stack_id, 0) AS stack_id,
                   COALESCE(p.weights[m.metric_no - k.metric_no + 1],
                            CASE WHEN m.metric_no = k.metric_no THEN p.weight END) AS value
            FROM profdepot.instances i
            JOIN profdepot.metrics m ON m.inst_id = i.inst_id AND m.name = :metric::text
            JOIN profdepot.tracks k ON k.inst_id = i.inst_id AND k.metric_no <= m.metric_no
            JOIN profdepot.samples p ON p.inst_id = i.inst_id AND p.track_id = k.track_id
            WHERE i.inst_id = :inst_id::bigint AND i.state <> 'closed') v
      WHERE v.value IS NOT NULL
      GROUP BY v.stack_id) t
LEFT JOIN profdepot.stacks s ON s.inst_id = :inst_id::bigint AND s.stack_id = t.stack_id
