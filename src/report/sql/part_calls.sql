-- The calls of the selected profiles. is_connection is true if the call opens or closes a connection.
-- Such a call takes time, but an application cannot avoid it.
calls AS MATERIALIZED (
    SELECT s.id, s.parent_id, s.track_id, COALESCE(s.category, '') AS type, s.command,
           COALESCE(s.execute_type IN ('Open', 'OpenAsync', 'Close', 'CloseAsync'), false)
               AS is_connection,
           s.start, s.duration, s.first_fetch, s.errored
    FROM profdepot.span_rows s
    JOIN asked a ON a.track_id = s.track_id
    WHERE s.inst_id = :inst_id::bigint AND s.kind = 'call'
      AND (:type::text[] IS NULL
           OR COALESCE(s.category, '') COLLATE "und-x-icu" ILIKE ANY (:type::text[]))
)
