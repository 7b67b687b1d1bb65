-- Differences between a closed result set and what was recorded about it. Compares rows and sums with those that the
-- loader counted, totals with the facts, call trees with the totals, identities with the names, and further stacks
-- with their owners. Unless :checksums is NULL, also compares the labels of the stream with :stream_labels, and the
-- recorded checksums with :checksums, which the caller computed from the rows of :relations. The :found_... arrays are the current counts and sums.
-- Stored and computed identities are not joined but grouped: if the planner expects few stacks, a join would compute
-- all identities once per stack. Returns no row if there are no differences. The columns are those of enum verify_row (store/verify.h).
(SELECT COALESCE(r.relation, f.relation) AS relation,
        v.difference AS difference,
        NULL::text AS name,
        NULL::bigint AS id,
        NULL::bigint AS place,
        v.recorded::text AS recorded,
        v.found::text AS found
 FROM (SELECT * FROM profdepot.result_set_counts t WHERE t.inst_id = :inst_id::bigint) r
 FULL JOIN unnest(:found_relations::text[], :found_rows::bigint[], :found_ids::numeric[], :found_values::numeric[])
     f (relation, row_count, id_sum, value_sum) ON f.relation = r.relation
 CROSS JOIN LATERAL (VALUES
     ('rows', r.row_count::numeric, f.row_count::numeric),
     ('sum_of_ids', r.id_sum, f.id_sum),
     ('sum_of_values', r.value_sum, f.value_sum)) v (difference, recorded, found)
 WHERE v.recorded IS DISTINCT FROM v.found
   AND NOT (r.relation IS NULL AND v.found = 0)
 ORDER BY 1, 2)
UNION ALL
(SELECT 'stack_totals',
        v.difference,
        COALESCE(t.metric, f.metric),
        COALESCE(t.class, f.class),
        COALESCE(t.stack_id, f.stack_id),
        v.recorded::text,
        v.found::text
 FROM (SELECT * FROM profdepot.stack_totals s WHERE s.inst_id = :inst_id::bigint) t
 FULL JOIN (SELECT a.*
            FROM profdepot.fact_totals a
            JOIN profdepot.instances i ON i.inst_id = :inst_id::bigint
            WHERE a.inst_id = :inst_id::bigint AND (i.live_summed OR a.metric <> 'live')) f
     ON f.metric = t.metric AND f.class = t.class AND f.stack_id = t.stack_id
 CROSS JOIN LATERAL (VALUES
     ('total_count', t.count::numeric, f.count),
     ('total_value', t.value, f.value)) v (difference, recorded, found)
 WHERE v.recorded IS DISTINCT FROM v.found
 ORDER BY 3, 4, 5, 2
 LIMIT 100)
UNION ALL
(SELECT 'further_stacks',
        'owner',
        x.owner,
        x.owner_id,
        x.position,
        'true',
        'false'
 FROM profdepot.further_stacks x
 WHERE x.inst_id = :inst_id::bigint
   AND CASE x.owner
       WHEN 'object' THEN NOT EXISTS (SELECT FROM profdepot.resource_profiler_objects o
                                      WHERE o.inst_id = :inst_id::bigint AND o.id = x.owner_id)
       WHEN 'error' THEN NOT EXISTS (SELECT FROM profdepot.resource_profiler_errors e
                                     WHERE e.inst_id = :inst_id::bigint AND e.id = x.owner_id)
       ELSE false END
 ORDER BY x.owner, x.owner_id, x.position
 LIMIT 100)
UNION ALL
(SELECT 'call_tree',
        'tree',
        m.name,
        NULL,
        NULL,
        c.totals[1]::text,
        t.value::text
 FROM profdepot.metrics m
 JOIN (SELECT s.metric, sum(s.count) AS count, sum(s.value) AS value
       FROM profdepot.stack_totals s
       WHERE s.inst_id = :inst_id::bigint AND s.metric <> 'live'
       GROUP BY s.metric
       UNION ALL
       SELECT 'live', sum(l.count), sum(l.size)
       FROM profdepot.live_totals l
       WHERE l.inst_id = :inst_id::bigint
       HAVING count(*) > 0) f
     ON f.metric = CASE m.family WHEN 'objects' THEN 'live' ELSE m.name END
 CROSS JOIN LATERAL (SELECT CASE m.name WHEN 'live_count' THEN f.count ELSE f.value END AS value) t
 LEFT JOIN profdepot.call_tree_blocks c
     ON c.inst_id = m.inst_id AND c.metric_no = m.metric_no AND c.first_rank = 0
 WHERE m.inst_id = :inst_id::bigint
   AND c.totals[1] IS DISTINCT FROM t.value
 ORDER BY m.metric_no)
UNION ALL
(SELECT 'stacks',
        v.difference,
        NULL,
        s.stack_id,
        NULL,
        v.recorded::text,
        v.found::text
 FROM (SELECT u.stack_id,
              (array_agg(u.identity) FILTER (WHERE u.stored))[1] AS identity,
              (array_agg(u.line_identity) FILTER (WHERE u.stored))[1] AS line_identity,
              (array_agg(u.identity) FILTER (WHERE NOT u.stored))[1] AS found_identity,
              (array_agg(u.line_identity) FILTER (WHERE NOT u.stored))[1] AS found_line_identity
       FROM (SELECT true AS stored, k.stack_id, k.identity, k.line_identity
             FROM profdepot.stacks k WHERE k.inst_id = :inst_id::bigint
             UNION ALL
             SELECT false, k.stack_id, k.identity, k.line_identity
             FROM profdepot.stack_identities k WHERE k.inst_id = :inst_id::bigint) u
       GROUP BY u.stack_id) s
 CROSS JOIN LATERAL (VALUES
     ('identity', s.identity, s.found_identity),
     ('line_identity', s.line_identity, s.found_line_identity)) v (difference, recorded, found)
 WHERE v.recorded IS DISTINCT FROM v.found
 ORDER BY s.stack_id, v.difference
 LIMIT 100)
UNION ALL
(SELECT 'instances',
        'stream_labels',
        NULL,
        NULL,
        NULL,
        translate(i.stream_labels, chr(30) || chr(31), ' ='),
        translate(:stream_labels::text, chr(30) || chr(31), ' =')
 FROM profdepot.instances i
 WHERE i.inst_id = :inst_id::bigint AND :relations::text[] IS NOT NULL
   AND i.stream_labels IS DISTINCT FROM :stream_labels)
UNION ALL
(SELECT COALESCE(r.relation, f.relation),
        'checksum',
        NULL,
        NULL,
        NULL,
        r.checksums,
        f.checksum::uuid::text
 FROM (SELECT c.relation, string_agg(c.checksum::text, ' ' ORDER BY c.checksum) AS checksums
       FROM profdepot.result_set_checksums c
       WHERE c.inst_id = :inst_id::bigint AND :relations::text[] IS NOT NULL
       GROUP BY c.relation) r
 FULL JOIN unnest(:relations::text[], :checksums::text[]) f (relation, checksum)
     ON f.relation = r.relation
 WHERE r.checksums IS DISTINCT FROM f.checksum::uuid::text
 ORDER BY 1)
