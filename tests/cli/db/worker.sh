#!/usr/bin/env bash
# Tests programs that write to a distributed depot while they are connected to different servers of the cluster that
# PROFDEPOT_TEST_CITUS names (see tests/lib/pg-citus.sh).
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'serve_end; rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make

if [ -z "${PROFDEPOT_TEST_CITUS-}" ]; then
    echo "main;work 1" >"$tmp/ordinary.folded"
    run load "$tmp/ordinary.folded"
    is "$status" 0 "a program that writes to an ordinary depot stays on its server"
    done_testing
fi
servers=()
for uri in "${pg_citus_uris[@]}"; do
    servers+=("$(pg_citus_uri "$uri" "$PGDATABASE")")
done
worker=${servers[1]}

# input NAME: writes a small input with content of its own, and prints its path.
input() {
    printf 'main;%s;work %d\nmain;%s 3\n' "$1" $((RANDOM + 1)) "$1" >"$tmp/$1.folded"
    echo "$tmp/$1.folded"
}

# load SERVER LOG FILE...: loads the files of one application.
load() {
    "$PROFDEPOT" load --db "$1" --application app "${@:3}" >"$2" 2>&1 || echo "$2: $(cat "$2")" >>"$tmp/failures"
}

# --- two loads of one input ---
"$PROFDEPOT" load --db "$worker" --application app "$(input first)" >"$tmp/first" 2>&1
like "$(cat "$tmp/first")" '^loaded +result set 1 ' "a load through a worker draws the depot's next number"
for i in 1 2 3 4 5 6; do
    input "pair$i" >/dev/null
    load "${servers[0]}" "$tmp/pair$i-0" "$tmp/pair$i.folded" &
    load "$worker" "$tmp/pair$i-1" "$tmp/pair$i.folded" &
    wait
done
is "$(q "select count(*), count(distinct content_digest) from instances")" "7|7" \
    "if one input is loaded through two servers at once, it is stored once"
is "$(cat "$tmp"/pair* | grep -Ec '^known ')" 6 "the other load finds the stored result set"

# --- ten loaders ---
for i in 1 2 3 4 5 6 7 8 9 10; do
    files=("$tmp/shared1.folded" "$tmp/shared2.folded")
    [ "$i" != 1 ] || { input shared1; input shared2; } >/dev/null
    for j in 1 2 3; do
        files+=("$(input "own$i-$j")")
    done
    load "${servers[i % ${#servers[@]}]}" "$tmp/ten$i" "${files[@]}" &
done
wait
ok "ten loaders at once succeed" test ! -e "$tmp/failures"
[ ! -e "$tmp/failures" ] || diag "$(cat "$tmp/failures")"
is "$(cat "$tmp"/ten* | grep -Ec '^loaded ')" 32 "they load each input once"
is "$(q "select count(*), count(distinct content_digest), max(inst_id) < 100 from instances")" "39|39|t" \
    "no result set is lost or stored twice"
is "$(q "select count(*), count(distinct ledger_no), count(distinct position) from published_runs")" "39|39|39" \
    "each run is published once"
is "$(q "select max(ledger_no) - min(ledger_no) + 1 - count(*) from ledger")" 0 "the ledger has no gaps"
is "$(q "select count(*) from unpublished_runs")" 0 "all runs are published"

# --- other commands ---
for server in "${servers[@]}"; do
    "$PROFDEPOT" label --db "$server" 1 "port${server//[^0-9]/}=yes" >>"$tmp/labels" 2>&1 &
done
wait
is "$(q "select count(*) from result_set_labels where inst_id = 1 and key like 'port%'")" ${#servers[@]} \
    "labels are set through every server"
place=${worker#*//}
place=${place%%/*}
address=$(getent ahostsv4 "$(sed 's/.*@//; s/:[0-9]*$//' <<<"$place")" | sed -n '1s/ .*//p')
printf '[worker]\nhost=anything\nhostaddr=%s\nport=%s\nuser=%s\ndbname=%s\n' "$address" "${place##*:}" "$PGUSER" \
    "$PGDATABASE" >"$tmp/services"
ok "a service file can name the worker by its address" env -u PROFDEPOT_DB -u PGHOST -u PGPORT -u PGDATABASE \
    PGSERVICEFILE="$tmp/services" PGSERVICE=worker "$PROFDEPOT" label 1 service=yes
is "$(q "select value from result_set_labels where inst_id = 1 and key = 'service'")" yes "the label is set"
ok "a result set is removed through a worker" "$PROFDEPOT" rm --db "$worker" 2
is "$("$PROFDEPOT" list --db "$worker" --limit 0 --output csv | tail -n +2 | wc -l)" 38 "a reader on the worker no longer sees it"
ok "db migrate works through a worker" "$PROFDEPOT" db migrate --db "$worker"
like "$("$PROFDEPOT" db status --db "$worker")" "port ${PGPORT:?}," "db status names the coordinator"
is "$(q "select max(ledger_no) - min(ledger_no) + 1 - count(*) from ledger")" 0 "the ledger still has no gaps"

# --- two services ---
body() {
    printf '{"hostname":"%s","time":"2026-01-31 17:00:00","offcputime":[%s]}' "$1" \
        "{\"process\":\"$2\",\"pid\":7,\"stack\":\"a;b;c\",\"elapsed\":10}"
}
# post BASE HOST BATCH: posts one event in a batch of this name.
post() {
    body "$2" "$3" | curl -s -m 60 -H 'Content-Type: application/json' --data-binary @- "$1/v1/events?batch=$2-$3" \
        >>"$tmp/posted" || echo "$1 $2 $3" >>"$tmp/unanswered"
    echo >>"$tmp/posted"
}
serve_begin
first=$base first_pid=$server_pid
trap 'kill "$first_pid"; serve_end; rm -rf "$tmp"; pg_temp_stop' EXIT
PROFDEPOT_DB=$worker serve_begin
for host in h1 h2 h3 h4 h5 h6; do
    for target in "$first" "$base"; do
        post "$target" $host same &
        posts+=($!)
        post "$target" $host "${target##*:}" &
        posts+=($!)
    done
    wait "${posts[@]}"
done
ok "both services answer" test ! -e "$tmp/unanswered"
is "$(grep -c '"events":1' "$tmp/posted")" 24 "they accept every batch"
is "$(grep -c '"known":true' "$tmp/posted")" 6 "a batch that is sent to both is known to the later one"
is "$(q "select count(*), count(distinct host) from instances where state = 'open'")" "6|6" \
    "the services do not create a result set twice"
is "$(q "select count(*), count(distinct process) from offcputime")" "18|3" "each batch is stored once"
kill "$first_pid"
wait "$first_pid"
serve_end
is $? 0 "the service on the worker ends normally"
trap 'serve_end; rm -rf "$tmp"; pg_temp_stop' EXIT

# --- jobs ---
coproc LOCK { psql -XqAt 2>&1; }
echo "begin; lock table profdepot.samples in access exclusive mode; select 'locked';" >&"${LOCK[1]}"
read -r _ <&"${LOCK[0]}"
PROFDEPOT_DB=$worker serve_begin
first=$base first_pid=$server_pid
is "$(curl -s -m 60 -o "$tmp/job" -w '%{http_code}' --data-binary 'main;job 5' "$base/v1/result-sets?name=job.folded&async=1")" 202 \
    "a service on the worker accepts a job"
serve_begin
is "$(q "select count(*) from jobs where state in ('queued', 'running')")" 1 \
    "a service leaves the jobs of a service on another server alone"
serve_end
base=$first server_pid=$first_pid
echo "rollback;" >&"${LOCK[1]}"
eval "exec ${LOCK[1]}>&-"
wait "$LOCK_PID" 2>/dev/null
for _ in $(seq 300); do
    [ "$(q "select count(*) from jobs where state = 'done'")" != 1 ] || break
    sleep 0.1
done
is "$(q "select string_agg(state, ' ') from jobs")" "done" "the job ends as usual"
serve_end
is "$("$PROFDEPOT" verify --deep 2>&1 | tail -n 1)" "39 result sets verified, 0 differ, 6 open" "verify finds every row"

# --- the coordinator cannot be reached ---
pg_citus_sql "$worker" "update pg_dist_node set nodeport = 1 where groupid = 0"
run label --db "$worker" 1 lost=yes
is "$status" 4 "if the coordinator cannot be reached, the command fails"
like "$errors" "a worker of a distributed depot, and the coordinator, .* cannot be reached: .* port 1 failed" \
    "the message names the address"
like "$errors" "hint: use a URI with an address of the coordinator" "the hint says what to do"
run list --db "$worker"
is "$status" 0 "a reader stays on the worker"
other=${servers[2]##*:}
pg_citus_sql "$worker" "update pg_dist_node set nodename = '127.0.0.1', nodeport = ${other%%/*} where groupid = 0"
run label --db "$worker" 1 lost=yes
is "$status" 4 "if the address belongs to another server, the command fails"
like "$errors" "127.0.0.1, port ${other%%/*}, is not its coordinator" "the message names this server"
is "$(q "select count(*) from result_set_labels where key = 'lost'")" 0 "nothing was written"
done_testing
