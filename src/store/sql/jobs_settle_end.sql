-- See jobs_settle: the state of the depot after the loads have ended.
UPDATE profdepot.jobs j
SET state = CASE WHEN s.stored THEN 'done' ELSE 'failed' END,
    ended_at = now(),
    error_code = CASE WHEN NOT s.stored THEN :code END,
    error_message = CASE WHEN NOT s.stored THEN :message END,
    error_hint = CASE WHEN NOT s.stored THEN :hint END
FROM (SELECT o.job,
          EXISTS (SELECT FROM profdepot.instances i
              WHERE i.source_name = o.name AND i.input_bytes = o.input_bytes AND i.loaded_at >= o.created_at) AS stored
      FROM profdepot.jobs o) s
WHERE s.job = j.job AND j.ended_at IS NULL AND pg_try_advisory_xact_lock(hashtextextended(j.server, 815))
