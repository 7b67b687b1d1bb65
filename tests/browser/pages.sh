#!/usr/bin/env bash
# The pages in a real browser, on the examples: a click path each, keys, deep links, two widths, the
# dark, names that would like to be markup. pages.js judges.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"
# shellcheck source=tests/lib/browser.sh
. "$srcdir/tests/lib/browser.sh"
pg_temp_start
tmp=$(mktemp -d)
trap 'serve_end; rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make

node "$srcdir/tests/browser/odd_inputs.js" "$tmp" || bail_out "no odd inputs"
# In this order: pages.js knows the numbers.
for input in "$srcdir"/examples/orders-{start.speedscope.json,page.trace.json,requests.miniprofiler.json} \
    "$srcdir"/examples/orders-{host.kernelscope.ndjson,before,after} \
    "$tmp"/odd.{speedscope.json,log,trace.json,miniprofiler.json,kernelscope.json}; do
    "$PROFDEPOT" load --quiet "$input" >/dev/null 2>"$tmp/said" || bail_out "$input does not load: $(cat "$tmp/said")"
done
serve_begin --web "$srcdir/web"
browser_run pages.js "$srcdir" "$tmp"
