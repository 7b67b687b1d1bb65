-- Metadata of a result set.
SELECT i.inst_id,
       i.caption,
       i.state,
       i.format,
       i.application,
       i.app_version,
       i.host,
       i.tool,
       i.source_name,
       i.source_inst_id,
       i.source_caption,
       i.input_bytes,
       encode(i.input_digest, 'hex') AS input_digest,
       i.content_digest,
       i.thread_key,
       i.counter_name,
       i.counter_description,
       i.counter_frequency,
       to_char(i.loaded_at, 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM') AS loaded_at,
       i.load_seconds::numeric(12, 3) AS load_seconds,
       i.loader_version
FROM profdepot.instances i
WHERE i.inst_id = :inst_id::bigint
