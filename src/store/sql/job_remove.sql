-- Forgets a job.
DELETE FROM profdepot.jobs WHERE job = :job
