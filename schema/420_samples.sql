-- Samples: weighted stacks. Plain samples are stored in blocks of arrays, other samples in rows. The
-- view combines blocks and rows. Loading 2 million samples takes 0.4 s in blocks, and 2.5 s in rows.
-- Samples of several tracks share a block if the tracks alternate, as in events of many processes.

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
-- No TOAST, because a block fits into a page and compression costs more time than it saves.
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
COMMENT ON COLUMN profdepot.sample_blocks.first_id IS 'ID of the first sample; the other samples have the IDs that follow';
COMMENT ON COLUMN profdepot.sample_blocks.track_id IS 'track of all samples; NULL if track_ids has one track for each sample';
COMMENT ON COLUMN profdepot.sample_blocks.stack_ids IS 'stack of each sample; 0 if there is no stack';
COMMENT ON COLUMN profdepot.sample_blocks.time_unit IS 'a sample''s time is its element of times, multiplied by this factor';
COMMENT ON COLUMN profdepot.sample_blocks.times IS 'time of each sample; NULL if the samples have no times, or if exact_times has them';
COMMENT ON COLUMN profdepot.sample_blocks.exact_times IS 'the times, if they exceed 64 bits';
COMMENT ON COLUMN profdepot.sample_blocks.value_unit IS 'a sample''s value is its element of weights, multiplied by this factor';
COMMENT ON COLUMN profdepot.sample_blocks.weights IS 'value of each sample';
COMMENT ON COLUMN profdepot.sample_blocks.exact_weights IS 'the values, if they exceed 64 bits';
COMMENT ON COLUMN profdepot.sample_blocks.track_ids IS 'track of each sample, if the tracks differ';

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
COMMENT ON TABLE profdepot.sample_rows IS 'samples with several values or attributes, and samples that arrive over time; read them through the view samples';
COMMENT ON COLUMN profdepot.sample_rows.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.sample_rows.id IS 'number of the sample, from 1 in the order of the source';
COMMENT ON COLUMN profdepot.sample_rows.track_id IS 'track of the sample';
COMMENT ON COLUMN profdepot.sample_rows.stack_id IS 'stack of the sample; NULL if absent';
COMMENT ON COLUMN profdepot.sample_rows.at IS 'time of the sample on the track''s clock';
COMMENT ON COLUMN profdepot.sample_rows.weights IS 'the sample''s values: the first belongs to the track''s metric, the others to the metrics that follow it';
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
COMMENT ON COLUMN profdepot.samples.track_id IS 'track of the sample';
COMMENT ON COLUMN profdepot.samples.stack_id IS 'stack of the sample; NULL if absent';
COMMENT ON COLUMN profdepot.samples.at IS 'time of the sample on the track''s clock; NULL if the sample has no time';
COMMENT ON COLUMN profdepot.samples.weight IS 'value of the sample in the track''s metric';
COMMENT ON COLUMN profdepot.samples.weights IS 'all values if the sample was stored with several: the first belongs to the track''s metric, the others to the metrics that follow it';
COMMENT ON COLUMN profdepot.samples.attributes IS 'values of the format that have no column';

CREATE VIEW profdepot.gauge_samples AS
SELECT s.inst_id, m.metric_no, m.name AS metric, s.track_id, s.id, s.at, v.value
FROM profdepot.metrics m
JOIN profdepot.tracks t ON t.inst_id = m.inst_id AND t.metric_no <= m.metric_no
JOIN profdepot.samples s ON s.inst_id = m.inst_id AND s.track_id = t.track_id
CROSS JOIN LATERAL (
    SELECT CASE WHEN m.metric_no = t.metric_no THEN s.weight ELSE s.weights[m.metric_no - t.metric_no + 1] END AS value
) v
WHERE m.family = 'gauges' AND v.value IS NOT NULL;
COMMENT ON VIEW profdepot.gauge_samples IS 'values of gauges over time';
COMMENT ON COLUMN profdepot.gauge_samples.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.gauge_samples.metric_no IS 'number of the metric';
COMMENT ON COLUMN profdepot.gauge_samples.metric IS 'its name';
COMMENT ON COLUMN profdepot.gauge_samples.track_id IS 'the track';
COMMENT ON COLUMN profdepot.gauge_samples.id IS 'number of the sample';
COMMENT ON COLUMN profdepot.gauge_samples.at IS 'time of the sample on the track''s clock';
COMMENT ON COLUMN profdepot.gauge_samples.value IS 'value at that time';

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
LEFT JOIN profdepot.metrics m ON m.inst_id = i.inst_id AND m.metric_no = k.metric_no + w.n - 1
WHERE i.state <> 'closed' AND k.metric_no IS NOT NULL AND m.family IS DISTINCT FROM 'gauges'
GROUP BY s.inst_id, k.metric_no, w.n, s.track_id, COALESCE(s.stack_id, 0);
COMMENT ON VIEW profdepot.sample_totals IS 'samples summed by metric, track and stack; the sums come from stack_totals, but while a result set is open, they are computed from the facts';
COMMENT ON COLUMN profdepot.sample_totals.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.sample_totals.metric_no IS 'the metric';
COMMENT ON COLUMN profdepot.sample_totals.track_id IS 'the track';
COMMENT ON COLUMN profdepot.sample_totals.stack_id IS 'the stack; 0 if there is no stack';
COMMENT ON COLUMN profdepot.sample_totals.count IS 'samples';
COMMENT ON COLUMN profdepot.sample_totals.value IS 'sum of the samples'' values, to 18 decimals';

-- The loader sums in units of 10^-18.
CREATE VIEW profdepot.fact_totals AS
SELECT o.inst_id, 'live' COLLATE "C" AS metric, COALESCE(o.col_classrid, -1) AS class,
       COALESCE(o.stack_id, 0) AS stack_id, sum(o.block_count) AS count, sum(o.col_size) AS value
FROM profdepot.resource_profiler_objects o
GROUP BY o.inst_id, COALESCE(o.col_classrid, -1), COALESCE(o.stack_id, 0)
UNION ALL
SELECT e.inst_id, 'errors', COALESCE(e.col_kind, -1), COALESCE(e.stack_id, 0), sum(e.count), sum(e.count)
FROM profdepot.resource_profiler_errors e
GROUP BY e.inst_id, COALESCE(e.col_kind, -1), COALESCE(e.stack_id, 0)
UNION ALL
SELECT f.inst_id, m.name, f.track_id, f.stack_id, sum(f.n), trim_scale(sum(f.value))
FROM (
    SELECT b.inst_id, COALESCE(u.track_id, b.track_id) AS track_id, u.stack_id, 1 AS k, count(*) AS n,
           COALESCE(sum(u.weight) * b.value_unit, sum(round(u.exact_weight, 18)), 0) AS value
    FROM profdepot.sample_blocks b
    CROSS JOIN LATERAL unnest(b.stack_ids, b.weights, b.exact_weights, b.track_ids)
        u (stack_id, weight, exact_weight, track_id)
    GROUP BY b.inst_id, COALESCE(u.track_id, b.track_id), u.stack_id, b.value_unit
    UNION ALL
    SELECT r.inst_id, r.track_id, COALESCE(r.stack_id, 0), u.k::integer, count(*),
           sum(COALESCE(round(u.weight, 18), 0))
    FROM profdepot.sample_rows r
    CROSS JOIN LATERAL unnest(r.weights) WITH ORDINALITY u (weight, k)
    GROUP BY r.inst_id, r.track_id, COALESCE(r.stack_id, 0), u.k
) f
JOIN profdepot.tracks t ON t.inst_id = f.inst_id AND t.track_id = f.track_id
JOIN profdepot.metrics m ON m.inst_id = f.inst_id AND m.metric_no = t.metric_no + f.k - 1
WHERE m.family <> 'gauges'
GROUP BY f.inst_id, m.name, m.metric_no, f.track_id, f.stack_id;
COMMENT ON VIEW profdepot.fact_totals IS 'the rows that stack_totals must have for a closed result set, computed from its facts; for verify and reindex';
COMMENT ON COLUMN profdepot.fact_totals.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.fact_totals.metric IS 'live, errors, or the metric of samples';
COMMENT ON COLUMN profdepot.fact_totals.class IS 'live: REC_ID of the class; errors: kind of the error; samples: the track; -1 if there is none';
COMMENT ON COLUMN profdepot.fact_totals.stack_id IS 'the stack; 0 if there is no stack';
COMMENT ON COLUMN profdepot.fact_totals.count IS 'blocks, errors or samples';
COMMENT ON COLUMN profdepot.fact_totals.value IS 'bytes, errors, or the sum of the samples'' values, to 18 decimals; NULL if no object has a size';
