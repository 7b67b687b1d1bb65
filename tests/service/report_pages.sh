#!/usr/bin/env bash
# Tests that the pages of every report together are the whole report, and that a cursor is refused if what the report
# is made from has changed.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"

command -v python3 >/dev/null || skip_all "python3 is not installed"
need_corpora
pg_temp_start
tmp=$(mktemp -d "$pg_temp_dir/pages.XXXXXX")
trap 'serve_end; pg_temp_stop' EXIT
depot_make
# code PATH: prints the status; writes $tmp/head and $tmp/body.
code() { curl -s -m 60 -D "$tmp/head" -o "$tmp/body" -w '%{http_code}' "$base$1"; }
header() { tr -d '\r' <"$tmp/head" | sed -n "s/^$1: //p"; }
load() { "$PROFDEPOT" load --quiet "$@" >"$tmp/out" 2>&1 || bail_out "no load: $(cat "$tmp/out")"; }

for file in leaks/memcheck-leaks-gensupp.xml leaks/memcheck-errors.xml leaks/helgrind.xml leaks/heaptrack-leakonly.zst \
    miniprofiler/dotnet-4.1.0-mono/duplicates-nplus1.json aqtime/plain/export; do
    load --label kind=corpus "$PROFDEPOT_CORPORA/$file"
done
load --label kind=named --again "$PROFDEPOT_CORPORA/leaks/memcheck-leaks-gensupp.xml"
serve_begin
# Between the pages, other result sets come and go, and captions change. The script replaces N by a number, because Citus
# does not allow random() in an UPDATE.
change="delete from instances where caption = 'other';
    insert into instances (inst_id, format, caption, state, loaded_at)
    values (1000000 + N, 'collapsed', 'other', 'closed', now());
    update instances set caption = 'changed N' where caption is distinct from 'other'"
ok "the pages of all reports are the whole reports" \
    python3 "$srcdir/tests/service/report_pages.py" "$base" "$change"
q "delete from instances where caption = 'other'"

# --- changes ---
set=$(q "select min(inst_id) from instances")
report="/v1/result-sets/$set/reports/leaks?top=2"
# page PATH: reads a page, and sets $next
page() {
    is "$(code "$1")" 200 "the page $1"
    next=$(header Profdepot-Next)
}
# stale TEXT PATH: checks that the next page is refused
stale() {
    is "$(code "$2&cursor=$next")" 409 "$1"
    like "$(cat "$tmp/body")" '"code":"stale-cursor".*urn:profdepot:error:stale-cursor' "the error has its own code"
}
page "$report"
is "$(header Link)" "</v1/result-sets/$set/reports/leaks?top=2&cursor=$next>; rel=\"next\"" "the Link header has the cursor"
is "$(code "$report&cursor=$next")" 200 "the next page"
is "$(code "/v1/result-sets/$set/reports/leaks?cursor=$next")" 200 "the rest"
is "$(header Profdepot-Next)" "" "the last page has no next page"
for query in "sort=size:asc&top=2&cursor=$next" "class=x&cursor=$next" "by=class&cursor=$next" "top=2&cursor=${next}00"; do
    is "$(code "/v1/result-sets/$set/reports/leaks?$query")" 400 "the cursor in \"${query//$next/C}\" is rejected"
    like "$(cat "$tmp/body")" '"code":"invalid-cursor"' "the error has its own code"
done
is "$(code "$report&skip=1&cursor=$next")" 400 "cursor and skip exclude each other"
is "$(code "/v1/result-sets/$set/reports/summary?cursor=$next")" 400 "a cursor of another report is rejected"

# The last row of the page goes away: its leak is suppressed.
page "$report"
name=$(python3 -c 'import json, sys
print(next(f["routine"] for f in json.load(open(sys.argv[1]))["result_sets"][0]["rows"][-1]["stack"] if f["routine"]))' "$tmp/body")
ok "the last leak of the page is suppressed" curl -sf -o "$tmp/added" --data-binary "leak:$name" -H 'Content-Type: text/plain' "$base/v1/suppressions"
stale "the next page is refused" "$report"
ok "the suppression is removed" curl -sf -X DELETE "$base/v1/suppressions/$(q 'select max(id) from suppressions')"
is "$(code "$report&cursor=$next")" 200 "after the removal, the report is as before, and so is the next page"

# A name can mean another result set later.
page "/v1/result-sets/label:kind=named/reports/leaks?top=2"
is "$(header Link)" "</v1/result-sets/label:kind=named/reports/leaks?top=2&cursor=$next>; rel=\"next\"" "the address keeps the name"
load --label kind=named --again "$PROFDEPOT_CORPORA/leaks/memcheck-leaks-gensupp.xml"
stale "if the name means another result set, the next page is refused" "/v1/result-sets/label:kind=named/reports/leaks?top=2"
diff="/v1/diff?base=$set&new=latest&status=same&top=2"
page "$diff"
is "$(code "$diff&cursor=$next")" 200 "the next page of a comparison"
q "update instances set content_digest = '00000000-0000-0000-0000-000000000001' where inst_id = $set"
stale "if the base has changed, the next page of a comparison is refused" "$diff"

# An open result set can change at any time.
ok "an event" curl -sf -o "$tmp/added" -H 'Content-Type: application/json' -d '{"hostname":"a","time":1,"offcputime":[
    {"process":"dd","pid":7,"stack":"a;b","elapsed":5},{"process":"dd","pid":8,"stack":"a;c","elapsed":5}]}' "$base/v1/events"
is "$(code /v1/result-sets/latest/reports/hot?top=1)" 200 "a page of an open result set"
is "$(header Link)" '</v1/result-sets/latest/reports/hot?top=1&skip=1>; rel="next"' "its link skips rows"
is "$(header Profdepot-Next)" "" "it has no cursor"
done_testing
