#!/usr/bin/env bash
# Uses the page for uploads. jobs.js contains the assertions.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/browser.sh
. "$srcdir/tests/lib/browser.sh"
browser_depot
for name in anna bob boss; do
    scope="read,ingest"
    [ $name != boss ] || scope="read,ingest,admin"
    "$PROFDEPOT" token add $name --scope $scope --token-file "$tmp/tokens" >"$tmp/$name"
done
"$PROFDEPOT" token add reader --token-file "$tmp/tokens" >"$tmp/reader"
serve_begin --web "$srcdir/web" --token-file "$tmp/tokens"
browser_run jobs.js "$srcdir" "$tmp"
