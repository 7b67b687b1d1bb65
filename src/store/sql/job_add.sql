-- Adds a job.
INSERT INTO profdepot.jobs (job, owner, name, state, input_bytes, server)
VALUES (:job, :owner, :name, :state, :input_bytes::bigint, :server)
