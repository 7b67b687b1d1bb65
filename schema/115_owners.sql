-- The owners of source files: configuration, not part of a result set. A distributed depot has a copy
-- on every server. Rows are added and never changed, so that an earlier answer can be computed again.

CREATE TABLE profdepot.owner_files (
    ledger_no bigint NOT NULL,
    set_at timestamptz NOT NULL DEFAULT now(),
    author text COLLATE "C",
    content text COLLATE "C" NOT NULL,
    PRIMARY KEY (ledger_no)
);
COMMENT ON TABLE profdepot.owner_files IS 'versions of the CODEOWNERS file that gives the owners of source files; the newest one applies; see profdepot-owners(1)';
COMMENT ON COLUMN profdepot.owner_files.ledger_no IS 'number of the change that added this version';
COMMENT ON COLUMN profdepot.owner_files.set_at IS 'time when this version was added';
COMMENT ON COLUMN profdepot.owner_files.author IS 'author of the change';
COMMENT ON COLUMN profdepot.owner_files.content IS 'content of the file; empty if the owners were removed';
