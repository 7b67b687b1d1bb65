-- Records how a job ended. If its end is already recorded, changes nothing. But the state "failed", which another
-- server may have recorded, is replaced.
UPDATE profdepot.jobs
SET state = :state, ended_at = now(), row_count = :row_count::bigint, error_code = :code,
    error_message = :message, error_hint = :hint, result = :result
WHERE job = :job AND (ended_at IS NULL OR state = 'failed')
