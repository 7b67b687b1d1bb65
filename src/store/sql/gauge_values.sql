-- The values of a gauge over time: largest, last and mean. No row if the gauge has no sample.
SELECT max(g.value), (array_agg(g.value ORDER BY g.at DESC NULLS LAST, g.id DESC))[1], avg(g.value)
FROM profdepot.gauge_samples g
WHERE g.inst_id = :inst_id::bigint AND g.metric = :metric
HAVING count(*) > 0
