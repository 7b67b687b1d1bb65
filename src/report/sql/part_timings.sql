-- With --like-devtools, durations are computed with doubles, as in DevTools. This is not done if a
-- time is near the end of the range of doubles, because the server rejects numbers beyond that range.
timings AS (
    SELECT u.*,
           CASE WHEN COALESCE(:like_devtools::boolean, false) THEN u.devtools_order
                ELSE row_number() OVER (PARTITION BY u.kind ORDER BY u.id) END AS position,
           CASE WHEN NOT COALESCE(:like_devtools::boolean, false) THEN u.duration
                WHEN greatest(abs(u.start), abs(u.start + u.duration)) >= 1e300 THEN u.duration
                ELSE COALESCE((round(u.start + u.duration, 30)::float8
                               - round(u.start, 30)::float8)::text::numeric, 0) END AS length
    FROM profdepot.user_timings u
    WHERE u.inst_id = :inst_id::bigint
      AND (u.lost IS NULL OR NOT COALESCE(:like_devtools::boolean, false))
      AND (:name::text[] IS NULL OR u.name ILIKE ANY (:name::text[]))
)
