#!/usr/bin/env bash
# Tests the limits of an input, and inputs that are hard to read: well-compressed files, bombs, damaged
# XML, streams without an end, many files, and files that change while they are read.
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

# repeat TEXT COUNT: prints the text COUNT times.
repeat() {
    awk -v text="$1" -v n="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", text }'
}

# --- time -----------------------------------------------------------------------------------

# Before the fix, 1 MB took 2 s and 8 MB took 40 s in an optimised build.
for record in '<error>' '<error><what>x</wat>' '<error><what><![CDATA[ <error> x '; do
    { printf '<?xml version="1.0"?>\n<valgrindoutput>\n' && repeat "$record" $((7000000 / ${#record})); } >"$tmp/nested.xml"
    status=0
    errors=$(timeout 30 "$PROFDEPOT" load --dry-run "$tmp/nested.xml" 2>&1) || status=$?
    is "$status" 3 "7 MB of $record: the file is rejected in linear time"
    like "$errors" "nothing in it is complete" "7 MB of $record: the message says why"
done
done_testing
