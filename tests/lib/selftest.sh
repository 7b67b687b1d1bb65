#!/usr/bin/env bash
# Tests the harness: every assertion of tap.sh can fail, and the temporary cluster works and leaves no
# files.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"

# verdict CODE: prints the output and exit status of a script that contains only CODE.
verdict() {
    local status=0
    bash -c '. "$srcdir/tests/lib/tap.sh"; '"$1" 2>&1 || status=$?
    echo "status $status"
}

like "$(verdict 'pass x; done_testing')" '^ok 1 - x.1\.\.1.status 0$' "a passing script ends with status 0"
like "$(verdict 'fail x; done_testing')" '^not ok 1 - x.*status 1$' "a failing script ends with status 1"
for bad in 'ok x false' 'ok x ! true' 'is a b x' 'isnt a a x' 'like abc z x' 'unlike abc b x' \
    'same_file /dev/null /etc/passwd x' 'ok x /nonexistent/command'; do
    like "$(verdict "$bad; done_testing")" '^not ok 1 - x.*status 1$' "the assertion fails: $bad"
done
for good in 'ok x true' 'ok x ! false' 'is a a x' 'isnt a b x' 'like abc b x' 'unlike abc z x' \
    'same_file /dev/null /dev/null x' 'skip reason x'; do
    like "$(verdict "$good; done_testing")" '^ok 1 - x.*status 0$' "the assertion passes: $good"
done
like "$(verdict 'plan 2; pass x; done_testing')" 'status 1$' "a script that runs fewer cases than planned fails"
like "$(verdict 'skip_all reason; pass x')" '^1\.\.0 # SKIP reason.status 0$' "skip_all ends the script"
like "$(PROFDEPOT_CORPORA='' verdict 'need_corpora')" '# SKIP PROFDEPOT_CORPORA' "need_corpora skips the script if the corpora are missing"

third_call() {
    calls=$((calls + 1))
    [ "$calls" -eq 3 ]
}
calls=0
wait_until 10 third_call
is "$? $calls" "0 3" "wait_until repeats the command until it succeeds"
ok "wait_until fails if the command still fails after the time" ! wait_until 1 false

if pg_temp_find; then
    before=$tap_count
    said=$(bash -c '. "$srcdir/tests/lib/tap.sh"; . "$srcdir/tests/lib/pg-temp.sh"; pg_temp_start
        echo "dir=$pg_temp_dir"; psql -XAtc "show server_encoding"
        psql -XAt "$PROFDEPOT_DB" -c "select current_database()"; exit 7') && status=0 || status=$?
    is "$status" 7 "the cluster's clean-up keeps the exit status"
    like "$said" 'UTF8.profdepot_test' "PROFDEPOT_DB names a UTF8 database"
    dir=$(printf '%s\n' "$said" | sed -n 's/^dir=//p')
    ok "the cluster creates a directory" test -n "$dir"
    ok "the cluster removes its directory" ! test -e "$dir"
    is $((tap_count - before)) 4 "the previous four cases were counted"
else
    skip "PostgreSQL server programs are not installed" "a script can use a temporary cluster"
fi
done_testing
