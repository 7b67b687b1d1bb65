-- Ends jobs after jobs_settle has waited for their loads. This is a separate statement that runs after jobs_settle, so
-- it sees what these loads have stored.
WITH interrupted AS MATERIALIZED (
    SELECT j.job, j.name, j.input_bytes, j.created_at
    FROM profdepot.jobs j
    WHERE j.ended_at IS NULL AND pg_try_advisory_xact_lock(hashtextextended(j.server, 815))
),
recent AS MATERIALIZED (
    SELECT i.source_name, i.input_bytes, i.loaded_at
    FROM profdepot.instances i
    WHERE i.loaded_at >= (SELECT min(o.created_at) FROM interrupted o)
)
UPDATE profdepot.jobs j
SET state = CASE WHEN s.stored THEN 'done' ELSE 'failed' END,
    ended_at = now(),
    error_code = CASE WHEN NOT s.stored THEN :code END,
    error_message = CASE WHEN NOT s.stored THEN :message END,
    error_hint = CASE WHEN NOT s.stored THEN :hint END
FROM (SELECT o.job,
             EXISTS (SELECT FROM recent r
                     WHERE r.source_name = o.name AND r.input_bytes = o.input_bytes
                       AND r.loaded_at >= o.created_at) AS stored
      FROM interrupted o) s
WHERE s.job = j.job
