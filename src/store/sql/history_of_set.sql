-- For a result set: the ledger number of its publication, its application, and its INST_ID. If it repeats an earlier
-- result set, the last column is the INST_ID of the earlier one instead. The last two columns are as of `as_of`, or
-- current if `as_of` is NULL.
SELECT r.ledger_no, COALESCE(e.application, r.application) AS application,
       COALESCE(CASE WHEN e.inst_id IS NULL THEN r.attached_to ELSE e.attached_to END, r.inst_id) AS inst_id
FROM profdepot.published_runs r
LEFT JOIN (SELECT n.inst_id, n.application, n.attached_to
           FROM profdepot.earlier_runs n
           WHERE n.inst_id = :inst_id::bigint AND n.ledger_no > :as_of::bigint
           ORDER BY n.ledger_no
           LIMIT 1) e ON e.inst_id = r.inst_id
WHERE r.inst_id = :inst_id::bigint
