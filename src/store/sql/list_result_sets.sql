-- Result sets that pass the filters, newest first. NULL is no filter.
-- $1 format, $2 application, $3 caption as a LIKE pattern, $4 loaded since, $5 loaded before,
-- $6 labels as "key=value", all of which must be there, $7 how many of the newest to leave out,
-- $8 of the rest only those loaded more than so many seconds ago, $9 at most so many, $10
-- only these numbers.
-- The ICU collation folds letters beyond ASCII, which "C" does not.
SELECT m.inst_id,
       m.caption,
       m.format,
       m.state,
       m.application,
       m.app_version,
       m.host,
       to_char(m.loaded_at, 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM') AS loaded_at,
       CASE WHEN m.state = 'closed' THEN COALESCE(n.objects, 0) END AS objects,
       CASE WHEN m.state = 'closed' THEN COALESCE(n.errors, 0) END AS errors,
       CASE WHEN m.state = 'closed' THEN c.tracks END AS tracks,
       CASE WHEN m.state = 'closed' THEN c.samples END AS samples,
       CASE WHEN m.state = 'closed' THEN c.spans END AS spans,
       CASE WHEN m.state = 'closed' THEN c.row_count END AS rows,
       l.labels
FROM (
    SELECT i.*
    FROM profdepot.instances i
    WHERE ($10::bigint[] IS NULL OR i.inst_id = ANY ($10))
      AND ($1::text IS NULL OR i.format = $1)
      AND ($2::text IS NULL OR i.application = $2)
      AND ($3::text IS NULL OR i.caption COLLATE "und-x-icu" ILIKE $3)
      AND ($4::timestamptz IS NULL OR i.loaded_at >= $4)
      AND ($5::timestamptz IS NULL OR i.loaded_at < $5)
      AND NOT EXISTS (
          SELECT FROM unnest($6::text[]) w (label)
          WHERE NOT EXISTS (
              SELECT FROM profdepot.result_set_labels l
              WHERE l.inst_id = i.inst_id AND l.key || '=' || l.value = w.label))
    ORDER BY i.loaded_at DESC, i.inst_id DESC
    OFFSET COALESCE($7::bigint, 0)
) m
LEFT JOIN (
    SELECT t.inst_id,
           max(t.row_count) FILTER (WHERE t.relation = 'tracks') AS tracks,
           max(t.row_count) FILTER (WHERE t.relation = 'samples') AS samples,
           max(t.row_count) FILTER (WHERE t.relation = 'spans') AS spans,
           sum(t.row_count) FILTER (WHERE t.relation NOT IN ('stacks', 'metrics')) AS row_count
    FROM profdepot.result_set_counts t
    GROUP BY t.inst_id
) c ON c.inst_id = m.inst_id
LEFT JOIN (
    SELECT k.inst_id,
           max(t.totals[1]) FILTER (WHERE k.name = 'live_count') AS objects,
           max(t.totals[1]) FILTER (WHERE k.name = 'errors') AS errors
    FROM profdepot.metrics k
    JOIN profdepot.call_tree_blocks t ON t.inst_id = k.inst_id AND t.metric_no = k.metric_no AND t.first_rank = 0
    WHERE k.name IN ('live_count', 'errors')
    GROUP BY k.inst_id
) n ON n.inst_id = m.inst_id
LEFT JOIN (
    SELECT t.inst_id, string_agg(t.key || '=' || t.value, ' ' ORDER BY t.key) AS labels
    FROM profdepot.result_set_labels t
    GROUP BY t.inst_id
) l ON l.inst_id = m.inst_id
WHERE ($8::double precision IS NULL OR m.loaded_at < now() - make_interval(secs => $8))
ORDER BY m.loaded_at DESC, m.inst_id DESC
LIMIT $9::bigint
