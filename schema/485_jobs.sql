-- Uploads to servers, and their outcomes. The rows are not part of a result set. A server that is
-- running holds an advisory lock on its number, and a load holds such a lock on its job's number, so that the next
-- server can find the jobs that were interrupted.

CREATE TABLE profdepot.jobs (
    job text COLLATE "C" NOT NULL PRIMARY KEY,
    owner text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    input_bytes bigint NOT NULL,
    row_count bigint NOT NULL DEFAULT 0,
    server text COLLATE "C" NOT NULL,
    error_code text COLLATE "C",
    error_message text COLLATE "C",
    error_hint text COLLATE "C",
    result text COLLATE "C"
);
COMMENT ON TABLE profdepot.jobs IS 'uploads to servers, and their outcomes; kept for 30 days';
COMMENT ON COLUMN profdepot.jobs.job IS 'random number in hexadecimal digits';
COMMENT ON COLUMN profdepot.jobs.owner IS 'name of the token that sent the upload; empty for a server without tokens';
COMMENT ON COLUMN profdepot.jobs.name IS 'file name of the upload';
COMMENT ON COLUMN profdepot.jobs.state IS 'queued, running, done, failed or cancelled';
COMMENT ON COLUMN profdepot.jobs.created_at IS 'when the upload had arrived completely';
COMMENT ON COLUMN profdepot.jobs.ended_at IS 'when the job ended; null if it is queued or running';
COMMENT ON COLUMN profdepot.jobs.input_bytes IS 'size of the upload as sent';
COMMENT ON COLUMN profdepot.jobs.row_count IS 'number of rows that the job stored';
COMMENT ON COLUMN profdepot.jobs.server IS 'random number that the server chose when it started';
COMMENT ON COLUMN profdepot.jobs.error_code IS 'kind of the error; null if there is none';
COMMENT ON COLUMN profdepot.jobs.error_message IS 'message of the error';
COMMENT ON COLUMN profdepot.jobs.error_hint IS 'what the sender can do about the error';
COMMENT ON COLUMN profdepot.jobs.result IS 'JSON object that describes the result sets, as in the answer to an upload; null if it is very long';
