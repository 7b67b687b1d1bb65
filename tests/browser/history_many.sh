#!/usr/bin/env bash
# Opens the pages about the history of findings over 10,000 runs. history_many.js contains the assertions. SQL makes
# all runs except the newest one, which is loaded.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/findings.sh
. "$srcdir/tests/lib/findings.sh"
# shellcheck source=tests/lib/browser.sh
. "$srcdir/tests/lib/browser.sh"
browser_depot
runs=10000
psql -Xq -v ON_ERROR_STOP=1 -v runs=$runs -v findings=40 -f "$srcdir/bench/sql/history.sql" >"$tmp/out" 2>&1 ||
    bail_out "the runs cannot be made: $(cat "$tmp/out")"
q "select setval('instances_inst_id_seq', $runs)" >/dev/null
q "do \$\$ begin while profdepot.ledger_fold('order-service') loop end loop; end \$\$"
newest=(--application order-service --label branch=main --label os=linux --looked-for 'leaks,errors' --run nightly-1)
findings_load "${newest[@]}" --app-version 6.0 -- brand_new:2:64
findings_load "${newest[@]}" --app-version 6.0 -- another:1:8
serve_begin --web "$srcdir/web"
browser_run history_many.js
