-- Adds a job, and returns the time when it was added, in microseconds since 1970.
INSERT INTO profdepot.jobs (job, owner, name, state, input_bytes, server)
VALUES (:job, :owner, :name, :state, :input_bytes::bigint, :server)
RETURNING (extract(epoch FROM created_at) * 1000000)::bigint
