#!/usr/bin/env bash
# Reads the texts of pages: titles, figures, messages and their hints. wording.js contains the assertions.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/browser.sh
. "$srcdir/tests/lib/browser.sh"
browser_depot
load() {
    "$PROFDEPOT" load --quiet "$@" >/dev/null 2>&1 || bail_out "an input does not load"
}
printf 'main;draw 1200\nmain;read 50\n' >"$tmp/first.folded"
printf 'main;draw 1200\nmain;read 70\n' >"$tmp/second.folded"
# wording.js relies on this order for the INST_IDs.
load --app-version before "$tmp/first.folded"
load --app-version before --label branch=main "$tmp/second.folded"
load --again --app-version before "$tmp/second.folded"
load --again --app-version after "$tmp/second.folded"
load "$srcdir/examples/orders-after"
serve_begin --web "$srcdir/web"
browser_run wording.js
