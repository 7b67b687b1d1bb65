-- Batches that senders named, so that a retry is harmless. Not part of a result set: rows expire.

CREATE TABLE profdepot.posted_batches (
    batch_id text COLLATE "C" NOT NULL,
    digest uuid NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT now(),
    inst_ids bigint[] NOT NULL,
    PRIMARY KEY (batch_id)
);
COMMENT ON TABLE profdepot.posted_batches IS 'batches posted with a name, kept for a week: a repeated one is not stored again';
COMMENT ON COLUMN profdepot.posted_batches.batch_id IS 'its name, as given by the sender';
COMMENT ON COLUMN profdepot.posted_batches.digest IS '128-bit hash of its body';
COMMENT ON COLUMN profdepot.posted_batches.stored_at IS 'when it was stored';
COMMENT ON COLUMN profdepot.posted_batches.inst_ids IS 'result sets of its rows; once all of them are removed, the batch may be posted again';
