#!/usr/bin/env bash
# Uses the page with the timeline of spans, events and samples. timeline.js contains the assertions.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/browser.sh
. "$srcdir/tests/lib/browser.sh"
browser_depot

# 60 seconds with 60,000 short calls inside a call per second.
awk 'BEGIN {
    print "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"shared\":{\"frames\":[{\"name\":\"second\"},{\"name\":\"even\"},{\"name\":\"odd\"}]},"
    print "\"profiles\":[{\"type\":\"evented\",\"name\":\"main\",\"unit\":\"milliseconds\",\"startValue\":0,\"endValue\":60000,\"events\":["
    for (s = 0; s < 60; s++) {
        printf "%s{\"type\":\"O\",\"frame\":0,\"at\":%d}", s ? "," : "", s * 1000
        for (i = 0; i < 1000; i++)
            printf ",{\"type\":\"O\",\"frame\":%d,\"at\":%d},{\"type\":\"C\",\"frame\":%d,\"at\":%s}", 1 + i % 2, s * 1000 + i, 1 + i % 2, s * 1000 + i ".5"
        print ",{\"type\":\"C\",\"frame\":0,\"at\":" (s + 1) * 1000 "}"
    }
    print "]}]}"
}' >"$tmp/minute.speedscope.json"
# timeline.js relies on this order for the INST_IDs.
for input in "$srcdir"/examples/orders-{host.kernelscope.ndjson,after,requests.miniprofiler.json} "$tmp/minute.speedscope.json"; do
    "$PROFDEPOT" load --quiet "$input" >/dev/null 2>"$tmp/said" || bail_out "$input does not load: $(cat "$tmp/said")"
done
"$PROFDEPOT" load --quiet --events all "$srcdir/examples/orders-page.trace.json" >/dev/null 2>&1 || bail_out "the trace does not load"
serve_begin --web "$srcdir/web"
browser_run timeline.js
