-- Sets the labels of the stream from which the other streams of an application branch off.
WITH noted AS (
    SELECT profdepot.ledger_next('stream parent', NULL, string_to_array(:labels, ','))
)
UPDATE profdepot.settings SET value = :labels
FROM noted
WHERE name = 'stream_parent'
