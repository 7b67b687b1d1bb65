#!/usr/bin/env bash
# Tests stopping the server, and stopping PostgreSQL while the server runs.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"

pg_temp_start
tmp=$(mktemp -d "$pg_temp_dir/stop.XXXXXX")
depot_make

lock() {
    coproc LOCK { psql -XqAt 2>&1; }
    echo "begin; lock table profdepot.schema_migrations in access exclusive mode; select 'locked';" >&"${LOCK[1]}"
    read -r _ <&"${LOCK[0]}"
}
unlock() {
    echo "rollback;" >&"${LOCK[1]}"
    eval "exec ${LOCK[1]}>&-"
    wait "$LOCK_PID" 2>/dev/null
}
# Starts a request that waits for the lock. $asked is the client's process ID; its output goes to files in $tmp.
ask() {
    local tries=200
    curl -s -m 60 -D "$tmp/head" -o "$tmp/body" -w '%{http_code}' "$base/v1/health" >"$tmp/code" &
    asked=$!
    while [ "$(q "select count(*) from pg_locks where not granted")" = 0 ] && [ $tries -gt 0 ]; do
        sleep 0.1
        tries=$((tries - 1))
    done
}
# seconds COMMAND...: runs the command; sets $took to the whole seconds that it takes.
seconds() {
    local begin=$SECONDS
    "$@"
    took=$((SECONDS - begin))
}
reap() {
    status=0
    wait "$server_pid" || status=$?
    server_pid=
}

serve_begin
seconds serve_end
is $? 0 "an idle server ends with status 0"
ok "an idle server ends at once" test $took -le 1

# --- a request in progress ---
serve_begin
lock
ask
exec 7<>"/dev/tcp/127.0.0.1/${base##*:}"
kill "$server_pid"
sleep 0.5
ok "the server waits for an unfinished request" kill -0 "$server_pid"
ok "a server that is stopping accepts no new client" ! curl -s -m 2 "$base/v1/health"
read -r -t 3 -u 7 _
is $? 1 "an idle connection is closed"
exec 7>&-
unlock
seconds reap
is "$status" 0 "when the unfinished request has ended, the server ends with status 0"
wait "$asked"
is "$(cat "$tmp/code")" 200 "the unfinished request gets status 200"
ok "the last answer has the header Connection: close" grep -qi '^Connection: close' "$tmp/head"

serve_begin --stop-timeout 2
lock
ask
kill "$server_pid"
seconds reap
is "$status" 5 "a server that abandons a request ends with status 5"
ok "--stop-timeout limits the time that stopping takes" test $took -le 4
unlock
wait "$asked"

serve_begin
lock
ask
kill "$server_pid"
sleep 0.3
kill "$server_pid"
seconds reap
is "$status" 5 "a second signal ends the server"
ok "after a second signal, the server ends at once" test $took -le 1
unlock
wait "$asked"

# --- an incomplete request ---
serve_begin
exec 7<>"/dev/tcp/127.0.0.1/${base##*:}"
printf 'GET /v1/health HTTP/1.1\r\nHost: local' >&7
sleep 0.3
kill "$server_pid"
sleep 0.5
printf 'host\r\n\r\n' >&7
read -r -t 5 -u 7 line
like "$line" '^HTTP/1.1 200' "a request whose headers have begun is answered"
exec 7>&-
seconds reap
is "$status" 0 "after the last request, the server ends with status 0"
serve_begin
exec 7<>"/dev/tcp/127.0.0.1/${base##*:}"
printf 'GET /v1/health HTTP/1.1\r\nHost: local' >&7
sleep 0.3
kill "$server_pid"
seconds reap
is "$status" 0 "the server ends with status 0 although a request is incomplete"
ok "the server waits at most 8 seconds for an incomplete request" test $took -le 8
exec 7>&-

# --- PostgreSQL ---
restart() {
    pg_temp_as "$pg_temp_bin/pg_ctl" -D "$pg_temp_dir/data" -l "$pg_temp_dir/run/log" -w -m "$1" restart >/dev/null 2>&1
}
serve_begin
get() {
    curl -s -m 20 -D "$tmp/head" -o "$tmp/body" -w '%{http_code}' "$base/v1/health"
}
is "$(get)" 200 "the server answers a request"
restart fast
is "$(get)" 200 "after a restart of PostgreSQL, the server answers"
lock
ask
restart immediate
wait "$asked"
is "$(cat "$tmp/code")" 503 "an unfinished request gets 503 when PostgreSQL stops"
ok "the 503 has the header Retry-After" grep -qi '^Retry-After:' "$tmp/head"
is "$(get)" 200 "the next request is answered after PostgreSQL's restart"
pg_temp_as "$pg_temp_bin/pg_ctl" -D "$pg_temp_dir/data" -w -m fast stop >/dev/null
is "$(get)" 503 "while PostgreSQL is down, a request gets 503"
like "$(cat "$tmp/body")" '"status":503' "the 503 has an error in JSON"
restart fast
is "$(get)" 200 "when PostgreSQL runs again, the server answers without its own restart"
serve_end
is $? 0 "the server ends with status 0"

# --- UNIX sockets ---
"$PROFDEPOT" serve --listen "unix:$tmp/socket" >"$tmp/out" 2>&1 &
server_pid=$!
for _ in $(seq 300); do
    grep -q ^serving "$tmp/out" && break
    sleep 0.1
done
is "$(cat "$tmp/out")" "serving: unix:$tmp/socket" "a server can listen on a UNIX socket"
is "$(curl -s -o /dev/null -w '%{http_code}' --unix-socket "$tmp/socket" http://any/v1/health)" 200 "a server on a UNIX socket accepts any host name"
run serve --listen "unix:$tmp/socket"
is "$status" 3 "a server does not replace a socket that is in use"
is "$(curl -s -o /dev/null -w '%{http_code}' --unix-socket "$tmp/socket" http://any/v1/health)" 200 "a server that finds a socket in use does not remove it"
kill "$server_pid"
reap
is "$status" 0 "the server ends with status 0"
ok "a server removes its socket when it ends" test ! -e "$tmp/socket"
done_testing
