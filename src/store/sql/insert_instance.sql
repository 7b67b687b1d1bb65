-- The result set's row, last of all: what it tells is known only now.
INSERT INTO profdepot.instances (inst_id, caption, counter_description, counter_frequency,
    counter_name, state, format, source_name, source_inst_id, source_caption, input_digest,
    input_bytes, content_digest, thread_key, application, app_version, host, tool,
    loader_version, load_seconds, attributes, live_summed)
VALUES ($1::bigint, $2, $3, $4, $5, 'closed', $6, $7, $8::bigint, $9, $10::bytea, $11::bigint,
    $12::uuid, $13, $14, $15, $16, $17, $18, $19::double precision,
    $20::json, $21::boolean);
