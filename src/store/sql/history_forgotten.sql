-- A run that belonged to the application's history as of :ledger_no, but was forgotten later.
SELECT f.inst_id, f.ledger_no
FROM profdepot.ledger f
JOIN profdepot.ledger r ON r.event = 'run' AND r.inst_id = f.inst_id AND r.ledger_no <= :ledger_no::bigint
WHERE f.event = 'forgotten' AND f.ledger_no > :ledger_no::bigint
  AND COALESCE((SELECT e.application FROM profdepot.earlier_runs e
                WHERE e.inst_id = f.inst_id AND e.ledger_no > :ledger_no::bigint
                ORDER BY e.ledger_no LIMIT 1), f.subject) = :application
ORDER BY f.ledger_no
LIMIT 1
