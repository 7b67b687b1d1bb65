#!/usr/bin/env bash
# Uses the page for SQL queries. sql.js contains the assertions.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/browser.sh
. "$srcdir/tests/lib/browser.sh"
browser_depot
"$PROFDEPOT" load --quiet --label branch=main "$srcdir"/examples/orders-*.json >/dev/null 2>&1 || bail_out "the examples do not load"
psql -X -q -c 'create role web login in role profdepot_reader'
# token NAME SCOPES: prints the token file's line for the token pd_NAME
token() {
    printf '%s %s never %s\n' "$1" "$2" "$(printf 'pd_%s' "$1" | sha256sum | cut -d ' ' -f 1)"
}
(umask 077 && { token reader read; token analyst read,sql; } >"$tmp/tokens")
serve_begin --web "$srcdir/web" --token-file "$tmp/tokens" --sql-db "postgresql://web@/$PGDATABASE?host=$PGHOST"
browser_run sql.js
