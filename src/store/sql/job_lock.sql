-- Holds a lock on a job or server for as long as the session lasts.
SELECT pg_advisory_lock(hashtextextended(:number, 815))
