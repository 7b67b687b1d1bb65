#!/usr/bin/env bash
# Tests that /v1 gives the same answers as the command line, byte for byte.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"
need_corpora
corpora=$PROFDEPOT_CORPORA
# The python3 in PATH may be a wrapper that takes longer than a request, so the system's python3 is preferred.
python=$(command -v /usr/bin/python3 || command -v python3) || skip_all "python3 is not installed"

pg_temp_start
depot_make
tmp=$(mktemp -d)
export TMPDIR=$tmp
trap 'serve_end; pg_temp_stop; rm -rf "$tmp"' EXIT
serve_begin --query-timeout 20

# get PATH [CURL OPTION...]: sets $code and $type; writes the headers to $tmp/head, the body to $tmp/got
get() {
    local path=$1
    shift
    code=$(curl -s -g -D "$tmp/head" -o "$tmp/got" -w '%{http_code}' "$@" "$base$path")
    type=$(tr -d '\r' <"$tmp/head" | sed -n 's/^Content-Type: //p')
    [ -f "$tmp/got" ] || : >"$tmp/got"
}

# header NAME
header() {
    tr -d '\r' <"$tmp/head" | sed -n "s/^$1: //p"
}

# json EXPRESSION: prints the value of a Python expression in which d is the answer's JSON value
json() {
    "$python" -IS -c 'import json, sys
d = json.load(open(sys.argv[1]))
v = eval(sys.argv[2])
print(json.dumps(v) if isinstance(v, (dict, list, bool)) or v is None else v)' "$tmp/got" "$1"
}

# cli ARGUMENT...: runs profdepot; writes its output to $tmp/want
cli() {
    "$PROFDEPOT" "$@" >"$tmp/want" 2>"$tmp/errors"
}

# same TEXT: checks that the answer equals the command's output
same() {
    same_file "$tmp/got" "$tmp/want" "$1"
}

# refused CODE PATTERN TEXT: checks the status and the error message of the answer
refused() {
    is "$code" "$1" "$3: status $1"
    like "$(sed -n "s/^{\"error\":{\"status\":$1,.*\"message\":\"\(.*\)\"},\"type\":.*$/\1/p" "$tmp/got")" "$2" "$3: the message names the cause"
}

# --- uploads ------------------------------------------------------------------------------------

# upload FILE [QUERY [CURL OPTION...]]: uploads the file and sets $inst_id
upload() {
    local file=$1 query=${2:-}
    shift
    [ $# -eq 0 ] || shift
    get "/v1/result-sets?name=${file##*/}&$query" --data-binary "@$file" "$@"
    inst_id=$(grep -o '"inst_id":[0-9]*' "$tmp/got" | head -n 1 | tr -dc 0-9)
}

upload "$corpora/leaks/memcheck-leaks-gensupp.xml" 'label=kind=leaks&label=pass=1&caption=leaky'
is "$code" 201 "the upload of a new file gets 201"
leaks=$inst_id
is "$(header Location)" "/v1/result-sets/$leaks" "Location is the path of the loaded result set"
is "$(q "select string_agg(key || '=' || value, ' ' order by key) from result_set_labels where inst_id = $leaks")" \
    "kind=leaks pass=1" "the uploaded result set has the labels of the query"
upload "$corpora/leaks/memcheck-leaks-gensupp.xml"
is "$code $inst_id" "200 $leaks" "the upload of a known file gets 200 and the existing result set"
upload "$corpora/leaks/memcheck-leaks-gensupp.xml" again=true
is "$code" 201 "the upload of a known file with again=true gets 201"
isnt "$inst_id" "$leaks" "a known file with again=true becomes another result set"
again=$inst_id
gzip -c "$corpora/leaks/memcheck-errors.xml" >"$tmp/errors.xml.gz"
upload "$tmp/errors.xml.gz" '' -H $'Content-Encoding: gzip \t'
is "$code" 201 "a compressed body is accepted, even with blanks after the name of the encoding"
errors_set=$inst_id
(cd "$corpora/aqtime" && tar cf "$tmp/plain.tar" plain)
upload "$tmp/plain.tar" 'async=1'
is "$code $(json "d['state'] in ('queued', 'running', 'done')")" "202 true" "an upload with async=1 gets 202 and becomes a job"
job=$(header Location)
for _ in $(seq 300); do
    get "$job"
    case $(json "d['state']") in queued | running) sleep 0.1 ;; *) break ;; esac
done
is "$(json "d['state']")" "done" "the job ends"
is "$(json "d['bytes_read'] == d['bytes'] > 0 and d['rows'] > 0")" true "the job reports that it has read the whole file"
aqtime=$(json "d['result']['result_sets'][0]['inst_id']")
get /v1/jobs
is "$(json "sum(j['id'] == '${job##*/}' for j in d)")" 1 "the job is listed"
get "$job" -X DELETE
is "$code" 204 "a finished job can be deleted"
get "$job"
refused 404 'no job' "a deleted job"
speedscope=$corpora/speedscope/samples/node/10.11.0/example.cpuprofile
upload "$(find "$speedscope" -name 'in*' -o -name '*.cpuprofile' -type f | head -n 1)" name=sampled
if [ "$code" != 201 ]; then
    upload "$speedscope/expected.speedscope.json"
fi
is "$code" 201 "a file with samples is loaded"
samples=$inst_id
upload "$corpora/miniprofiler/dotnet-4.1.0-mono/duplicates-nplus1.json"
profile=$inst_id
for file in "$corpora/chrome/real-marks-measures"/*.json "$corpora/chrome/real-marks-measures"/*.gz; do
    [ ! -f "$file" ] || upload "$file"
done
timings=$inst_id
"$PROFDEPOT" load -q --dry-run "$corpora/leaks/memcheck-perl.xml"
upload "$corpora/leaks/memcheck-perl.xml" dry_run=true
is "$code $(json "d['result_sets'][0]['state']")" "200 checked" "a dry run gets 200 and the state checked"
is "$(q "select count(*) from instances where caption like 'perl%'")" 0 "a dry run stores nothing"

before=$(q 'select count(*) from instances')
get /v1/result-sets --data-binary 'no format at all'
refused 422 'upload' "an unknown format"
head -c 3000 "$corpora/leaks/memcheck-perl.xml" >"$tmp/cut.xml"
upload "$tmp/cut.xml" strict=true
refused 422 'cut.xml' "a truncated file"
head -c 300 "$tmp/errors.xml.gz" >"$tmp/cut.gz"
upload "$tmp/cut.gz" '' -H 'Content-Encoding: gzip'
refused 422 'cut' "a truncated gzip body"
get /v1/result-sets --data-binary x -H 'Content-Encoding: br'
refused 415 'Content-Encoding' "an unknown Content-Encoding"
get /v1/result-sets -F file=@"$tmp/cut.xml"
refused 415 'form' "an upload as form data"
get /v1/result-sets -X POST
refused 422 'empty' "an upload without a body"
get '/v1/result-sets?format=nope' --data-binary x
refused 400 'nope' "a format that does not exist"
get '/v1/result-sets?name=a/' --data-binary x
refused 400 'name' "an invalid name"
get '/v1/result-sets?label=x' --data-binary x
refused 400 'label' "an invalid label"
get '/v1/result-sets?max_issues=-1' --data-binary x
refused 400 'max_issues' "a negative max_issues"
get '/v1/result-sets?stict=1' --data-binary x
refused 400 'stict' "an unknown parameter"
is "$(q 'select count(*) from instances')" "$before" "a rejected file stores nothing"
is "$(find "$tmp" /var/tmp -maxdepth 1 -name 'profdepot*' -newer "$tmp/plain.tar" ! -name 'profdepot-serve*' 2>/dev/null | wc -l)" 0 \
    "uploads leave no named temporary files"

# --- result sets ----------------------------------------------------------------------------------

for format in text csv csv-safe json markdown html; do
    get "/v1/result-sets?output=$format"
    cli list --output $format
    same "list as $format: the answer equals the command's output"
done
get '/v1/result-sets?format=valgrind&label=kind=leaks&label=pass=1&caption=LEAK*&since=yesterday&until=tomorrow'
cli list --format valgrind -l kind=leaks -l pass=1 --caption 'LEAK*' --since yesterday --until tomorrow --output json
same "list with filters"
is "$(json "d['result_sets'][0]['rows'][0]['inst_id']")" "$leaks" "filters find the result set"
get '/v1/result-sets?limit=2&output=csv'
cli list -n 2 --output csv
same "the page of the list equals the command's output"
like "$(header Link)" 'cursor=[0-9a-f]+>; rel="next"' "the Link header names the next page"
get '/v1/result-sets?limit=2'
is "$(json "d['result_sets'][0]['totals']")" '{"rows": null, "shown": 2}' "a page of the list does not count the other pages"
get '/v1/result-sets?limit=1000'
is "$(json "d['result_sets'][0]['totals']['rows']")" "$(q "select count(*) from instances")" "a list with one page counts its rows"
seen=
next='/v1/result-sets?limit=2'
while [ -n "$next" ]; do
    get "$next"
    seen="$seen $(json "' '.join(str(r['inst_id']) for r in d['result_sets'][0]['rows'])")"
    next=$(header Link | sed -n 's/^<\(.*\)>;.*/\1/p')
done
is "${seen# }" "$(q "select string_agg(inst_id::text, ' ' order by loaded_at desc, inst_id desc) from instances")" \
    "the pages contain each result set once"
get '/v1/result-sets?search=leaks+1&sort=caption:asc&limit=3'
cli list --search 'leaks 1' --sort caption:asc -n 3 --output json
same "list with a search and an order"
get "/v1/result-sets?label=pass=1"
is "$(json "d['result_sets'][0]['rows'][0]['labels']")" '{"kind": "leaks", "pass": "1"}' "labels are an object in the list"
get '/v1/result-sets?label=pass=1&output=csv'
like "$(tail -n 1 "$tmp/got")" ',kind=leaks pass=1,' "labels are words in CSV"
get '/v1/result-sets?sort=labels'
refused 400 '^sort: .*labels.* is not a column' "an unknown column to sort by"
get /v1/facets
is "$(json "[r['count'] for r in d['result_sets'][0]['rows'] if r['facet'] == 'total'][0]")" "$(q "select count(*) from instances")" \
    "facets have the number of all result sets"
is "$(json "sorted((r['value'], r['count']) for r in d['result_sets'][0]['rows'] if r['facet'] == 'format') == sorted((v, n) for v, n in [$(
    q "select string_agg(format('(''%s'', %s)', format, n), ', ') from (select format, count(*) n from instances group by 1) x")])")" true \
    "facets count the values of a property"
formats=$(json "sum(1 for r in d['result_sets'][0]['rows'] if r['facet'] == 'format')")
get '/v1/facets?format=valgrind'
is "$(json "[r['count'] for r in d['result_sets'][0]['rows'] if r['facet'] == 'total'][0]")" "$(q "select count(*) from instances where format = 'valgrind'")" \
    "the total has the result sets that pass the filters"
is "$(json "sum(1 for r in d['result_sets'][0]['rows'] if r['facet'] == 'format')")" "$formats" "the filter does not restrict its own values"
get '/v1/facets?values=1&output=csv'
is "$(cut -d, -f1 "$tmp/got" | sort | uniq -c | awk '$1 > 1' | wc -l)" 0 "values=1 returns one value per property"
get '/v1/facets?since=nonsense'
refused 400 'since' "facets with an invalid time"
get /v1/overview
is "$(json "sum(n for (n, *_) in {(r['result_sets'], r['application'], str(r['labels']), r['format']) for r in d['result_sets'][0]['rows']})")" \
    "$(q "select count(*) from instances")" "the overview counts each result set once"
newest=$(json "[r['inst_id'] for r in d['result_sets'][0]['rows'] if r['metric'] == 'live_size' and r['format'] == 'aqtime'][0]")
is "$(json "[r['values'].split()[-1] for r in d['result_sets'][0]['rows'] if r['metric'] == 'live_size' and r['format'] == 'aqtime'][0]")" \
    "$(q "select max(total) from call_tree join metrics using (inst_id, metric_no) where name = 'live_size' and inst_id = $newest")" \
    "the overview has the live size of the newest result set"
get '/v1/overview?streams=1&format=csv'
is "$(tail -n +2 "$tmp/got" | cut -d, -f1,2 | sort -u | wc -l)" 1 "streams=1 returns one stream"
get '/v1/overview?streams=0'
refused 400 'streams' "no streams"
get '/v1/result-sets?since=nonsense'
refused 400 'since' "an invalid time"
get '/v1/result-sets?limit=0'
refused 400 'limit' "a page size of 0"
for id in $leaks $errors_set $aqtime $samples $profile; do
    get "/v1/result-sets/$id"
    cli show "$id" --output json
    same "show $id: the answer equals the command's output"
done
get /v1/result-sets/999999
refused 404 '999999' "a result set that does not exist"
get /v1/result-sets/x
refused 400 'inst_id' "an invalid name"
is "$type $(json "[d['title'], d['status'], d['type'], d['detail'] == d['error']['message']]")" \
    'application/problem+json ["Bad Request", 400, "urn:profdepot:error:usage", true]' "an error has problem details"
newest=$(q 'select max(inst_id) from instances')
for path in '' /reports /reports/routines /flame /export/folded; do
    get "/v1/result-sets/$newest$path"
    cp "$tmp/got" "$tmp/by_number"
    get "/v1/result-sets/latest$path"
    ok "the path has the newest result set: ${path:-show}" cmp "$tmp/by_number" "$tmp/got"
done
ok "a label can contain a slash" "$PROFDEPOT" label "$newest" topic='feature/x y'
for name in label:topic=feature%2Fx%20y label:topic%3dfeature%2fx%20y; do
    get "/v1/result-sets/$name"
    is "$code $(json "d['inst_id']")" "200 $newest" "an encoded slash belongs to its segment: $name"
done
get "/v1/result-sets/label:topic=feature/x%20y"
is "$code" 404 "a slash that is not encoded separates segments"
"$PROFDEPOT" label "$newest" --remove topic >/dev/null 2>&1
is "$(grep -c 'transaction in progress' "$serve_log")" 0 "a name in the path begins no transaction within another one"
get '/v1/result-sets/label:kind%3Dnothing'
refused 404 'kind=nothing' "a label in the path that no result set has"
is "$(json "d['error']['hint']")" '"GET /v1/result-sets" shows the labels' "a hint names the request"
for path in result-sets/999999 reports/nope history/0000 'trend?metric=nope' result-sets/999999/flame "flame?set=$leaks"; do
    get "/v1/$path"
    unlike "$(cat "$tmp/got")" 'profdepot [a-z]' "no hint names a command: $path"
done
get '/v1/diff?base=1'
refused 400 '^the parameter new is missing' "a comparison without a new result set"
get /v1/result-sets/latest -X DELETE
refused 400 'inst_id' "a deletion needs a number"
get "/v1/result-sets/$again" -X PATCH -d '{"caption": "второй", "labels": {"kind": "copy", "empty": ""}}'
is "$code $(json "[d['caption'], d['labels']]")" '200 ["\u0432\u0442\u043e\u0440\u043e\u0439", {"empty": "", "kind": "copy"}]' \
    "a PATCH changes the labels and the caption"
before=$(q "select max(ledger_no) from ledger")
get "/v1/result-sets/$again" -X PATCH -d '{"application": "Order desk", "labels": {"branch": "main"}}'
is "$code $(json "d['application']")" '200 Order desk' "a PATCH changes the application"
get '/v1/history?stream=Order+desk+branch%3Dmain'
is "$code" 200 "the history has the stream of the new application"
get "/v1/history?stream=Order+desk+branch%3Dmain&as_of=$before"
is "$code" 404 "before the change, there was no such stream"
get "/v1/result-sets/$again" -X PATCH -d '{"application": "", "labels": {"branch": null}}'
is "$code $(json "d['application']")" '200 null' "a PATCH with an empty name removes the application"
get "/v1/result-sets/$again" -X PATCH -d "{\"application\": \"$(printf '%01001d' 0)\"}"
refused 400 'application exceeds 1000 bytes' "a long name of an application"
get "/v1/result-sets/$again" -X PATCH -d '{"labels": {"kind": null}}'
is "$(json "d['labels']")" '{"empty": ""}' "a PATCH with null removes a label"
for body in '{' '[]' '{"caption": 1}' '{"captions": "x"}' '{"labels": {"": "x"}}' '{"application": 1}' '{"application": null}' '{}' '{"labels": {"a": 1}}' \
    '{"caption": "a", "caption": "b"}' '{"caption": "a"} x'; do
    get "/v1/result-sets/$again" -X PATCH -d "$body"
    is "$code" 400 "the body is refused: $body"
done
get "/v1/result-sets/$again" -X PATCH -d '{"labels": {"a=b": "c"}}'
refused 400 'contains .*=' "a PATCH of a label that could not be found again"
get "/v1/result-sets/$again" -X PATCH -d '{"labels": {"run": "c"}}'
refused 400 'cannot be named run' "a PATCH of the label run"
get /v1/result-sets/999999 -X PATCH -d '{"caption": "x"}'
refused 404 '999999' "a PATCH of a result set that does not exist"
get "/v1/result-sets/$again" -X DELETE
is "$code" 204 "a result set can be deleted"
is "$(q "select count(*) from instances where inst_id = $again")" 0 "the deleted result set is not in the depot"
get "/v1/result-sets/$again" -X DELETE
refused 404 "$again" "a result set that is already deleted"

# --- reports ----------------------------------------------------------------------------------------

get /v1/reports
cli reports --output json
same "the list of reports equals the command's"
get "/v1/result-sets/$profile/reports/dossier"
like "$(grep -o '<section class="set" id="[a-z]*"' "$tmp/got" | cut -d'"' -f4 | paste -sd' ')" '^summary leaks errors classes hot$' \
    "the dossier of a result set is a page"
get "/v1/result-sets/$profile/reports/dossier?format=csv"
refused 400 'HTML page' "a dossier as CSV"
get /v1/formats
cli formats --output json
same "the list of formats equals the command's"

# Prints a file without the minute in which the page was created.
undated() {
    sed 's/, created [0-9]\{4\}-[0-9: -]* UTC//' "$1"
}

# every_report ID FORMAT MIN: checks that the API and the command line give the same answer for
# every report that applies to a result set, in one format. At least MIN reports must apply.
every_report() {
    local id=$1 format=$2 name by differ='' answered=0
    get "/v1/result-sets/$id/reports"
    json '"\n".join(r["name"] + " " + (r["by"] or "") for r in d)' >"$tmp/reports"
    while read -r name by; do
        get "/v1/result-sets/$id/reports/$name?format=$format${by:+&by=$by}"
        if "$PROFDEPOT" report "$name" "$id" ${by:+--by "$by"} --output "$format" >"$tmp/want" 2>/dev/null; then
            answered=$((answered + 1))
            [ "$code" = 200 ] && cmp -s <(undated "$tmp/got") <(undated "$tmp/want") ||
                differ="$differ $name${by:+/$by}($code)"
        else
            [ "$code" -ge 400 ] || differ="$differ $name${by:+/$by}($code for an error)"
        fi
    done <"$tmp/reports"
    is "$differ" "" "every report of $id as $format equals the command's"
    [ $answered -ge "$3" ] || fail "only $answered reports apply"
}
every_report "$leaks" json 10
every_report "$errors_set" text 10
every_report "$aqtime" csv 10
every_report "$samples" html 5
every_report "$profile" json 8
every_report "$timings" markdown 8

# both QUERY ARGUMENT...: checks that a GET of QUERY and profdepot ARGUMENT... give the same output
both() {
    local query=$1
    shift
    get "$query"
    cli "$@"
    same "${query%%\?*}: the answer equals the output of profdepot $*"
}
r=/v1/result-sets/$leaks/reports
both "$r/leaks?top=2&format=text" report leaks "$leaks" --top 2
both "$r/leaks?by=class&sort=size:asc&skip=1&format=csv" report leaks "$leaks" --by class --sort size:asc --skip 1 --output csv
both "$r/leaks?routine=ma*&routine=x&min_size=100&format=json" report leaks "$leaks" --routine 'ma*' --routine x --min-size 100 --output json
both "$r/leaks?kind=definite&no_suppressions&hide_standard_leaks=1" report leaks "$leaks" --kind definite --no-suppressions --hide-standard-leaks --output json
both "$r/leaks?gen_suppressions=lsan" report leaks "$leaks" --gen-suppressions=lsan
both "/v1/result-sets/$samples/reports/hot?min_share=1&focus=*a*&format=text" report hot "$samples" --min-share 1 --focus '*a*'
both "/v1/reports/leaks?set=$leaks&set=$errors_set&by=class&format=csv" report leaks "$leaks" "$errors_set" --by class --output csv
both '/v1/reports/summary?set=all&format=text' report summary all
both '/v1/reports/summary?set=label:pass=1&format=text' report summary "$leaks"
both '/v1/reports/profiles?format=json' report profiles --output json
get "/v1/result-sets/$leaks/reports"
is "$(json "'leaks' in [r['name'] for r in d] and 'profiles' not in [r['name'] for r in d]")" true "the reports that apply to leaks are listed"
get "/v1/result-sets/$profile/reports"
is "$(json "'profiles' in [r['name'] for r in d] and 'leaks' not in [r['name'] for r in d]")" true "the reports that apply to a profile are listed"
get /v1/result-sets/999999/reports
refused 404 999999 "the list of reports of an unknown result set"
get /v1/result-sets/999999/reports/leaks
refused 404 999999 "a report on an unknown result set"
get "$r/leeks"
refused 404 leeks "a report that does not exist"
get "$r/leaks?min_size=big"
refused 400 '^min_size: ' "an invalid min_size"
get "$r/leaks?like_devtools=1"
refused 400 'like_devtools' "a parameter of another report"
get "$r/leaks?sort=nothing"
refused 400 '^sort: ' "sorting by a column that does not exist"
get "$r/leaks?top=-1"
refused 400 top "a negative top"
get "$r/leaks?top=1&top=2"
refused 400 'top.*more than once' "a parameter that is given twice"
get "$r/classes?hide_standard_leaks=1"
refused 400 suppressions "suppression parameters for a report that does not use suppressions"
get '/v1/reports/leaks?set=nothing'
refused 400 '^set: ' "a parameter with an invalid name of a result set"

# accept ACCEPT PATTERN: checks the status and type of an answer to a request with this header Accept
accept() {
    get "$r/classes" -H "Accept: $1"
    like "$code $type" "$2" "Accept: $1"
}
accept '*/*' '^200 application/json$'
accept 'text/csv' '^200 text/csv'
accept 'text/html,application/xhtml+xml,*/*;q=0.8' '^200 text/html'
accept 'text/*;q=0.5, text/markdown' '^200 text/markdown'
accept 'application/json;q=0, text/plain;q=0.1' '^200 text/plain'
accept 'image/png' '^406 application/problem\+json$'
get "$r/classes?format=text" -H 'Accept: image/png'
is "$code" 200 "the parameter format has priority over Accept"
get "$r/classes?format=png"
refused 400 format "a report format that does not exist"
get "$r/classes?format=html"
like "$(header Content-Security-Policy)" "default-src 'none'.*sandbox allow-scripts" "an HTML report is sandboxed"

# --- comparison ---------------------------------------------------------------------------------------

both "/v1/diff?base=$leaks&new=$errors_set&format=text" diff "$leaks" "$errors_set"
both "/v1/diff?base=$leaks&new=$errors_set&by=class&metric=live_size&top=1&format=json" \
    diff "$leaks" "$errors_set" --by class --metric live_size --top 1 --output json
both "/v1/diff?base=label:pass=1&new=$errors_set&status=new,gone&match=lines&format=csv" \
    diff label:pass=1 "$errors_set" --status new,gone --match lines --output csv
get "/v1/diff?new=$errors_set"
refused 400 base "a comparison without a base"
get "/v1/diff?base=$leaks&new=999999"
refused 404 999999 "a comparison with an unknown result set"
get "/v1/diff?base=$leaks&new=$errors_set&status=bigger"
refused 400 status "a comparison status that does not exist"
both '/v1/trend?metric=live_count&format=text' trend live_count
both "/v1/trend?metric=live_size&label=pass=1&last=3&class=mal*&format=json" trend live_size -l pass=1 --last 3 --class 'mal*' --output json
get /v1/trend
refused 400 metric "a trend without a metric"
get '/v1/trend?metric=live_count&label=no=such'
refused 404 'no result set passes' "a trend without result sets"
cat >"$tmp/budget.json" <<'END'
{ "budgets": [ { "name": "no leaks", "of": "leaks", "max_count": 0 },
               { "name": "growth", "of": "leaks", "max_count_growth": 5 } ] }
END
for format in text markdown json junit sarif github; do
    get "/v1/check?set=$leaks&base=$errors_set&format=$format&top=2" --data-binary @"$tmp/budget.json"
    "$PROFDEPOT" check "$leaks" --base "$errors_set" --budget "$tmp/budget.json" -o $format --top 2 >"$tmp/want"
    same "check as $format: the answer equals the command's output"
done
is "$code" 200 "an exceeded budget is not an error"
get "/v1/check?set=$leaks" -d '{"budgets": [{"name": "x"}]}'
refused 422 'budgets: item 1: missing key .*of' "a budget without limits"
get "/v1/check?set=$leaks" -d '{'
refused 422 'body' "a budget file that is not JSON"
get "/v1/check?set=999999" --data-binary @"$tmp/budget.json"
refused 404 999999 "a check of an unknown result set"
get "/v1/check?set=$leaks&base=zzz" --data-binary @"$tmp/budget.json"
refused 400 '^base: ' "a check with an invalid base"

# --- pictures and files ---------------------------------------------------------------------------------

for format in svg html json folded; do
    both "/v1/result-sets/$samples/flame?format=$format" flame "$samples" --output $format
done
f=/v1/result-sets/$leaks/flame
both "$f?metric=live_size&invert&max_nodes=5&width=800&layout=icicle&title=%3Cb%3E&format=svg" \
    flame "$leaks" --metric live_size --invert --max-nodes 5 --width 800 --layout icicle --title '<b>'
both "$f?base=$errors_set&normalize=1&format=json" flame "$leaks" --base "$errors_set" --normalize --output json
both "$f?focus=gri*&ignore=stra*&min_share=1&format=folded" flame "$leaks" --focus 'gri*' --ignore 'stra*' --min-share 1 --output folded
get "$f"
is "$code $type" "200 image/svg+xml" "a flame graph is SVG by default"
get "$f" -H 'Accept: application/json'
is "$code $type" "200 application/json" "a flame graph has the type that Accept names"
get "$f?metric=nothing"
refused 404 nothing "a flame graph of a metric that does not exist"
get "$f?min_share=200"
refused 400 min_share "a min_share above 100"
get "$f?width=1"
refused 400 width "a width below the minimum"
get "$f?normalize=1"
refused 400 base "normalize without a base"

for pair in "$samples speedscope" "$leaks speedscope" "$profile miniprofiler" "$timings chrome"; do
    read -r id format <<<"$pair"
    both "/v1/result-sets/$id/export/$format" export "$id" --format "$format"
    is "$type $(header Content-Disposition)" \
        "application/json attachment; filename=\"profdepot-$id.$("$PROFDEPOT" formats | awk -v f="$format" '$1 == f { print $4 }')\"" \
        "the export as $format has a type and a file name"
done
both "/v1/result-sets/$profile/export/own" export "$profile"
both "/v1/result-sets/$samples/export/folded" flame "$samples" --output folded
get "/v1/result-sets/$aqtime/export/aqtime"
is "$code $type" "200 application/x-tar" "AQTime's tables are sent as a tar archive"
mkdir "$tmp/unpacked" && tar xf "$tmp/got" -C "$tmp/unpacked"
"$PROFDEPOT" export "$aqtime" --format aqtime -o "$tmp/folder" 2>/dev/null
ok "the archive equals the exported folder" diff -r "$tmp/unpacked" "$tmp/folder"
cp "$tmp/got" "$tmp/back.tar"
upload "$tmp/back.tar"
is "$code $inst_id" "200 $aqtime" "the archive loads as the same result set"
is "$(find "$tmp" -maxdepth 1 -name 'profdepot-export*' | wc -l)" 0 "an export leaves no temporary folder"
get "/v1/result-sets/$samples/export/aqtime"
is "$code" 200 "samples can be exported as AQTime's tables"
get "/v1/result-sets/$samples/export/nope"
refused 404 nope "an export format that does not exist"
is "$(grep -o "\"type\":\"[^\"]*" "$tmp/got")" "\"type\":\"urn:profdepot:error:not-found" "its problem type"
is "$(header Content-Disposition)" "" "an error is not sent as a download"
get "/v1/result-sets/$samples/export/speedscope?metric=nope"
refused 400 nope "an export of a metric that does not exist"

# --- catalogues ------------------------------------------------------------------------------------------

both '/v1/categories?format=text' category list
get /v1/categories -d '{"name": "locks", "columns": [{"name": "stack", "type": "stack"}, {"name": "wait_us", "type": "elapsed", "pretty_name": "Waited"}]}'
is "$code" 201 "a category is added"
both '/v1/categories?format=csv' category list --output csv
is "$(grep -c ^locks "$tmp/got")" 4 "the list has the columns of the new category"
for body in '{"name": "x"}' '{"columns": []}' '{"name": "X-", "columns": [{"name": "a", "type": "int"}]}' \
    '{"name": "x", "columns": [{"name": "a", "type": "float"}]}' '{"name": "x", "columns": [{"type": "int"}]}' \
    '{"name": "x", "columns": [{"name": "a", "type": "int"}, {"name": "a", "type": "int"}]}' \
    '{"name": "instances", "columns": [{"name": "a", "type": "int"}]}' '[1]'; do
    get /v1/categories -d "$body"
    is "$code" 400 "the body is refused: $body"
done
get /v1/categories/locks -X DELETE
is "$code" 204 "an empty category is deleted"
get /v1/categories/locks -X DELETE
refused 404 locks "a category that is already deleted"
"$PROFDEPOT" load -q "$corpora/kernelscope/events.json"
get /v1/categories -d '{"name": "used", "columns": [{"name": "stack", "type": "stack"}]}'
echo '{"hostname": "h", "time": "2026-01-01 00:00:00", "used": [{"stack": "a;b"}]}' >"$tmp/used.json"
upload "$tmp/used.json" format=kernelscope
is "$code" 201 "events of the new category are loaded"
get /v1/categories/used -X DELETE
refused 409 used "deleting a category with events"

printf '# known\nleak:gri*\n{\n  two\n  Memcheck:Leak\n  fun:malloc\n}\n' >"$tmp/known.supp"
get '/v1/suppressions?reason=known+since+May&author=me&expires=2999-12-31' --data-binary @"$tmp/known.supp"
is "$code $(json "[e['state'] for e in d]")" '201 ["added", "added"]' "two suppressions are added"
get '/v1/suppressions?reason=more' --data-binary 'leak:gri*'
is "$code $(json "d[0]['state']")" '201 renewed' "an existing suppression is renewed"
both '/v1/suppressions?format=text' suppress list
both '/v1/suppressions?format=file' suppress list --as-file
both "$r/leaks?format=json" report leaks "$leaks" --output json
is "$(json "d['result_sets'][0]['totals']['suppressed']['records'] > 0")" true "the suppressions hide leaks"
both "$r/suppressions?format=text" report suppressions "$leaks"
get '/v1/suppressions?expires=soon' --data-binary 'leak:x'
refused 400 expires "an invalid expiry day"
get /v1/suppressions --data-binary '{ broken'
refused 422 body "an invalid suppression"
get /v1/suppressions/1 -X DELETE
is "$code" 204 "a suppression can be deleted"
get /v1/suppressions/1 -X DELETE
refused 404 1 "a suppression that is already deleted"

# --- retention rules ---------------------------------------------------------------------------------------

rules=/v1/retention-rules
get $rules -d '{"older_than": "36h", "keep": 2, "application": "Order desk", "format": "valgrind", "labels": {"branch": "a=b", "os": "ä"}}'
is "$code $(json "d['rule']")" '201 1' "a retention rule is added"
get $rules -d '{"keep": 0}'
is "$code $(json "d['rule']")" '201 2' "a rule needs only an age or a number of result sets"
both "$rules?format=json" retain list --output json
both "$rules?format=text" retain list
is "$(q "select labels from retention_rules where rule_no = 1")" "{branch=a=b,os=ä}" "the labels are stored"
for body in '{}' '[]' '{"older_than": "soon"}' '{"older_than": "0d"}' '{"older_than": 30}' '{"keep": -1}' '{"keep": 1.5}' '{"keep": "2"}' \
    '{"keep": 1, "labels": {"": "x"}}' '{"keep": 1, "labels": {"a=b": "x"}}' '{"keep": 1, "labels": ["a=b"]}' '{"keep": 1, "labels": {"a": 1}}' \
    '{"keep": 1, "rule": 7}' '{"keep": 1' '{"keep": 1, "format": 1}'; do
    get $rules -d "$body"
    is "$code" 400 "the rule is refused: $body"
done
get $rules -d '{"older_than": "soon"}'
refused 400 '^older_than: ' "an invalid age"
get $rules -d '{}'
like "$(json "d['error']['hint']")" 'give older_than, keep or both' "the hint names the members of the body"
get $rules -d "{\"keep\": 1, \"labels\": {\"a\": \"$(printf '%063000d' 0)\", \"b\": \"$(printf '%03000d' 0)\"}}"
refused 413 'labels' "labels that are too long"
is "$(q "select count(*) from retention_rules")" 2 "nothing else was added"
put() {
    get "$1" -X PUT -H 'Content-Type: application/json' -d "$2"
}
put $rules/1 '{"older_than": "2w", "application": "Orders", "labels": {"branch": "next"}}'
is "$code $(json "d['rule']")" '200 1' "a rule is replaced"
is "$(q "select application, format is null, labels, older_than, keep from retention_rules where rule_no = 1")" 'Orders|t|{branch=next}|1209600|0' \
    "all members are new"
put $rules/1 '{}'
is "$code" 400 "a rule that selects nothing does not replace it"
put $rules/7 '{"keep": 1}'
refused 404 'no retention rule 7' "a change of a rule that does not exist"
put $rules/x '{"keep": 1}'
is "$code" 400 "the number of the changed rule must be a number"
is "$(q "select string_agg(rule_no || ' ' || keep, ', ' order by rule_no) from retention_rules")" '1 0, 2 0' "refused changes change nothing"
# Rules that several clients add at the same moment would get the same number.
for i in {1..8}; do
    curl -s -o /dev/null -w '%{http_code}\n' -d "{\"keep\": 1, \"application\": \"app $i\"}" "$base$rules" >"$tmp/added.$i" &
    adding+=($!)
done
wait "${adding[@]}"
is "$(sort "$tmp"/added.* | uniq -c | tr -s ' ')" " 8 201" "rules can be added at the same moment"
is "$(q "with d as (delete from retention_rules where application like 'app %' returning rule_no) select count(distinct rule_no) from d")" 8 \
    "each has its own number"
get $rules/1 -X DELETE
is "$code $(q "select string_agg(rule_no::text, ' ') from retention_rules")" '204 2' "a rule is deleted"
get $rules/1 -X DELETE
refused 404 'no retention rule 1' "a rule that is already deleted"
like "$(json "d['error']['hint']")" 'GET /v1/retention-rules' "the hint names the request"
get $rules/x -X DELETE
is "$code" 400 "the number of a rule must be a number"
get $rules/2 -X DELETE
is "$code" 204 "the other rule is deleted"

# --- the server --------------------------------------------------------------------------------------------

get /v1/health/live
is "$code $(json "d['status']")" "200 ok" "the server reports that it is alive"
get /v1/openapi.json
is "$code $(json "d['openapi']")" "200 3.1.0" "the server sends the API description"
# named METHOD: the parameters of /v1/result-sets in the API description, sorted
named() {
    json "' '.join(sorted(p['name'] for p in d['paths']['/v1/result-sets']['$1']['parameters']))"
}
# words PATTERN: the words in code spans between PATTERN and the next full stop or semicolon in doc/api.md, sorted
words() {
    tr '\n' ' ' <"$srcdir/doc/api.md" | sed "s/.*$1//; s/[.;].*//" | grep -o '`[a-z_]*`' | tr -d '`' | sort | paste -sd' '
}
is "$(words 'Options are passed as parameters:')" "$(named post)" "doc/api.md names the parameters of uploads"
is "$(words 'profdepot list`, with the filters')" "$(named get | tr ' ' '\n' | grep -vx 'cursor\|limit\|output\|skip' | paste -sd' ')" \
    "doc/api.md names the filters of the list"
get /v1/metrics
like "$type" '^text/plain; version=0.0.4' "metrics are in Prometheus format"
is "$(grep -vcE '^(# (HELP|TYPE) profdepot_[a-z_]+ .*|profdepot_[a-z_]+(\{([a-z]+="[^"\\]*",?)*\})? [0-9.]+)$' "$tmp/got")" 0 \
    "every line of the metrics is well-formed"
n=$(sed -n 's/^profdepot_http_requests_total{method="GET",route="\/v1\/health\/live",status="200"} //p' "$tmp/got")
is "$n" 1 "the metrics count a request"
get /v1/health/live
get /v1/metrics
for metric in http_queue http_requests_in_flight database_connections request_memory_bytes events_stored_total 'jobs{state="done"}' \
    'http_request_seconds_count{method="GET",route="/v1/health/live"} 2'; do
    ok "the metrics contain profdepot_$metric" grep -qF "profdepot_$metric" "$tmp/got"
done
get /v1/nothing
refused 404 nothing "a path that does not exist"
get /v1/formats -X DELETE
refused 405 DELETE "a method that the path does not support"
is "$(header Allow)" "GET, HEAD" "the header Allow lists the methods"
is "$(json "d['type']")" urn:profdepot:error:method-not-allowed "the type of a problem depends on the status"
get '/v1/result-sets/999999'
is "$(json "d['type']")" urn:profdepot:error:not-found "the type of a problem is a URI"

# Another session locks the table, so the query does not end in time.
serve_end
serve_begin --query-timeout 1
psql -Xq -c 'begin; lock table profdepot.instances in access exclusive mode; select pg_sleep(6)' >/dev/null 2>&1 &
holder=$!
sleep 0.5
get /v1/result-sets
refused 504 '.' "a query that exceeds the time limit"
get /v1/health/live
is "$code" 200 "while the table is locked, the server reports that it is alive"
# A job that waits for the table is cancelled.
upload "$corpora/leaks/memcheck-bash.xml" async=1
job=$(header Location)
get "$job" -X DELETE
like "$code" '^20[02]$' "a job is cancelled"
wait "$holder"
for _ in $(seq 300); do
    get "$job"
    case $(json "d['state']") in queued | running) sleep 0.1 ;; *) break ;; esac
done
is "$(json "d['state']")" cancelled "the job reports that it is cancelled"
is "$(q "select count(*) from instances where caption like 'bash%'")" 0 "a cancelled job stores nothing"
serve_end
is $? 0 "the server ends with status 0"
done_testing
