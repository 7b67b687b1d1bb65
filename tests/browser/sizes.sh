#!/usr/bin/env bash
# Opens every page at 1280, 1600 and 400 pixels, light and dark: nothing is cut off, no table loses its last columns,
# and no text is too pale. sizes.js contains the assertions.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/findings.sh
. "$srcdir/tests/lib/findings.sh"
# shellcheck source=tests/lib/browser.sh
. "$srcdir/tests/lib/browser.sh"
browser_depot

for input in "$srcdir"/examples/orders-{before,after,host.kernelscope.ndjson,page.trace.json,requests.miniprofiler.json,start.speedscope.json} \
    "$srcdir"/examples/orders.{crt,fastmm}.txt "$srcdir"/tests/golden/heap/{massif.out,dhat-heap.json,v3.heaptrack} \
    "$srcdir"/tests/golden/inputs/{callgrind.out,cpuprofile.cpuprofile,perf.txt,pprof.pb,sanitizer-tsan.txt,valgrind.xml}; do
    "$PROFDEPOT" load --quiet "$input" >/dev/null 2>"$tmp/said" || bail_out "$input does not load: $(cat "$tmp/said")"
done
for version in 1 2 3; do
    findings_load --application Shop --app-version "1.$version" --run "ci-$version" --label branch=main -- "load_orders:3:$((version * 300))" draw:1:40
done
psql -X -q -c 'create role web login in role profdepot_reader'
(umask 077 && printf 'admin read,ingest,review,sql,admin never %s\n' "$(printf pd_admin | sha256sum | cut -d ' ' -f 1)" >"$tmp/tokens")
serve_begin --web "$srcdir/web" --token-file "$tmp/tokens" --sql-db "postgresql://web@/$PGDATABASE?host=$PGHOST"
browser_run sizes.js "$tmp"
