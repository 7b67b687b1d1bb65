#!/usr/bin/env bash
# Uses the page for uploads. jobs.js contains the assertions.
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
for name in anna bob boss; do
    scope="read,ingest"
    [ $name != boss ] || scope="read,ingest,admin"
    "$PROFDEPOT" token add $name --scope $scope --token-file "$tmp/tokens" >"$tmp/$name"
done
"$PROFDEPOT" token add reader --token-file "$tmp/tokens" >"$tmp/reader"
serve_begin --web "$srcdir/web" --token-file "$tmp/tokens"
browser_run jobs.js "$srcdir" "$tmp"
