-- A server that ends. $1: the server.
DELETE FROM profdepot.posted_progress p
WHERE p.server = $1::uuid
