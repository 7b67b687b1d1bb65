-- Records how a job ended. Also replaces the state "failed": another server may have recorded this state because it
-- assumed that the job had been interrupted. If any other end is already recorded, changes nothing.
UPDATE profdepot.jobs
SET state = :state, ended_at = now(), row_count = :row_count::bigint, error_code = :code,
    error_message = :message, error_hint = :hint, result = :result
WHERE job = :job AND (ended_at IS NULL OR state = 'failed')
