-- Samples: weighted stacks. Plain ones are in blocks of arrays (2 million rows
-- cost a load 2.5 s as rows and 0.4 s as blocks), others in rows; the view has both.
-- Events of many processes, whose tracks alternate, share blocks.

CREATE TABLE profdepot.sample_blocks (
    inst_id bigint NOT NULL,
    first_id bigint NOT NULL,
    track_id integer,
    stack_ids integer[] NOT NULL,
    time_unit numeric,
    times bigint[],
    exact_times numeric[],
    value_unit numeric,
    weights bigint[],
    exact_weights numeric[],
    track_ids integer[],
    PRIMARY KEY (inst_id, first_id),
    CHECK ((track_id IS NULL) <> (track_ids IS NULL))
);
-- No TOAST: a block fits its page, and compression costs more than it saves.
ALTER TABLE profdepot.sample_blocks
    ALTER stack_ids SET STORAGE PLAIN,
    ALTER times SET STORAGE PLAIN,
    ALTER weights SET STORAGE PLAIN,
    ALTER track_ids SET STORAGE PLAIN,
    ALTER stack_ids SET STATISTICS 0,
    ALTER times SET STATISTICS 0,
    ALTER exact_times SET STATISTICS 0,
    ALTER weights SET STATISTICS 0,
    ALTER exact_weights SET STATISTICS 0,
    ALTER track_ids SET STATISTICS 0;
COMMENT ON TABLE profdepot.sample_blocks IS 'samples with one value and no attributes, one row per block of consecutive samples; read them through the view samples';
COMMENT ON COLUMN profdepot.sample_blocks.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.sample_blocks.first_id IS 'ID of the first sample; the others are consecutive';
COMMENT ON COLUMN profdepot.sample_blocks.track_id IS 'track of all of them; NULL if track_ids has one for each';
COMMENT ON COLUMN profdepot.sample_blocks.stack_ids IS 'stack of each; 0 if there is no stack';
COMMENT ON COLUMN profdepot.sample_blocks.time_unit IS 'factor of the times';
COMMENT ON COLUMN profdepot.sample_blocks.times IS 'time of each; NULL if they have no times, or have them in exact_times';
COMMENT ON COLUMN profdepot.sample_blocks.exact_times IS 'the times, if they exceed 64 bits';
COMMENT ON COLUMN profdepot.sample_blocks.value_unit IS 'factor of the weights';
COMMENT ON COLUMN profdepot.sample_blocks.weights IS 'value of each';
COMMENT ON COLUMN profdepot.sample_blocks.exact_weights IS 'the values, if they exceed 64 bits';
COMMENT ON COLUMN profdepot.sample_blocks.track_ids IS 'track of each, if they differ';

CREATE TABLE profdepot.sample_rows (
    inst_id bigint NOT NULL,
    id bigint NOT NULL,
    track_id integer NOT NULL,
    stack_id integer,
    at numeric,
    weights numeric[] NOT NULL,
    attributes json,
    PRIMARY KEY (inst_id, id)
);
COMMENT ON TABLE profdepot.sample_rows IS 'samples with several values or attributes, and those that arrive over time; read them through the view samples';
COMMENT ON COLUMN profdepot.sample_rows.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.sample_rows.id IS 'number of the sample, from 1 in the order of the source';
COMMENT ON COLUMN profdepot.sample_rows.track_id IS 'its track';
COMMENT ON COLUMN profdepot.sample_rows.stack_id IS 'its stack; NULL if absent';
COMMENT ON COLUMN profdepot.sample_rows.at IS 'its time on the track''s clock';
COMMENT ON COLUMN profdepot.sample_rows.weights IS 'its values: the first is of the track''s metric, the others of the next metrics';
COMMENT ON COLUMN profdepot.sample_rows.attributes IS 'values of the format that have no column';

CREATE VIEW profdepot.samples AS
SELECT b.inst_id,
       b.first_id + u.n - 1 AS id,
       COALESCE(u.track_id, b.track_id) AS track_id,
       NULLIF(u.stack_id, 0) AS stack_id,
       COALESCE(u.exact_time, u.time * b.time_unit) AS at,
       COALESCE(u.exact_weight, u.weight * b.value_unit) AS weight,
       NULL::numeric[] AS weights,
       NULL::json AS attributes
FROM profdepot.sample_blocks b
CROSS JOIN LATERAL unnest(b.stack_ids, b.times, b.exact_times, b.weights, b.exact_weights, b.track_ids)
    WITH ORDINALITY AS u (stack_id, time, exact_time, weight, exact_weight, track_id, n)
UNION ALL
SELECT r.inst_id, r.id, r.track_id, r.stack_id, r.at, r.weights[1], r.weights, r.attributes
FROM profdepot.sample_rows r;
COMMENT ON VIEW profdepot.samples IS 'weighted stacks on a track';
COMMENT ON COLUMN profdepot.samples.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.samples.id IS 'number of the sample, from 1 in the order of the source';
COMMENT ON COLUMN profdepot.samples.track_id IS 'its track';
COMMENT ON COLUMN profdepot.samples.stack_id IS 'its stack; NULL if absent';
COMMENT ON COLUMN profdepot.samples.at IS 'its time on the track''s clock; NULL if it has no time';
COMMENT ON COLUMN profdepot.samples.weight IS 'its value in the track''s metric';
COMMENT ON COLUMN profdepot.samples.weights IS 'all its values if it was stored with several: of the track''s metric and the next ones';
COMMENT ON COLUMN profdepot.samples.attributes IS 'values of the format that have no column';

CREATE VIEW profdepot.sample_totals AS
SELECT t.inst_id, m.metric_no, t.class::integer AS track_id, t.stack_id, t.count, t.value
FROM profdepot.instances i
JOIN profdepot.stack_totals t ON t.inst_id = i.inst_id
JOIN profdepot.metrics m ON m.inst_id = t.inst_id AND m.name = t.metric
WHERE i.state = 'closed' AND m.family = 'samples'
UNION ALL
SELECT s.inst_id, (k.metric_no + w.n - 1)::integer, s.track_id, COALESCE(s.stack_id, 0), count(*),
       trim_scale(COALESCE(sum(round(w.weight, 18)), 0))
FROM profdepot.instances i
JOIN profdepot.samples s ON s.inst_id = i.inst_id
JOIN profdepot.tracks k ON k.inst_id = s.inst_id AND k.track_id = s.track_id
CROSS JOIN LATERAL unnest(COALESCE(s.weights, ARRAY[s.weight])) WITH ORDINALITY w (weight, n)
WHERE i.state <> 'closed' AND k.metric_no IS NOT NULL
GROUP BY s.inst_id, k.metric_no, w.n, s.track_id, COALESCE(s.stack_id, 0);
COMMENT ON VIEW profdepot.sample_totals IS 'samples summed by metric, track and stack: from stack_totals, or from the facts while a result set is open';
COMMENT ON COLUMN profdepot.sample_totals.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.sample_totals.metric_no IS 'the metric';
COMMENT ON COLUMN profdepot.sample_totals.track_id IS 'the track';
COMMENT ON COLUMN profdepot.sample_totals.stack_id IS 'the stack; 0 if there is no stack';
COMMENT ON COLUMN profdepot.sample_totals.count IS 'samples';
COMMENT ON COLUMN profdepot.sample_totals.value IS 'sum of their values, to 18 decimals';
