#!/usr/bin/env bash
# Opens the home page of an empty depot, and again after result sets have been loaded. home.js contains the assertions.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/findings.sh
. "$srcdir/tests/lib/findings.sh"
# shellcheck source=tests/lib/browser.sh
. "$srcdir/tests/lib/browser.sh"
browser_depot

# home.js loads these files.
findings_log load_orders:3:300 draw:1:40 >"$tmp/shop-1.log"
findings_log load_orders:4:400 parse:read >"$tmp/shop-2.log"
findings_log load_orders:4:400 >"$tmp/shop-3.log"
findings_log load_orders:5:500 draw:2:80 save:1:20 >"$tmp/shop-4.log"
serve_begin --web "$srcdir/web"
browser_run home.js "$srcdir" "$tmp"
