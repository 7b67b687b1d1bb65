-- Parameters of those who take this part: inst_id like_devtools name. DevTools computes with doubles,
-- which the server refuses to make of numbers that none holds.
timings AS (
    SELECT u.*,
           CASE WHEN COALESCE($2::boolean, false) THEN u.devtools_order
                ELSE row_number() OVER (PARTITION BY u.kind ORDER BY u.id) END AS position,
           CASE WHEN NOT COALESCE($2::boolean, false) THEN u.duration
                WHEN greatest(abs(u.start), abs(u.start + u.duration)) >= 1e300 THEN u.duration
                ELSE COALESCE((round(u.start + u.duration, 30)::float8
                               - round(u.start, 30)::float8)::text::numeric, 0) END AS length
    FROM profdepot.user_timings u
    WHERE u.inst_id = $1::bigint
      AND (u.lost IS NULL OR NOT COALESCE($2::boolean, false))
      AND ($3::text[] IS NULL OR u.name ILIKE ANY ($3::text[]))
)
