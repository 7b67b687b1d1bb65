#!/usr/bin/env bash
# Opens the pages about the history of findings in a real browser. history.js contains the assertions.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/findings.sh
. "$srcdir/tests/lib/findings.sh"
# shellcheck source=tests/lib/browser.sh
. "$srcdir/tests/lib/browser.sh"
browser_depot

# history.js relies on this order for the INST_IDs.
many=()
for n in $(seq 120); do
    many+=("routine_$n:1:$n")
done
findings_load --application Many --looked-for leaks -- "${many[@]}" '<b>bold</b>:1:500'
main=(--application Shop --label branch=main)
both=(--looked-for 'leaks,errors')
findings_load "${main[@]}" "${both[@]}" --app-version 1.0 --run ci-1 -- load_orders:3:300 draw:1:40
findings_load "${main[@]}" "${both[@]}" --app-version 1.1 --run ci-2 -- load_orders:4:400 parse:read
findings_load "${main[@]}" --looked-for errors --app-version 1.2 --run 'ci/3 x' -- parse:read
findings_load "${main[@]}" "${both[@]}" --app-version 1.3 --run ci-4 -- load_orders:5:500 draw:2:80 save:1:9
"$PROFDEPOT" load --quiet --run ci-4 "$srcdir/examples/orders-start.speedscope.json" >/dev/null 2>&1 ||
    bail_out "the example does not load"
printf '*.c @team\n/src/draw.c @anna\n' >"$tmp/CODEOWNERS"
"$PROFDEPOT" owners set "$tmp/CODEOWNERS" >/dev/null || bail_out "the owners cannot be stored"
(umask 077 && for name in reader reviewer; do
    printf '%s %s never %s\n' "$name" "$([ $name = reader ] && echo read || echo read,review)" \
        "$(printf 'pd_%s' $name | sha256sum | cut -d ' ' -f 1)"
done >"$tmp/tokens")
serve_begin --web "$srcdir/web" --token-file "$tmp/tokens"
browser_run history.js
