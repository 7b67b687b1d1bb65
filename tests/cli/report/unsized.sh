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
run diff 3 2 -o csv
is "$(tail -n 2 <<<"$out" | cut -d, -f2,3,4,7-9,11 | tr -d '\r' | sort)" "gone,1,0,5036,0,-5036,Unknown
new,0,5,0,,,TBasket" "a comparison with sizes shows them where they are known"

budgets() {
    printf '{"budgets": [%s]}\n' "$1" >"$tmp/budgets.json"
    run check "${@:2}" --budget "$tmp/budgets.json"
}
budgets '{"name": "size", "of": "leaks", "max_size": "1M"}' 2
is "$status $(grep UNKNOWN <<<"$out")" "2 UNKNOWN  size: the sizes of some leaks are unknown" "a limit of the size cannot be judged"
budgets '{"name": "growth", "of": "leaks", "max_size_growth": 1}' 3 --base 1
is "$status $(grep UNKNOWN <<<"$out")" "2 UNKNOWN  growth: the sizes of some leaks are unknown" "nor can growth from unknown sizes"
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

# --- leaks with and without sizes in one result set --------------------------------------------------

mixed() { # mixed BASKETS SIZE
    printf '%s The unexpected small block leaks are:\n\n13 - 20 bytes: TBasket x %d\n\n' "$begin" "$1"
    printf 'The sizes of unexpected leaked medium and large blocks are: %d\n' "$2"
}
mixed 2 5036 >"$tmp/before.txt"
mixed 3 6036 >"$tmp/after.txt"
run load "$tmp/before.txt" "$tmp/after.txt"
after=$(q "select max(inst_id) from instances")
before=$((after - 1))
run diff "$before" "$after" -o csv
is "$(tail -n 2 <<<"$out" | cut -d, -f2,3,4,7-9,11 | tr -d '\r')" "grown,2,3,,,,TBasket
grown,1,1,5036,6036,1000,Unknown" "a comparison omits the sizes that are unknown"
run diff "$before" "$after" --metric live_size --by class
is "$(tail -n 4 <<<"$out" | head -n 2 | tr -s ' ')" "grown TBasket 2 3 +1 +50.00 %
Total 3 4 +1 4.9 KiB 5.9 KiB" "so does a comparison of sizes by class; its total has no change of size"
run diff "$before" "$after" --by routine -o csv
is "$(tail -n 1 <<<"$out" | cut -d, -f2,6,7,10-12 | tr -d '\r')" "grown,3,4,5036,6036," \
    "a sum of known and unknown sizes has no change"
budgets '{"name": "count", "of": "leaks", "max_count": 1}' "$after" --base "$before"
like "$out" "3 objects [(][+]1[)], grown  definite  TBasket" "a check has no size of such leaks"
like "$out" "1 object, 5.9 KiB [(][+]1000 B[)], grown  definite  Unknown" "but the size of others"
budgets '{"name": "size", "of": "leaks", "max_size": 6036}' "$after"
is "$status $(grep UNKNOWN <<<"$out")" "2 UNKNOWN  size: the sizes of some leaks are unknown" \
    "a limit of the size above the known sizes cannot be judged"
budgets '{"name": "size", "of": "leaks", "max_size": 6035}' "$after"
is "$status" 1 "a limit below the known sizes is exceeded"
budgets '{"name": "size", "of": "leaks", "class": "Unknown", "max_size": 6036}' "$after"
is "$status" 0 "a limit of a class with sizes can be judged"
budgets '{"name": "growth", "of": "leaks", "max_size_growth": 5000}' "$after" --base "$before"
is "$status $(grep -c UNKNOWN <<<"$out")" "2 1" "growth cannot be judged"
budgets '{"name": "growth", "of": "leaks", "class": "Unknown", "max_size_growth": 999}' "$after" --base "$before"
is "$status" 1 "growth of a class with sizes can"

# --- objects of one class and one stack, with and without sizes ----------------------------------------

q "select open_result_set($before);
   update resource_profiler_objects set col_classrid =
       (select min(col_classrid) from resource_profiler_objects where inst_id = $before) where inst_id = $before"
run reindex "$before"
budgets '{"name": "size", "of": "leaks", "max_size": 6036}' "$before"
is "$status $(grep -c UNKNOWN <<<"$out")" "2 1" "one object without a size is enough"
done_testing
