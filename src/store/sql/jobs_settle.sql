-- Ends the jobs whose servers have ended. Waits until their loads have ended, too. A load ends its job after its
-- COMMIT, so the job counts as done if a result set of this input was stored meanwhile.
WITH interrupted AS MATERIALIZED (
    SELECT j.job, pg_advisory_xact_lock(hashtextextended(j.job, 815)) AS waited
    FROM profdepot.jobs j
    WHERE j.ended_at IS NULL AND pg_try_advisory_xact_lock(hashtextextended(j.server, 815))
)
SELECT count(i.waited) FROM interrupted i
