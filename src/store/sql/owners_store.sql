-- Adds a version of the owners file, and returns its ledger number.
INSERT INTO profdepot.owner_files (ledger_no, author, content)
VALUES (profdepot.ledger_next('owners'), :author, :content)
RETURNING ledger_no
