#!/usr/bin/env bash
# Uses the page of a call tree, also with 10,000 calls. tree.js contains the assertions.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/browser.sh
. "$srcdir/tests/lib/browser.sh"
browser_depot
# Call N is called by call N/3. Its self value is N.
awk 'BEGIN { for (n = 1; n <= 10000; n++) { path[n] = (n > 2 ? path[int(n / 3)] ";" : "") "shop::orders::Storage::call_" n; print path[n], n } }' \
    >"$tmp/many.folded"
"$PROFDEPOT" load --quiet "$srcdir"/examples/orders-start.speedscope.json "$tmp/many.folded" >/dev/null 2>&1 || bail_out "the examples do not load"
serve_begin --web "$srcdir/web"
browser_run reports/tree.js
