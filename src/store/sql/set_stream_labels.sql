-- Sets the labels that distinguish streams.
UPDATE profdepot.settings SET value = :labels WHERE name = 'stream_labels'
