-- The findings that were seen in the runs of each fold, one row per fold, the oldest fold first.
SELECT d.fold_no, array_agg(d.identity) AS identities, array_agg(d.kind) AS kinds, array_agg(d.seen) AS seen
FROM profdepot.folded_findings d
WHERE d.application = :application
  AND d.identity BETWEEN COALESCE(:low::uuid, '00000000-0000-0000-0000-000000000000')
                     AND COALESCE(:high::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
GROUP BY d.fold_no
ORDER BY d.fold_no
