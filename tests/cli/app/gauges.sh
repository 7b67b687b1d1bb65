#!/usr/bin/env bash
# Tests gauges, such as memory over time: their values are never added up.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
"$PROFDEPOT" db migrate >/dev/null 2>&1 || bail_out "no depot"
golden=$srcdir/tests/golden/heap
"$PROFDEPOT" load -q "$golden/v3.heaptrack" "$golden/massif.out" >/dev/null || bail_out "no inputs"

# value METRIC OPTION...: prints the newest value of a trend.
value() {
    "$PROFDEPOT" trend "$@" --output json | grep -o '"value":[^,]*' | tail -n 1 | cut -d: -f2
}

# Finds the largest resident set. The recording's lines that begin with R contain it as a number of 4096-byte pages.
rss=$(awk '$1 == "R" { n = strtonum("0x" $2) * 4096; if (n > m) m = n } END { print m }' "$golden/v3.heaptrack" 2>/dev/null ||
    perl -ne 'if (/^R (\w+)/) { $n = hex($1) * 4096; $m = $n if $n > $m } END { print $m }' "$golden/v3.heaptrack")
is "$(value rss)" "$rss" "a trend of rss shows its maximum"
heap=$(sed -n 's/^mem_heap_B=//p' "$golden/massif.out" | sort -n | tail -n 1)
is "$(value mem_heap)" "$heap" "a trend of massif's heap shows its maximum"
last=$(q "select value from gauge_samples where metric = 'heap_allocations' order by at desc, id desc limit 1")
is "$(value heap_allocations)" "$last" "a trend of a counter shows its last value"
is "$(q "select string_agg(name || ' ' || aggregate, ', ' order by inst_id, metric_no) from metrics where family = 'gauges'")" \
    "heap_space max, heap_allocations last, rss max, mem_heap max, mem_heap_extra max, mem_stacks max" "each gauge has its default aggregate"

printf '{"budgets": [{"of": "metric", "metric": "rss", "max_value": %s}]}' "$rss" >"$tmp/rss.json"
ok "a budget equal to the maximum is met" "$PROFDEPOT" check 1 --budget "$tmp/rss.json"
printf '{"budgets": [{"of": "metric", "metric": "rss", "max_value": %s}]}' "$((rss - 1))" >"$tmp/rss.json"
run check 1 --budget "$tmp/rss.json"
is "$status" 1 "a budget one byte below the maximum is exceeded"
like "$out" "$rss bytes, allowed: $((rss - 1))" "the exceeded budget shows the maximum"
like "$("$PROFDEPOT" diff 1 1 --metric rss)" "metric rss: $rss before, $rss now" "diff compares maxima"

for command in "report tree" "report hot" flame; do
    # shellcheck disable=SC2086
    run $command 1 --metric rss
    is "$status" 2 "$command refuses a gauge"
    like "$errors" "report gauges 1" "the hint of $command names report gauges"
done
like "$("$PROFDEPOT" report hot 2)" "^Hot" "the default metric of report hot is not a gauge"
is "$(q "select count(*) from stack_totals t join metrics m on m.inst_id = t.inst_id and m.name = t.metric where m.family = 'gauges'")" 0 \
    "no sums of gauges are stored"
like "$("$PROFDEPOT" report gauges 1)" "rss +resident set over time +bytes" "report gauges lists a gauge with its title and unit"
is "$("$PROFDEPOT" report gauges 1 --by time --metric rss --output csv | wc -l)" \
    "$(($(q "select count(*) from gauge_samples where inst_id = 1 and metric = 'rss'") + 1))" "report gauges --by time lists all samples of a gauge"
like "$("$PROFDEPOT" report gauges 1 --by time --metric rss --output html)" 'class="line"' "report gauges --by time draws a line in HTML"
is "$("$PROFDEPOT" report gauges 1 --by time --metric rss --output csv | sed 1d | cut -d , -f 3,5 | tr -d '\r' | sort -u)" milliseconds,bytes \
    "the times of a heaptrack recording have a unit"
is "$("$PROFDEPOT" report gauges 2 --by time --output csv | sed 1d | cut -d , -f 3 | sort -u)" instructions "massif can count instructions"
for unit in "ms milliseconds" "B bytes"; do
    sed "s/^time_unit: .*/time_unit: ${unit% *}/" "$golden/massif.out" >"$tmp/massif.out"
    "$PROFDEPOT" load -q "$tmp/massif.out" >/dev/null || bail_out "no massif.out with ${unit% *}"
    is "$("$PROFDEPOT" report gauges latest --by time --output csv | sed 1d | cut -d , -f 3 | sort -u)" "${unit#* }" \
        "or ${unit#* }"
done
like "$("$PROFDEPOT" report gauges 2 --by time --output json)" '"key":"at","title":"Time","kind":"decimal","unit":"row:time_unit"' \
    "the columns in JSON name the member with the unit"
like "$("$PROFDEPOT" report summary 1)" "resident set over time, maximum" "report summary shows the maximum of a gauge"

ok "verify accepts result sets with gauges" "$PROFDEPOT" verify
q "update instances set state = 'open' where inst_id = 1" >/dev/null
ok "reindex accepts a result set with gauges" "$PROFDEPOT" reindex 1
is "$(value rss --caption "$(q "select caption from instances where inst_id = 1")")" "$rss" "a trend of rss is the same after a reindex"
ok "verify accepts the result set after a reindex" "$PROFDEPOT" verify
done_testing
