#!/usr/bin/env bash
# Tests requests that are answered by separate processes, which have limits on time, memory and the answer's size, and
# the memory of posted events.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"

pg_temp_start
tmp=$(mktemp -d "$pg_temp_dir/heavy.XXXXXX")
depot_make
awk 'BEGIN { for (i = 0; i < 60000; i++) printf "main;module_%d;routine_with_a_long_name_%d %d\n", i % 500, i, i % 9 + 1 }' \
    >"$tmp/old.folded"
awk '{ $2 = $2 % 5 + NR % 2 + 1; print }' "$tmp/old.folded" >"$tmp/new.folded"
echo "main;small 1" >"$tmp/small.folded"
run load "$tmp/old.folded" "$tmp/new.folded" "$tmp/small.folded"
is "$status" 0 "two result sets with 60,000 stacks are loaded"
# code [CURL ARGUMENT...] PATH: prints the status; writes $tmp/head and $tmp/body.
code() {
    curl -s -m 60 -D "$tmp/head" -o "$tmp/body" -w '%{http_code}' "${@:1:$#-1}" "$base${*: -1}"
}
# The processes that answer heavy requests. They are the server's grandchildren.
readers() {
    ps -eo pid=,ppid= | awk -v server="$server_pid" '
        { parent[$1] = $2 }
        END { for (p in parent) if (parent[parent[p]] == server) print p }'
}
# waits COMMAND...: waits for at most 10 s until the command is true.
waits() {
    for _ in $(seq 100); do
        "$@" && return
        sleep 0.1
    done
    return 1
}
# Returns whether all threads of the process have ended. Its sockets are closed when the last thread ends. The process
# may still be a zombie.
has_ended() {
    ! ps -L -o state= -p "$1" | grep -qv '^Z'
}
has_readers() { [ "$(readers | wc -l)" -eq "$1" ]; }
diff='/v1/diff?base=1&new=2'

# --- answers ---
serve_begin --heavy-workers 1 --query-timeout 30
for path in "$diff" "$diff&format=html" '/v1/result-sets/1/export/folded' '/v1/result-sets/1/flame' '/v1/reports/hot?set=1&format=csv'; do
    is "$(code "$path")" 200 "$path is answered"
done
is "$(code "$diff")" 200 "a large answer is complete"
"$PROFDEPOT" diff --output json 1 2 >"$tmp/expected"
ok "it has the same bytes as the command's output" cmp "$tmp/expected" "$tmp/body"
is "$(code '/v1/diff?base=1&new=99')" 404 "an error keeps its status"
is "$(code -X POST -d '{"budgets": 1' /v1/check)" 422 "a request with a body is answered"

# --- if a process ends or hangs, only its request fails ---
is "$(code '/v1/reports/list')" 404 "the worker has a process"
ok "there is one process" waits has_readers 1
first=$(readers)
kill -9 "$first"
ok "the process is killed" waits has_ended "$first"
is "$(code "$diff")" 200 "after the process was killed, the next request gets another process"
isnt "$(readers)" "$first" "it is another process"
(
    sleep 0.3
    kill -9 "$(readers)"
) &
killer=$!
is "$(code "$diff")" 500 "a request whose process is killed gets 500"
like "$(cat "$tmp/body")" 'the process that answered the request has ended' "the message says so"
wait "$killer"
is "$(code '/v1/diff?base=1&new=99')" 404 "after that, a request is answered"
serve_end
is $? 0 "the server ends with status 0"

# --- the deadline ---
serve_begin --heavy-workers 1 --query-timeout 1
is "$(code '/v1/diff?base=1&new=99')" 404 "a request is answered in time"
stopped=$(readers)
kill -STOP "$stopped"
is "$(code "$diff")" 504 "a request whose process hangs gets 504"
kill -9 "$stopped"
is "$(code '/v1/diff?base=1&new=99')" 404 "after that, a request is answered"
serve_end

# --- clients that disconnect ---
serve_begin --heavy-workers 1 --query-timeout 60
lock() { # TABLE: locks the table until unlock is called
    coproc LOCK { psql -XqAt 2>&1; }
    echo "begin; lock table profdepot.$1 in access exclusive mode; select 'locked';" >&"${LOCK[1]}"
    read -r _ <&"${LOCK[0]}"
}
unlock() {
    echo "rollback;" >&"${LOCK[1]}"
    eval "exec ${LOCK[1]}>&-"
    wait "$LOCK_PID" 2>/dev/null
}
lock categories
waiting() { # NUMBER: returns whether this number of queries wait for the lock
    [ "$(psql -XqAt -c "select count(*) from pg_stat_activity where wait_event_type = 'Lock'")" = "$1" ]
}
curl -s -o /dev/null -d '{}' "$base/api" &
client=$!
ok "a query waits for a lock" waits waiting 1
is "$(code -m 2 '/v1/diff?base=1&new=99')" 000 "another request waits for the only worker"
kill "$client"
ok "when the client disconnects, its query is cancelled" waits waiting 0
is "$(code '/v1/diff?base=1&new=99')" 404 "then the worker answers the next request"
unlock
like "$(curl -s "$base/v1/metrics" | grep 'route="/api",status=')" 'status="499"} 1' "the metrics count the request as 499"
like "$(curl -s "$base/v1/metrics" | grep 'route="/v1/diff",status="499"')" ' 1$' "a request that was abandoned in the queue never gets a worker"
serve_end
is $? 0 "the server ends with status 0"

# --- short requests ---
serve_begin --workers 1 --query-timeout 1
is "$(code /v1/result-sets/3)" 200 "a short request is answered"
stopped=$(readers)
kill -STOP "$stopped"
is "$(code /v1/result-sets/3)" 504 "a short request whose process hangs gets 504"
kill -9 "$stopped"
is "$(code /v1/result-sets/3)" 200 "after that, a short request is answered"
serve_end
serve_begin --workers 1 --query-timeout 60
lock instances
curl -s -o /dev/null "$base/v1/result-sets" &
client=$!
ok "a short query waits for a lock" waits waiting 1
kill "$client"
ok "when the client disconnects, its query is cancelled" waits waiting 0
curl -s -o /dev/null -X PATCH -d '{"caption": "changed"}' "$base/v1/result-sets/3" &
client=$!
ok "a change waits for a lock" waits waiting 1
kill "$client"
ok "when the client disconnects, its change is cancelled" waits waiting 0
unlock
is "$(code /v1/result-sets/3)" 200 "after that, a request is answered"
unlike "$(cat "$tmp/body")" 'changed' "nothing was changed"
serve_end
serve_begin --workers 1 --query-timeout 1
lock instances
is "$(code -X PATCH -d '{"caption": "changed"}' /v1/result-sets/3)" 504 "a change that takes too long gets 504"
ok "its query is cancelled" waits waiting 0
unlock
is "$(code -X PATCH -d '{"caption": "changed"}' /v1/result-sets/3)" 200 "after that, a change is made"
like "$(cat "$tmp/body")" 'changed' "the answer shows it"
serve_end
is $? 0 "the server ends with status 0"

# --- deletions ---
# A locked table makes the deletion wait after it has deleted most rows.
serve_begin --load-workers 1 --query-timeout 60
lock relations
curl -s -o /dev/null -X DELETE "$base/v1/result-sets/3" &
client=$!
ok "a deletion waits for a lock" waits waiting 1
is "$(code -X DELETE -m 1 /v1/result-sets/2)" 000 "another deletion waits for the only worker"
kill "$client"
ok "when the client disconnects, its deletion is cancelled" waits waiting 0
unlock
is "$(code -X DELETE /v1/result-sets/99)" 404 "then the worker answers the next request"
is "$(q 'select count(*) from instances where inst_id in (2, 3)')" 2 "neither result set was deleted"
is "$(printf 'main;small 2' | code --data-binary @- '/v1/result-sets?name=second.folded')" 201 "the same worker loads a file"
serve_end
is $? 0 "the server ends with status 0"
serve_begin --load-workers 1 --query-timeout 1
lock relations
is "$(code -X DELETE /v1/result-sets/3)" 504 "a deletion that takes too long gets 504"
like "$(cat "$tmp/body")" 'nothing was deleted.*--query-timeout' "the hint says that nothing was deleted"
ok "its query is cancelled" waits waiting 0
unlock
run verify --deep 3
is "$status" 0 "the result set is complete"
is "$(code -X DELETE /v1/result-sets/3)" 204 "after that, the result set is deleted"
is "$(q "select count(*) from instances where inst_id = 3")$(q "select count(*) from samples where inst_id = 3")" 00 "nothing of it is left"
run load "$tmp/small.folded"
is "$status" 0 "it is loaded again"
small=$(q 'select max(inst_id) from instances')
serve_end
is $? 0 "the server ends with status 0"

# --- posted events ---
# events NUMBER: prints a body.
events() {
    awk -v n="$1" 'BEGIN {
        printf "{\"hostname\":\"a\",\"time\":\"2026-01-31 17:00:00\",\"offcputime\":["
        for (i = 1; i <= n; i++)
            printf "%s{\"process\":\"dd\",\"pid\":7,\"stack\":\"a;routine_%d;c\",\"elapsed\":%d}", (i > 1 ? "," : ""), i, i
        print "]}"
    }'
}
post() { # [CURL ARGUMENT...]: prints the status
    code -H 'Content-Type: application/json' "$@" /v1/events
}
if ! grep -aq __asan_init "$PROFDEPOT"; then
    serve_begin --memory 16M
    events 50000 >"$tmp/large.json" # 3.6 MB
    events 15000 >"$tmp/medium.json"
    gzip -k "$tmp/large.json"
    is "$(post --data-binary @"$tmp/large.json")" 413 "a batch that needs more than half of --memory gets 413"
    like "$(cat "$tmp/body")" '"code":"memory-limit".*smaller batches' "the hint says what to do"
    is "$(post --data-binary @"$tmp/large.json.gz" -H 'Content-Encoding: gzip')" 413 "a compressed batch that needs too much gets 413"
    is "$(q 'select count(*) from offcputime')" 0 "nothing of them is stored"
    lock instances
    curl -s -o /dev/null -w '%{http_code}' --data-binary @"$tmp/medium.json" "$base/v1/events" >"$tmp/first" &
    client=$!
    ok "a batch waits for a lock" waits waiting 1
    like "$(curl -s "$base/v1/metrics")" 'request_memory_bytes [2-7][0-9]{6}' "its memory counts until it is stored"
    is "$(post --data-binary @"$tmp/medium.json")" 503 "another batch gets 503 if there is no memory for both"
    ok "the answer has the header Retry-After" grep -qi '^Retry-After:' "$tmp/head"
    like "$(cat "$tmp/body")" '"code":"memory-limit".*send the body again' "the hint says what to do"
    is "$(events 10 | post --data-binary @- -m 1)" 000 "a small batch is accepted, and waits for the lock"
    unlock
    wait "$client"
    is "$(cat "$tmp/first")" 200 "the first batch is stored"
    is "$(post --data-binary @"$tmp/medium.json")" 200 "then the other batch is stored, too"
    is "$(q 'select count(*) from offcputime')" 30010 "all acknowledged events are stored"
    like "$(curl -s "$base/v1/metrics")" 'request_memory_bytes [0-9]{1,6}[^0-9]' "the memory is free again"
    serve_end
    is $? 0 "the server ends with status 0"
fi

# --- the buffers of bodies ---
if command -v python3 >/dev/null; then
    serve_begin --memory 16M
    at="${base#http://}"
    ok "buffers of bodies use at most an eighth of --memory, and larger bodies go to files" \
        python3 "$srcdir/tests/service/client.py" buffers "${at%:*}" "${at##*:}" 2097152
    serve_end
    is $? 0 "the server ends with status 0"
fi

# --- memory and size ---
serve_begin --memory 40M
is "$(code '/v1/result-sets/2/flame?base=1&format=json')" 200 "two large trees are compared with little memory, because only their widest nodes are read"
"$PROFDEPOT" flame --base 1 --output json 2 >"$tmp/expected"
ok "the answer is that of the command" cmp "$tmp/expected" "$tmp/body"
serve_end
serve_begin --memory 16M --max-answer 100K
if ! grep -aq __asan_init "$PROFDEPOT"; then # a sanitizer's malloc is not counted
    is "$(code "$diff")" 413 "a request that needs too much memory gets 413"
    like "$(cat "$tmp/body")" '"code":"memory-limit".*needs more memory than is left' "the error says so"
    like "$(cat "$tmp/body")" '\-\-memory' "the hint names the option"
fi
is "$(code '/v1/result-sets/1/export/folded')" 413 "an answer that is too large gets 413"
like "$(cat "$tmp/body")" 'the answer exceeds 102400 bytes' "the message names the limit"
is "$(code "/v1/reports/hot?set=$small")" 200 "after that, a smaller request is answered"
pid=$server_pid
kill -9 "$pid"
ok "if the server is killed, its processes end" waits has_readers 0
wait "$pid" 2>/dev/null
server_pid=
done_testing
