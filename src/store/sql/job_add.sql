-- Adds a job, and returns the time when it was added, in microseconds since 1970. Citus allows only immutable
-- functions in RETURNING. The epoch of an interval is immutable, and the epoch of a timestamptz is not.
INSERT INTO profdepot.jobs (job, owner, name, state, input_bytes, server)
VALUES (:job, :owner, :name, :state, :input_bytes::bigint, :server)
RETURNING (extract(epoch FROM created_at - timestamptz '1970-01-01 00:00:00+00') * 1000000)::bigint
