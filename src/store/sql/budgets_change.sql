-- Replaces the budgets of an application. If a version is given, replaces only this version.
UPDATE profdepot.budgets b
SET version = b.version + 1, author = :author, changed = now(), document = :document
WHERE b.application = :application AND (:version::bigint IS NULL OR b.version = :version::bigint)
RETURNING b.version
