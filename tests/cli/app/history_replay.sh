#!/usr/bin/env bash
# Answers of profdepot history must be repeatable. The test asks random questions between random changes: loads,
# removals, moved labels and applications, definitions of streams, reviews and folds. Afterwards it asks each question again, with --as-of
# and the ledger number at which it was first asked. Every answer must be the same to the byte.
#
#	HISTORY_SEED=1		the random sequence
#	HISTORY_STEPS=150	changes of the depot
#	HISTORY_QUESTIONS=1000
# shellcheck disable=SC2034 # memcheck.sh reads these variables

# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/memcheck.sh
. "$srcdir/tests/lib/memcheck.sh"
# shellcheck source=tests/lib/streams.sh
. "$srcdir/tests/lib/streams.sh"

pg_temp_start
tmp=$(mktemp -d "${TMPDIR:-/tmp}/profdepot-test.XXXXXX") || bail_out "the temporary folder cannot be created"
trap 'status=$?; rm -rf "$tmp"; (exit $status); pg_temp_stop' EXIT
depot_make
RANDOM=${HISTORY_SEED:=1}
steps=${HISTORY_STEPS:-150}
questions=${HISTORY_QUESTIONS:-1000}
diag "HISTORY_SEED=$HISTORY_SEED"

small_folds

# --- changes -------------------------------------------------------------------------------------

routines=(alloc_a alloc_b alloc_c alloc_d alloc_e alloc_f)
kinds=(Leak_DefinitelyLost Leak_DefinitelyLost Leak_PossiblyLost InvalidRead InvalidWrite)
branches=(main main main fix next)
applications=(shop shop desk '')
newest=(c0 c0 c0)	# the newest commits of main, fix and next
loads=0 reports=() by_os=

branch_number() {
    case $1 in
    main) branch=0 ;;
    fix) branch=1 ;;
    *) branch=2 ;;
    esac
}

# must ARGUMENT...: makes a change, which must succeed.
must() {
    run "$@"
    [ "$status" -eq 0 ] || { diag "$* in step $step: $errors"; broken=$((broken + 1)); }
}

write_report() {
    local findings=() routine
    for routine in "${routines[@]}"; do
        [ $((RANDOM % 3)) -eq 0 ] ||
            findings+=("$routine:$((RANDOM % 900 + 1)):${kinds[RANDOM % ${#kinds[@]}]}")
    done
    memcheck_options=--leak-check=full memcheck_cut=
    [ $((RANDOM % 8)) -ne 0 ] || memcheck_cut=yes
    [ $((RANDOM % 8)) -ne 0 ] || memcheck_options=--leak-check=no
    memcheck_object=/build/$((RANDOM % 2))/shop memcheck_pid=$loads memcheck "${findings[@]}" >"$1"
}

change_load() {
    local name=${branches[RANDOM % ${#branches[@]}]} application=shop options file=$tmp/report-$loads.xml parent branch
    branch_number "$name"
    [ $((RANDOM % 6)) -ne 0 ] || application=desk
    options=(--quiet --application "$application" --label "branch=$name" --label "os=os$((RANDOM % 2))")
    loads=$((loads + 1))
    parent=${newest[branch]}
    case $((RANDOM % 4)) in
    0) ;; # without a commit
    1) # an older commit, or one whose parent is unknown
        options+=(--commit "c$loads" --parent-commit "c$((RANDOM % loads))") ;;
    *)
        options+=(--commit "c$loads" --parent-commit "$parent" --app-version "1.$loads")
        newest[branch]=c$loads
        ;;
    esac
    [ $((RANDOM % 5)) -ne 0 ] || options+=(--run "night-$((loads / 3))")
    if [ $((RANDOM % 5)) -eq 0 ]; then
        must load "${options[@]}" --clean --tool Checker --looked-for "$([ $half -eq 0 ] && echo leaks || echo leaks,errors)"
    elif [ $((RANDOM % 8)) -eq 0 ] && [ ${#reports[@]} -gt 0 ]; then
        must load "${options[@]}" --again "${reports[RANDOM % ${#reports[@]}]}"
    else
        write_report "$file"
        reports+=("$file")
        must load "${options[@]}" "$file"
    fi
}

# Bash seeds RANDOM again in each command substitution. Therefore, the numbers are drawn before it.
draw() {
    pick=$RANDOM
    half=$((RANDOM % 2))
}

some_set() {
    q "select inst_id from instances order by md5(inst_id::text || $pick) limit 1"
}

change_review() {
    local identity options=()
    identity=$(q "select encode(uuid_send(identity), 'hex') from sightings group by identity
        order by md5(identity::text || $pick) limit 1")
    [ $((RANDOM % 3)) -ne 0 ] || options=(--until "$((RANDOM % 2 ? 2001 : 2999))-01-01")
    run history "$identity"
    # It is possible that the newest stream does not have this finding.
    [ "$status" -eq 0 ] || return 0
    must review "$identity" --status "$([ $half -eq 0 ] && echo fixed || echo confirmed)" \
        --reason "step $step" "${options[@]}"
}

change() {
    draw
    case $((RANDOM % 20)) in
    0 | 1) must rm "$(some_set)" ;;
    2) must label "$(some_set)" "branch=${branches[RANDOM % ${#branches[@]}]}" ;;
    3) change_review ;;
    5 | 6)
        must label "$(some_set)" --application "${applications[RANDOM % ${#applications[@]}]}"
        ;;
    4)
        case $((RANDOM % 4)) in
        0)
            must stream set branch os
            by_os=yes
            ;;
        1) must stream parent ;;
        2) must stream parent "branch=${branches[RANDOM % ${#branches[@]}]}" ;;
        *)
            must stream set branch
            by_os=
            ;;
        esac
        ;;
    *) change_load ;;
    esac
}

# --- questions -----------------------------------------------------------------------------------

# Prints the arguments of a random question, one per line.
question() {
    local filters=() stream output=csv
    case $((RANDOM % 8)) in
    0) filters=(--state new) ;;
    1) filters=(--state gone --state "came back") ;;
    2) filters=(--kind leak) ;;
    3) filters=(--min-size "$((RANDOM % 900))") ;;
    4) filters=(--module "*/1/*") ;;
    5) filters=(--review fixed --review none) ;;
    6) filters=(--top 2) ;;
    esac
    [ $((RANDOM % 3)) -eq 0 ] || filters+=(--state all)
    if [ $((RANDOM % 6)) -eq 0 ] && [ ${#identities[@]} -gt 0 ]; then
        filters=("${identities[RANDOM % ${#identities[@]}]}")
    fi
    if [ $((RANDOM % 8)) -ne 0 ]; then
        stream=shop
        [ $((RANDOM % 8)) -ne 0 ] || stream=desk
        stream+=" branch=${branches[RANDOM % ${#branches[@]}]}"
        [ -z "$by_os" ] || stream+=" os=os$((RANDOM % 2))"
        filters+=(--stream "$stream")
    fi
    [ $((RANDOM % 2)) -eq 0 ] || output=json
    printf '%s\n' "${filters[@]}" --output $output
}

# answer FOLDER NUMBER WHEN: asks question NUMBER as of WHEN. Errors are answers too.
answer() {
    local arguments
    mapfile -t arguments <"$tmp/question-$2"
    "$PROFDEPOT" history "${arguments[@]}" --as-of "$3" >"$1/$2" 2>&1
    echo "exit status $?" >>"$1/$2"
}

# answer_all FOLDER FIRST LAST: asks these questions in two processes.
answer_all() {
    local n half=$((($2 + $3) / 2))
    for ((n = $2; n <= half; n++)); do
        answer "$1" $n "$(<"$tmp/when-$n")"
    done &
    for ((n = half + 1; n <= $3; n++)); do
        answer "$1" $n "$(<"$tmp/when-$n")"
    done
    wait $!
}

# --- the sequence --------------------------------------------------------------------------------

mkdir "$tmp/first" "$tmp/second"
asked=0 broken=0 step=0 identities=()
draw
change_load
change_load
for ((step = 1; step <= steps; step++)); do
    change
    [ $((step % 10)) -ne 1 ] || mapfile -t identities < <(q "select distinct encode(uuid_send(identity), 'hex') from sightings")
    newest_number=$(q "select max(ledger_no) from ledger")
    first=$((asked + 1))
    while [ $asked -lt $((questions * step / steps)) ]; do
        asked=$((asked + 1))
        question >"$tmp/question-$asked"
        # Half of the questions are about the present.
        echo $((RANDOM % 2 ? newest_number : RANDOM % newest_number + 1)) >"$tmp/when-$asked"
    done
    [ $first -gt $asked ] || answer_all "$tmp/first" $first $asked
done
is "$broken" 0 "all changes succeed"
is "$asked" "$questions" "all questions were asked"
diag "$(q "select format('%s ledger entries, %s result sets, %s runs in history, %s folds, %s sightings',
    (select count(*) from ledger), (select count(*) from instances), (select count(*) from published_runs),
    (select count(*) from folds), (select count(*) from sightings))")"
ok "there are folds" test "$(q "select count(*) from folds")" -ge 5
is "$(q "select count(*) from folds f
    cross join lateral unnest(f.inst_ids, f.ledger_nos, f.positions, f.run_keys, f.group_keys, f.versions, f.commit_ids,
        f.tools, f.ran_at, f.labels, f.finished, f.leaks, f.errors, f.races, f.parent_commit_ids)
        u (inst_id, ledger_no, position, run_key, group_key, version, commit_id, tool, ran_at, labels, finished, leaks,
           errors, races, parent_commit_id)
    left join published_runs r using (inst_id)
    where row(u.ledger_no, u.position, u.run_key, u.group_key, u.version, u.commit_id, u.tool, u.ran_at, u.labels,
              u.finished, u.leaks, u.errors, u.races, u.parent_commit_id)
          is distinct from row(r.ledger_no, r.position, r.run_key, r.group_key, r.version, r.commit_id, r.tool, r.ran_at,
              array_to_string(r.labels, E'\n'), r.finished, r.leaks, r.errors, r.races, r.parent_commit_id)")" 0 "each fold repeats the columns of its runs"
ok "some runs moved to other applications" test "$(q "select count(*) from earlier_runs")" -ge 3
ok "some folded findings were reported in several wordings" test "$(q "select count(*) from folded_findings where wordings <> '{}'")" -ge 1
ok "most questions have answers" test "$(grep -l 'exit status 0' "$tmp"/first/* | wc -l)" -ge $((questions / 2))

answer_all "$tmp/second" 1 "$asked"
different=0
for ((n = 1; n <= asked; n++)); do
    cmp -s "$tmp/first/$n" "$tmp/second/$n" && continue
    different=$((different + 1))
    [ $different -gt 3 ] ||
        diag "question $n, as of $(cat "$tmp/when-$n"): $(paste -s -d' ' "$tmp/question-$n")" \
            "$(diff -u "$tmp/first/$n" "$tmp/second/$n" | head -n 30)"
done
is "$different" 0 "every answer is the same as the first time"
is "$(q "select count(*) from folded_findings where (select array_agg(n::smallint order by n) from generate_series(1, 256) n
    where get_bit(seen, n - 1) = 1) is distinct from runs")" 0 "folds have the same runs as bits and as numbers"
done_testing
