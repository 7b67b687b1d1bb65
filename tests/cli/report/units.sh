#!/usr/bin/env bash
# Tests IDs, units and the default metric in reports. Options must accept the IDs that reports show,
# and a report on several result sets must use the units of each set.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"

pg_temp_start
trap pg_temp_stop EXIT
depot() {
    "$PROFDEPOT" "$@" 2>&1
}
depot db migrate >/dev/null || bail_out "no depot"
examples=$srcdir/examples
depot load --jobs 1 "$examples/orders-after" "$examples/orders-start.speedscope.json" >/dev/null ||
    bail_out "the examples cannot be loaded"

# --- IDs ----------------------------------------------------------------------------------------

errors=$(depot report errors 1)
id=$(awk '/CreateFileW/ { print $NF }' <<<"$errors")
like "$(sed -n 3p <<<"$errors")" ' ID$' "the errors report shows IDs"
stack=$(depot report stack 1 --error "$id")
like "$(head -n 1 <<<"$stack")" "; error $id: CreateFileW: " "the heading of a stack names the error"
like "$stack" 'kernel32.dll  *CreateFileW' "the stack is the stack of that error"
like "$(depot report stack 1 --error "$id" --output json)" "\"subject\":\"error $id: CreateFileW: " "so does JSON"
like "$(depot report stack 1 --error "$id" --output html)" "error $id: CreateFileW: " "so does HTML"
like "$(depot report errors 1 --by record | grep '^#3')" "^#3  .*  error $id\$" "records show the ID of their first error"
object=$(depot report objects 1 --top 1 --sort size | awk 'NR == 5 { print $1, $NF }')
like "$(depot report stack 1 --object "${object#* }" | head -n 1)" "; object ${object#* }: .*\.${object% *}\$" \
    "the heading of a stack names the object"
like "$(depot report leaks 1 --by record | grep '^#1 ')" "^#1  .*  object ${object#* }\$" "leaks show the ID of their first object"
is "$(depot report stack 1 --error 999 --output json)" "profdepot: result set 1 has no error with ID 999" \
    "an unknown ID writes no part of a document"

# --- units --------------------------------------------------------------------------------------

hot=$(depot report hot 1 2 --metric live_size 2>/dev/null)
is "$?" 2 "a metric that one of the result sets lacks: exit status 2"
hot=$(depot report hot 1 2 --top 1)
like "$hot" 'metric live_count: 142 in all' "the default metric of resources without a size is their count"
like "$hot" 'metric milliseconds: 70 milliseconds in all|Self \(milliseconds\)' "the second result set has its own unit"
like "$(depot report hot 2 1 --top 1 | grep RegOpenKeyExW)" '^ *37  *26.06 %' "counts are not shown as milliseconds"
like "$(depot report hot 1 --metric live_size --top 1)" ' KiB ' "bytes are shown as bytes"
like "$(depot report hot 1 2 --output json)" \
    '"metric":\{"name":"live_count","unit":"count","kind":"additive"\}' "JSON names metric, unit and kind"
is "$(depot report hot 1 2 --output html | grep -o '>Self[^<]*<' | tr '\n' ' ')" \
    ">Self< >Self< >Self Share< >Self (milliseconds)< >Self (milliseconds)< >Self Share< " "HTML has the units of each set"
like "$(depot trend live_size --output json)" '"metric":\{"name":"live_size","unit":"bytes","kind":"additive"\}' \
    "a trend's JSON names its metric"

# --- values that were not measured ----------------------------------------------------------------

depot load "$srcdir/tests/golden/inputs/sanitizer-tsan.txt" >/dev/null || bail_out "the report of races cannot be loaded"
races=$(depot report threads latest --output json | tr -d ' \n')
like "$races" '"count":null,"size":null,"errors":[1-9]' "a run that did not look for leaks has no number of objects by thread"
like "$races" '"totals":\{"rows":[0-9]*,"shown":[0-9]*,"count":null,"size":null,"errors":[1-9]' "nor a total"
like "$(depot report threads latest | tail -n 1)" '^ *Total +[1-9][0-9]* *$' "the total in text contains only the errors"
is "$(depot report threads latest --output markdown | grep -c '^Total: [0-9]* rows\{0,1\}, Errors [0-9]*$')" 1 "so does the total in Markdown"
is "$(depot report threads latest --thread none --output json | tr -d ' \n' | grep -o '"totals":{[^}]*}')" \
    '"totals":{"rows":0,"shown":0,"count":0,"size":0,"errors":0}' "without rows, the totals are 0"

# --- the default metric -------------------------------------------------------------------------

like "$(depot show 1 --output json | tr -d ' \n')" '"metrics":\[[^]]*"name":"live_count"[^]]*"name":"live_size"' \
    "show lists the default metric first"
like "$(depot flame 1 --output svg)" 'live_count' "flame uses the default metric"
page=$(depot report leaks 1 --output html)
like "$page" 'RegOpenKeyExW' "the page lists handles"
like "$page" '<title>[^<]*RegOpenKeyExW' "the page's picture shows handles, which have no size"
like "$page" '<section class="set" data-unit="count">' "the page's bars show counts"
q "update resource_profiler_objects set col_size = 8 where col_size = 0 or col_size is null"
depot reindex 1 >/dev/null
q "delete from metrics where name like 'live%'"
depot reindex 1 >/dev/null
like "$(depot report hot 1 --top 1)" 'metric live_size' "if all objects have sizes, the size is the default metric"

done_testing
