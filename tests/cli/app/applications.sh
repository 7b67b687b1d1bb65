#!/usr/bin/env bash
# Tests edits of the application: streams, trends, checks and history follow the edit, and --as-of still gives the
# answers from before the edit.
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
main=(--label branch=main)

# move SET APPLICATION: edits the application; $before is the newest ledger number before the edit.
move() {
    before=$(ledger)
    run label "$1" --application "$2"
    is "$status" 0 "result set $1 moves to \"$2\"" || diag "$errors"
}

# sightings SET
sightings() {
    q "select identity, kind, name, routine_name, source_line, places, count, size from sightings where inst_id = $1 order by 1, 2"
}

# trend APPLICATION: prints the result sets of a trend.
trend() {
    "$PROFDEPOT" trend live_size --application "$1" --output csv | awk -F , 'NR > 1 { print $1 }' | paste -s -d ' ' -
}

# streams APPLICATION: prints the streams of an application, with their result sets and runs.
streams() {
    "$PROFDEPOT" stream list --output csv | grep "^$1," | cut -d, -f1-4 | paste -s -d ' ' -
}

# --- streams, trends, checks and history ---------------------------------------------------------

add shop "${main[@]}" -- a:10 b:10
first=$id
add desk "${main[@]}" -- a:20 c:20
wrong=$id
add shop "${main[@]}" -- a:30 c:30
newest=$id
add desk "${main[@]}" -- d:5
other=$id
is "$(states "shop branch=main")" "a open,b gone,c new" "the findings of one application before the edit"
is "$(states "desk branch=main")" "a gone,c gone,d new" "the findings of the other application before the edit"
move "$wrong" shop
is "$(q "select l.event, l.inst_id = $wrong, l.subject from ledger l order by l.ledger_no desc limit 1")" "application|t|shop" \
    "the ledger records the edit"
is "$(states "shop branch=main")" "a open,b gone,c open" "the run is part of the new application, at its place by time"
is "$(states "desk branch=main")" "d new" "the run is no longer part of the old application"
is "$(states "shop branch=main" --as-of "$before")" "a open,b gone,c new" "--as-of gives the earlier answer for the new application"
is "$(states "desk branch=main" --as-of "$before")" "a gone,c gone,d new" "--as-of gives the earlier answer for the old application"
is "$(streams shop) $(streams desk)" "shop,branch=main,3,3 desk,branch=main,1,1" "stream list counts the run in its new stream"
is "$(trend shop)" "$first $wrong $newest" "the trend of the new application has the result set"
is "$(trend desk)" "$other" "the trend of the old application does not have it"
is "$("$PROFDEPOT" list --application shop --output csv | tail -n +2 | cut -d, -f1 | paste -s -d ' ' -)" "$newest $wrong $first" \
    "list shows it with its new application"
run check "$newest" --against history
is "$status" 0 "the newest run has no findings that are new to the stream"
run check "$other" --against history
like "$status $out" "^2 .*no earlier run in the stream" "in the old stream, it is the only run"
move "$wrong" shop
is "$(ledger)" "$before" "an edit that does not change the application has no ledger number"
move "$wrong" desk
is "$(states "shop branch=main")|$(states "desk branch=main")" "a open,b gone,c new|a gone,c gone,d new" "an edit can be undone"
is "$(states "shop branch=main" --as-of "$before")|$(states "desk branch=main" --as-of "$before")" "a open,b gone,c open|d new" \
    "--as-of still gives the answers between the two edits"
move "$other" ""
is "$(q "select application is null from instances where inst_id = $other")" t "an empty name removes the application"
is "$(states branch=main)|$(states "desk branch=main")" "d new|a new,c new" "history has the run without an application"
run label "$first" "$newest" --application desk branch=fix
is "$status" 0 "several result sets can move at once, and their labels can change with the application"
is "$(states "desk branch=fix")" "a open,b gone,c new" "they are in a stream of the new application"
is "$(states "desk branch=main")" "a new,c new" "the other stream of the application does not change"
like "$(states "shop branch=main")" "no stream \"shop branch=main\"" "the old application has no streams left"

# --- errors --------------------------------------------------------------------------------------

before=$(ledger)
run label "$first" 777 --application x
is "$status" 2 "an unknown result set is an error"
like "$errors" "no result set 777" "the message names it"
run label "$first" --application "$(printf '%01001d' 0)"
is "$status" 2 "a long name is refused"
like "$errors" "application exceeds 1000 bytes" "the message names the limit"
run label "$first" --application $'\xff'
is "$status" 2 "a name that is not UTF-8 is refused"
is "$(ledger) $(q "select application from instances where inst_id = $first")" "$before desk" "a failed edit changes nothing"
run label "$first"
like "$errors" "nothing to change.*--application" "the hint names the option"

# --- commits -------------------------------------------------------------------------------------

add graph "${main[@]}" --commit c1 -- a
add graph "${main[@]}" --commit c3 --parent-commit c2 -- a b
add stray --label branch=fix --commit c2 --parent-commit c1 -- a c
stray=$id
move "$stray" graph
is "$(q "select string_agg(commit_id, ' ' order by position) from published_runs where application = 'graph'")" "c1 c2 c3" \
    "the commit determines the place of the run"
is "$(states "graph branch=fix")" "a open,c new" "the branch has the history of its parent up to the branch point"
add graph --label branch=fix --commit c2b --parent-commit c2 -- c
is "$(states "graph branch=fix")" "a gone,c open" "later runs find the commit of the moved run"

# --- folds ---------------------------------------------------------------------------------------

small_folds
for n in 1 2 3 4 5 6 7 8 9; do
    add old "${main[@]}" -- a:$n b:$n "c$n:$n"
    [ $n -ne 2 ] || folded=$id
done
seen=$(sightings "$folded") before_states=$(states "old branch=main")
is "$(q "select fold_no from published_runs where inst_id = $folded")" 1 "the run is in a fold"
move "$folded" new
is "$(sightings "$folded")" "$seen" "the moved run has the same sightings"
is "$(states "new branch=main")" "a new,b new,c2 new" "a folded run can move"
is "$(states "old branch=main")" "${before_states/c2 gone,/}" "the other runs of the fold are not affected"
is "$(states "old branch=main" --as-of "$before")" "$before_states" "--as-of reads the moved run in addition to the fold"
like "$(states "new branch=main" --as-of "$before")" "no stream" "--as-of: the new application had no runs yet"
is "$(q "select count(*) from folded_findings f, unnest(f.runs) r where r = 2")" 0 "the fold has no sightings of the moved run"
move "$folded" old
is "$(states "old branch=main")" "$before_states" "the run can move back to the application of the fold"
for n in 10 11 12 13 14 15 16 17; do
    add old "${main[@]}" -- a:$n
done
is "$(q "select count(*) filter (where fold_no is null) from published_runs where inst_id = $folded"),$(q "select count(*) > 1 from folds where application = 'old'")" \
    "1,t" "a moved run is not folded again"
is "$(states "old branch=main" --as-of "$before")" "${before_states/c2 gone,/}" "--as-of gives the answer between the edits, although later runs were folded"
run verify --deep
is "$status" 0 "verify --deep finds no differences"

# --- repeated content ----------------------------------------------------------------------------

add twice "${main[@]}" -- a b
cp "$tmp/report.xml" "$tmp/first.xml"
first=$id
add twice "${main[@]}" -- a
run load --quiet --again --application twice "${main[@]}" "$tmp/first.xml"
repetition=$(q "select max(inst_id) from instances")
before_states=$(states "twice branch=main")
is "$before_states" "a open,b gone" "a repetition is not a run of its own"
move "$first" once
at=$before
is "$(states "twice branch=main")" "a open,b gone" "if a repeated run moves, the repetition takes its place"
is "$(states "once branch=main")" "a new,b new" "the run is in its new application"
is "$(states "twice branch=main" --as-of "$at")" "$before_states" "--as-of counts only the original"
is "$(q "select count(*) from sightings where inst_id = $repetition")" 2 "the repetition has sightings"
move "$repetition" once
is "$(states "once branch=main")" "a new,b new" "in the new application, it repeats the run again"
is "$(q "select attached_to = $first from published_runs where inst_id = $repetition")" t "and it is attached to the run"
is "$(states "twice branch=main" --as-of "$before")" "a open,b gone" "--as-of gives the answer between the edits"
run load --quiet --again --application once "${main[@]}" "$tmp/first.xml"
third=$(q "select max(inst_id) from instances")
move "$third" alone
is "$(states "alone branch=main")" "a new,b new" "a repetition can move without its original"
run rm --forget "$first"
is "$status" 0 "the original can be forgotten" || diag "$errors"
is "$(states "once branch=main")" "a new,b new" "the repetition that moved inherits its place"

# --- removed and forgotten runs ------------------------------------------------------------------

add leaving "${main[@]}" -- a
gone=$id
add leaving "${main[@]}" -- b
move "$gone" staying
at=$before
add staying "${main[@]}" -- b
run rm "$gone"
is "$(states "staying branch=main")" "a gone,b new" "history keeps the moved run after its removal"
run label "$gone" --application leaving
is "$status" 2 "the application of a removed result set cannot be changed"
run rm --forget "$gone"
is "$(states "staying branch=main")" "b new" "a moved run can be forgotten"
like "$(states "leaving branch=main" --as-of "$at")" "forgotten: result set $gone was part of this history" \
    "--as-of fails for the application that had the run at that time"
is "$(states "leaving branch=main")" "b new" "the present answer does not need the forgotten run"
is "$(states "staying branch=main" --as-of "$(q "select ledger_no from ledger where event = 'forgotten' and inst_id = $gone")")" "b new" \
    "--as-of a number after the removal is answered"

# --- exports -------------------------------------------------------------------------------------

add wrong "${main[@]}" -- x
move "$id" right
run export "$id" --format aqtime -o "$tmp/export"
is "$status" 0 "the result set is exported" || diag "$errors"
run load --quiet --again "$tmp/export"
is "$status" 0 "the export loads" || diag "$errors"
is "$(q "select application from instances order by inst_id desc limit 1")" right "the export has the edited application"
done_testing
