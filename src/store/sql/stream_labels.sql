-- The labels that identify the stream of a result set, as in instances.stream_labels.
SELECT profdepot.stream_labels(profdepot.ledger_labels(:inst_id::bigint))
