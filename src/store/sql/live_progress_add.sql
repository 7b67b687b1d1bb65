-- A server that has stored nothing yet. $1: the server.
INSERT INTO profdepot.posted_progress (server, groups)
SELECT $1::uuid, 0
WHERE NOT EXISTS (SELECT FROM profdepot.posted_progress p WHERE p.server = $1::uuid)
ON CONFLICT (server, groups) DO NOTHING
