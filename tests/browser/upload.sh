#!/usr/bin/env bash
# Drops files on pages. upload.js contains the assertions.
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
serve_begin --web "$srcdir/web"
browser_run upload.js "$srcdir"
