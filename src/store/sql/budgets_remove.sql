-- Deletes the budgets of an application.
DELETE FROM profdepot.budgets b WHERE b.application = :application RETURNING b.version
