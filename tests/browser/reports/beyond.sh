#!/usr/bin/env bash
# Looks for rows and profiles that are not on the first page of a list. beyond.js contains the assertions.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/browser.sh
. "$srcdir/tests/lib/browser.sh"
browser_depot
"$builddir/examples/generate-example" --out "$tmp/leaks" --objects 900 --stacks 400 --depth 3-6 --routines 50 --errors 5 --seed 1 ||
    bail_out "no input"
awk 'BEGIN {
    printf "["
    for (i = 1; i <= 503; i++) {
        printf "%s{\"Id\":\"00000000-0000-0000-0000-%012d\",\"Name\":\"Request %d\",\"DurationMilliseconds\":5,", (i > 1 ? "," : ""), i, i
        printf "\"Started\":\"2026-01-01T%02d:%02d:00Z\",", 23 - int(i / 60), 59 - i % 60
        printf "\"Root\":{\"Id\":\"00000000-0000-0000-0001-%012d\",\"Name\":\"Request %d\",\"StartMilliseconds\":0,\"DurationMilliseconds\":5}}", i, i
    }
    print "]"
}' >"$tmp/many.miniprofiler.json"
cat >"$tmp/marks.json" <<'END'
{"traceEvents":[{"args":{"name":"Renderer"},"cat":"__metadata","name":"process_name","ph":"M","pid":1,"tid":0,"ts":0},
{"args":{"data":{}},"cat":"blink.user_timing","name":"first paint","ph":"I","pid":1,"tid":1,"ts":5,"s":"t"}]}
END
# beyond.js relies on this order for the INST_IDs.
for input in "$tmp/leaks" "$tmp/many.miniprofiler.json" "$srcdir/tests/golden/heap/v3.heaptrack" "$tmp/marks.json"; do
    "$PROFDEPOT" load --quiet "$input" >/dev/null 2>&1 || bail_out "$input does not load"
done
"$PROFDEPOT" load --quiet --label pair=yes "$srcdir"/examples/orders-before "$srcdir"/examples/orders-after >/dev/null 2>&1 ||
    bail_out "the examples do not load"
q "update instances set loaded_at = date_trunc('second', now()) where inst_id in (
    select inst_id from result_set_labels where key = 'pair')" >/dev/null
printf '%s\n\n%s\n' "An unexpected memory leak has occurred. The unexpected small block leaks are:" "13 - 20 bytes: TBasket x 5" \
    >"$tmp/unsized.txt"
"$PROFDEPOT" load --quiet "$tmp/unsized.txt" >/dev/null 2>&1 || bail_out "unsized.txt does not load"
"$PROFDEPOT" load --quiet --again "$srcdir/examples/orders-after" >/dev/null 2>&1 || bail_out "the copy does not load"
q "select open_result_set(max(inst_id)) from instances" >/dev/null
serve_begin --web "$srcdir/web"
browser_run reports/beyond.js
