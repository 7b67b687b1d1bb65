#!/usr/bin/env bash
# Tests the session: timeouts that the server sets, a client that ends while its query runs, and poolers.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"

pg_temp_start
depot_make
tmp=$(mktemp -d "$pg_temp_dir/session.XXXXXX")
chmod 755 "$tmp"
pooler=
trap 'status=$?; pooler_stop; (exit $status); pg_temp_stop' EXIT

# Kills the pooler, whose process ID is in its pid file. $pooler is the process ID of the shell that started the pooler.
pooler_stop() {
    [ -n "$pooler" ] || return 0
    kill "$(cat "$tmp"/*/pid)" 2>/dev/null
    wait "$pooler" 2>/dev/null
    rm -f "$tmp"/*/pid
    pooler=
}

# --- timeouts ---------------------------------------------------------------------------------------------------

# The session is idle while the loader waits for the rest of the input.
slow_input() {
    echo 'main;work 7'
    sleep 1.5
    echo 'main;rest 3'
}
psql -Xq -c "alter role postgres set statement_timeout = '300ms'" \
    -c "alter role postgres set idle_in_transaction_session_timeout = '300ms'" \
    -c "alter role postgres set idle_session_timeout = '300ms'"
slow_input | "$PROFDEPOT" load --quiet --format collapsed - 2>"$tmp/errors"
is $? 0 "a load from a slow pipe succeeds although the server's timeouts are short"
is "$(cat "$tmp/errors")" "" "the load prints no error"
psql -Xq -c "begin" -c "set local statement_timeout = 0" -c "set local idle_in_transaction_session_timeout = 0" \
    -c "lock table profdepot.instances in exclusive mode" -c "select pg_sleep(1.5)" -c "commit" >/dev/null &
sleep 0.5
echo 'main;other 1' | "$PROFDEPOT" load --quiet --format collapsed - 2>"$tmp/errors"
is $? 0 "a load that waits for a lock succeeds although statement_timeout is short"
wait
psql -Xq -c "alter role postgres reset all"

# --- a client that ends -----------------------------------------------------------------------------------------

queries() {
    psql -XqAt -c "select count(*) from pg_stat_activity where application_name = 'profdepot' and state = 'active'"
}
queries_run() {
    [ "$(queries)" != 0 ]
}
no_query_runs() {
    [ "$(queries)" = 0 ]
}

# The report waits for a lock, so its query runs as long as the test needs.
psql -Xq -c "begin" -c "lock table profdepot.instances" -c "select pg_sleep(300)" >/dev/null 2>&1 &
locker=$!
until [ "$(psql -XqAt -c "select count(*) from pg_stat_activity where wait_event = 'PgSleep'")" = 1 ]; do
    sleep 0.05
done
for signal in INT TERM KILL; do
    # If the shell ignores SIGHUP, the command would ignore it too.
    env --default-signal=HUP "$PROFDEPOT" report summary 1 --out "$tmp/report.txt" >/dev/null 2>&1 &
    client=$!
    wait_until 10 queries_run || diag "the query does not start"
    # Background jobs of a shell ignore SIGINT.
    [ $signal != INT ] || signal=HUP
    kill -$signal $client
    wait $client 2>/dev/null
    wait_until 10 no_query_runs
    is $? 0 "SIG$signal: the server cancels the query"
    is "$(find "$tmp" -name 'report*')" "" "SIG$signal: no file remains"
done
psql -Xq -c "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(300)%' and pid <> pg_backend_pid()" >/dev/null
wait $locker 2>/dev/null

# An export is killed while it writes its file.
awk 'BEGIN { for (i = 0; i < 60000; i++) print "main;routine" i " " i }' >"$tmp/large.folded"
inst_id=$("$PROFDEPOT" load --output json "$tmp/large.folded" 2>/dev/null | sed 's/.*"inst_id":\([0-9]*\).*/\1/')
mkdir "$tmp/out"
LD_PRELOAD=$builddir/tests/lib/faults.so FAULT_CALL=fsync FAULT_AT=1 FAULT_HOW=kill \
    "$PROFDEPOT" export "$inst_id" --format speedscope --out "$tmp/out/x.json" 2>/dev/null
is $? 137 "an export is killed before its file is complete"
is "$(ls "$tmp/out")" "" "the killed export leaves no file"
ok "the export succeeds" "$PROFDEPOT" export "$inst_id" --format speedscope --out "$tmp/out/x.json"
is "$(ls "$tmp/out")" x.json "the export leaves only its file"

# --- poolers ----------------------------------------------------------------------------------------------------

pooler_runs() {
    [ -S "$tmp/$1/.s.PGSQL.6432" ] && [ -s "$tmp/$1/pid" ]
}

# pooler_start MODE: sets $pooler and $pooled, the URI.
pooler_start() {
    mkdir -m 777 "$tmp/$1"
    printf '%s\n' "[databases]" "$PGDATABASE = host=$PGHOST user=postgres" "[pgbouncer]" "listen_addr =" \
        "unix_socket_dir = $tmp/$1" "listen_port = 6432" "auth_type = any" "pool_mode = $1" \
        "ignore_startup_parameters = options,extra_float_digits" "logfile = $tmp/$1/log" "pidfile = $tmp/$1/pid" >"$tmp/$1.ini"
    pg_temp_as "$bouncer" -q "$tmp/$1.ini" >/dev/null 2>&1 &
    pooler=$!
    wait_until 10 pooler_runs "$1"
    pooled="postgresql://postgres@/$PGDATABASE?host=$tmp/$1&port=6432"
}

bouncer=$(PATH=$PATH:/usr/sbin command -v pgbouncer)
if [ -z "$bouncer" ]; then
    skip "pgbouncer is not installed" "connection poolers"
else
    pooler_start transaction
    for _ in 1 2 3; do
        run list --db "$pooled"
        is "$status" 4 "a pooler in transaction mode is refused"
    done
    like "$errors" 'connection pooler shares .*pool_mode = session' "the message names the cause and a remedy"
    is "$(psql -XqAt "$pooled" -c 'show default_transaction_read_only' -c 'select current_user')" $'off\npostgres' \
        "other clients of the pooler have their own settings"
    pooler_stop
    pooler_start session
    run list --db "$pooled"
    is "$status" 0 "a pooler in session mode is accepted"
    is "$(psql -XqAt "$pooled" -c 'show default_transaction_read_only' -c 'select current_user')" $'off\npostgres' \
        "other clients of the pooler have their own settings"
fi
done_testing
