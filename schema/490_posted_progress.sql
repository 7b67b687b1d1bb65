-- How far each server has come with storing what was posted to it. No part of a result set: a row goes
-- when its server ends, or by age. Each transaction of a server raises the number from what the one
-- before left, so that it also tells of all before. The number is part of the key: were it not, each
-- update would pass by all that went before for as long as a dump or a load keeps their rows from being
-- cleaned away.

CREATE TABLE profdepot.posted_progress (
    server uuid NOT NULL,
    groups bigint NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (server, groups)
);
COMMENT ON TABLE profdepot.posted_progress IS 'running servers that store what is posted, and how far they have come: by this they know after a crash what was stored, so no row of a running server may be changed';
COMMENT ON COLUMN profdepot.posted_progress.server IS 'drawn by the server when it started';
COMMENT ON COLUMN profdepot.posted_progress.groups IS 'number of its last committed transaction, all before which are committed too; 0: none';
COMMENT ON COLUMN profdepot.posted_progress.changed_at IS 'when that began; rows of a week ago are removed';
