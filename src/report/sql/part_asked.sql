-- MiniProfiler profiles that are asked for. $1 inst_id, $2 name, $3 host,
-- $4 user, $5 since, $6 until, $7 profile, $8 track.
asked AS MATERIALIZED (
    SELECT t.track_id, COALESCE(t.name, '') AS name, t.host, t.user_name, t.started, t.duration,
           t.source_id
    FROM profdepot.tracks t
    WHERE t.inst_id = $1::bigint AND t.kind = 'profile'
      AND ($2::text[] IS NULL OR COALESCE(t.name, '') COLLATE "und-x-icu" ILIKE ANY ($2::text[]))
      AND ($3::text[] IS NULL OR t.host COLLATE "und-x-icu" ILIKE ANY ($3::text[]))
      AND ($4::text[] IS NULL OR t.user_name COLLATE "und-x-icu" ILIKE ANY ($4::text[]))
      AND ($5::timestamptz IS NULL OR t.started >= $5::timestamptz)
      AND ($6::timestamptz IS NULL OR t.started < $6::timestamptz)
      AND ($7::text IS NULL OR t.source_id = $7::text)
      AND ($8::bigint IS NULL OR t.track_id = $8::bigint)
)
