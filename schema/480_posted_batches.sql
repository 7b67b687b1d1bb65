-- Names of the batches that were stored, so that a retry does not store a batch twice. These rows
-- are not part of a result set: they expire.

CREATE TABLE profdepot.posted_batches (
    batch_id text COLLATE "C" NOT NULL,
    digest uuid NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT now(),
    inst_ids bigint[] NOT NULL,
    PRIMARY KEY (batch_id)
);
COMMENT ON TABLE profdepot.posted_batches IS 'batches posted with a name, kept for a week: a repeated batch is not stored again';
COMMENT ON COLUMN profdepot.posted_batches.batch_id IS 'name of the batch, as given by the sender';
COMMENT ON COLUMN profdepot.posted_batches.digest IS '128-bit hash of the batch''s body';
COMMENT ON COLUMN profdepot.posted_batches.stored_at IS 'time when the batch was stored';
COMMENT ON COLUMN profdepot.posted_batches.inst_ids IS 'result sets that the batch''s rows belong to; once all of them are removed, the batch may be posted again';
