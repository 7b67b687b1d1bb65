-- The progress of each server in storing posted data. The rows are not part of a result set: a row
-- is deleted when its server ends, or when it is old. Each transaction of a server increases "groups";
-- all transactions up to this number are committed. The number is part of the key. Otherwise each update would
-- visit all old versions of the row, and while a dump or a load runs, PostgreSQL cannot remove these versions.

CREATE TABLE profdepot.posted_progress (
    server uuid NOT NULL,
    groups bigint NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (server, groups)
);
COMMENT ON TABLE profdepot.posted_progress IS 'running servers that store posted data, and their progress; after a crash of PostgreSQL, a server reads its row to find out how much was stored, so do not change the rows of running servers';
COMMENT ON COLUMN profdepot.posted_progress.server IS 'random number that the server chose when it started';
COMMENT ON COLUMN profdepot.posted_progress.groups IS 'number of the server''s last committed transaction; all earlier transactions are committed too; 0 if there is none';
COMMENT ON COLUMN profdepot.posted_progress.changed_at IS 'start of that transaction; rows are removed after a week';
