-- Sets the labels that distinguish streams.
SELECT profdepot.ledger_setting('stream_labels', :labels)
