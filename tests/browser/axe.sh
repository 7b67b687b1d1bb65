#!/usr/bin/env bash
# Checks every page with Axe, in each of its states. axe.js contains the assertions.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/findings.sh
. "$srcdir/tests/lib/findings.sh"
# shellcheck source=tests/lib/browser.sh
. "$srcdir/tests/lib/browser.sh"
browser_depot

findings_log load_orders:3:300 draw:1:40 >"$tmp/shop.log"
(umask 077 && printf 'reviewer read,ingest,review,sql,admin never %s\n' "$(printf pd_reviewer | sha256sum | cut -d ' ' -f 1)" >"$tmp/tokens")
psql -X -q -c 'create role web login in role profdepot_reader'
serve_begin --web "$srcdir/web" --token-file "$tmp/tokens" --sql-db "postgresql://web@/$PGDATABASE?host=$PGHOST"
browser_run axe.js "$srcdir" "$tmp"
