-- Adds a review, and returns its ledger number.
INSERT INTO profdepot.reviews (ledger_no, identity, status, fixed_in, author, reason, ticket, until)
VALUES (profdepot.ledger_next('review', NULL, NULL, :identity), :identity::uuid, :status, :fixed_in, :author, :reason,
        :ticket, :until::date)
RETURNING ledger_no
