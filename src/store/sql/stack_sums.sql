-- A metric of samples, summed by stack and track, or objects, summed by stack and class, in blocks of 4,096 stacks. A
-- block has the known identities of its stacks, and its sums. Integers and identities are packed, because a row for each
-- sum would take longer. The columns are in binary form. A value is '+' if no object has a size, and ends with '+' if
-- some objects have none. `metric`: NULL for objects. `lines`: the identity is line_identity.
-- params: inst_id metric lines
WITH stacks AS (
    SELECT s.stack_id / 4096 AS block, string_agg(int4send(s.stack_id), '') AS ids,
           string_agg(uuid_send(CASE WHEN :lines::boolean THEN s.line_identity ELSE s.identity END), '') AS identities
    FROM profdepot.stacks s
    WHERE s.inst_id = :inst_id::bigint
      AND (CASE WHEN :lines::boolean THEN s.line_identity ELSE s.identity END) IS NOT NULL
    GROUP BY s.stack_id / 4096
),
sums AS (
    SELECT t.stack_id / 4096 AS block, string_agg(int4send(t.stack_id), '') AS ids, ''::bytea AS classes,
           string_agg(int8send(t.count), '') AS counts, string_agg(t.value::text, ' ') AS weights
    FROM profdepot.stack_totals t
    WHERE t.inst_id = :inst_id::bigint AND t.metric = :metric::text
    GROUP BY t.stack_id / 4096
    UNION ALL
    SELECT l.stack_id / 4096, string_agg(int4send(l.stack_id), ''), string_agg(int8send(l.class), ''),
           string_agg(int8send(l.count), ''),
           string_agg(COALESCE(l.size::text, '')
                      || CASE WHEN (l.class, l.stack_id) IN (
                                  SELECT COALESCE(o.col_classrid, -1), COALESCE(o.stack_id, 0)
                                  FROM profdepot.resource_profiler_objects o
                                  WHERE o.inst_id = :inst_id::bigint AND o.col_size IS NULL)
                              THEN '+' ELSE '' END, ' ')
    FROM profdepot.live_totals l
    WHERE l.inst_id = :inst_id::bigint AND :metric::text IS NULL
    GROUP BY l.stack_id / 4096
)
SELECT t.block, s.ids, s.identities, t.ids, t.classes, t.counts, t.weights
FROM sums t
LEFT JOIN stacks s ON s.block = t.block
