-- Adds an alias, and returns its ledger number.
INSERT INTO profdepot.finding_aliases (ledger_no, identity, same_as, author, reason)
VALUES (profdepot.ledger_next('alias', NULL, NULL, :identity), :identity::uuid, :same_as::uuid, :author, :reason)
RETURNING ledger_no
