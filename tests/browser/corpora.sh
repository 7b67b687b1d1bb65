#!/usr/bin/env bash
# Opens the pages with real profiles: every page shows every result set without an error. The assertions
# are in corpora.js.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/browser.sh
. "$srcdir/tests/lib/browser.sh"
need_corpora aqtime
need_corpora chrome
need_corpora kernelscope
need_corpora leaks
need_corpora miniprofiler
need_corpora speedscope
browser_depot

# The inputs include some files of each format. Other tests cover malformed inputs.
mapfile -t inputs < <(printf '%s\n' "$PROFDEPOT_CORPORA"/aqtime/*/export \
    "$PROFDEPOT_CORPORA"/chrome/{real-,lh-next,lh-user,ss-chrome-}*/trace.json "$PROFDEPOT_CORPORA"/kernelscope/events.json \
    "$PROFDEPOT_CORPORA"/leaks/{lsan-leaks.txt,tsan-race.txt,memcheck-errors.xml,helgrind.xml,heaptrack-leakonly.zst}
    find "$PROFDEPOT_CORPORA"/miniprofiler/{dotnet-4*,go,ruby*,node*} -name '*.json' | LC_ALL=C sort | head -n 8
    find "$PROFDEPOT_CORPORA"/speedscope/samples -name '*.speedscope.json' -size -2000k | LC_ALL=C sort | head -n 6)
for input in "${inputs[@]}"; do
    [ -e "$input" ] && "$PROFDEPOT" load --quiet "$input" >/dev/null 2>&1
done
serve_begin --web "$srcdir/web"
browser_run corpora.js
