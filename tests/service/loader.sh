#!/usr/bin/env bash
# Tests that no upload can end the service: if the process that loads the upload is killed or runs out of memory, nothing
# is stored and the service continues. If the service ends, its loads end, too, and store nothing.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"

pg_temp_start
depot_make
tmp=$(mktemp -d)
export TMPDIR=$tmp
trap 'release; serve_end; pg_temp_stop; rm -rf "$tmp"' EXIT
awk 'BEGIN { for (i = 0; i < 300000; i++) print "main;routine" i ";leaf" i % 977 " " i + 1 }' >"$tmp/large.folded"
echo 'main;work 7' >"$tmp/small.folded"

# hold: locks a table, so that loads wait. release: unlocks the table.
holder=
hold() {
    psql -Xq -c 'begin; lock table profdepot.samples in access exclusive mode; select pg_sleep(600)' >/dev/null 2>&1 &
    holder=$!
    until [ "$(psql -XqAt -c "select count(*) from pg_locks where relation = 'profdepot.samples'::regclass and granted")" = 1 ]; do
        sleep 0.05
    done
}
release() {
    [ -n "$holder" ] || return 0
    psql -Xq -c "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(600)%' and pid <> pg_backend_pid()" >/dev/null 2>&1
    wait "$holder" 2>/dev/null
    holder=
}
# sets: prints the numbers of result sets and of samples
sets() {
    psql -XqAt -F' ' -c 'select (select count(*) from profdepot.instances), (select count(*) from profdepot.samples)'
}
# worker: waits until a loading process waits for the lock, and prints the process ID.
worker() {
    local starter supervisor pid tries=300
    while [ $tries -gt 0 ]; do
        starter=$(pgrep -o -P "$server_pid") # the oldest child starts loads; another child starts heavy requests
        supervisor=$([ -z "$starter" ] || pgrep -P "$starter" | head -n 1)
        pid=$([ -z "$supervisor" ] || pgrep -P "$supervisor" | head -n 1)
        [ -z "$pid" ] || [ "$(waiting)" = 0 ] || break
        tries=$((tries - 1))
        sleep 0.1
    done
    echo "$pid"
}
waiting() {
    psql -XqAt -c "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and pid <> pg_backend_pid()"
}
# begin_job: uploads a file, which becomes a job that waits for the lock; sets $job and $pid.
begin_job() {
    hold
    job=$(curl -s -o /dev/null -D - --data-binary "@$tmp/large.folded" "$base/v1/result-sets?async=1&name=large.folded&format=collapsed&caption=secret-caption" |
        tr -d '\r' | sed -n 's/^Location: //p')
    pid=$(worker)
}
# ended: waits until the job has ended, and prints the job as JSON.
ended() {
    local tries=300 got
    while [ $tries -gt 0 ]; do
        got=$(curl -s "$base$job")
        case $got in *'"state":"queued"'* | *'"state":"running"'*) ;; *) break ;; esac
        tries=$((tries - 1))
        sleep 0.1
    done
    printf '%s' "$got"
}
# goes_on TEXT: checks that the service loads and removes a small file.
goes_on() {
    like "$(curl -s --data-binary "@$tmp/small.folded" "$base/v1/result-sets?name=small.folded&format=collapsed&again=1")" \
        '"state":"loaded"' "$1: the service goes on"
    "$PROFDEPOT" rm --all >/dev/null
}

serve_begin
begin_job
unlike "$(tr '\0' ' ' <"/proc/$pid/cmdline")" 'secret|dbname|host=' "the arguments of the process contain nothing of the request"
kill -9 "$pid"
like "$(ended)" '"state":"failed".*signal 9.*"known\\" in the answer means' "a killed process is a failed job, whose message says so"
release
is "$(sets)" "0 0" "a killed process leaves nothing"
goes_on "after a killed process"

begin_job
kill -ABRT "$pid"
like "$(ended)" '"state":"failed".*signal 6' "a crash is a failed job"
release
is "$(sets)" "0 0" "a crash leaves nothing"
goes_on "after a crash"

# The sanitizers reserve terabytes of address space.
if ! grep -aq __asan_init "$PROFDEPOT"; then
    begin_job
    prlimit --pid "$pid" --as=$((32 * 1024 * 1024))
    release
    like "$(ended)" '"state":"failed".*"status":413.*more memory than it may use' "a load whose malloc fails is a failed job"
    is "$(sets)" "0 0" "it leaves nothing"
    goes_on "after a failed malloc"
fi

begin_job
curl -s -o /dev/null -X DELETE "$base$job"
like "$(ended)" '"state":"cancelled"' "a job that waits for the server can be cancelled"
is "$(test -d "/proc/$pid"; echo $?)" 1 "its process ends"
release
is "$(sets)" "0 0" "a cancelled job leaves nothing"
goes_on "after a cancelled job"

begin_job
kill -9 "$server_pid"
wait "$server_pid" 2>/dev/null
server_pid=
tries=100
while [ -d "/proc/$pid" ] && [ $tries -gt 0 ]; do
    tries=$((tries - 1))
    sleep 0.1
done
is "$(test -d "/proc/$pid"; echo $?)" 1 "if the service is killed, its loads end"
release
is "$(sets)" "0 0" "they leave nothing"

serve_begin --stop-timeout 1
begin_job
starter=$(pgrep -o -P "$server_pid")
kill "$server_pid"
wait "$server_pid"
is $? 0 "the service stops while a load is running"
server_pid=
is "$(test -d "/proc/$pid"; echo $?) $(test -d "/proc/$starter"; echo $?)" "1 1" "no process of the service is left"
release
is "$(sets)" "0 0" "a load that the stop cancelled leaves nothing"
done_testing
