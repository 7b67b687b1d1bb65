-- title: Duplicate calls across profiles
-- facts: calls
-- with: asked calls repeated
-- params: inst_id name host user since until profile track type min_count by
-- order: count desc, total desc, type, command
-- column: type text "Type"
-- column: command text "Command"
-- column: profiles integer count "Profiles"
-- column: count integer count "Calls" sum
-- column: flagged integer count "Same Step" sum
-- column: most integer count "Most"
-- column: total decimal milliseconds "Total"
-- column: worst text "Worst Id"
-- column: worst_track integer "Worst Track"
-- Commands that at least one profile calls more than once. The counts are sums over these profiles. Most is the
-- number of calls in the worst profile.
SELECT r.type, r.words AS command, count(*) AS profiles, sum(r.count)::bigint AS count,
       sum(r.flagged)::bigint AS flagged, max(r.count) AS most, sum(r.duration) AS total,
       (array_agg(a.source_id ORDER BY r.count DESC, r.duration DESC, r.track_id))[1] AS worst,
       (array_agg(a.track_id ORDER BY r.count DESC, r.duration DESC, r.track_id))[1] AS worst_track
FROM repeated r JOIN asked a ON a.track_id = r.track_id
GROUP BY r.type, r.words
