#!/usr/bin/env bash
# Follows the links of stacks, classes, measures, requests and commands, and reads the contents of open result sets.
# links.js contains the assertions.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/browser.sh
. "$srcdir/tests/lib/browser.sh"
browser_depot
# links.js relies on this order for the INST_IDs.
for input in orders-before orders-after orders-page.trace.json orders-requests.miniprofiler.json; do
    "$PROFDEPOT" load --quiet "$srcdir/examples/$input" >/dev/null 2>&1 || bail_out "$input does not load"
done
# The same routine name in two classes. The frames have no modules.
printf 'main;A.f 10\nmain;B.f 500\n' >"$tmp/one.folded"
printf 'main;A.f 20\nmain;B.f 900\n' >"$tmp/two.folded"
for name in one two; do
    "$PROFDEPOT" load --quiet --application Twins --app-version "$name" "$tmp/$name.folded" >/dev/null 2>&1 || bail_out "$name does not load"
done
"$PROFDEPOT" load --quiet --again "$srcdir/examples/orders-requests.miniprofiler.json" >/dev/null 2>&1 || bail_out "a repeated load"
# The snapshots have unequal distances.
sed 's/^time=300$/time=340/' "$srcdir/tests/golden/heap/massif.out" >"$tmp/massif.out"
"$PROFDEPOT" load --quiet "$tmp/massif.out" >/dev/null 2>&1 || bail_out "massif.out does not load"
serve_begin --web "$srcdir/web"
curl -s -o /dev/null -H 'Content-Type: application/json' --data-binary '{"hostname": "db1", "time": 1764000000, "offcputime": [
    {"process": "p", "pid": 1, "stack": "a;b;c", "elapsed": 5}, {"process": "p", "pid": 1, "stack": "a;b", "elapsed": 7}]}' "$base/v1/events"
"$PROFDEPOT" load --quiet --label kind=gauges "$srcdir/tests/golden/textlogs/fastmmusagesamples.txt" >/dev/null 2>&1 ||
    bail_out "the samples of FastMM do not load"
"$PROFDEPOT" load --quiet --label kind=heap "$srcdir/tests/golden/heap/v3.heaptrack" >/dev/null 2>&1 || bail_out "v3.heaptrack does not load"
browser_run reports/links.js
