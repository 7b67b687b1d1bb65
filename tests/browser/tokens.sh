#!/usr/bin/env bash
# Tests the pages of a server that requires tokens. A page asks for the token once; then a cookie identifies the browser.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/browser.sh
. "$srcdir/tests/lib/browser.sh"
browser_depot
"$PROFDEPOT" load --quiet "$srcdir/examples/orders-start.speedscope.json" >/dev/null 2>&1 || bail_out "the example does not load"
# token NAME SCOPES: prints the token file's line for the token pd_NAME
token() {
    printf '%s %s never %s\n' "$1" "$2" "$(printf 'pd_%s' "$1" | sha256sum | cut -d ' ' -f 1)"
}
(umask 077 && { token reader read; token sender read,ingest; } >"$tmp/tokens")
serve_begin --web "$srcdir/web" --token-file "$tmp/tokens"
browser_run tokens.js "$srcdir"
