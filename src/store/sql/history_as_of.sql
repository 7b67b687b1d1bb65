-- The newest ledger number. If `until` is given, the newest number that was recorded at that time or earlier; 0 if the
-- ledger has no such number.
SELECT COALESCE(max(l.ledger_no), 0)
FROM profdepot.ledger l
WHERE :until::timestamptz IS NULL OR l.recorded_at <= :until
