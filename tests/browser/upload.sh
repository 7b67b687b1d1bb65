#!/usr/bin/env bash
# Drops files on pages. upload.js contains the assertions.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/browser.sh
. "$srcdir/tests/lib/browser.sh"
browser_depot
serve_begin --web "$srcdir/web"
browser_run upload.js "$srcdir"
