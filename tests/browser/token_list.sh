#!/usr/bin/env bash
# Uses the page for tokens. token_list.js contains the assertions.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/browser.sh
. "$srcdir/tests/lib/browser.sh"
browser_depot
"$PROFDEPOT" token add boss --scope read,admin --token-file "$tmp/tokens" >"$tmp/boss"
"$PROFDEPOT" token add reader --token-file "$tmp/tokens" >"$tmp/reader"
"$PROFDEPOT" token add old --token-file "$tmp/tokens" >/dev/null
sed -i 's/^old read never/old read 2020-01-01/' "$tmp/tokens"
serve_begin --web "$srcdir/web" --token-file "$tmp/tokens"
browser_run token_list.js "$tmp"
