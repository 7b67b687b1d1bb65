#!/usr/bin/env bash
# Tests that no text in the format csv-safe can become a formula of a spreadsheet, and that the format csv contains
# the unchanged texts.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"

pg_temp_start
tmp=$(mktemp -d "$pg_temp_dir/csv.XXXXXX")
depot_make
printf '%s\n' 'main;=cmd("/C calc") 1' 'main;+1 2' 'main;-1 4' 'main;@sum 8' 'main;plain=1 16' >"$tmp/evil.folded"
run load "$tmp/evil.folded"
is "$status" 0 "routines with names like formulas are loaded"
# names FORMAT: the column of the routines
names() {
    "$PROFDEPOT" report hot --output "$1" | tr -d '\r' | grep -oE "'?[=+@-](cmd|1|sum)[^,]*|'?plain=1" | sort | tr '\n' ' '
}
is "$(names csv)" "$(printf '%s\n' '+1' '-1' '=cmd(""/C calc"")"' '@sum' 'plain=1' | sort | tr '\n' ' ')" "csv has the exact names"
is "$(names csv-safe)" "$(printf '%s\n' "'+1" "'-1" "'=cmd(\"\"/C calc\"\")\"" "'@sum" 'plain=1' | sort | tr '\n' ' ')" \
    "csv-safe has a ' before each formula"
is "$("$PROFDEPOT" report hot --output csv-safe | tr -d "'")" "$("$PROFDEPOT" report hot --output csv)" "everything else is the same, numbers too"
done_testing
