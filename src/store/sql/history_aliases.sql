-- Identities that belong to another finding, as of a ledger number; the newest alias of an identity applies.
SELECT DISTINCT ON (a.identity) a.identity, a.same_as
FROM profdepot.finding_aliases a
WHERE a.ledger_no <= :ledger_no::bigint
ORDER BY a.identity, a.ledger_no DESC
