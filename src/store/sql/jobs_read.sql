-- The jobs that have ended, newest first.
SELECT j.job, j.owner, j.name, j.state, (extract(epoch FROM j.created_at) * 1000000)::bigint AS created_us,
    greatest(extract(epoch FROM j.ended_at - j.created_at) * 1000, 0)::bigint AS ms,
    j.input_bytes, j.row_count, j.error_code, j.error_message, j.error_hint, j.result
FROM profdepot.jobs j
WHERE j.ended_at IS NOT NULL
ORDER BY j.created_at DESC, j.job
LIMIT :most::bigint
