#!/usr/bin/env bash
# Tests POST /v1/sql: answers, errors, limits, and statements that try to change something or to gain rights.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"

command -v curl >/dev/null || skip_all "curl is not installed"
pg_temp_start
tmp=$(mktemp -d "$pg_temp_dir/sql.XXXXXX")
trap 'serve_end; pg_temp_stop' EXIT
depot_make
"$PROFDEPOT" load --quiet --caption one "$srcdir/examples/orders-start.speedscope.json" >/dev/null 2>&1 ||
    bail_out "the example does not load"
psql -X -q -c 'create role web login in role profdepot_reader' -c 'create role clerk login in role profdepot_loader'
login="postgresql://web@/$PGDATABASE?host=$PGHOST"

# sql STATEMENT [QUERY] [CURL ARGUMENT...]: prints the status; writes the body to $tmp/body and the headers to $tmp/head.
sql() {
    local text=$1 query=${2-}
    shift
    [ $# -eq 0 ] || shift
    printf '%s' "$text" >"$tmp/sql"
    curl -s -m 60 -D "$tmp/head" -o "$tmp/body" -w '%{http_code}' --data-binary "@$tmp/sql" "$@" "$base/v1/sql$query"
}
body() {
    cat "$tmp/body"
}
# refused STATUS PATTERN STATEMENT DESCRIPTION
refused() {
    is "$(sql "$3")" "$1" "$4: status $1"
    like "$(body)" "$2" "$4: the message says why"
}

# --- who may ask ---
serve_begin --sql-db "$login"
is "$(sql 'select 1')" 403 "without tokens, SQL is off"
serve_end
serve_begin --sql
is "$(sql 'select 1')" 403 "a superuser's login is refused"
like "$(body)" 'login may do more than read.*--sql-db' "the message names --sql-db"
serve_end
serve_begin --sql --sql-db "postgresql://clerk@/$PGDATABASE?host=$PGHOST"
is "$(sql 'select 1')" 403 "a loader's login is refused"
serve_end
for scope in read,ingest,review,admin read,sql; do
    "$PROFDEPOT" token add "${scope##*,}" --scope "$scope" --token-file "$tmp/tokens" >"$tmp/${scope##*,}"
done
serve_begin --sql --sql-db "$login" --token-file "$tmp/tokens"
is "$(sql 'select 1')" 401 "with tokens, a request without a token is refused"
is "$(sql 'select 1' '' -H "Authorization: Bearer $(cat "$tmp/admin")")" 403 "the scope admin does not include sql"
is "$(sql 'select 1' '' -H "Authorization: Bearer $(cat "$tmp/sql")")" 401 "a wrong token is refused"
"$PROFDEPOT" token add query --scope sql --token-file "$tmp/tokens" >"$tmp/query"
is "$(sql 'select 1' '' -H "Authorization: Bearer $(cat "$tmp/query")")" 200 "the scope sql permits queries"
serve_end

# --- answers ---
serve_begin --sql --sql-db "$login" --memory 64M
if ! grep -aq __asan_init "$PROFDEPOT"; then # a sanitizer's malloc ends the process if it gets no memory
    refused 413 '"code":"memory-limit".*a row needs more memory' "select repeat(repeat('x', 10000), 10000)" "a row that is too large"
fi
is "$(sql 'select 1')" 200 "the service answers after it ran out of memory"
serve_end
serve_begin --sql --sql-db "$login" --query-timeout 3 --max-answer 1M
is "$(sql "select 1 as a, 'x' as a, 1.50 as b, true as c, null as d, 'NaN'::float8 as e, 12345678901234567890 as f")" 200 "a query is answered"
is "$(tail -n 1 "$tmp/body")" '{"a":1,"a_2":"x","b":1.50,"c":true,"d":null,"e":null,"f":12345678901234567890}],"totals":{"rows":1,"shown":1}}],"complete":true}' \
    "JSON has exact numbers, and different keys for equal column names"
is "$(sql 'select inst_id, caption from instances' '?format=csv')" 200 "a query is answered in CSV"
is "$(tr -d '\r' <"$tmp/body")" $'inst_id,caption\n1,one' "unqualified names resolve in the depot"
is "$(sql 'select 1 as x where false')" 200 "a query without rows is answered"
like "$(body)" '"columns":\[\{"key":"x","title":"x","kind":"integer","unit":"none"\}\],"rows":\[\]' "an answer without rows has its columns"
for query in 'values (1), (2)' 'table instances' 'with a as (select 2) table a;' $'-- note\n( /* a /* b */ ( */ select 1 ) -- end'; do
    is "$(sql "$query")" 200 "\"$query\" is a query"
done

# --- errors ---
refused 400 'syntax error.*\(line 2, column 3\)' $'select \'ä\',\n1 1 1 from x' "a syntax error"
refused 400 'column \\"nothing\\" does not exist \(line 3, column 2\)' $'select\n\n nothing' "an unknown column"
refused 400 'no statement' '' "an empty body"
refused 400 'no statement' '-- nothing' "only a comment"
refused 400 'UTF-8' $'select \'\xff\'' "a text that is not UTF-8"
refused 400 'division by zero' 'select 1 / 0' "an error of a row"
is "$(sql 'select 1' '?limit=0')" 400 "a limit of 0 is refused"

# --- limits ---
is "$(sql 'select generate_series(1, 9)' '?limit=3&format=csv')" 200 "a limit on rows"
is "$(wc -l <"$tmp/body")" 4 "the answer has as many rows as the limit"
like "$(cat "$tmp/head")" 'Profdepot-Incomplete: rows' "a header says that there are more rows"
sql 'select generate_series(1, 9)' '?limit=3' >/dev/null
like "$(body)" '"incomplete":\["the query has more rows than the limit of 3"\]' "JSON says that there are more rows"
sql 'select generate_series(1, 3)' '?limit=3' >/dev/null
unlike "$(cat "$tmp/head")$(body)" 'ncomplete' "an answer with exactly as many rows as the limit is complete"
refused 413 'exceeds 1048576 bytes' "select repeat('x', 1000) from generate_series(1, 2000)" "an answer that is too large"
refused 504 'longer than 3 seconds' 'select pg_sleep(60)' "a query that takes too long"
refused 504 'longer than 3 seconds' "select set_config('statement_timeout', '0', false), pg_sleep(60)" "a query that changes the timeout"

# --- attacks ---
refused 400 'several statements' 'select 1; select 2' "several statements"
refused 400 'several statements' $'select 1; drop table instances --' "a second statement with a comment"
refused 403 'permission denied' 'select * from jobs' "the uploads of other senders"
for statement in "insert into instances default values" "set role postgres" "set session authorization postgres" "reset role" \
    "copy instances to '/tmp/x'" "copy (select 1) to program 'id'" "begin" "commit" "rollback" "do \$\$ begin end \$\$" \
    "call x()" "explain analyze delete from instances" "create table x()" "drop schema profdepot cascade" "listen x" \
    "lock instances" "prepare x as select 1" "execute x" "declare y cursor for select 1" "fetch all from query" "close query" \
    "truncate instances" "vacuum" "checkpoint" "load 'x'" "grant postgres to web" "/* select */ delete from instances" \
    $'-- select\ndelete from instances'; do
    refused 400 'only queries are accepted' "$statement" "\"$statement\""
done
for statement in 'with x as (delete from instances returning 1) select * from x' 'select * from instances where inst_id = 1 for update'; do
    refused 403 'would change the depot|permission denied' "$statement" "\"$statement\""
done
refused 400 'INTO|into' 'select 1 as a into x' "SELECT INTO"
refused 400 'before any query|inside a read-only' "select set_config('transaction_read_only', 'off', false)" "a writable transaction"
for call in "pg_read_file('/etc/passwd')" "pg_ls_dir('/')" "lo_import('/etc/passwd')" "pg_reload_conf()" "pg_switch_wal()" \
    "setval('instances_inst_id_seq', 9)" "nextval('instances_inst_id_seq')" "pg_stat_reset()"; do
    refused 403 'permission denied|would change' "select $call" "$call"
done
refused 403 'permission denied to set role' "select set_config('role', 'postgres', false)" "another role"
refused 403 'permission denied to set session auth' "select set_config('session_authorization', 'postgres', false)" "another session user"
refused 403 'permission denied' \
    "select set_config('role', 'none', true), query_to_xml('select pg_read_file(''/etc/passwd'')', true, true, '')" \
    "the login's own rights"
refused 400 'not allowed in a non-volatile function' "select query_to_xml('delete from instances', true, true, '')" "a function that runs a statement"
refused 403 'would change|permission denied' "select ledger_fold_runs('x', 1)" "a function that writes"
sql 'select lo_create(4711)' >/dev/null
is "$(q 'select count(*) from pg_largeobject_metadata')" 0 "a large object does not outlive the request"
sql "select set_config('search_path', 'pg_temp', false), pg_advisory_lock(1)" >/dev/null
is "$(sql 'select count(*) from instances' '?format=csv')" 200 "settings do not outlive the request"
is "$(q "select count(*) from pg_locks where locktype = 'advisory' and objid = 1")" 0 "locks do not outlive the request"
is "$(q 'select count(*), min(caption) from instances')" '1|one' "nothing has changed"
serve_end
is $? 0 "the server ends with status 0"
done_testing
