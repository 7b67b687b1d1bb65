-- Forgets jobs that ended long ago.
DELETE FROM profdepot.jobs WHERE ended_at < now() - interval '30 days'
