#!/usr/bin/env bash
# Opens the pages with the example data in a real browser: clicks, keys, deep links, and names that look like markup.
# pages.js contains the assertions. sizes.sh and axe.sh check the same pages in other windows and in dark mode.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/browser.sh
. "$srcdir/tests/lib/browser.sh"
browser_depot

node "$srcdir/tests/browser/odd_inputs.js" "$tmp" || bail_out "the odd inputs cannot be written"
# pages.js relies on this order for the INST_IDs.
for input in "$srcdir"/examples/orders-{start.speedscope.json,page.trace.json,requests.miniprofiler.json} \
    "$srcdir"/examples/orders-{host.kernelscope.ndjson,before,after} \
    "$tmp"/odd.{speedscope.json,log,trace.json,miniprofiler.json,kernelscope.json}; do
    "$PROFDEPOT" load --quiet "$input" >/dev/null 2>"$tmp/said" || bail_out "$input does not load: $(cat "$tmp/said")"
done
serve_begin --web "$srcdir/web"
browser_run pages.js "$srcdir" "$tmp"
