-- The depot's budgets: configuration, not part of a result set.

CREATE TABLE profdepot.budgets (
    application text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    author text COLLATE "C",
    changed timestamptz NOT NULL DEFAULT now(),
    document text COLLATE "C" NOT NULL,
    PRIMARY KEY (application),
    CHECK (version > 0)
);
COMMENT ON TABLE profdepot.budgets IS 'the budgets for checks without a file of their own: one budget file per application; see profdepot-budget(1)';
COMMENT ON COLUMN profdepot.budgets.application IS 'application of the result sets; empty for applications that have no budgets of their own';
COMMENT ON COLUMN profdepot.budgets.version IS 'number of the change, from 1; a change of an older version is refused';
COMMENT ON COLUMN profdepot.budgets.author IS 'author of the change';
COMMENT ON COLUMN profdepot.budgets.changed IS 'time of the change';
COMMENT ON COLUMN profdepot.budgets.document IS 'the budgets as JSON; see profdepot-check(1)';
