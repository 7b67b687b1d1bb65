-- The progress of each server in storing what was posted to it. Not part of a result set: a row is deleted
-- when its server ends, or when it is old. Each transaction of a server raises the number that the
-- previous one left, so that it also covers all earlier ones. The number is part of the key: otherwise
-- each update would visit all old versions for as long as a dump or a load prevents their cleanup.

CREATE TABLE profdepot.posted_progress (
    server uuid NOT NULL,
    groups bigint NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (server, groups)
);
COMMENT ON TABLE profdepot.posted_progress IS 'running servers that store what is posted, and their progress: after a crash a server finds here what was stored, so do not change the rows of running servers';
COMMENT ON COLUMN profdepot.posted_progress.server IS 'drawn by the server when it started';
COMMENT ON COLUMN profdepot.posted_progress.groups IS 'number of its last committed transaction; all earlier ones are committed too; 0 if there is none';
COMMENT ON COLUMN profdepot.posted_progress.changed_at IS 'when that transaction began; rows are removed after a week';
