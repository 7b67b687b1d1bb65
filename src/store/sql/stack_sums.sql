-- A metric of samples, summed by stack and track, in blocks of 4,096 stacks. A block has the known identities of
-- its stacks, and its sums. Integers and identities are packed, because a row for each sum would take longer. The
-- columns are in binary form. `lines`: the identity is line_identity.
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
    SELECT t.stack_id / 4096 AS block, string_agg(int4send(t.stack_id), '') AS ids,
           string_agg(int8send(t.count), '') AS counts, string_agg(t.value::text, ' ') AS weights
    FROM profdepot.stack_totals t
    WHERE t.inst_id = :inst_id::bigint AND t.metric = :metric::text
    GROUP BY t.stack_id / 4096
)
SELECT t.block, s.ids, s.identities, t.ids, t.counts, t.weights
FROM sums t
LEFT JOIN stacks s ON s.block = t.block
