-- Adds a server that has stored nothing yet.
INSERT INTO profdepot.posted_progress (server, groups)
SELECT :server::uuid, 0
WHERE NOT EXISTS (SELECT FROM profdepot.posted_progress p WHERE p.server = :server::uuid)
ON CONFLICT (server, groups) DO NOTHING
