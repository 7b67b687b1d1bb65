#!/usr/bin/env bash
# Tests that the outcome of a job is kept when the server stops, and that the next server settles the jobs of a killed
# server. Only the token with which an upload was sent gives access to its job.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"

pg_temp_start
tmp=$(mktemp -d "$pg_temp_dir/jobs.XXXXXX")
depot_make
echo 'main;work 7' >"$tmp/small.folded"
awk 'BEGIN { for (i = 0; i < 20000; i++) print "main;routine" i " " i + 1 }' >"$tmp/large.folded"
# code [CURL ARGUMENT...] PATH: prints the status; writes $tmp/head and $tmp/body.
code() {
    curl -s -m 60 -D "$tmp/head" -o "$tmp/body" -w '%{http_code}' "${@:1:$#-1}" "$base${*: -1}"
}
# ended JOB [CURL ARGUMENT...]: waits until the job has ended, and prints its description.
ended() {
    for _ in $(seq 300); do
        code "${@:2}" "$1" >/dev/null
        grep -qE '"state": ?"(queued|running)"' "$tmp/body" || break
        sleep 0.1
    done
    cat "$tmp/body"
}
q() { psql -XqAt -c "set search_path = profdepot; $1"; }
# killed: kills the server as a crash would.
killed() {
    kill -9 "$server_pid"
    wait "$server_pid" 2>/dev/null
    server_pid=
}

# --- outcomes outlive the server ---
serve_begin
is "$(code --data-binary "@$tmp/small.folded" '/v1/result-sets?name=small.folded&async=1')" 202 "an upload becomes a job"
job=$(tr -d '\r' <"$tmp/head" | sed -n 's/^Location: //p')
like "$job" '^/v1/jobs/[0-9a-f]{32}$' "nobody can guess the job's path"
before=$(ended "$job")
like "$before" '"state":"done".*"inst_id":1' "the job describes its result set"
is "$(code --data-binary 'main 0x' '/v1/result-sets?name=bad.folded&format=collapsed&async=1')" 202 "an invalid upload becomes a job"
bad=$(tr -d '\r' <"$tmp/head" | sed -n 's/^Location: //p')
like "$(ended "$bad")" '"state":"failed".*"status":422' "it fails"
failure=$(sed 's/.*"error"//' "$tmp/body")
is "$(code --data-binary "@$tmp/small.folded" '/v1/result-sets?name=small.folded')" 200 "an upload whose sender waits"
code /v1/jobs >/dev/null
is "$(grep -o '"id":' "$tmp/body" | wc -l)" 3 "all uploads are listed"
code '/v1/jobs?state=failed' >/dev/null
is "$(grep -o '"state": *"[a-z]*"' "$tmp/body" | tr -d ' ')" '"state":"failed"' "the list can be limited to a state"
is "$(code '/v1/jobs?state=odd')" 400 "an unknown state is refused"
serve_end
is $? 0 "the server ends with status 0"
serve_begin
is "$(code "$job")" 200 "after a restart, the job is known"
like "$(cat "$tmp/body")" '"state":"done".*"inst_id":1' "its result is, too"
code "$bad" >/dev/null
is "$(sed 's/.*"error"//' "$tmp/body")" "$failure" "the error of the other job is the same as before"
is "$(code -X DELETE "$bad")" 204 "it can be removed"
serve_end
serve_begin
is "$(code "$bad")" 404 "a removed job stays removed"

# --- kill -9 during a load ---
coproc LOCK { psql -XqAt 2>&1; }
echo "begin; lock table profdepot.samples in access exclusive mode; select 'locked';" >&"${LOCK[1]}"
read -r _ <&"${LOCK[0]}"
code --data-binary "@$tmp/large.folded" '/v1/result-sets?name=large.folded&async=1' >/dev/null
running=$(tr -d '\r' <"$tmp/head" | sed -n 's/^Location: //p')
curl -s -o /dev/null --data-binary 'main;sync 3' "$base/v1/result-sets?name=sync.folded" &
sender=$!
for _ in $(seq 100); do
    [ "$(q "select count(*) from pg_stat_activity where wait_event_type = 'Lock'")" = 2 ] && break
    sleep 0.1
done
code --data-binary 'main;third 3' '/v1/result-sets?name=third.folded&async=1' >/dev/null
code --data-binary 'main;fourth 3' '/v1/result-sets?name=fourth.folded&async=1' >/dev/null
queued=$(tr -d '\r' <"$tmp/head" | sed -n 's/^Location: //p')
killed
wait "$sender"
serve_begin
for path in "$running" "$queued"; do
    is "$(code "$path")" 200 "after a crash, the job is known"
    like "$(cat "$tmp/body")" '"state":"failed".*the server ended before the upload was loaded' "it has failed"
done
code /v1/jobs >/dev/null
like "$(tr -d '\n ' <"$tmp/body")" '"name":"sync.folded","state":"failed"' "the upload whose sender waited is also reported as failed"
echo "rollback;" >&"${LOCK[1]}"
eval "exec ${LOCK[1]}>&-"
wait "$LOCK_PID" 2>/dev/null
sleep 2
is "$(q 'select count(*) from instances')" 1 "nothing of them was stored"
is "$(q 'select count(*) from jobs where ended_at is null')" 0 "all jobs have ended"

# --- kill -9 between the COMMIT and the end of the job ---
is "$(code --data-binary "@$tmp/large.folded" '/v1/result-sets?name=large.folded&async=1')" 202 "the upload is sent again"
job=$(tr -d '\r' <"$tmp/head" | sed -n 's/^Location: //p')
like "$(ended "$job")" '"state":"done"' "it is loaded"
killed
q "update jobs set state = 'running', ended_at = null, result = null, row_count = 0 where job = '${job##*/}'"
serve_begin
code "$job" >/dev/null
like "$(cat "$tmp/body")" '"state":"done"' "a job whose result set was stored is done"

# --- two servers on one depot ---
first_base=$base first_pid=$server_pid first_log=$serve_log
coproc LOCK { psql -XqAt 2>&1; }
echo "begin; lock table profdepot.samples in access exclusive mode; select 'locked';" >&"${LOCK[1]}"
read -r _ <&"${LOCK[0]}"
code --data-binary 'main;fifth 5' '/v1/result-sets?name=fifth.folded&async=1' >/dev/null
job=$(tr -d '\r' <"$tmp/head" | sed -n 's/^Location: //p')
serve_begin
is "$(q "select state in ('queued', 'running') from jobs where job = '${job##*/}'")" t "another server leaves the jobs of a running server alone"
serve_end
base=$first_base server_pid=$first_pid serve_log=$first_log
echo "rollback;" >&"${LOCK[1]}"
eval "exec ${LOCK[1]}>&-"
wait "$LOCK_PID" 2>/dev/null
like "$(ended "$job")" '"state":"done"' "the job ends as usual"
serve_end

# --- owners ---
for name in ann ben; do
    declare "$name=$("$PROFDEPOT" token add $name --scope ingest --token-file "$tmp/tokens" 2>/dev/null | tail -n 1)"
done
chief=$("$PROFDEPOT" token add chief --scope admin --token-file "$tmp/tokens" 2>/dev/null | tail -n 1)
serve_begin --token-file "$tmp/tokens"
# shellcheck disable=SC2154 # declared above
is "$(code -H "Authorization: Bearer $ann" --data-binary 'main;ann 3' '/v1/result-sets?name=ann.folded&async=1')" 202 "a token sends an upload"
job=$(tr -d '\r' <"$tmp/head" | sed -n 's/^Location: //p')
like "$(ended "$job" -H "Authorization: Bearer $ann")" '"state":"done"' "its owner sees the job"
# shellcheck disable=SC2154 # declared above
is "$(code -H "Authorization: Bearer $ben" "$job")" 404 "another token does not"
is "$(code -H "Authorization: Bearer $ben" -X DELETE "$job")" 404 "another token cannot remove it"
code -H "Authorization: Bearer $ben" /v1/jobs >/dev/null
unlike "$(cat "$tmp/body")" 'ann.folded' "another token's list does not contain it"
is "$(code -H "Authorization: Bearer $chief" "$job")" 200 "an administrator sees it"
serve_end
serve_begin --token-file "$tmp/tokens"
is "$(code -H "Authorization: Bearer $ben" "$job")" 404 "after a restart, another token still does not see it"
is "$(code -H "Authorization: Bearer $ann" "$job")" 200 "its owner does"
serve_end
is $? 0 "the server ends with status 0"
done_testing
