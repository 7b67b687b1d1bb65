-- The newest ledger number, or the newest one that was recorded at this time or earlier; 0 if there is none.
SELECT COALESCE(max(l.ledger_no), 0)
FROM profdepot.ledger l
WHERE :until::timestamptz IS NULL OR l.recorded_at <= :until
