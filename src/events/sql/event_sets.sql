-- Result sets that hold events of a category ($1), where those lie, and whether there are others
-- beside them. Only sets with samples are looked into; one that SQL wrote may lack its metrics.
SELECT i.inst_id,
       EXISTS (SELECT FROM profdepot.sample_rows r WHERE r.inst_id = i.inst_id)::integer AS in_rows,
       EXISTS (SELECT FROM profdepot.sample_blocks b WHERE b.inst_id = i.inst_id)::integer AS in_blocks,
       (i.format IS NULL OR (SELECT count(*) FROM profdepot.metrics m WHERE m.inst_id = i.inst_id) <> 1)::integer AS mixed,
       COALESCE(i.source_name = 'posted', false)::integer AS posted
FROM profdepot.instances i
WHERE (i.format IS NULL
       OR EXISTS (SELECT FROM profdepot.metrics m WHERE m.inst_id = i.inst_id AND m.family = 'samples'))
  AND EXISTS (SELECT FROM profdepot.tracks t WHERE t.inst_id = i.inst_id AND t.category = $1)
ORDER BY i.inst_id
