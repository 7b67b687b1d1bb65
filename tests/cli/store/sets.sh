#!/usr/bin/env bash
# Tests the commands list, show, label, rm, verify and reindex.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/export.sh
. "$srcdir/tests/lib/export.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make
export PGTZ=UTC

# ids OPTION...: prints the numbers of the result sets that list shows, newest first.
ids() {
    "$PROFDEPOT" list --output csv "$@" | sed '1d; s/,.*//' | paste -sd' '
}

run list
is "$status" 0 "list succeeds in an empty depot"
run verify
is "$status $out" "0 " "verify succeeds in an empty depot"

# Loads four result sets with different content: 1 and 2 of the application Orders, 3 and 4 of Ledger.
for i in 1 2 3 4; do
    export_make "$tmp/in$i"
    export_edit "$tmp/in$i" INSTANCES "s/first/run $i/"
    [ "$i" -lt 3 ] && application=Orders || application=Ledger
    "$PROFDEPOT" load -q "$tmp/in$i" --application "$application" --app-version 1.$i --host h$i \
        --label "nr=$i" --label "odd=$((i % 2))" >/dev/null || bail_out "load"
done
for i in 1 2 3 4; do
    q "update instances set loaded_at = '2026-01-0$((i + 1)) 00:00Z' where inst_id = $i"
done

# --- list ---------------------------------------------------------------------------------------
for zone in Asia/Tokyo America/St_Johns UTC; do
    is "$(PGTZ=$zone "$PROFDEPOT" list --output csv | tail -n 1 | cut -d , -f 8)" \
        "$(PGTZ=$zone q "select to_char('2026-01-02 00:00Z'::timestamptz, 'YYYY-MM-DD\"T\"HH24:MI:SSTZH:TZM')")" \
        "list shows times in the zone $zone"
done

is "$(ids)" "4 3 2 1" "list shows the newest result set first"
is "$(ids --application Orders)" "2 1" "list --application selects by application"
is "$(ids --label odd=1)" "3 1" "list --label selects by label"
is "$(ids --label odd=1 --label nr=3)" "3" "list --label: all given labels must match"
is "$(ids --label odd=1 --label nr=2)" "" "list --label finds nothing if no result set has both labels"
is "$(ids --format aqtime --limit 2)" "4 3" "list applies --format and --limit together"
is "$(ids --format other)" "" "list --format finds nothing if no result set has the format"
is "$(ids --since 2026-01-03)" "4 3 2" "list --since includes result sets of the given time"
is "$(ids --until 2026-01-03)" "1" "list --until excludes result sets of the given time"
is "$(ids --caption 'RUN ?')" "4 3 2 1" "list --caption accepts a pattern that ignores case"
is "$(ids --caption 'run')" "" "the --caption pattern must match the whole caption"
is "$(ids --caption '*2')" "2" "* in the --caption pattern matches any text"
q "update instances set caption = 'Ночь 100%_\\' where inst_id = 2"
is "$(ids --caption 'НОЧЬ*')" "2" "the --caption pattern also ignores the case of letters outside ASCII"
is "$(ids --caption "*100%_\\")" "2" "% in the --caption pattern is an ordinary character"
is "$(ids --caption '*100__*')" "" "an underscore in the --caption pattern is an ordinary character"
is "$(ids --label "nr=1\"},{\\")" "" "a label with characters of array syntax finds nothing"
is "$(ids --host h3) $(ids --app-version 1.2) $(ids --tool 'AQTime Resource Profiler')$(ids --tool other)" "3 2 " \
    "list --host, --app-version and --tool select"
is "$(ids --search 'LEDGER run')" "4 3" "list --search: all words must occur, case is ignored"
is "$(ids --search '  odd=1  h3 ')" "3" "list --search also searches hosts and labels"
is "$(ids --search "100%_\\")" "2" "list --search: % and the backslash are ordinary characters"
is "$(ids --search '"},{"')" "" "list --search: characters of array syntax find nothing"
is "$(ids --search ' ')" "4 3 2 1" "list --search without words lists all"
is "$(ids --sort loaded_at:asc) $(ids --sort inst_id) $(ids --sort inst_id:asc)" "1 2 3 4 4 3 2 1 1 2 3 4" "list --sort by number and time"
is "$(ids --sort host:desc) $(ids --sort application --limit 1)" "4 3 2 1 4" "list --sort by text; equal ones newest first"
is "$(ids --sort caption --limit 2) $(ids --sort caption:desc --limit 2)" "1 3 2 4" "list --sort applies before --limit"
run list --sort labels
like "$status $errors" '^2 .*"labels" is not a column and direction.*write one of inst_id' "list --sort with an unknown column is a usage error"
run list --sort caption:up
is "$status" 2 "list --sort with an unknown direction is a usage error"
run list --output json
is "$(printf '%s' "$out" | tr -d '\n' | grep -o '{"inst_id":4,[^}]*}[^}]*}')" \
    '{"inst_id":4,"caption":"run 4","format":"aqtime","state":"closed","application":"Ledger","app_version":"1.4","host":"h4","loaded_at":"2026-01-05T00:00:00+00:00","objects":2,"errors":1,"tracks":null,"samples":null,"spans":null,"rows":21,"labels":{"nr":"4","odd":"0"},"warnings":0}' \
    "list --output json prints all members"
run list --since never-ever
is "$status" 2 "list --since with an invalid time is a usage error"
run list --label nolabel
like "$status $errors" '^2 .*"nolabel" is not a label.*KEY=VALUE' "list --label with an invalid label is a usage error"
run list 3
like "$status $errors" '^2 .*takes no operands' "list takes no operands"
run list --limit -1
is "$status" 2 "--limit -1 is out of range"
is "$(ids --limit 0)" "4 3 2 1" "list --limit 0 lists all result sets"
run list --limit 3
like "$(tail -n 1 <<<"$out")" '^these are the 3 newest; --limit 6 shows more, --limit 0 shows all$' \
    "the last line of a limited list says how to see more"
run list --limit 4
unlike "$out" 'newest' "a complete list has no such line"

# --- show ---------------------------------------------------------------------------------------

run show 2
is "$status" 0 "show succeeds"
like "$out" 'application +Orders' "show prints the metadata"
like "$out" 'odd=0' "show prints the labels"
like "$out" 'resource_profiler_creation_call_stack +6' "show prints the number of rows in each relation"
like "$out" 'live_size +objects +bytes' "show prints the metrics"
run show 3 --output json
# json SQL: prints the value of an SQL expression in which j is the output $out as jsonb.
json() {
    q "select $1 from (select \$json\$$out\$json\$::jsonb as j) s"
}
is "$(json "j @> '{\"inst_id\": 3, \"state\": \"closed\", \"rows\": {\"resource_profiler_objects\": 2}}'
    and j->'labels' = '{\"nr\": \"3\", \"odd\": \"1\"}'")" t "show --output json"
is "$(json "not jsonb_path_exists(j, '\$.issues[*] ? (@.severity <> \"info\")')")" t "show prints issues with their severity"
run show label:nr=2
like "$status $out" '^0 .*odd=0' "show finds a result set by label"
run show latest --output json
is "$(json "j->>'inst_id'")" "$(q "select inst_id from instances order by loaded_at desc, inst_id desc limit 1")" \    "show latest finds the newest result set"
is "$("$PROFDEPOT" report summary latest~1 --output json)" \
    "$("$PROFDEPOT" report summary "$(q "select inst_id from instances order by loaded_at desc, inst_id desc offset 1 limit 1")" --output json)" \
    "reports accept latest~1 as the previous result set"
is "$("$PROFDEPOT" report summary label:nr=2 label:nr=3 --output json)" "$("$PROFDEPOT" report summary 2 3 --output json)" \
    "reports accept two result sets by label"
run show 99
like "$status $errors" '^2 .*there is no result set 99.*profdepot list' "show with an unknown INST_ID fails with a hint"
run show nonsense
like "$status $errors" '^2 .*"nonsense" is not the name of a result set' "show with an invalid name is a usage error"
run show
is "$status" 2 "show without an INST_ID is a usage error"
run show 1 2
is "$status" 2 "show accepts only one INST_ID"
q "update instances set caption = E'evil \\u001b[2Jred' where inst_id = 3"
run show 3
like "$out" 'evil \\x1b\[2Jred' "control characters in a caption are escaped"

# --- label --------------------------------------------------------------------------------------

run label 1 2 branch=main nr=7 --remove odd --caption "new name"
is "$status" 0 "the command label changes two result sets"
is "$(q "select inst_id, string_agg(key || '=' || value, ' ' order by key) from result_set_labels
    where inst_id < 3 group by inst_id order by inst_id" | paste -sd' ')" \
    "1|branch=main nr=7 2|branch=main nr=7" "labels are added, changed and removed"
is "$(q "select distinct caption, source_caption from instances where inst_id = 1")" "new name|run 1" \
    "the caption from the export is kept in addition to the new caption"
run label 1 x=a=b
is "$(q "select value from result_set_labels where key = 'x'")" "a=b" "a label's value can contain an equals sign"
run label 1 99 z=1
is "$status" 2 "the command label fails for an unknown INST_ID"
is "$(q "select count(*) from result_set_labels where key = 'z'")" 0 "with an unknown INST_ID, the command label changes no result set"
run label 1
like "$status $errors" '^2 .*nothing to change' "label without a change is a usage error"
run label a=b
like "$status $errors" '^2 .*no INST_ID' "label without an INST_ID is a usage error"
run label 1 =b
is "$status" 2 "a label without a key is a usage error"
run label 1 $'k=\xff'
is "$status" 2 "a label that is not UTF-8 is a usage error"
is "$(q "select count(*) from instances where state = 'closed'")" 4 "a closed result set stays closed when its labels change"

# --- verify, reindex ----------------------------------------------------------------------------

run verify
is "$status $out" "0 " "verify finds no differences after the loads"
like "$errors" '4 result sets verified, 0 differ, 0 open' "verify reports the number of result sets"
q "delete from resource_profiler_objects where inst_id = 2 and id = 1"
q "update stack_totals set count = count + 1 where inst_id = 3 and metric = 'errors'"
q "update stacks set identity = line_identity where inst_id = 4 and stack_id = 1"
run verify
is "$status" 1 "verify exits with status 1 if there are differences"
like "$errors" '3 differ' "verify reports differences in three result sets"
like "$out" 'resource_profiler_objects +rows +2 +1' "verify reports a deleted row"
like "$out" 'stack_totals +errors of class 2, stack [0-9]+: count +2 +1' "verify reports a wrong total"
like "$out" 'stacks +identity of stack 1' "verify reports a wrong identity"
run verify 1
is "$status" 0 "verify finds no differences in a consistent result set"
run verify 1 4 --output json
is "$status" 1 "verify --output json exits with status 1 if there are differences"
is "$(json "jsonb_path_query_array(j, '\$.result_sets[*] ? (@.inst_id == 1).rows')")" "[[]]" \
    "verify lists no differences for the consistent result set"
is "$(json "jsonb_path_query_array(j, '\$.result_sets[*] ? (@.inst_id == 4).rows[*].relation')")" '["stacks"]' \
    "verify lists the relation that differs in the other result set"
run verify 1 77
is "$status" 2 "verify fails for an unknown INST_ID"
run reindex 2 3 4
is "$status" 0 "reindex accepts several result sets"
run verify
is "$status" 0 "after reindex, verify finds no differences"
run reindex 77
like "$status $errors" '^2 .*no result set 77.*profdepot list' "reindex fails for an unknown INST_ID"
run reindex
is "$status" 2 "reindex without an INST_ID is a usage error"

q "insert into resource_profiler_creation_call_stack (inst_id, id, parent_id, rec_id, col_routinerid)
    values (1, 900, 0, 3, 84)"
run verify 1
like "$status $errors" '^0 .*result set 1 is open.*reindex 1.*0 result sets verified, 0 differ, 1 open' \
    "verify reports an open result set as open"
is "$("$PROFDEPOT" list --output csv | sed -n 's/^1,.*,\(open\),.*/\1/p')" "open" "list shows the open result set"
shown() { # RELATION: the number of its rows, as `show 1' prints it
    "$PROFDEPOT" show 1 | sed -n "s/^  $1  *//p"
}
is "$("$PROFDEPOT" show 1 | sed -n '/^rows/,/^$/s/^  \([a-z_]*\) */\1 /p')" \
    "$(q "select relation || ' ' || row_count from count_result_set(1) order by relation collate \"C\"")" \
    "show counts the rows of an open result set"
run reindex 1
is "$(q "select state from instances where inst_id = 1")" "closed" "reindex closes the open result set"
run verify
is "$status" 0 "the reindexed result set has no differences"
q "update result_set_counts set row_count = 7654 where inst_id = 1 and relation = 'stacks'"
is "$(shown stacks)" 7654 "show does not count the rows of a closed result set again"
run reindex 1

# --- rm -----------------------------------------------------------------------------------------

run rm
like "$status $errors" '^2 .*no result sets were selected' "rm needs a selection"
for bad in "1 --all" "--all --keep 1" "1 --older-than 3d" "1 --application Orders" "--older-than 3" \
    "--older-than -3d" "--older-than 0d" "--keep -1" "x"; do
    # shellcheck disable=SC2086 # words
    run rm $bad
    is "$status" 2 "rm $bad is refused"
done
run rm 1 77
is "$status $(ids)" "2 4 3 2 1" "rm with an unknown INST_ID removes nothing"
run rm --keep 1 --application Orders --dry-run
is "$status $out" "0 would remove result set 1 \"new name\", 22 rows" "rm --dry-run lists what --keep with a filter would remove"
is "$(ids)" "4 3 2 1" "rm --dry-run removes nothing"
run rm --keep 1 --application Orders
is "$out" "removed result set 1 \"new name\", 22 rows" "rm --keep with a filter removes the older result sets"
is "$(ids)" "4 3 2" "rm keeps the other result sets"
for i in 2 3 4; do
    q "update instances set loaded_at = now() - interval '$(((5 - i) * 10)) days' where inst_id = $i"
done
run rm --older-than 15d --keep 2
is "$(ids)" "4 3" "rm --older-than --keep 2 keeps the two newest result sets"
run rm --older-than 2w --dry-run
like "$out" '^would remove result set 3 "evil \\x1b\[2Jred", [0-9]+ rows$' "--older-than counts a week as seven days"
run rm --older-than 900h
is "$status $out" "0 nothing to remove" "rm succeeds if there is nothing to remove"
run rm --label odd=9 --all
is "$(ids)" "4 3" "rm --all with a filter removes nothing"
run rm 3
is "$status $(ids)" "0 4" "rm removes a result set by number"
run rm --all
is "$status $(ids)" "0 " "rm --all removes all result sets"
left=$(q "select string_agg(format('select %L from %I.%I', c.relname, n.nspname, c.relname), ' union all ')
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'inst_id'
    where n.nspname = 'profdepot' and c.relkind in ('r', 'p') and not c.relispartition")
isnt "$left" "" "some relations have the column inst_id"
is "$(q "$left" | sort -u | tr '\n' ' ')" "coverage ledger published_runs runs sighting_blocks " \
    "after rm --all, only the history has rows of result sets"
# shellcheck disable=SC2046 # numbers
run rm --forget $(q "select inst_id from published_runs order by 1")
is "$status $(q "$left" | sort -u)" "0 ledger" "rm --forget also removes the history of removed result sets"
# --- many result sets ---------------------------------------------------------------------------

q "insert into instances (inst_id, caption, state, format, loaded_at)
    select 1000000 + n, 'many', 'closed', 'many', timestamptz '2030-01-01 00:00Z' + n * interval '1 minute'
    from generate_series(1, 10000) n"
# PostgreSQL collects its statistics while the relation has rows of only one result set.
q "insert into result_set_counts select 1000000, 'relation ' || r, 1, 0, 0 from generate_series(1, 10) r"
q "analyze result_set_counts"
q "delete from result_set_counts"
q "insert into result_set_counts select 1000000 + n, 'relation ' || r, 1, 0, 0
    from generate_series(1, 10000) n cross join generate_series(1, 10) r"
q "insert into result_set_labels select 1000000 + n, 'branch', 'main' from generate_series(1, 10000) n"
run list --format many
is "$(grep -c many <<<"$out")" 50 "list shows 50 result sets by default"
like "$out" "^Result sets.*$((1000000 + 10000)) .*$((1000000 + 9951)) .*--limit 100 shows more" "list shows the newest result sets"
unlike "$out" "$((1000000 + 9950)) " "list does not show older result sets"
run list --format many --since 2030-01-07T22:00Z
is "$(grep -c many <<<"$out")" 41 "list --since shows the result sets since the given time"
is "$("$PROFDEPOT" list --format many --output csv | wc -l)" 10001 "CSV lists all result sets"
is "$("$PROFDEPOT" list --format many --output csv --limit 7 | wc -l)" 8 "CSV applies --limit"
# The server process of a connection publishes its statistics when it ends, which can be after the
# client has ended.
rows_read() {
    for _ in {1..600}; do
        [ "$(pg_temp_everywhere "select from pg_stat_activity where backend_type = 'client backend'
            and datname = current_database() and pid <> pg_backend_pid() limit 1" | wc -l)" -ne 0 ] || break
        sleep 0.1
    done
    pg_temp_everywhere "select coalesce(sum(seq_tup_read + idx_tup_fetch), 0) from pg_stat_user_tables
        where relname ~ '^result_set_counts(_[0-9]{6,})?$'" | paste -sd+ | bc
}
before=$(rows_read)
run list --format many
after=$(rows_read)
ok "list reads the counts of the listed result sets only ($((after - before)) rows)" \
    test $((after - before)) -gt 0 -a $((after - before)) -lt 5000

# --- import issues in words --------------------------------------------------------------------------

cp "$srcdir/examples/orders-page.trace.json" "$tmp/page.json"
"$PROFDEPOT" load --again "$tmp/page.json" >/dev/null 2>&1
sed 's/^{/{ /' "$tmp/page.json" >"$tmp/spaced.json"
run load "$tmp/spaced.json"
like "$out" 'known .*1 info: --issues prints them' "the infos of a known result set are counted"
run load --issues "$tmp/spaced.json"
like "$out" 'known .*spaced.json.*info: spaced.json: .*written by Chrome' "load --issues prints the infos"
run load --dry-run --again --issues --output json "$tmp/spaced.json"
like "$out" '"issue_texts":\["info: spaced.json: [^"]*"\]' "load --issues --output json contains them"
run list --limit 1
unlike "$out" '0      0' "list shows no number of leaks for a run that did not look for them"
is "$("$PROFDEPOT" list --limit 1 --output json | tr -d '\n ' | sed 's/.*"objects":\([^,]*\),"errors":\([^,]*\).*/\1 \2/')" \
    "null null" "nor do CSV and JSON"
run load --again "$srcdir/examples/orders-after"
is "$("$PROFDEPOT" list --limit 1 --output json | tr -d '\n ' | sed 's/.*"tracks":\([^,]*\),"samples":\([^,]*\),"spans":\([^,]*\),.*/\1 \2 \3/')" \
    "null null null" "list shows no numbers of tracks, samples and spans for AQTime's results"

# --- load, list and the reports count the same ----------------------------------------------------------

# total REPORT ID: prints the number of objects or errors in a report's totals; nothing if the number is unknown
total() {
    "$PROFDEPOT" report "$1" "$2" --no-suppressions --output json | tr -d '\n ' |
        sed 's/.*"totals":{//; s/,"by_kind".*//; s/.*"count":\([0-9]*\).*/\1/; s/^"rows":\([0-9]*\).*/\1/'
}
# counted FILE: compares the numbers of objects and errors that load, list and the reports print.
counted() {
    local said id listed
    said=$("$PROFDEPOT" load --again "$1" 2>/dev/null | head -n 1)
    id=$(printf '%s' "$said" | sed 's/^loaded *result set \([0-9]*\) .*/\1/')
    listed=$("$PROFDEPOT" list --output csv | grep "^$id," | sed 's/"[^"]*"//g' | cut -d, -f9,10)
    is "$(printf '%s' "$said" | grep -o '[0-9]* object' | tr -dc 0-9),$(printf '%s' "$said" | grep -o '[0-9]* error' | tr -dc 0-9)" \
        "$(printf '%s' "$listed" | sed 's/^0,/,/; s/,0$/,/')" "${1##*/}: load and list print the same numbers"
    is "$(total leaks "$id"),$(total errors "$id")" "$listed" "${1##*/}: so do the reports"
}
for file in "$srcdir"/examples/orders-after "$srcdir"/examples/orders-start.speedscope.json "$srcdir"/tests/golden/valgrind/*.xml \
    "$srcdir"/tests/golden/sanitizer/*.txt; do
    "$PROFDEPOT" load --dry-run --again "$file" 2>/dev/null | grep -c '^checked' | grep -qx 1 || continue # one result set
    counted "$file"
done
done_testing
