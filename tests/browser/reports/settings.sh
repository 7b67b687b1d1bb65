#!/usr/bin/env bash
# Suppresses leaks and errors, and uses the pages of the depot's settings. settings.js contains the assertions.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/findings.sh
. "$srcdir/tests/lib/findings.sh"
# shellcheck source=tests/lib/browser.sh
. "$srcdir/tests/lib/browser.sh"
browser_depot
findings_load --application Shop --app-version 1.1 --label branch=main -- load_orders:3:300 draw:1:40 parse:2:20
findings_load --application Desk -- read_row:read
for name in boss reader; do
    scope="read"
    [ $name != boss ] || scope="admin"
    "$PROFDEPOT" token add $name --scope $scope --token-file "$tmp/tokens" >"$tmp/$name"
done
serve_begin --web "$srcdir/web" --token-file "$tmp/tokens"
browser_run reports/settings.js "$tmp"
