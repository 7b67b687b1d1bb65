#!/usr/bin/env bash
# Cuts the connection of a load after each message of the client and of the server: the load must be
# stored completely or not at all, and the exit status must say which. If the loader can connect
# again, it must find out whether the load was stored.
#
#	CUT_ALL=1	cuts after every message; without it, the script cuts after the last 12 messages and after a
#			sample of the other messages
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/whole.sh
. "$srcdir/tests/lib/whole.sh"

command -v python3 >/dev/null || skip_all "python3 is not installed"
pg_temp_start
depot_make
whole_prepare
tmp=$(mktemp -d "${TMPDIR:-/tmp}/profdepot-test.XXXXXX") || bail_out "the temporary folder cannot be created"
proxy=
trap 'status=$?; kill $proxy 2>/dev/null; rm -rf "$tmp"; (exit $status); pg_temp_stop' EXIT

input=$srcdir/tests/golden/inputs/speedscope-sampled.speedscope.json
python3 "$srcdir/tests/lib/cut_proxy.py" "$tmp" "$PGHOST/.s.PGSQL.5432" &
proxy=$!
wait_until 10 test -S "$tmp/.s.PGSQL.5432"
via="postgresql://$PGUSER@/$PGDATABASE?host=$tmp"


# cut_load SIDE N LATER: loads and cuts the connection after the N-th message of SIDE. Sets $status and $rows.
cut_load() {
    rm -f "$tmp/count"
    echo "$1 $2 $3" >"$tmp/plan"
    status=0
    "$PROFDEPOT" load --db "$via" --quiet "$input" >"$tmp/out" 2>"$tmp/errors" || status=$?
    rows=$(whole_take)
}

cut_load client 0 open
is "$status" 0 "an undisturbed load through the proxy succeeds"
all_rows=$rows
isnt "$all_rows" 0 "a load adds rows"
read -r of_client of_server <"$tmp/count"
diag "a load adds $all_rows rows; the client sends $of_client messages, the server $of_server"

# verdict: prints how much the load stored, its exit status, and whether its message says that the outcome is unknown.
verdict() {
    local state=partial
    [ "$rows" -ne 0 ] || state=absent
    [ "$rows" -ne "$all_rows" ] || state=whole
    if grep -q 'not known whether' "$tmp/errors"; then
        echo "$state, status $status, not known"
    else
        echo "$state, status $status"
    fi
}

# cut_all SIDE COUNT LATER PATTERN: the verdict of every cut must match PATTERN.
cut_all() {
    local n said step=1 wrong='' unknown=0 runs=0
    [ -n "${CUT_ALL:-}" ] || step=$((1 + $2 / 25))
    for ((n = 1; n <= $2; n++)); do
        # The last messages are those around COMMIT.
        [ $((n % step)) -eq 0 ] || [ $(($2 - n)) -lt 12 ] || continue
        cut_load "$1" $n "$3"
        said=$(verdict)
        runs=$((runs + 1))
        [[ $said != *known ]] || unknown=$((unknown + 1))
        [[ $said =~ $4 ]] || wrong="$wrong; after message $n: $said: $(cat "$tmp/errors")"
    done
    is "$wrong" "" "$runs cuts after a message of the $1, later connections are $3: stored completely or not at all, with the right status"
}

cut_all client "$of_client" open '^(whole, status 0|absent, status 4)$'
cut_all server "$of_server" open '^(whole, status 0|absent, status 4)$'

# The answer to COMMIT is lost, and the server cannot be asked.
lost=0
for ((n = of_client; n > of_client - 8 && !lost; n--)); do
    cut_load client $n closed
    ! grep -q 'not known whether' "$tmp/errors" || lost=$n
done
isnt "$lost" 0 "if the server cannot be asked, the loader does not claim an outcome"
is "$status" 4 "if the outcome is not known, the exit status is 4"
like "$(cat "$tmp/errors")" 'load the input again' "if the outcome is not known, the hint says what to do"
cut_load client "$lost" open
is "$(verdict)" "whole, status 0" "if the server can be asked, the same cut gives a known outcome"

# The connection dies in ANALYZE, after COMMIT.
input=$tmp/large.folded
for ((n = 0; n < 3000; n++)); do
    echo "main;f$n;g$((n % 7)) $n"
done >"$input"
cut_load client 0 open
all_rows=$rows
read -r of_client _ <"$tmp/count"
cut_load client $((of_client - 1)) open
is "$(verdict)" "whole, status 0" "if the connection is lost in ANALYZE, the load succeeds"
like "$(cat "$tmp/errors")" 'warning: loaded, but without statistics' "if the connection is lost in ANALYZE, a warning says so"
done_testing
