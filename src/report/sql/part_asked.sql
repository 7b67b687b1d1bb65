-- The MiniProfiler profiles that the request selects.
asked AS MATERIALIZED (
    SELECT t.track_id, COALESCE(t.name, '') AS name, t.host, t.user_name, t.started, t.duration,
           t.source_id
    FROM profdepot.tracks t
    WHERE t.inst_id = :inst_id::bigint AND t.kind = 'profile'
      AND (:name::text[] IS NULL OR COALESCE(t.name, '') COLLATE "und-x-icu" ILIKE ANY (:name::text[]))
      AND (:host::text[] IS NULL OR t.host COLLATE "und-x-icu" ILIKE ANY (:host::text[]))
      AND (:user::text[] IS NULL OR t.user_name COLLATE "und-x-icu" ILIKE ANY (:user::text[]))
      AND (:since::timestamptz IS NULL OR t.started >= :since::timestamptz)
      AND (:until::timestamptz IS NULL OR t.started < :until::timestamptz)
      AND (:profile::text IS NULL OR t.source_id = :profile::text)
      AND (:track::bigint IS NULL OR t.track_id = :track::bigint)
)
