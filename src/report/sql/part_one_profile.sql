-- The profile that the request names, or the slowest of the selected profiles, with its steps and calls.
one AS MATERIALIZED (
    SELECT a.track_id, a.duration FROM asked a
    ORDER BY a.duration DESC NULLS LAST, a.track_id LIMIT 1
),
steps AS MATERIALIZED (
    SELECT s.id, s.parent_id, COALESCE(s.name, '') AS name, s.start, s.duration
    FROM profdepot.span_rows s JOIN one o ON o.track_id = s.track_id
    WHERE s.inst_id = :inst_id::bigint AND s.kind = 'step'
),
calls AS MATERIALIZED (
    SELECT s.id, s.parent_id, COALESCE(s.category, '') AS type, s.command, s.execute_type,
           s.start, s.duration, s.first_fetch, s.errored, s.stack_id,
           COALESCE(s.execute_type IN ('Open', 'OpenAsync', 'Close', 'CloseAsync'), false)
               AS is_connection
    FROM profdepot.span_rows s JOIN one o ON o.track_id = s.track_id
    WHERE s.inst_id = :inst_id::bigint AND s.kind = 'call'
      AND (:type::text[] IS NULL
           OR COALESCE(s.category, '') COLLATE "und-x-icu" ILIKE ANY (:type::text[]))
),
flagged AS MATERIALIZED (
    SELECT c.*, NOT c.is_connection AND c.command IS NOT NULL
                AND row_number() OVER (PARTITION BY c.parent_id, c.type, c.command, c.is_connection
                                       ORDER BY c.start, c.id) > 1 AS duplicate
    FROM calls c
)
