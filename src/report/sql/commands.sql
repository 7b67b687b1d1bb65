-- title: Commands
-- facts: calls
-- with: asked calls
-- params: inst_id name host user since until profile track type command slower_than min_count by
-- order: total desc, count desc, type, command
-- column: type text "Type"
-- column: command text "Command"
-- column: count integer count "Calls" sum
-- column: total decimal milliseconds "Total"
-- column: average decimal milliseconds "Average"
-- column: max decimal milliseconds "Max"
-- column: first_fetch decimal milliseconds "First Fetch"
-- column: errored integer count "Errored" sum
-- column: profiles integer count "Profiles"
-- column: worst text "Worst Id"
-- column: worst_track integer "Worst Track"
-- Groups calls by their text; --by normalised ignores differences in the commands' values. This report
-- counts the opening and the closing of a connection as commands.
WITH worded AS (
    SELECT c.*, CASE WHEN :by::text = 'normalised' THEN profdepot.command_shape(c.command)
                     ELSE c.command END AS words
    FROM calls c
    WHERE :slower_than::numeric IS NULL OR c.duration > :slower_than::numeric
)
SELECT w.type, w.words AS command, count(*) AS count, sum(w.duration) AS total,
       round(avg(w.duration), 3) AS average, max(w.duration) AS max,
       sum(w.first_fetch) AS first_fetch, count(*) FILTER (WHERE w.errored) AS errored,
       count(DISTINCT w.track_id) AS profiles,
       (array_agg(a.source_id ORDER BY w.duration DESC NULLS LAST, w.id))[1] AS worst,
       (array_agg(a.track_id ORDER BY w.duration DESC NULLS LAST, w.id))[1] AS worst_track
FROM worded w JOIN asked a ON a.track_id = w.track_id
WHERE :command::text[] IS NULL OR w.words COLLATE "und-x-icu" ILIKE ANY (:command::text[])
GROUP BY w.type, w.words
HAVING :min_count::numeric IS NULL OR count(*) >= :min_count::numeric
