-- Sets the labels of the stream from which the other streams of an application branch off.
SELECT profdepot.ledger_setting('stream_parent', :labels)
