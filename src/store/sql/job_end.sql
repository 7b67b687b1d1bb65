-- Records how a job ended, unless that is already recorded. If another server has recorded the job as failed, this
-- replaces that record.
UPDATE profdepot.jobs
SET state = :state, ended_at = now(), row_count = :row_count::bigint, error_code = :code,
    error_message = :message, error_hint = :hint, result = :result
WHERE job = :job AND (ended_at IS NULL OR state = 'failed')
