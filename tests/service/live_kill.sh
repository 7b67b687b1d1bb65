#!/usr/bin/env bash
# Kills the server, its backends and all of PostgreSQL while clients send batches. Each acknowledged batch must be
# stored once. A batch that is not acknowledged must be stored once or not at all. Each stored batch must be complete.
# If KILL_ROUNDS is larger than the default of 3, the server, its backends and PostgreSQL are killed more often.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"

rounds=${KILL_ROUNDS:-3}
events=20

# The cluster runs without fsync. Commits nevertheless survive when a process is killed, because the kernel keeps what
# the process has written.
pg_temp_start
tmp=$(mktemp -d)
trap 'serve_end; rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make

# address: writes the current server's address to the file that the clients read.
address() {
    echo "${base#http://}" >"$tmp/address.new"
    mv "$tmp/address.new" "$tmp/address"
}

# stream PATH SECONDS: starts clients in the background; sets $stream to their process ID.
stream() {
    : >"$tmp/log"
    q "delete from posted_batches" >/dev/null
    for inst in $(q "select inst_id from instances"); do
        "$PROFDEPOT" rm "$inst" >/dev/null 2>&1
    done
    python3 "$srcdir/tests/service/live_stream.py" "$1" "$tmp/log" "$2" 8 $events "$tmp/address" &
    stream=$!
}

# judge TEXT: waits for the clients and compares their log with the depot.
judge() {
    local of="from offcputime where process like 'p%-%'"
    wait "$stream"
    sed -n 's/^ok //p' "$tmp/log" | sort >"$tmp/ok"
    sed -n 's/^doubt //p' "$tmp/log" | sort >"$tmp/doubt"
    q "select process $of group by process" | LC_ALL=C sort >"$tmp/stored"
    LC_ALL=C sort -o "$tmp/ok" "$tmp/ok"
    LC_ALL=C sort -o "$tmp/doubt" "$tmp/doubt"
    diag "$(wc -l <"$tmp/ok") acknowledged, $(wc -l <"$tmp/doubt") in doubt, $(grep -c '^no' "$tmp/log") refused"
    isnt "$(wc -l <"$tmp/ok")" 0 "$1: batches were acknowledged"
    is "$(LC_ALL=C comm -23 "$tmp/ok" "$tmp/stored" | head -3)" "" "$1: no acknowledged batch is lost"
    is "$(LC_ALL=C sort "$tmp/ok" "$tmp/doubt" | LC_ALL=C comm -13 - "$tmp/stored" | head -3)" "" \
        "$1: no refused batch is stored"
    is "$(q "select process, count(*) $of group by process having count(*) <> $events limit 3")" "" \
        "$1: each batch is complete and stored once"
    is "$(q "select count(*) from offcputime where stack is null or process is null")" 0 "$1: every event has a stack and a track"
}

# --- the server ---

serve_begin
address
stream /v1/events $((rounds * 2 + 1))
for ((i = 0; i < rounds; i++)); do
    sleep 1
    kill -9 "$server_pid"
    wait "$server_pid" 2>/dev/null
    rm -f "$serve_log"
    serve_begin
    address
done
judge "a killed server"

# --- the server's backends, one by one ---

# backend: prints the process ID of the backend through which the server writes.
backend() {
    q "select pid from pg_stat_activity where application_name <> 'psql' and backend_type = 'client backend'
        and backend_xid is not null and pid <> pg_backend_pid() limit 1"
}
stream /v1/events $((rounds * 2 + 1))
for ((i = 0; i < rounds; i++)); do
    sleep 1
    pid=
    for ((k = 0; k < 50 && ${#pid} == 0; k++)); do
        pid=$(backend)
    done
    [ -z "$pid" ] || q "select pg_terminate_backend($pid)" >/dev/null
done
judge "a terminated backend"
is "$(grep '^doubt\|^no' "$tmp/log")" "" "no client gets an error when a backend is terminated"

# --- all of PostgreSQL: when a backend is killed with kill -9, PostgreSQL restarts itself ---

stream /v1/events $((rounds * 3 + 2))
for ((i = 0; i < rounds; i++)); do
    sleep 1.5
    pid=$(q "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1")
    [ -z "$pid" ] || kill -9 "$pid"
done
judge "a killed backend"

# --- old senders must wait until PostgreSQL has restarted ---

serve_end
serve_begin --legacy
address
stream / $((rounds * 3 + 2))
for ((i = 0; i < rounds; i++)); do
    sleep 1.5
    pid=$(q "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1")
    [ -z "$pid" ] || kill -9 "$pid"
done
judge "a restart of PostgreSQL with old senders"
is "$(grep '^no\|^doubt' "$tmp/log")" "" "every old sender received only 200 responses"
done_testing
