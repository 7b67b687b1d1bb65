#!/usr/bin/env bash
# Tests a crash of PostgreSQL that loses committed batches. The server must not have acknowledged these batches. It
# must store them again exactly once, even if other transactions have reused the IDs of the lost transactions. Then the
# test ends the server's two connections, separately and together, while clients send batches.
# If CRASH_ROUNDS is larger than the default of 3, each connection is ended more often.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"

rounds=${CRASH_ROUNDS:-3}
events=20

PG_TEMP_OPTIONS="-c wal_writer_delay=10s -c autovacuum=off"
pg_temp_start
tmp=$(mktemp -d)
trap 'serve_end; rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make

# post NAME URL: sends a batch of 3 events in the background. When the server has answered, $tmp/NAME.code exists.
post() {
    local rows="" i
    for i in 1 2 3; do
        rows+="${rows:+,}{\"process\":\"$1\",\"pid\":$i,\"stack\":\"of-$1;f$i\",\"elapsed\":$i}"
    done
    (curl -s -m 100 -o "$tmp/$1.answer" -w '%{http_code}' -H 'Content-Type: application/json' "$2" \
        -d "{\"hostname\":\"h\",\"time\":\"2026-01-31 17:00:00.5\",\"offcputime\":[$rows]}" >"$tmp/$1.new"
    mv "$tmp/$1.new" "$tmp/$1.code") &
}
code() {
    cat "$tmp/$1.code" 2>/dev/null
}

answered() {
    local name
    for name in "$@"; do
        [ -e "$tmp/$name.code" ] || return 1
    done
}
groups() {
    q "select coalesce(max(groups), 0) from posted_progress"
}
has_groups() {
    [ "$(groups)" -ge "$1" ]
}
# pid_of CONDITION: prints the process ID of a PostgreSQL backend.
pid_of() {
    q "select pid from pg_stat_activity where $1 and pid <> pg_backend_pid() limit 1"
}
# Each process must have exactly three events, with three different stacks of this process. Prints the other processes.
wrong() {
    q "select process, count(*) from offcputime group by process
        having count(*) <> 3 or count(distinct stack) <> 3 or bool_or(stack is null or stack not like 'of-' || process || ';%')"
}
postgres() {
    local action=$1
    shift
    pg_temp_as "$pg_temp_bin/pg_ctl" -D "$pg_temp_dir/data" -l "$pg_temp_dir/run/log" -w -t 60 "$@" "$action" >/dev/null
}
options="-c listen_addresses='' -c fsync=off -c max_connections=40 -c shared_buffers=32MB $PG_TEMP_OPTIONS"

# --- committed batches are lost ---

serve_begin --legacy
post before "$base/v1/events"
wait_until 20 answered before
is "$(code before)" 200 "a batch is stored"
is "$(q "select count(*) from posted_progress where groups > 0")" 1 "the server records its progress"

# Stops the server's flushes and PostgreSQL's WAL writer, so that no further commit reaches the disk.
flusher=$(pid_of "application_name = 'profdepot flush'")
walwriter=$(pid_of "backend_type = 'walwriter'")
kill -STOP "$flusher" "$walwriter"
had=$(groups)
post patient "$base/"
wait_until 20 has_groups $((had + 1))
post impatient "$base/v1/events"
wait_until 20 has_groups $((had + 2))
post named "$base/v1/events?batch=one"
wait_until 20 has_groups $((had + 3))
ok "three batches are committed" has_groups $((had + 3))
is "$(q "select count(*) from offcputime")" 12 "other sessions see the committed batches"
sleep 0.5
ok "the first sender's batch is not acknowledged before it is on the disk" ! answered patient
ok "the second sender's batch is not acknowledged" ! answered impatient
ok "the batch with a name is not acknowledged" ! answered named

# Kills all PostgreSQL processes and restarts PostgreSQL at another socket, to which the server cannot reconnect yet.
postmaster=$(head -n 1 "$pg_temp_dir/data/postmaster.pid")
mapfile -t children < <(pgrep -P "$postmaster")
kill -9 "$postmaster" "${children[@]}"
while pg_temp_runs "$postmaster"; do sleep 0.05; done
for pid in "${children[@]}"; do
    while pg_temp_runs "$pid"; do sleep 0.05; done
done
rm "$pg_temp_dir/data/postmaster.pid" "$pg_temp_dir"/run/.s.* # the process may still be a zombie
mkdir "$pg_temp_dir/aside"
[ "$(id -u)" -ne 0 ] || chown postgres: "$pg_temp_dir/aside"
postgres start -o "$options -c unix_socket_directories='$pg_temp_dir/aside'"
aside() {
    PGHOST=$pg_temp_dir/aside q "$1"
}
is "$(aside "select max(groups) from posted_progress")" "$had" "the crash loses the three batches"
is "$(aside "select count(*) from offcputime")" 3 "the events of all three batches are lost"
postgres stop -m fast
postgres start -o "$options -c unix_socket_directories='$pg_temp_dir/run'"
wait_until 20 answered patient impatient named
is "$(code patient)" 200 "the first sender's batch is acknowledged after the restart"
# On a slow machine, PostgreSQL may be down for too long. The server then stops waiting, and answers with status 503.
like "$(code impatient)" '^(200|503)$' "the second sender gets 200 or 503"
like "$(code named)" '^(200|503)$' "the sender of the named batch gets 200 or 503"
post named "$base/v1/events?batch=one"
rm -f "$tmp/named.code"
wait_until 20 answered named
is "$(code named)" 200 "the named batch can be sent again"
like "$(cat "$tmp/named.answer")" '"known":(true|false)' "the answer to the repeated batch contains \"known\""
is "$(wrong)" "" "each batch is stored once, with its own stacks"
is "$(q "select string_agg(distinct process, ' ' order by process) from offcputime where process <> 'impatient'")" \
    "before named patient" "no acknowledged batch is lost in the crash"
[ "$(code impatient)" = 503 ] ||
    is "$(q "select count(*) from offcputime where process = 'impatient'")" 3 "the acknowledged batch without a name is stored"

# --- a synchronous standby ---

has_standbys() {
    [ "$(q "show synchronous_standby_names")" = "$1" ]
}
set_standbys() {
    q "alter system set synchronous_standby_names = '$1'"
    q "select pg_reload_conf()" >/dev/null
    wait_until 20 has_standbys "$1"
}
set_standbys absent
had=$(groups)
post remote "$base/v1/events"
wait_until 20 has_groups $((had + 1))
sleep 0.5
ok "a batch that has not reached the standby is not acknowledged" ! answered remote
set_standbys ""
wait_until 20 answered remote
is "$(code remote),$(wrong)" "200," "when no standby is required any more, the batch is acknowledged"

# --- the server's row in posted_progress is deleted ---

q "delete from posted_progress"
post later "$base/v1/events"
wait_until 20 answered later
is "$(code later)" 200 "a server whose row was deleted stores a batch"
is "$(q "select count(*) from posted_progress where groups > 0"),$(wrong)" "1," "the server has a new row, and each batch is stored once"
q "insert into posted_progress values ('00000000-0000-0000-0000-000000000001', 7, now() - interval '8 days'),
    ('00000000-0000-0000-0000-000000000002', 7, now() - interval '6 days')"
serve_end
is $? 0 "a server whose row was deleted ends with status 0"
is "$(q "select groups, server from posted_progress")" $'7|00000000-0000-0000-0000-000000000001\n7|00000000-0000-0000-0000-000000000002' \
    "when a server ends, it deletes only its own row"
serve_begin --legacy
post last "$base/v1/events"
wait_until 20 answered last
one_left() {
    [ "$(q "select count(*) from posted_progress where groups = 7")" = 1 ]
}
wait_until 20 one_left
is "$(q "select server from posted_progress where groups = 7")" 00000000-0000-0000-0000-000000000002 \
    "a new server removes rows older than a week"

# --- a role that may not call pg_logical_emit_message ---

q "revoke execute on function pg_logical_emit_message(boolean, text, text) from public;
    create role plain login in role profdepot_loader"
serve_end
serve_begin --db "postgresql://plain@/$PGDATABASE?host=$PGHOST"
for name in plain1 plain2 plain3; do
    post $name "$base/v1/events"
done
wait_until 20 answered plain1 plain2 plain3
is "$(code plain1) $(code plain2) $(code plain3)" "200 200 200" "a role that may not call pg_logical_emit_message can store events"
is "$(wrong)" "" "the role stores each batch once"
q "grant execute on function pg_logical_emit_message(boolean, text, text) to public"
serve_end

# --- closed connections, and stopping the server ---

serve_begin --legacy
address() {
    echo "${base#http://}" >"$tmp/address.new"
    mv "$tmp/address.new" "$tmp/address"
}

# stream PATH SECONDS: starts clients in the background; sets $stream to their process ID.
stream() {
    local inst
    : >"$tmp/log"
    q "delete from posted_batches" >/dev/null
    for inst in $(q "select inst_id from instances"); do
        "$PROFDEPOT" rm "$inst" >/dev/null 2>&1
    done
    address
    python3 "$srcdir/tests/service/live_stream.py" "$1" "$tmp/log" "$2" 8 $events "$tmp/address" &
    stream=$!
}

# judge TEXT: waits for the clients and compares their log with the depot.
judge() {
    wait "$stream"
    sed -n 's/^ok //p' "$tmp/log" | LC_ALL=C sort >"$tmp/ok"
    sed -n 's/^doubt //p' "$tmp/log" | LC_ALL=C sort >"$tmp/doubt"
    q "select process from offcputime group by process" | LC_ALL=C sort >"$tmp/there"
    diag "$(wc -l <"$tmp/ok") acknowledged, $(wc -l <"$tmp/doubt") in doubt, $(grep -c '^no' "$tmp/log") refused"
    isnt "$(wc -l <"$tmp/ok")" 0 "$1: batches were acknowledged"
    is "$(LC_ALL=C comm -23 "$tmp/ok" "$tmp/there" | head -3)" "" "$1: no acknowledged batch is lost"
    is "$(LC_ALL=C sort "$tmp/ok" "$tmp/doubt" | LC_ALL=C comm -13 - "$tmp/there" | head -3)" "" "$1: no refused batch is stored"
    is "$(q "select process, count(*) from offcputime group by process having count(*) <> $events or bool_or(stack is null) limit 3")" \
        "" "$1: each batch is complete and stored once"
}

# end_connections CONDITION...: ends the PostgreSQL connections that match each condition, several times.
end_connections() {
    local i condition
    for ((i = 0; i < rounds * 5; i++)); do
        sleep 0.2
        for condition in "$@"; do
            q "select pg_terminate_backend(pid) from pg_stat_activity where $condition" >/dev/null
        done
    done
}
writer="application_name = 'profdepot' and backend_xid is not null"
flusher="application_name = 'profdepot flush'"
for path in /v1/events '/v1/events?batch=NAME' /; do
    stream "$path" $((rounds * 3 + 1))
    end_connections "$writer"
    end_connections "$flusher"
    end_connections "$writer" "$flusher"
    judge "closed connections, posts to $path"
    is "$(grep '^doubt\|^no' "$tmp/log")" "" "no client gets an error when a connection of the server ends"
done

stream /v1/events 3
sleep 1.5
serve_end
is $? 0 "the server ends with status 0 while clients send batches"
judge "posts while the server stops"
is "$(q "select count(*) from posted_progress where groups <> 7")" 0 "a server deletes its row when it ends"
done_testing
