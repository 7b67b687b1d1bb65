-- Reviews as of a ledger number, the oldest first.
SELECT r.identity, r.ledger_no, r.status, r.fixed_in, r.author, r.reason, r.ticket, r.until,
       to_char(l.recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS reviewed_at,
       COALESCE(r.until < (SELECT (n.recorded_at AT TIME ZONE 'UTC')::date
                           FROM profdepot.ledger n WHERE n.ledger_no = :ledger_no::bigint), false) AS expired
FROM profdepot.reviews r
JOIN profdepot.ledger l ON l.ledger_no = r.ledger_no
WHERE r.ledger_no <= :ledger_no::bigint
ORDER BY r.ledger_no
