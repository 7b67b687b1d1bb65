-- Deletes the row of a server that ends.
DELETE FROM profdepot.posted_progress p
WHERE p.server = :server::uuid
