#!/usr/bin/env bash
# Tests that every query of doc/cookbook.md runs as the reader role on the examples, and that its result begins
# with the rows shown below it.
. "$srcdir/tests/lib/tap.sh"
. "$srcdir/tests/lib/pg-temp.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
"$PROFDEPOT" db migrate >/dev/null || bail_out "the depot cannot be created"
for example in before after; do
    "$PROFDEPOT" load --label branch=main "$srcdir/examples/orders-$example" >"$tmp/said" 2>&1 ||
        bail_out "the example orders-$example does not load"
done

# Writes 01.sql, 01.title and, if the cookbook shows rows, 01.text for the first query, and so on.
awk -v dir="$tmp" '
    /^## /      { title = substr($0, 4) }
    /^```sql$/  { file = sprintf("%s/%02d.sql", dir, ++n); print title > (dir sprintf("/%02d.title", n)); next }
    /^```text$/ { file = sprintf("%s/%02d.text", dir, n); next }
    /^```$/     { if (file != "") close(file); file = ""; next }
    file != ""  { print > file }
' "$srcdir/doc/cookbook.md"

count=0
for query in "$tmp"/*.sql; do
    name=$(cat "${query%.sql}.title")
    if ! "$PROFDEPOT" sql -X -q -A -t -F ' | ' -v ON_ERROR_STOP=1 -f "$query" >"$tmp/rows" 2>"$tmp/errors"; then
        fail "$name"
        diag "$(cat "$tmp/errors")"
    elif [ -e "${query%.sql}.text" ]; then
        head -n "$(wc -l <"${query%.sql}.text")" "$tmp/rows" >"$tmp/first"
        same_file "$tmp/first" "${query%.sql}.text" "$name"
    else
        same_file "$tmp/rows" /dev/null "$name: no rows"
    fi
    count=$((count + 1))
done
ok "the cookbook has at least 15 queries" test "$count" -ge 15
is "$("$PROFDEPOT" sql -X -q -A -t -c 'select current_user')" profdepot_reader "the queries ran as the reader"
done_testing
