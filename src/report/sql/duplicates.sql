-- title: Duplicate calls
-- facts: calls
-- with: asked calls repeated
-- params: inst_id name host user since until profile track type command min_count by
-- order: count desc, total desc, track, type, command
-- column: track integer "Track"
-- column: profile text "Profile Id"
-- column: name text "Name"
-- column: type text "Type"
-- column: command text "Command"
-- column: count integer count "Calls" sum
-- column: flagged integer count "Same Step" sum
-- column: steps integer count "Steps"
-- column: total decimal milliseconds "Total"
-- Commands that a profile calls more than once (N+1). Same Step is the number of calls that repeat
-- a call of the same step; MiniProfiler's page flags these calls. --by normalised ignores
-- differences in the commands' values.
SELECT r.track_id AS track, a.source_id AS profile, a.name, r.type, r.words AS command, r.count,
       r.flagged, r.steps, r.duration AS total
FROM repeated r JOIN asked a ON a.track_id = r.track_id
WHERE :command::text[] IS NULL OR r.words COLLATE "und-x-icu" ILIKE ANY (:command::text[])
