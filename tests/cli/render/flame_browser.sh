#!/usr/bin/env bash
# Tests flame graphs in a real browser: content, hover, zoom, search, keys, narrow screens, dark mode, and
# names that look like markup. flame_browser.js drives Chromium and checks the results.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"

if ! command -v node >/dev/null; then
    skip_all "node is not installed"
fi
if ! node -e 'process.exit(require(process.argv[1]).Browser.find() ? 0 : 1)' "$(realpath "$srcdir/tests/lib/chromium.js")"; then
    skip_all "chromium is not installed"
fi
pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
golden=$srcdir/tests/golden/flame

"$PROFDEPOT" db migrate >/dev/null 2>&1 || bail_out "the depot cannot be created"
# Result sets 100 and 101 contain names with markup, before and after a change.
psql -XqAt -v ON_ERROR_STOP=1 -v before=100 -v after=101 -f "$golden/set.sql" || bail_out "the golden result set cannot be created"
node "$srcdir/tests/cli/render/flame_browser_inputs.js" "$tmp" || bail_out "the inputs cannot be written"
# load NAME: loads the input NAME and prints the result set's number.
load() {
    "$PROFDEPOT" load --output json "$tmp/$1.speedscope.json" 2>/dev/null | sed -n 's/.*"inst_id":\([0-9]*\).*/\1/p'
}
# shellcheck disable=SC2034 # the loop below uses all four variables by name
{
    deep=$(load deep)
    wide=$(load wide)
    one=$(load one)
    names=$(load names)
}
for file in after.svg after.html; do
    "$PROFDEPOT" flame 101 -o "$tmp/$file" 2>/dev/null || bail_out "$file cannot be written"
done
for file in compared.svg compared.html; do
    "$PROFDEPOT" flame 101 --base 100 -o "$tmp/$file" 2>/dev/null || bail_out "$file cannot be written"
done
for name in deep wide one names; do
    for ending in svg html; do
        "$PROFDEPOT" flame "${!name}" -o "$tmp/$name.$ending" 2>/dev/null || bail_out "$name.$ending cannot be written"
    done
done
"$PROFDEPOT" flame "$deep" --invert --width 480 -o "$tmp/inverted.svg" 2>/dev/null
# FLAME_SCREENSHOTS names a folder for screenshots.
node "$srcdir/tests/cli/render/flame_browser.js" "$tmp" "${FLAME_SCREENSHOTS:-}"
