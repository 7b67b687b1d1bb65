-- Waits for the loads of the jobs whose servers have ended. Then jobs_settle_end ends these jobs. A load records the
-- end of its job only after its COMMIT. Therefore a job counts as done if a result set of its input has been stored.
WITH interrupted AS MATERIALIZED (
    SELECT j.job, pg_advisory_xact_lock(hashtextextended(j.job, 815)) AS waited
    FROM profdepot.jobs j
    WHERE j.ended_at IS NULL AND pg_try_advisory_xact_lock(hashtextextended(j.server, 815))
)
SELECT count(i.waited) FROM interrupted i
