-- The result sets that the overview reads: the newest ones of each format of the newest streams. `counts` has the
-- number of result sets of the stream and format for each of them, but at most `max_count`.
SELECT array_agg(n.inst_id) AS inst_ids, array_agg(n.result_sets) AS counts
FROM profdepot.stream_newest(:max_streams::bigint, :max_sets::bigint, :max_count::bigint) n
