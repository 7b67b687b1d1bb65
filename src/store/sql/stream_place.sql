-- Moves a result set and its run to the stream of its current labels.
SELECT profdepot.stream_place(:inst_id::bigint)
