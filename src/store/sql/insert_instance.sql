-- Inserts the result set's row. The row is written last, because some of its values are not known earlier. The
-- result set is added to the history after the commit.
WITH unpublished AS (
    INSERT INTO profdepot.unpublished_runs (inst_id) VALUES (:inst_id::bigint)
)
INSERT INTO profdepot.instances (inst_id, caption, counter_description, counter_frequency,
    counter_name, state, format, source_name, source_inst_id, source_caption, input_digest,
    input_bytes, content_digest, thread_key, application, app_version, host, tool,
    loader_version, load_seconds, attributes, live_summed, live_distinct, stream_labels)
VALUES (:inst_id::bigint, :caption, :counter_description, :counter_frequency, :counter_name, 'closed', :format, :source_name, :source_inst_id::bigint, :source_caption, :input_digest::bytea, :input_bytes::bigint,
    :content_digest::uuid, :thread_key, :application, :app_version, :host, :tool, :loader_version, :load_seconds::double precision,
    :attributes::json, :live_summed::boolean, :live_distinct::boolean, :stream_labels);
