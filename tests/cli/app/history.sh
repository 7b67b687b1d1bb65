#!/usr/bin/env bash
# Tests the history of findings: states, streams, branches, order, --as-of, removal, reviews, filters and errors.
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

# --- helpers -------------------------------------------------------------------------------------

# column NUMBER STREAM [OPTION...]: prints this column of a finding. The options must select exactly one finding.
column() {
    "$PROFDEPOT" history --stream "$2" --state all --output csv "${@:3}" | awk -F , -v n="$1" 'NR == 2 { print $n }'
}

# identity STREAM ROUTINE
identity() {
    "$PROFDEPOT" history --stream "$1" --state all --routine "$2" --output csv | awk -F , 'NR == 2 { print $1 }'
}

# --- states --------------------------------------------------------------------------------------

main=(--label branch=main)
run history
is "$status" 2 "an empty depot has no history"
like "$errors" "no run looked for findings" "the message says that no run looked for findings"
add shop "${main[@]}" -- a b
shop="shop branch=main"
is "$(states "$shop")" "a new,b new" "the findings of the first run are new"
add shop "${main[@]}" -- a c
is "$(states "$shop")" "a open,b gone,c new" "in the second run, findings are open, gone or new"
add shop "${main[@]}" -- a b c
is "$(states "$shop")" "a open,b came back,c open" "a finding that is seen again came back"
add shop "${main[@]}" -- b
is "$(states "$shop")" "a gone,b came back,c gone" "the finding stays in this state while it is seen"
is "$("$PROFDEPOT" history --output csv | awk -F , 'NR > 1 { print $6 }')" b \
    "by default the newest stream is listed, without findings that are gone"
clean shop leaks "${main[@]}"
is "$(states "$shop")" "a gone,b gone,c gone" "a clean run closes findings"
clean shop leaks --run night-2 "${main[@]}"
is "$(column 18 "$shop" --routine a)" "$id" "a second empty clean run with another --run counts"
is "$(q "select count(*) from published_runs where application = 'shop' and attached_to is null")" 6 \
    "history has both clean runs"

# --- runs that do not count ----------------------------------------------------------------------

add part "${main[@]}" -- a x:1:InvalidRead
add_part() { # add_part VARIABLE VALUE FINDING...: sets a variable of memcheck.sh, and loads a memcheck report
    declare -g "$1=$2"
    add part "${main[@]}" -- "${@:3}"
    unset "$1"
}
add_part memcheck_options --leak-check=no x:1:InvalidRead
is "$(states "part branch=main")" "a not looked for,x open" "--leak-check=no does not close leaks"
add_part memcheck_cut yes y:1:InvalidRead
is "$(states "part branch=main" --kind access)" "x open,y not looked for" \
    "an unfinished run neither opens nor closes findings"
is "$(column 13 "part branch=main" --routine y)" 0 "the findings of an unfinished run are counted in no run"
printf '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"f"}]},"profiles":[{"type":"sampled","name":"p","unit":"none","startValue":0,"endValue":1,"samples":[[0]],"weights":[1]}]}' >"$tmp/p.speedscope.json"
add_file "$tmp/p.speedscope.json" --application part "${main[@]}"
is "$(states "part branch=main" --kind access)" "x open,y not looked for" "a CPU profile changes no state"
clean part leaks,errors "${main[@]}"
is "$(states "part branch=main")" "a gone,x gone,y not looked for" "a full search closes these findings"
add part "${main[@]}" -- b
q "update published_runs set leaks = 'partial' where inst_id = $id"
is "$(states "part branch=main" --kind leak)" "a gone,b new" "a partial search opens findings"
add part "${main[@]}" -- d
q "update published_runs set leaks = 'partial' where inst_id = $id"
is "$(states "part branch=main" --kind leak)" "a gone,b open,d new" "a partial search closes nothing"

# --- result sets of one run, and repeated content -----------------------------------------------

add twin --run 1 -- a
add twin --run 1 -- b
is "$(states twin)" "a new,b new" "result sets with the same run key are one run"
like "$("$PROFDEPOT" history --stream twin)" "stream twin, 1 run, as of" "a run with several result sets is counted once"
add twin --run 2 -- a
is "$(states twin)" "a open,b gone" "a run with another key is the next run"

add again "${main[@]}" -- a
cp "$tmp/report.xml" "$tmp/first.xml"
first=$id
add again "${main[@]}" -- b
run rm "$first"
is "$status" 0 "a result set is removed"
is "$(states "again branch=main")" "a gone,b new" "the history keeps the run of a removed result set"
add_file "$tmp/first.xml" --application again "${main[@]}"
is "$(q "select attached_to from published_runs where inst_id = $id")" "$first" \
    "the same content after rm is attached to the old run"
is "$(states "again branch=main")" "a gone,b new" "the run is not counted again"
like "$("$PROFDEPOT" history --stream "again branch=main")" " 2 runs, as of" "the stream still has 2 runs"

# --- branches ------------------------------------------------------------------------------------

add tree "${main[@]}" --commit c1 -- old
add tree "${main[@]}" --commit c2 --parent-commit c1 -- old second
add tree --label branch=fix --commit f1 --parent-commit c1 -- old second own
is "$(states "tree branch=fix")" "old open,own new,second new" "a branch continues its parent's history at the merge base"
like "$("$PROFDEPOT" history --stream "tree branch=fix")" "tree branch=fix, 1 run," "only the branch's own runs are counted"
add tree "${main[@]}" --commit c3 --parent-commit c2 -- second
add tree --label branch=fix --commit f2 --parent-commit f1 -- old own
is "$(states "tree branch=fix")" "old open,own open,second gone" "later runs of the parent do not count on the branch"
is "$(states "tree branch=main")" "old gone,second open" "runs of the branch do not count on its parent"
add tree --label branch=far --commit g1 --parent-commit f2 -- old own third
is "$(states "tree branch=far")" "old open,own new,third new" "a branch of a branch begins at the parent that streams have"

add time "${main[@]}" -- old
add time --label branch=fix -- old own
add time "${main[@]}" -- old late
is "$(states "time branch=fix")" "old open,own new" "without commits a branch begins by time"
before_parent=$(ledger)
run stream parent
is "$status" 0 "streams can have no parent" || diag "$errors"
is "$(states "time branch=fix")" "old new,own new" "without a parent, old leaks are new on the branch"
is "$(states "time branch=fix" --as-of "$before_parent")" "old open,own new" "--as-of an earlier number uses the former parent"
run stream parent branch=main
is "$(states "time branch=fix")" "old open,own new" "stream parent sets the parent again"

# --- order ---------------------------------------------------------------------------------------

add order "${main[@]}" --commit o1 -- a
add order "${main[@]}" --commit o3 --parent-commit o2 -- a b
before_order=$(ledger)
is "$(states "order branch=main")" "a open,b new" "two commits, with one missing between them"
add order "${main[@]}" --commit o2 --parent-commit o1 -- b
is "$(states "order branch=main")" "a came back,b open" "an older commit that is loaded later precedes its child"
is "$(states "order branch=main" --as-of "$before_order")" "a open,b new" "--as-of an earlier number does not know this commit"
is "$("$PROFDEPOT" history "$(identity "order branch=main" a)" --stream "order branch=main" --output csv |
    awk -F , 'NR > 1 { print $4 " " $8 }' | paste -s -d, -)" "o3 seen,o2 not seen,o1 seen" \
    "the runs of a finding are in the order of commits"

# --- labels and streams --------------------------------------------------------------------------

add move --label branch=x -- a
add move --label branch=y -- b
moved=$id before=$(ledger)
run label "$moved" branch=x
is "$status" 0 "a label is changed" || diag "$errors"
is "$(states "move branch=x")" "a gone,b new" "the run moves to the other stream"
run history --stream "move branch=y"
is "$status" 2 "the former stream has no runs any more"
is "$errors" 'profdepot: there is no stream "move branch=y"
hint: "profdepot stream list" shows the streams' "the message names the stream without runs"
is "$(states "move branch=x" --as-of "$before")|$(states "move branch=y" --as-of "$before")" "a new|b new" \
    "--as-of before the move gives the old answers"

add keys --label branch=main --label os=linux -- a
add keys --label branch=main --label os=mac -- b
before=$(ledger)
is "$(states "keys branch=main")" "a gone,b new" "a label that does not separate streams is ignored"
run stream set branch os
is "$(states "keys branch=main os=linux")|$(states "keys branch=main os=mac")" "a new|b new" \
    "stream set separates streams"
is "$(states "keys branch=main" --as-of "$before")" "a gone,b new" "--as-of an earlier number uses the former definition"
run stream set branch

# --- removal -------------------------------------------------------------------------------------

add gone "${main[@]}" -- a
first=$id kept=$(ledger)
add gone "${main[@]}" -- b
old=$(states "gone branch=main")
before=$(ledger)
run rm "$first"
is "$(states "gone branch=main")" "$old" "rm keeps the history"
is "$(states "gone branch=main" --as-of "$kept")" "a new" "rm keeps earlier answers"
run rm --forget "$first"
is "$status" 0 "a removed run can be forgotten" || diag "$errors"
is "$(states "gone branch=main")" "b new" "rm --forget removes the run from history"
is "$(q "select event, inst_id, subject from ledger order by ledger_no desc limit 1")" "forgotten|$first|gone" \
    "the ledger keeps a tombstone"
run history --stream "gone branch=main" --as-of "$before"
is "$status" 2 "questions about the time before the removal fail"
is "$errors" "profdepot: forgotten: result set $first was part of this history as of ledger number $before, but was forgotten at ledger number $(ledger)" \
    "the message says that the result set was forgotten"
is "$(states "gone branch=main" --as-of "$(ledger)")" "b new" "questions about the time after the removal are answered"
is "$(states "$shop" --as-of "$before")" "a gone,b gone,c gone" "histories of other applications are not affected"
run rm --forget "$first"
isnt "$status" 0 "a run can be forgotten only once"

# Forgets a run whose content was loaded again.
add heir "${main[@]}" -- a b
cp "$tmp/report.xml" "$tmp/first.xml"
first=$id
run rm "$first"
add_file "$tmp/first.xml" --application heir "${main[@]}"
run rm --forget "$first"
is "$status" 0 "a run that was repeated can be forgotten" || diag "$errors"
is "$(states "heir branch=main")" "a new,b new" "its repetition takes its place"
run rm --forget "$id"
is "$(states "heir branch=main")" "$(states "heir2 branch=main" | sed s/heir2/heir/)" "the repetition can be forgotten, too"

# Forgets a repeated run whose sightings are in a fold (a group of old runs). In this test, a fold contains 4 runs.
small_folds
add fold "${main[@]}" -- a b
cp "$tmp/report.xml" "$tmp/first.xml"
first=$id
for _ in 1 2 3 4 5 6 7; do
    add fold "${main[@]}" -- b
done
seen=$(q "select identity, kind, count, size from sightings where inst_id = $first order by 1, 2")
is "$(q "select fold_no from published_runs where inst_id = $first")" 1 "the run is in a fold"
run rm "$first"
add_file "$tmp/first.xml" --application fold "${main[@]}"
run rm --forget "$first"
is "$(q "select identity, kind, count, size from sightings where inst_id = $id order by 1, 2")" "$seen" \
    "the repetition inherits sightings in a fold"
is "$(q "select count(*) from sightings where inst_id = $first")" 0 "the forgotten run has no sightings"
is "$(states "fold branch=main")" "a gone,b open" "history has the repetition in place of the forgotten run"
is "$(q "select inst_ids[1], ledger_nos[1], (select fold_no from published_runs where inst_id = $id) from folds")" "||" \
    "the repetition is outside the fold"
run rm --forget "$id"
is "$(q "select ledger_nos[1] is null and ledger_nos[2] is not null from folds")" t "the fold has no columns of a forgotten run"
is "$(q "select count(*) from sightings where inst_id in ($first, $id)")" 0 "the repetition can be forgotten, too"
is "$(states "fold branch=main")" "b open" "a finding that no other run has seen is forgotten with it"

# --- streams without result sets -----------------------------------------------------------------

add bare "${main[@]}" --run 7 -- a
add bare "${main[@]}" -- b
is "$("$PROFDEPOT" stream list --output csv | grep '^bare' | cut -d, -f1-4)" "bare,branch=main,2,2" "stream list counts result sets and runs"
run rm "$id"
is "$("$PROFDEPOT" stream list --output csv | grep '^bare' | cut -d, -f1-4)" "bare,branch=main,1,2" "a removed result set still counts as a run"
run rm --all --application bare
is "$status" 0 "the other result set is removed, too" || diag "$errors"
is "$("$PROFDEPOT" stream list --output csv | grep '^bare' | cut -d, -f1-4)" "bare,branch=main,0,2" "a stream without result sets is listed"
is "$(states "bare branch=main")" "a gone,b new" "and its history can be read"

# --- reviews -------------------------------------------------------------------------------------

add review "${main[@]}" -- a b c
review="review branch=main"
a=$(identity "$review" a)
before=$(ledger)
run review "$a" --stream "$review" --status confirmed --reason "seen in production" --author me --ticket T-1
is "$status" 0 "a review is recorded" || diag "$errors"
is "$out" "recorded review $(ledger): $a is confirmed" "the review's ledger number is printed"
is "$(states "$review" --review confirmed)|$(states "$review" --review none)" "a new|b new,c new" "--review filters"
is "$(states "$review" --review confirmed --as-of "$before")" "" "--as-of an earlier number does not know the review"
for status_word in false-positive intentional open; do
    run review "$a" --stream "$review" --status "$status_word" --reason why
    is "$(column 19 "$review" --routine a)" "$status_word" "the newest review applies: $status_word"
done
like "$("$PROFDEPOT" history "$a" --stream "$review")" "review [0-9]+: confirmed, by me, [^ ]*: seen in production, T-1" \
    "a finding's reviews are listed"
run review "$(identity "$review" b)" --stream "$review" --status fixed --fixed-in 2 --reason repaired
is "$(states "$review" --routine b)" "b new" "a review with the status fixed does not close a finding"
add review "${main[@]}" --app-version 2 -- a c
is "$(states "$review" --routine b)" "b gone" "a run that does not see the finding closes it"
add review "${main[@]}" -- a b
is "$(states "$review" --routine b)" "b came back" "a finding that was fixed and is seen again came back"
like "$("$PROFDEPOT" history "$(identity "$review" b)" --stream "$review")" "came back after it was fixed" "the finding's page says that it came back after it was fixed"
c=$(identity "$review" c)
run review "$c" --stream "$review" --status fixed --reason repaired
add review "${main[@]}" -- c
is "$(states "$review" --routine c)" "c came back" "a finding that was fixed and is seen in the next run came back"
run review "$c" --stream "$review" --status fixed --reason repaired --until 2001-01-01
add review "${main[@]}" -- c
is "$(states "$review" --routine c)" "c came back" "seen, gone and seen again: an expired review changes nothing"
like "$("$PROFDEPOT" history "$c" --stream "$review")" "until 2001-01-01 \(expired\)" "an expired review is marked"
add expired "${main[@]}" -- a
run review "$(identity "expired branch=main" a)" --stream "expired branch=main" --status fixed --reason repaired --until 2001-01-01
add expired "${main[@]}" -- a
is "$(states "expired branch=main")" "a open" "an expired review does not make a finding come back"
run review "$(identity "expired branch=main" a)" --stream "expired branch=main" --status fixed --reason repaired --until 2999-12-31
add expired "${main[@]}" -- a
is "$(states "expired branch=main")" "a came back" "a review that has not expired makes a finding come back"

# --- filters -------------------------------------------------------------------------------------

memcheck_object=/opt/lib/libgui.so add filter "${main[@]}" --app-version 1.0 -- p:100 q:20 r:5:Leak_PossiblyLost
add filter "${main[@]}" --app-version 2.0 -- p:100 q:20 s:7 t:1:InvalidRead
version=$id
filter="filter branch=main"
is "$(states "$filter")" "p open,q open,r gone,s new,t new" "all findings"
filtered() { # filtered EXPECTED OPTION...
    is "$(states "$filter" "${@:2}")" "$1" "${*:2}"
}
filtered "s new,t new" --new-since 1.0
filtered "" --new-since "$version"
filtered "p open,q open" --min-size 20
filtered "" --min-count 2
filtered "r gone" --kind possible
filtered "t new" --kind access
filtered "p open,s new" --routine p --routine s
filtered "r gone" --module 'libgui.*'
filtered "p open,q open,s new,t new" --module shop
is "$(states "$filter" --top 2 | tr ',' '\n' | wc -l)" 2 "--top 2"
is "$("$PROFDEPOT" history --stream "$filter" --state new --state gone --output csv | awk -F , 'NR > 1 { print $6 }' |
    LC_ALL=C sort | paste -s -d, -)" r,s,t "--state new --state gone"
printf 'p.c @team\n' >"$tmp/CODEOWNERS"
before=$(ledger)
run owners set "$tmp/CODEOWNERS"
filtered "p open" --owner @team
filtered "" --owner @team --as-of "$before"

# --- pages ---------------------------------------------------------------------------------------

# Only the findings of a page are read in full. Each page must nevertheless be a part of the whole list.
compare_pages() { # compare_pages STREAM OPTION...: sets $pages and $unequal
    local h=("$PROFDEPOT" history --stream "$1" --output csv "${@:2}") size rows first
    "${h[@]}" >"$tmp/whole"
    rows=$(($(wc -l <"$tmp/whole") - 1))
    for size in 1 3; do
        for ((first = 0; first < rows; first += size)); do
            "${h[@]}" --top $size --skip $first >"$tmp/page"
            sed -n "1p; $((first + 2)),$((first + 1 + size))p" "$tmp/whole" | cmp -s - "$tmp/page" || unequal+="$* $size $first;"
            pages=$((pages + 1))
        done
    done
}
pages=0 unequal=
for stream in "$shop" "$filter" "$review" "part branch=main"; do
    compare_pages "$stream" --state all
    compare_pages "$stream" --state all --kind leak --routine '*'
done
is "$unequal" "" "pages are parts of the whole list"
is $((pages > 20)) 1 "the streams have pages to compare"

# --- as of ---------------------------------------------------------------------------------------

for when in "set:$version" latest label:branch=main 2999-01-01; do
    is "$(states "$filter" --as-of "$when")" "p open,q open,r gone,s new,t new" "--as-of $when"
done
first_time=$(q "select min(recorded_at) from ledger")
is "$(states "$shop" --as-of "$first_time")" "a new,b new" "--as-of accepts a time"

# --- errors --------------------------------------------------------------------------------------

refused() { # refused MESSAGE ARGUMENT...
    run history "${@:2}"
    is "$status" 2 "exit status 2: history ${*:2}"
    like "$errors" "$1" "$1"
}
refused 'is not a finding' xyz
refused 'is not a finding' abc
refused 'the stream has no finding' 0123456789
refused 'option --state: "old" is unknown' --state old
refused 'option --review: "bad" is unknown' --review bad
refused 'is not a ledger number, a time or a result set' --as-of yesterday-ish
refused 'the newest ledger number is' --as-of 999999
refused 'the ledger has no entry at "0"' --as-of 0
refused 'the ledger has no entry at "-1"' --as-of=-1
refused 'the ledger has no entry at "2001-01-01"' --as-of 2001-01-01
refused 'history does not know result set 999999' --as-of set:999999
refused 'there is no stream "nothing branch=main"' --stream "nothing branch=main"
refused 'the stream has no run with the version or INST_ID "9.9"' --new-since 9.9
refused 'expected at most one finding' abcd abce
for arguments in "" "$a" "$a --status confirmed" "$a --reason x" "$a --status odd --reason x" \
    "$a --status open --fixed-in 2 --reason x" "$a --status confirmed --reason x --until soon" "zz --status open --reason x"; do
    # shellcheck disable=SC2086
    run review $arguments --stream "$review"
    is "$status" 2 "exit status 2: review $arguments"
done
run review "$a" --stream "$review" --status confirmed --reason x --until soon
like "$errors" 'option --until: "soon" is not a date' "the message names an invalid date"
done_testing
