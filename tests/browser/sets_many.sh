#!/usr/bin/env bash
# Opens the pages of a depot of 10,000 result sets. sets_many.js contains the assertions.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/browser.sh
. "$srcdir/tests/lib/browser.sh"
browser_depot
"$PROFDEPOT" load --quiet --application small --label branch=main --caption "the first one" \
    "$srcdir/examples/orders-start.speedscope.json" >"$tmp/out" 2>&1 || bail_out "the example does not load: $(cat "$tmp/out")"
psql -Xq -v ON_ERROR_STOP=1 -v first=2 -v sets=10000 -f "$srcdir/tests/lib/clone_sets.sql" >"$tmp/out" 2>&1 ||
    bail_out "the copies cannot be made: $(cat "$tmp/out")"
q "update instances set caption = 'copy ' || inst_id, host = 'host ' || inst_id % 60, application = 'app ' || inst_id % 40 where inst_id > 1;
    update instances set application = null where inst_id in (9001, 9050)" >/dev/null
psql -X -q -c 'create role web login in role profdepot_reader'
serve_begin --web "$srcdir/web" --sql --sql-db "postgresql://web@/$PGDATABASE?host=$PGHOST"
browser_run sets_many.js
