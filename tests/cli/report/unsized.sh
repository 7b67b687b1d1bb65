#!/usr/bin/env bash
# Tests result sets whose leaks have no known sizes. No report, trend, check or export may show 0 bytes for them.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make

begin='An unexpected memory leak has occurred.'
printf '%s The unexpected small block leaks are:\n\n13 - 20 bytes: TBasket x 2\n' "$begin" >"$tmp/first.txt"
printf '%s The unexpected small block leaks are:\n\n13 - 20 bytes: TBasket x 5\n' "$begin" >"$tmp/second.txt"
printf '%s The sizes of unexpected leaked medium and large blocks are: 5036\n' "$begin" >"$tmp/sized.txt"
run load "$tmp/first.txt" "$tmp/second.txt" "$tmp/sized.txt"
is "$status" 0 "the reports are loaded"

is "$(q 'select inst_id, name from metrics order by 1, metric_no')" "1|live_count
2|live_count
3|live_size
3|live_count" "only a report with sizes has live_size"
is "$(q 'select inst_id, count, size from live_totals order by 1')" "1|2|
2|5|
3|1|5036" "unknown sizes are NULL in live_totals"
is "$(q 'select count, size from findings order by count desc')" "5|
1|5036" "and in findings"

run report leaks 2
is "$(sed -n 3p <<<"$out")" "#1  5 blocks definitely lost  object 0" "a leak of unknown size shows only its blocks"
is "$(tail -n 2 <<<"$out")" "total: 1 record, 5 blocks
  definitely lost: 1 record, 5 blocks" "so do the totals"
for by in class module own; do
    run report leaks 2 --by "$by" -o json
    is "$(grep -o '"size":[^",}]*' <<<"$out" | sort -u)" '"size":null' "leaks by $by: the size is null"
done
run report summary 2 -o json
is "$(grep -o '"item":"Live objects".*' <<<"$out" | head -n 1 | grep -o '"count":.*' | tr -d ']},')" '"count":5"size":null' \
    "the summary has no size"
run report threads 2 -o json
is "$(grep -o '"size":[^",}]*' <<<"$out" | head -n 1)" '"size":null' "nor has the list of threads"

run trend live_size -o csv
is "$(wc -l <<<"$out") $(cut -d, -f1 <<<"$out" | tail -n 1)" "2 3" "the trend of sizes omits the result sets without sizes"
run trend live_size -o csv --class 'T*'
is "$(wc -l <<<"$out")" 2 "so does a trend with a filter"
run trend live_count -o csv
is "$(wc -l <<<"$out")" 4 "the trend of counts has all result sets"

run diff 1 2
is "$(sed -n 3p <<<"$out")" "#1  grown  5 objects (+3)  TBasket  (unknown)" "a comparison shows no size"
run diff 3 2 -o json
is "$(grep -o '"class":"TBasket"' <<<"$out")$(grep -o '"base_size":5036,"size":null,"size_delta":null' <<<"$out" | head -n 1)" \
    '"class":"TBasket""base_size":5036,"size":null,"size_delta":null' "a comparison with sizes has them on one side only"

budgets() {
    printf '{"budgets": [%s]}\n' "$1" >"$tmp/budgets.json"
    run check "${@:2}" --budget "$tmp/budgets.json"
}
budgets '{"name": "size", "of": "leaks", "max_size": "1M"}' 2
is "$status $(grep UNKNOWN <<<"$out")" "2 UNKNOWN  size: the sizes of the leaks are unknown" "a limit of the size cannot be judged"
budgets '{"name": "growth", "of": "leaks", "max_size_growth": 1}' 3 --base 1
is "$status $(grep UNKNOWN <<<"$out")" "2 UNKNOWN  growth: the sizes of the leaks are unknown" "nor can growth from unknown sizes"
budgets '{"name": "count", "of": "leaks", "max_count": 1}' 2
is "$status" 1 "a limit of the count can"
like "$out" "5 objects  definite  TBasket" "the breach shows no size"
budgets '{"name": "size", "of": "leaks", "max_size": "1M"}' 3
is "$status" 0 "a known size can be judged"

# --- the same from an export, from open result sets, and after a reindex -------------------------------

run verify 1 2 3
is "$status" 0 "the result sets are complete"
run export 2 --format aqtime -o "$tmp/second"
run load --again "$tmp/second"
is "$(q "select count(distinct content_digest) from instances where inst_id in (2, 4)")" 1 \
    "an export keeps unknown sizes unknown"
q "select open_result_set(2)"
run report leaks 2 --by class -o csv
is "$(tail -n 1 <<<"$out" | tr -d "\r")" "TBasket,5,,0" "an open result set has no sizes either"
run flame 2 -o "$tmp/flame.json"
like "$(cat "$tmp/flame.json")" 'live_count' "its default metric is the count"
run reindex 2
run verify 2
is "$status $(q "select string_agg(name, ' ') from metrics where inst_id = 2")" "0 live_count" "reindex keeps sizes unknown"

# --- a run without leaks after one with leaks of unknown size ------------------------------------------

run load --clean --tool delphi-rtl --looked-for leaks
clean=$(q "select max(inst_id) from instances")
budgets '{"name": "growth", "of": "leaks", "max_size_growth": 0}' "$clean" --base 2
is "$status $(grep -c UNKNOWN <<<"$out")" "0 0" "a run without leaks has not grown"
done_testing
