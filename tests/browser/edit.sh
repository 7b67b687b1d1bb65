#!/usr/bin/env bash
# Changes and deletes result sets on their pages. edit.js contains the assertions.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/browser.sh
. "$srcdir/tests/lib/browser.sh"
browser_depot
load() {
    "$PROFDEPOT" load --quiet "$@" >/dev/null 2>&1 || bail_out "an example does not load"
}
load --caption one --label branch=main --label old=yes "$srcdir/examples/orders-start.speedscope.json"
load --caption two --application Desk "$srcdir/examples/orders-requests.miniprofiler.json"
for name in boss editor reader; do
    scope="read"
    [ $name != editor ] || scope="read,ingest"
    [ $name != boss ] || scope="admin"
    "$PROFDEPOT" token add $name --scope $scope --token-file "$tmp/tokens" >"$tmp/$name"
done
serve_begin --web "$srcdir/web" --token-file "$tmp/tokens"
browser_run edit.js "$tmp"
