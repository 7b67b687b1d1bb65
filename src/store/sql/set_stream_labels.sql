-- Sets the labels that distinguish streams.
WITH noted AS (
    SELECT profdepot.ledger_next('stream labels', NULL, string_to_array(:labels, ','))
)
UPDATE profdepot.settings SET value = :labels
FROM noted
WHERE name = 'stream_labels'
