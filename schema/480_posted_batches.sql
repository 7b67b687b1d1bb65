-- Batches that senders named, so that a retry is harmless. No part of a result set: rows go by age.

CREATE TABLE profdepot.posted_batches (
    batch_id text COLLATE "C" NOT NULL,
    digest uuid NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT now(),
    inst_ids bigint[] NOT NULL,
    PRIMARY KEY (batch_id)
);
COMMENT ON TABLE profdepot.posted_batches IS 'batches posted with a name, kept for a week: the same one again is not stored again';
COMMENT ON COLUMN profdepot.posted_batches.batch_id IS 'its name, as the sender gave it';
COMMENT ON COLUMN profdepot.posted_batches.digest IS '128-bit hash of its body';
COMMENT ON COLUMN profdepot.posted_batches.stored_at IS 'when it was stored';
COMMENT ON COLUMN profdepot.posted_batches.inst_ids IS 'result sets that its rows went into; once all of them are removed it may come again';
