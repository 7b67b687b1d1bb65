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
       profdepot.time_text(i.loaded_at, :time_zone::text) AS loaded_at,
       i.load_seconds::numeric(12, 3) AS load_seconds,
       i.loader_version,
       r.run_key AS run,
       profdepot.time_text(r.started_at, :time_zone::text) AS started_at,
       profdepot.time_text(r.ended_at, :time_zone::text) AS ended_at,
       r.commit_id AS commit,
       r.parent_commit_id AS parent_commit,
       r.environment,
       r.finished,
       s.same_as
FROM profdepot.instances i
CROSS JOIN (SELECT min(o.inst_id) AS same_as
            FROM profdepot.instances o
            WHERE o.content_digest = (SELECT n.content_digest FROM profdepot.instances n
                                      WHERE n.inst_id = :inst_id::bigint)
              AND o.inst_id < :inst_id::bigint) s
LEFT JOIN profdepot.runs r ON r.inst_id = i.inst_id
WHERE i.inst_id = :inst_id::bigint
