#!/usr/bin/env bash
# Tests the history of findings under /v1: the same answers as the command line, reviews, and scopes.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"
# shellcheck source=tests/lib/findings.sh
. "$srcdir/tests/lib/findings.sh"
python=$(command -v /usr/bin/python3 || command -v python3) || skip_all "python3 is not installed"

pg_temp_start
depot_make
tmp=$(mktemp -d)
trap 'serve_end; pg_temp_stop; rm -rf "$tmp"' EXIT
main=(--application Shop --label branch=main --looked-for 'leaks,errors')
findings_load "${main[@]}" --app-version 1.0 --run ci-1 -- load_orders:3:300 draw:1:40
findings_load "${main[@]}" --app-version 1.1 --run ci-2 -- load_orders:4:400 parse:read
findings_load "${main[@]}" --app-version 1.2 --run ci-3 -- load_orders:5:500 draw:2:80 save:1:9
findings_load --application 'Web shop' --looked-for leaks,errors -- render:1:10
printf '/src/draw.c @anna\n' >"$tmp/CODEOWNERS"
"$PROFDEPOT" owners set "$tmp/CODEOWNERS" >/dev/null || bail_out "the owners cannot be stored"
serve_begin

# get PATH [CURL OPTION...]: sets $code and $type; writes the headers to $tmp/head, the body to $tmp/got
get() {
    local path=$1
    shift
    code=$(curl -s -g -D "$tmp/head" -o "$tmp/got" -w '%{http_code}' "$@" "$base$path")
    type=$(tr -d '\r' <"$tmp/head" | sed -n 's/^Content-Type: //p')
    [ -f "$tmp/got" ] || : >"$tmp/got"
}

# json EXPRESSION: prints the value of a Python expression in which d is the answer's JSON value
json() {
    "$python" -IS -c 'import json, sys
d = json.load(open(sys.argv[1]))
v = eval(sys.argv[2])
print(json.dumps(v) if isinstance(v, (dict, list, bool)) or v is None else v)' "$tmp/got" "$1"
}

# both QUERY ARGUMENT...: checks that a GET of QUERY and profdepot ARGUMENT... give the same output
both() {
    local query=$1
    shift
    get "$query"
    "$PROFDEPOT" "$@" >"$tmp/want" 2>"$tmp/errors"
    same_file "$tmp/got" "$tmp/want" "$query equals the output of profdepot $*"
}

# refused CODE PATTERN TEXT: checks the status and the error message of the answer
refused() {
    is "$code" "$1" "$3: status $1"
    like "$(sed -n "s/^{\"error\":{\"status\":$1,.*\"message\":\"\(.*\)\"}*$/\1/p" "$tmp/got")" "$2" "$3: the message names the cause"
}

# --- the same answers as the command line --------------------------------------------------------

stream='stream=Shop+branch%3Dmain'
both '/v1/streams' stream list --output json
both '/v1/streams?format=csv' stream list --output csv
both '/v1/history' history --output json
both "/v1/history?$stream&format=text" history --stream 'Shop branch=main'
for format in csv html markdown; do
    both "/v1/history?$stream&state=all&format=$format" history --stream 'Shop branch=main' --state all --output $format
done
h=(history --stream 'Shop branch=main' --output json)
both "/v1/history?$stream&state=new&state=came+back" "${h[@]}" --state new --state 'came back'
both "/v1/history?$stream&new_since=1.1" "${h[@]}" --new-since 1.1
both "/v1/history?$stream&state=all&kind=access" "${h[@]}" --state all --kind access
both "/v1/history?$stream&routine=load*&class=*&module=*" "${h[@]}" --routine 'load*' --class '*' --module '*'
both "/v1/history?$stream&owner=@anna" "${h[@]}" --owner @anna
both "/v1/history?$stream&min_count=2&min_size=100" "${h[@]}" --min-count 2 --min-size 100
both "/v1/history?$stream&review=none&top=1&skip=1" "${h[@]}" --review none --top 1 --skip 1
both "/v1/history?$stream&as_of=1" "${h[@]}" --as-of 1
both "/v1/history?$stream&as_of=set:2" "${h[@]}" --as-of set:2
get "/v1/history?$stream&state=all"
is "$(json "sum(d['result_sets'][0]['states'].values()) == d['result_sets'][0]['totals']['rows'] and d['result_sets'][0]['states']['new']")" \
    "$(json "sum(r['state'] == 'new' for r in d['result_sets'][0]['rows'])")" "the findings are counted per state"
is "$(json "sorted((r['routine'], r['state'], r['counts']) for r in d['result_sets'][0]['rows'])")" \
    '[["draw", "came back", "1 0 2"], ["load_orders", "open", "3 4 5"], ["parse", "gone", "0 1 0"], ["save", "new", "0 0 1"]]' \
    "each finding has a state, and the counts of the newest runs"
is "$(json "d['result_sets'][0]['stream']")" '{"application": "Shop", "labels": {"branch": "main"}, "parent": null, "runs": 3}' \
    "the answer names its stream"
finding=$(json "[r['identity'] for r in d['result_sets'][0]['rows'] if r['routine'] == 'draw'][0]")
get "/v1/history?$stream" -H 'Accept: text/csv'
like "$code $type" '^200 text/csv' "the header Accept selects the format"

both "/v1/history/$finding?$stream" "${h[@]}" "$finding"
is "$(json "[(r['run'], r['answer'], r['count']) for r in d['result_sets'][0]['rows']]")" \
    '[["ci-3", "seen", 2], ["ci-2", "not seen", null], ["ci-1", "seen", 1]]' "a finding has a row for each run"
is "$(json "[d['result_sets'][0]['finding'][k] for k in ('routine', 'state', 'owner', 'runs', 'first_version', 'last_inst_id')]")" \
    '["draw", "came back", "@anna", 2, "1.0", 3]' "the answer describes the finding"
is "$(json "[f['routine'] for f in d['result_sets'][0]['stack']['frames']]")" '["malloc", "draw", "main"]' "the answer has the newest stack"
both "/v1/history/${finding:0:12}?$stream&format=text&top=1&skip=1" history "${finding:0:12}" --stream 'Shop branch=main' --top 1 --skip 1

# --- what is refused --------------------------------------------------------------------------------

get '/v1/history?stream=Nothing'
refused 404 'no stream' "an unknown stream"
get "/v1/history?$stream&state=closed"
refused 400 '^state: .*closed' "an unknown state"
like "$(json "d['error']['hint']")" 'use new, open, .*, gone, or all' "the hint lists the states"
get "/v1/history?$stream&review=bad"
refused 400 '^review: ' "an unknown review"
get "/v1/history?$stream&as_of=99999"
refused 404 'newest ledger number' "a ledger number that does not exist yet"
get "/v1/history?$stream&as_of=someday"
refused 400 someday "an invalid as_of"
get "/v1/history?$stream&new_since=9.9"
refused 404 '9.9' "an unknown version"
get "/v1/history?$stream&min_count=few"
refused 400 min_count "an invalid min_count"
get "/v1/history?$stream&top=-1"
refused 400 top "a negative top"
get "/v1/history?$stream&colour=red"
refused 400 colour "an unknown parameter"
get '/v1/history/xyz'
refused 400 xyz "a finding that is not in hex digits"
get "/v1/history/00000000?$stream"
refused 404 00000000 "an unknown finding"

# --- reviews -------------------------------------------------------------------------------------------

# review BODY [CURL OPTION...]
review() {
    local body=$1
    shift
    get "/v1/history/$finding/reviews" -d "$body" "$@"
}
before=$(q 'select max(ledger_no) from ledger')
review '{"status": "confirmed", "reason": "seen it <b>", "author": "Anna", "ticket": "SHOP-1", "until": "2999-12-31", "stream": "Shop branch=main"}'
is "$code $(json "d['finding'], d['ledger_no']" | tr -d "()',")" "201 $finding $((before + 1))" "a review gets 201 and its ledger number"
like "$(tr -d '\r' <"$tmp/head")" "Location: /v1/history/$finding" "Location is the path of the finding"
both "/v1/history/$finding?$stream" "${h[@]}" "$finding"
is "$(json "[d['result_sets'][0]['reviews'][0][k] for k in ('status', 'reason', 'author', 'ticket', 'until', 'expired', 'fixed_in')]")" \
    '["confirmed", "seen it <b>", "Anna", "SHOP-1", "2999-12-31", false, null]' "the finding has the review"
review '{"status": "fixed", "reason": "freed", "fixed_in": "1.2", "stream": "Shop branch=main"}'
is "$code" 201 "a finding can be reviewed as fixed in a version"
both "/v1/history?$stream&review=fixed" "${h[@]}" --review fixed
is "$(json "len(d['result_sets'][0]['rows'])")" 1 "the filter finds the review"
both "/v1/history?$stream&review=none&as_of=$before" "${h[@]}" --review none --as-of "$before"
is "$(json "len(d['result_sets'][0]['rows'])")" 3 "as of an earlier ledger number, the finding has no review"
reviews=$(q 'select count(*) from reviews')
while IFS='|' read -r body pattern; do
    review "$body"
    refused 400 "$pattern" "a review that is refused: $body"
done <<'END'
{"reason": "x", "stream": "Shop branch=main"}|status is missing
{"status": "open", "stream": "Shop branch=main"}|reason is missing
{"status": "open", "same_as": "00", "reason": "x"}|^status and same_as cannot be combined
{"same_as": "00", "stream": "Shop branch=main"}|reason is missing
{"same_as": "xyz", "reason": "x", "stream": "Shop branch=main"}|xyz
{"same_as": "00", "reason": "x", "fixed_in": "1.2"}|^fixed_in is only for status fixed
{"status": "open", "reason": "", "stream": "Shop branch=main"}|reason is missing
{"status": "wontfix", "reason": "x", "stream": "Shop branch=main"}|^status: .*wontfix
{"status": "open", "reason": "x", "fixed_in": "1.2", "stream": "Shop branch=main"}|^fixed_in is only for status fixed
{"status": "open", "reason": "x", "until": "soon", "stream": "Shop branch=main"}|^until: .*soon
{"status": "open", "reason": "x", "until": "2026-02-30", "stream": "Shop branch=main"}|^until: 
{"status": 1, "reason": "x"}|status must be
{"status": "open", "reason": ["x"]}|reason must be
{"status": "open", "reason": "x", "colour": "red"}|colour
{"status": "open", "status": "fixed", "reason": "x"}|status
[1]|must be
{|.
END
review '{"same_as": "00000000", "reason": "x", "stream": "Shop branch=main"}'
refused 404 00000000 "the same as an unknown finding"
review "{\"same_as\": \"$finding\", \"reason\": \"x\", \"stream\": \"Shop branch=main\"}"
refused 400 'already the same' "the same as itself"
review '{"status": "open", "reason": "x", "stream": "Nothing"}'
refused 404 'no stream' "a review with an unknown stream"
get /v1/history/00000000/reviews -d '{"status": "open", "reason": "x", "stream": "Shop branch=main"}'
refused 404 00000000 "a review of an unknown finding"
get /v1/history/xyz/reviews -d '{"status": "open", "reason": "x"}'
refused 400 xyz "a review of something that is not a finding"
review '{"status": "open", "reason": "x", "stream": "Shop branch=main"}' -H 'Origin: http://evil.example'
is "$code" 403 "a page of another origin cannot add a review"
get "/v1/history/$finding/reviews"
refused 405 GET "reviews cannot be listed by themselves"
is "$(q 'select count(*) from reviews')" "$reviews" "nothing that was refused is stored"
is "$(q 'select count(*) from finding_aliases')" 0 "and no alias"
both "/v1/history?$stream&state=all" "${h[@]}" --state all
before=$(json "len(d['result_sets'][0]['rows'])")
other=$(json "[r['identity'] for r in d['result_sets'][0]['rows'] if not r['identity'].startswith('$finding')][0]" | tr -d '"')
get "/v1/history/$other/reviews" -d "{\"same_as\": \"$finding\", \"reason\": \"one leak\", \"stream\": \"Shop branch=main\"}"
is "$code $(json "d['finding']")" "201 $finding" "two identities become one finding, which the answer names"
both "/v1/history?$stream&state=all" "${h[@]}" --state all
is "$(json "len(d['result_sets'][0]['rows'])")" $((before - 1)) "history shows one finding less"

# --- deleting -----------------------------------------------------------------------------------------------

get /v1/result-sets/1 -X DELETE
both "/v1/history/$finding?$stream" "${h[@]}" "$finding"
is "$code $(json "len(d['result_sets'][0]['rows'])")" "200 3" "the history keeps the run of a deleted result set"
get '/v1/result-sets/1?forget=true' -X DELETE
both "/v1/history/$finding?$stream" "${h[@]}" "$finding"
is "$(json "[r['inst_id'] for r in d['result_sets'][0]['rows']]")" '[3, 2]' "forget=true removes the run from history"
get '/v1/result-sets/2?forget=maybe' -X DELETE
refused 400 forget "an invalid value of forget"
get "/v1/history?$stream&as_of=$before"
refused 404 forgotten "an old answer that a forgotten run was part of"

# --- pages --------------------------------------------------------------------------------------------------

next() { tr -d '\r' <"$tmp/head" | sed -n 's/^Link: <\(.*\)>; rel="next"$/\1/p'; }
# pages PATH COLUMN CHANGE: reads all pages, prints the column of their rows, and runs CHANGE after each page
pages() {
    local path=$1
    while [ -n "$path" ]; do
        get "$path"
        [ "$code" = 200 ] || echo "status $code of $path"
        json "' '.join(str(r['$2']) for r in d['result_sets'][0]['rows'])"
        path=$(next)
        $3
    done
}
# A run in which the findings so far are gone, with a new one; and a review of a finding that is on a later page.
run=10
changed() {
    run=$((run + 1))
    findings_load "${main[@]}" --app-version "1.$run" --run "ci-$run" -- "new$run:1:$run"
    "$PROFDEPOT" review --stream 'Shop branch=main' --status confirmed --reason real "$finding" >/dev/null
}
for query in "" "&state=all"; do
    get "/v1/history?$stream$query"
    whole=$(json "' '.join(r['identity'] for r in d['result_sets'][0]['rows'])")
    is "$(pages "/v1/history?$stream$query&top=1" identity changed | paste -sd ' ')" "$whole" \
        "the pages are the whole list, while runs and reviews are added (\"$query\")"
    run=$((run + 10))
done
get "/v1/history/$finding?$stream"
whole=$(json "' '.join(str(r['inst_id']) for r in d['result_sets'][0]['rows'])")
is "$(pages "/v1/history/$finding?$stream&top=1" inst_id changed | paste -sd ' ')" "$whole" "so are the pages of one finding"
get "/v1/history?$stream&state=all&top=1"
page=$(next)
last=$(json "d['result_sets'][0]['rows'][0]['last_inst_id']")
get "/v1/history?$stream&top=1&cursor=${page##*cursor=}"
refused 400 'cursor is invalid' "a cursor with other parameters"
get "/v1/result-sets/$last" -X DELETE
get "$page"
is "$code" 200 "the page after a finding whose result set is deleted"
get "/v1/result-sets/$last?forget=true" -X DELETE
get "$page"
is "$code $(json "d['code']")" "409 stale-cursor" "the page after a finding whose run is forgotten is refused"
serve_end

# --- scopes ----------------------------------------------------------------------------------------------------

for scope in read ingest review admin; do
    declare "$scope=$("$PROFDEPOT" token add "of-$scope" --scope $scope --token-file "$tmp/tokens")"
done
serve_begin --token-file "$tmp/tokens"
body='{"status": "open", "reason": "x", "stream": "Shop branch=main"}'
# shellcheck disable=SC2154 # declare sets them
for pair in "read:$read:403" "ingest:$ingest:403" "review:$review:201" "admin:$admin:201" "none::401"; do
    IFS=: read -r scope token expected <<<"$pair"
    review "$body" ${token:+-H "Authorization: Bearer $token"}
    is "$code" "$expected" "the scope $scope: a review gets $expected"
done
get /v1/history -H "Authorization: Bearer $review"
is "$code" 403 "the scope review does not allow queries"
get /v1/history -H "Authorization: Bearer $read"
is "$code" 200 "the scope read allows history"
serve_end
done_testing
