-- Settings of the depot, and the streams that they define.

CREATE TABLE profdepot.settings (
    name text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL,
    PRIMARY KEY (name),
    CHECK (name IN ('stream_labels', 'stream_parent', 'partition_size'))
);
COMMENT ON TABLE profdepot.settings IS 'settings of the depot';
COMMENT ON COLUMN profdepot.settings.name IS 'stream_labels: keys of the labels that, together with the application, identify a stream; stream_parent: labels of the stream from which the other streams of an application branch off, such as branch=main; partition_size: number of result sets per range, if the depot is partitioned';
COMMENT ON COLUMN profdepot.settings.value IS 'value of the setting; keys or labels, separated by commas';
INSERT INTO profdepot.settings (name, value) VALUES ('stream_labels', 'branch'), ('stream_parent', 'branch=main');

CREATE VIEW profdepot.result_set_streams AS
SELECT i.inst_id,
       i.application,
       (SELECT string_agg(l.key || '=' || l.value, ' ' ORDER BY l.key)
        FROM profdepot.result_set_labels l
        JOIN profdepot.settings s ON s.name = 'stream_labels' AND l.key = ANY (string_to_array(s.value, ','))
        WHERE l.inst_id = i.inst_id) AS labels
FROM profdepot.instances i;
COMMENT ON VIEW profdepot.result_set_streams IS 'the stream of each result set: an ordered history of runs';
COMMENT ON COLUMN profdepot.result_set_streams.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.result_set_streams.application IS 'the profiled application';
COMMENT ON COLUMN profdepot.result_set_streams.labels IS 'the result set''s labels whose keys are in the setting stream_labels, such as branch=main';
