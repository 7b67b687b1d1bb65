#!/usr/bin/env bash
# Tests that a JSON object ends with "complete": true only if it is the whole answer.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"
need_corpora

pg_temp_start
depot_make
tmp=$(mktemp -d)
trap 'serve_end; pg_temp_stop; rm -rf "$tmp"' EXIT
psql -X -q -c 'create role web login in role profdepot_reader'
corpora=$PROFDEPOT_CORPORA
"$PROFDEPOT" load -q "$corpora/leaks/memcheck-leaks-gensupp.xml" || bail_out "the file cannot be loaded"
id=$(q 'select max(inst_id) from instances')
serve_begin --sql --sql-db "postgresql://web@/$PGDATABASE?host=$PGHOST" --query-timeout 60

# ends FILE: whether the document ends with the member
ends() {
    tr -d ' \n' <"$1" | tail -c 16 | grep -q '"complete":true}$'
}
# mentions FILE: whether the document has the member anywhere
mentions() {
    tr -d ' \n' <"$1" | grep -q '"complete":true'
}
# get STATUS PATH [CURL OPTION...]: writes the answer to $tmp/got
get() {
    is "$(curl -s -o "$tmp/got" -w '%{http_code}' "${@:3}" "$base$2")" "$1" "$2 is answered with $1"
}

# --- answers of the service and of the program ------------------------------------------------------
for path in /v1/health /v1/health/live /v1/whoami /v1/result-sets "/v1/result-sets/$id" "/v1/result-sets/$id/reports/leaks" \
    "/v1/result-sets/$id/flame?format=json" /v1/facets /v1/overview /v1/streams /v1/history '/v1/trend?metric=live_count' \
    /v1/categories /v1/suppressions; do
    get 200 "$path"
    ok "$path is complete" ends "$tmp/got"
done
get 200 "/v1/check?set=$id" -d '{"budgets": [{"of": "leaks", "max_count": 0}]}'
ok "a check is complete" ends "$tmp/got"
get 200 '/v1/result-sets?name=a.xml' --data-binary "@$corpora/leaks/memcheck-leaks-gensupp.xml"
ok "an upload's answer is complete" ends "$tmp/got"
get 202 '/v1/result-sets?name=b.xml&async=true' --data-binary "@$corpora/leaks/memcheck-errors.xml"
ok "a job is complete" ends "$tmp/got"
for command in "report leaks $id" "flame $id" "show $id" list "db status" "stream list"; do
    # shellcheck disable=SC2086 # several arguments
    "$PROFDEPOT" $command --output json >"$tmp/got"
    ok "\"$command\" is complete" ends "$tmp/got"
done
"$PROFDEPOT" load --output json "$corpora/leaks/memcheck-leaks-gensupp.xml" >"$tmp/got"
ok "\"load\" is complete" ends "$tmp/got"

# --- formats of other programs, arrays and errors ---------------------------------------------------
for path in /v1/openapi.json /v1/reports /v1/formats "/v1/result-sets/$id/export/speedscope" /api/getcategories; do
    get 200 "$path"
    ok "$path does not have the member" ! mentions "$tmp/got"
done
get 200 "/v1/check?set=$id&format=sarif" -d '{"budgets": [{"of": "leaks", "max_count": 0}]}'
ok "SARIF does not have the member" ! mentions "$tmp/got"
get 404 /v1/result-sets/999999
ok "an error does not have the member" ! mentions "$tmp/got"

# --- an error after many rows -----------------------------------------------------------------------
get 400 /v1/sql --data-binary 'select 1 / (n - 9999) from generate_series(1, 10000) n'
ok "a query that fails after many rows is not complete" ! mentions "$tmp/got"
unlike "$(cat "$tmp/got")" 'result_sets' "the error has no rows"

# --- a server that ends while it sends an answer ----------------------------------------------------
rm "$tmp/got"
curl -s --limit-rate 1M -o "$tmp/got" --data-binary 'select n, repeat($$x$$, 900) from generate_series(1, 40000) n' "$base/v1/sql?limit=40000" &
client=$!
for ((tries = 0; tries < 300; tries++)); do
    [ ! -s "$tmp/got" ] || break
    sleep 0.1
done
kill -9 "$server_pid"
wait "$client"
is "$?" 18 "the client of a killed server reports that the answer is cut off"
wait "$server_pid" 2>/dev/null
server_pid=
ok "a part of the answer arrived" test -s "$tmp/got"
ok "the part does not end with the member" ! mentions "$tmp/got"
done_testing
