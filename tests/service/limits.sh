#!/usr/bin/env bash
# Tests limits: times, rates, connections, the queue, and the time limit and rights of queries.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"

command -v python3 >/dev/null || skip_all "python3 is not installed"
pg_temp_start
tmp=$(mktemp -d "$pg_temp_dir/limits.XXXXXX")
depot_make
bad() {
    at="${base#http://}"
    python3 "$srcdir/tests/service/client.py" "$1" "${at%:*}" "${at##*:}" "${@:2}"
}
# code [CURL ARGUMENT...] PATH: prints the status; writes $tmp/head and $tmp/body.
code() {
    curl -s -m 60 -D "$tmp/head" -o "$tmp/body" -w '%{http_code}' "${@:1:$#-1}" "$base${*: -1}"
}

for bad_option in "--max-load-disk 0" "--max-load-time 0" "--max-header 1K" "--max-header 2M" "--min-rate 0" "--max-request x" "--workers 0" "--rate -1"; do
    # shellcheck disable=SC2086
    run serve --listen 127.0.0.1:0 $bad_option
    is "$status" 2 "$bad_option is refused"
done

# --- connections to the database ---
serve_begin --workers 60
like "$(cat "$serve_log")" 'may need 1[0-9][0-9] database connections, but PostgreSQL has only [0-9]+ left' \
    "the server warns if it may need more connections than PostgreSQL allows"
serve_end
serve_begin --workers 4
unlike "$(cat "$serve_log")" 'database connections' "there is no warning if the connections suffice"
serve_end

# --- slow clients ---
serve_begin --idle-timeout 2 --request-timeout 2 --min-rate 1K
ok "all kinds of slow clients are disconnected in time" bad slow 2
serve_end
is $? 0 "the server ends with status 0"
serve_begin --connections 64
ok "the server closes idle connections when it reaches the limit of connections" bad full 64
serve_end
is $? 0 "the server ends with status 0"
serve_begin --connections-each 3
ok "--connections-each limits the connections from one address" ! bad full 3
serve_end

# --- rates ---
serve_begin --rate 1
codes=
for _ in $(seq 15); do codes="$codes$(code /v1/health) "; done
like "$codes" '^(200 ){2}' "a burst is allowed"
like "$codes" '429' "after the burst, the rate limit applies"
code /v1/health >/dev/null
while [ "$(code /v1/health)" != 429 ]; do :; done
ok "the 429 has the header Retry-After: 1" grep -qi '^Retry-After: 1' "$tmp/head"
like "$(cat "$tmp/body")" '"status":429' "the 429 has an error in JSON"
sleep 1.2
is "$(code /v1/health)" 200 "after a pause, a request from the same address is answered"
serve_end

# --- the memory, disk and time of a load ---
for ((n = 0; n < 60000; n++)); do
    echo "main;routine_with_a_rather_long_name_$n $n"
done >"$tmp/large.folded"
serve_begin --max-load-memory 24M
# profdepot's malloc counts the memory of a load. In a build with a sanitizer, the sanitizer's malloc replaces it.
if ! grep -aq __asan_init "$PROFDEPOT"; then
    is "$(code --data-binary @"$tmp/large.folded" '/v1/result-sets?name=large.folded')" 413 "a load that needs too much memory is rejected"
    like "$(cat "$tmp/body")" '"code":"memory-limit".*needs more than 24 MiB of memory' "the message names the limit"
    is "$(q 'select count(*) from instances')" 0 "a load that needs too much memory stores nothing"
fi
is "$(code --data-binary 'main;work 7' '/v1/result-sets?name=small.folded')" 201 "after that, the server loads another file"
serve_end
is $? 0 "the server ends with status 0"

serve_begin --max-load-disk 1M
is "$(code --data-binary @"$tmp/large.folded" '/v1/result-sets?name=large.folded&again=true')" 413 "a load that writes too much is rejected"
like "$(cat "$tmp/body")" '"code":"disk-limit".*writes more than 1048576 bytes.*--max-load-disk' "the message names the limit, and the hint the option"
is "$(code --data-binary @"$tmp/large.folded" '/v1/result-sets?name=large.folded&async=true')" 202 "as a job, the same load is accepted"
job=$(sed -n 's/^Location: *\([^ \r]*\).*/\1/p' "$tmp/head")
for _ in $(seq 100); do
    [ "$(code "$job")" = 200 ] && ! grep -qE '"state":"(queued|running)"' "$tmp/body" && break
    sleep 0.1
done
like "$(cat "$tmp/body")" '"state":"failed".*"code":"disk-limit"' "then the job fails with the same error"
is "$(q 'select count(*) from instances')" 1 "nothing of it is stored"
is "$(code --data-binary 'main;work 8' '/v1/result-sets?name=small.folded')" 201 "after that, the server loads another file"
serve_end
is $? 0 "the server ends with status 0"

# --- the database: a lock makes requests wait ---
# lock TABLE: locks the table until unlock is called. Until then, requests that read the table wait: /v1/categories
# reads categories, and /v1/health reads schema_migrations.
lock() {
    coproc LOCK { psql -XqAt 2>&1; }
    echo "begin; lock table profdepot.$1 in access exclusive mode; select 'locked';" >&"${LOCK[1]}"
    read -r _ <&"${LOCK[0]}"
}
unlock() {
    echo "rollback;" >&"${LOCK[1]}"
    eval "exec ${LOCK[1]}>&-"
    wait "$LOCK_PID" 2>/dev/null
}
serve_begin --max-load-time 1
lock instances
is "$(code --data-binary 'main;work 9' '/v1/result-sets?name=small.folded')" 413 "a load that takes too long is stopped"
like "$(cat "$tmp/body")" '"code":"time-limit".*takes more than 1 seconds.*--max-load-time' "the message names the limit, and the hint the option"
unlock
is "$(q 'select count(*) from instances')" 2 "nothing of it is stored"
is "$(code --data-binary 'main;work 9' '/v1/result-sets?name=small.folded')" 201 "the same upload succeeds if the database is not locked"
serve_end
is $? 0 "the server ends with status 0"

serve_begin --workers 1 --queue 1 --query-timeout 20
lock categories
curl -s -o /dev/null "$base/v1/categories" &
first=$!
sleep 0.5
curl -s -o /dev/null -w '%{http_code}' "$base/v1/categories" >"$tmp/second" &
second=$!
sleep 0.5
is "$(code /v1/categories)" 503 "a full queue rejects requests"
ok "a rejected request gets the header Retry-After" grep -qi '^Retry-After:' "$tmp/head"
is "$(code /nothing)" 404 "while the queue is full, requests that need no worker are answered"
id=$(q 'select min(inst_id) from instances')
for path in /v1/health /v1/health/live /v1/metrics /v1/whoami /v1/jobs "/v1/diff?base=$id&new=$id"; do
    is "$(code -m 5 "$path")" 200 "while the queue of short requests is full, $path is answered"
done
unlock
wait "$first" "$second"
is "$(cat "$tmp/second")" 200 "a queued request is answered"
is "$(code /v1/categories)" 200 "once the queue is empty again, a request is answered"
serve_end

serve_begin --workers 1 --queue-timeout 1 --query-timeout 20
lock categories
curl -s -o /dev/null "$base/v1/categories" &
first=$!
sleep 0.5
is "$(code -m 5 /v1/categories)" 503 "a request that waits too long for a worker gets 503"
ok "a request that waited too long gets the header Retry-After" grep -qi '^Retry-After:' "$tmp/head"
like "$(cat "$tmp/body")" 'waited too long' "the message names the reason"
unlock
wait "$first"
is "$(code /v1/categories)" 200 "after that, a request is answered"
serve_end

serve_begin --query-timeout 1
lock schema_migrations
is "$(code /v1/health)" 504 "a query that takes too long is cancelled"
like "$(cat "$tmp/body")" '"status":504' "the 504 has an error in JSON"
unlock
is "$(code /v1/health)" 200 "the next request after a cancelled query is answered"
serve_end

# --- rights ---
serve_begin
q "revoke select on schema_migrations from profdepot_reader"
is "$(code /v1/health)" 500 "queries run with the rights of profdepot_reader"
like "$(cat "$tmp/body")" 'permission denied' "the error names the missing permission"
q "grant select on schema_migrations to profdepot_reader"
is "$(code /v1/health)" 200 "when the permission is granted again, the request is answered"
serve_end
is $? 0 "the server ends with status 0"
done_testing
