-- Metrics, and the tracks that samples and spans belong to.

CREATE TABLE profdepot.metrics (
    inst_id bigint NOT NULL,
    metric_no integer NOT NULL,
    name text COLLATE "C" NOT NULL,
    family text COLLATE "C" NOT NULL,
    unit text COLLATE "C" NOT NULL,
    title text COLLATE "C",
    aggregate text COLLATE "C",
    PRIMARY KEY (inst_id, metric_no),
    CHECK (family IN ('objects', 'errors', 'samples', 'spans', 'gauges')),
    CHECK (aggregate IN ('max', 'last', 'mean') AND family = 'gauges' OR aggregate IS NULL)
);
COMMENT ON TABLE profdepot.metrics IS 'metrics of a result set; stack_totals, call_tree and routine_totals contain their sums';
COMMENT ON COLUMN profdepot.metrics.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.metrics.metric_no IS 'number of the metric, from 1; the first of a sample''s values belongs to its track''s metric, and the others belong to the metrics that follow it';
COMMENT ON COLUMN profdepot.metrics.name IS 'name, such as live_size, samples or milliseconds; unique in the result set';
COMMENT ON COLUMN profdepot.metrics.family IS 'kind of facts that the metric measures: objects, errors, samples, spans or gauges; the values of a gauge are samples over time that are never added up';
COMMENT ON COLUMN profdepot.metrics.unit IS 'count, bytes, nanoseconds, microseconds, milliseconds, seconds or none';
COMMENT ON COLUMN profdepot.metrics.title IS 'display name';
COMMENT ON COLUMN profdepot.metrics.aggregate IS 'for a gauge: the statistic that represents the run in trends, checks and comparisons: max (default), last or mean';

-- The metrics of a result set are ordered by rank, then by metric_no. The first metric is the default.
CREATE FUNCTION profdepot.metric_rank(p_family text) RETURNS integer
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN CASE p_family WHEN 'objects' THEN 0 WHEN 'errors' THEN 2 WHEN 'gauges' THEN 3 ELSE 1 END;
END;
$$;
COMMENT ON FUNCTION profdepot.metric_rank(text) IS 'rank of a family of metrics; the metric with the lowest rank and metric_no is the result set''s default';

CREATE TABLE profdepot.tracks ( -- row: track_row
    inst_id bigint NOT NULL,
    track_id integer NOT NULL, -- member=id
    kind text COLLATE "C" NOT NULL,
    name text COLLATE "C",
    source_id text COLLATE "C",
    category text COLLATE "C",
    host text COLLATE "C",
    user_name text COLLATE "C",
    process_name text COLLATE "C",
    process_id bigint,
    thread_id bigint,
    metric_no integer, -- member=metric
    start numeric,
    duration numeric,
    started timestamptz, -- member=started_us
    attributes json,
    PRIMARY KEY (inst_id, track_id)
);
COMMENT ON TABLE profdepot.tracks IS 'tracks of samples and spans: a thread, a MiniProfiler profile, or a profile in a speedscope file';
COMMENT ON COLUMN profdepot.tracks.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.tracks.track_id IS 'number of the track, from 1';
COMMENT ON COLUMN profdepot.tracks.kind IS 'thread, profile, process, or another word that the format uses';
COMMENT ON COLUMN profdepot.tracks.name IS 'name of the thread or profile';
COMMENT ON COLUMN profdepot.tracks.source_id IS 'the producer''s own key, such as a profile''s Id';
COMMENT ON COLUMN profdepot.tracks.category IS 'for events: name of the event category';
COMMENT ON COLUMN profdepot.tracks.host IS 'machine';
COMMENT ON COLUMN profdepot.tracks.user_name IS 'user of the request';
COMMENT ON COLUMN profdepot.tracks.process_name IS 'name of the process, as the producer gives it';
COMMENT ON COLUMN profdepot.tracks.process_id IS 'the operating system''s process id';
COMMENT ON COLUMN profdepot.tracks.thread_id IS 'the operating system''s thread id';
COMMENT ON COLUMN profdepot.tracks.metric_no IS 'metric of the track''s spans, or of the first value of its samples';
COMMENT ON COLUMN profdepot.tracks.start IS 'start of the track on its own clock, in the metric''s unit';
COMMENT ON COLUMN profdepot.tracks.duration IS 'duration, in the metric''s unit';
COMMENT ON COLUMN profdepot.tracks.started IS 'date and time when the track started, if the producer recorded it';
COMMENT ON COLUMN profdepot.tracks.attributes IS 'values of the format that have no column';
