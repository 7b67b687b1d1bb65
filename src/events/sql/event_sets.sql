-- Returns the result sets that have events of a category, and how these events are stored; "mixed" means that
-- the set can also have other samples. A set without a format was written by SQL statements, and can have samples
-- without metrics. Any other set is skipped if it has no metric of samples.
SELECT i.inst_id,
       EXISTS (SELECT FROM profdepot.sample_rows r WHERE r.inst_id = i.inst_id)::integer AS in_rows,
       EXISTS (SELECT FROM profdepot.sample_blocks b WHERE b.inst_id = i.inst_id)::integer AS in_blocks,
       (i.format IS NULL OR (SELECT count(*) FROM profdepot.metrics m WHERE m.inst_id = i.inst_id) <> 1)::integer AS mixed,
       COALESCE(i.source_name = 'posted', false)::integer AS posted
FROM profdepot.instances i
WHERE (i.format IS NULL
       OR EXISTS (SELECT FROM profdepot.metrics m WHERE m.inst_id = i.inst_id AND m.family = 'samples'))
  AND EXISTS (SELECT FROM profdepot.tracks t WHERE t.inst_id = i.inst_id AND t.category = :category)
ORDER BY i.inst_id
