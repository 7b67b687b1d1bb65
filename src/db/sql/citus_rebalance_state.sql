-- The newest rebalance: its state (running, finished, failed ...), the number of its moves, how many of
-- them are done, and the error of a failed move. Returns no row if there was no rebalance.
SELECT j.state::text,
       count(t.task_id),
       count(t.task_id) FILTER (WHERE t.status = 'done'),
       max(t.message) FILTER (WHERE t.status = 'error')
FROM (SELECT b.job_id, b.state FROM pg_catalog.pg_dist_background_job AS b
      WHERE b.job_type = 'rebalance' ORDER BY b.job_id DESC LIMIT 1) AS j
LEFT JOIN pg_catalog.pg_dist_background_task AS t ON t.job_id = j.job_id
GROUP BY j.job_id, j.state
