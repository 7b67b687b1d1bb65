-- Rules that select result sets for removal: configuration, not part of a result set.

CREATE TABLE profdepot.retention_rules (
    rule_no bigint NOT NULL,
    application text COLLATE "C",
    format text COLLATE "C",
    labels text[] COLLATE "C" NOT NULL,
    older_than bigint,
    keep bigint,
    created timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (rule_no),
    CHECK (older_than > 0),
    CHECK (keep >= 0),
    CHECK (older_than IS NOT NULL OR keep IS NOT NULL)
);
COMMENT ON TABLE profdepot.retention_rules IS 'rules that select old result sets; the command "profdepot retain run" removes these result sets';
COMMENT ON COLUMN profdepot.retention_rules.rule_no IS 'number of the rule, from 1';
COMMENT ON COLUMN profdepot.retention_rules.application IS 'application of the result sets; NULL for all';
COMMENT ON COLUMN profdepot.retention_rules.format IS 'format of the result sets; NULL for all';
COMMENT ON COLUMN profdepot.retention_rules.labels IS 'labels of the result sets, such as branch=main; a result set must have all of them';
COMMENT ON COLUMN profdepot.retention_rules.older_than IS 'the rule removes only result sets that were loaded longer ago than this number of seconds; NULL for any age';
COMMENT ON COLUMN profdepot.retention_rules.keep IS 'number of result sets that the rule keeps in any case: the newest ones that match it; NULL for 0';
COMMENT ON COLUMN profdepot.retention_rules.created IS 'time when the rule was added';
