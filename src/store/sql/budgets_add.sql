-- Adds the budgets of an application that has no budgets.
INSERT INTO profdepot.budgets AS b (application, version, author, document)
VALUES (:application, 1, :author, :document)
ON CONFLICT (application) DO NOTHING
RETURNING b.version
