-- Where a result set comes from, for the head of a page.
SELECT i.caption,
       profdepot.time_text(i.loaded_at, :time_zone::text) AS loaded_at,
       profdepot.time_text(r.started_at, :time_zone::text) AS started_at,
       COALESCE(i.app_version, r.version) AS version,
       (SELECT string_agg(l.key || '=' || l.value, ' ' ORDER BY l.key)
        FROM profdepot.result_set_labels l
        WHERE l.inst_id = :inst_id::bigint) AS labels
FROM profdepot.instances i
LEFT JOIN profdepot.runs r ON r.inst_id = i.inst_id
WHERE i.inst_id = :inst_id::bigint
