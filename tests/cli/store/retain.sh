#!/usr/bin/env bash
# Tests profdepot retain: its rules, the result sets that they remove, and invalid arguments.
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
export_make "$tmp/in"
"$PROFDEPOT" load -q --application Orders --label branch=main "$tmp/in" >/dev/null || bail_out "load"
psql -XqAt -v ON_ERROR_STOP=1 -v first=2 -v sets=12 -f "$srcdir/tests/lib/clone_sets.sql" >/dev/null || bail_out "clone"
# Result set N is 100 - N days old. Result sets 1 to 6 belong to the branch main, and 7 to 12 to another
# branch. Result sets with even numbers belong to another application.
now=$(q "select floor(extract(epoch from now()))")
q "update instances set loaded_at = to_timestamp($now - 86400 * (100 - inst_id));
    update instances set application = 'Other, \"x\"' where inst_id % 2 = 0;
    update result_set_labels set value = E'a\\nb, \"c\"' where inst_id > 6"
sets() {
    q "select string_agg(inst_id::text, ' ' order by inst_id) from instances"
}

run retain list
is "$status" 0 "a new depot has no rules"
run retain run
is "$status $out" "0 the depot has no retention rules" "run without rules removes nothing"
run retain add
is "$status" 2 "a rule must select something"
like "$errors" "give --older-than, --keep or both" "the hint names the options"
run retain add --older-than 0d
is "$status" 2 "an age of 0 is invalid"
run retain add --older-than soon
is "$status" 2 "an invalid age is refused"
run retain add --keep 1 --label branch
is "$status" 2 "an invalid label is refused"
run retain run --older-than 1d
is "$status" 2 "run has no options that select result sets"
run retain list --dry-run
is "$status" 2 "list has no --dry-run"
run retain
is "$status" 2 "a verb is needed"
is "$(q "select count(*) from retention_rules")" 0 "nothing was added"

run retain add --older-than 97d --application Orders
is "$status $out" "0 added rule 1" "a rule by age and application"
run retain add --keep 2 --label branch=main --format aqtime
is "$status $out" "0 added rule 2" "a rule by number, label and format"
run retain add --older-than 36h --keep 2 --application 'Other, "x"' --label $'branch=a\nb, "c"'
is "$status $out" "0 added rule 3" "a rule with unusual texts"
run retain list --output csv
is "$(cut -d, -f 1-6 <<<"$out" | sed -n 1,3p)" "rule,application,format,labels,older_than,keep
1,Orders,,,97d,0
2,,aqtime,branch=main,,2" "list shows the rules"
is "$(q "select older_than, keep, labels = array[E'branch=a\\nb, \"c\"'] from retention_rules where rule_no = 3")" "129600|2|t" \
    "the depot stores the rule as given"

listed=$out
run db retain list --output csv
is "$status $out" "0 $listed" "db retain is another spelling of retain"
run db retain --help
like "$out" "usage: profdepot retain " "its help is that of retain"
run db --output json retain list
is "$status" 2 "an option between db and retain is refused"
like "$errors" '"retain" must come directly after "db"' "the message says where retain must be"

run retain run --dry-run
is "$status" 0 "--dry-run succeeds"
is "$(grep '^rule' <<<"$out")" "rule 1 would remove 2 result sets
rule 2 would remove 4 result sets
rule 3 would remove 1 result set" "--dry-run shows what each rule selects"
is "$(sets)" "1 2 3 4 5 6 7 8 9 10 11 12" "--dry-run removes nothing"
run retain run
is "$status" 0 "run succeeds"
is "$out" 'removed result set 3 "first", 21 rows
removed result set 1 "first", 21 rows
rule 1 removed 2 result sets
removed result set 4 "first", 21 rows
removed result set 2 "first", 21 rows
rule 2 removed 2 result sets
removed result set 8 "first", 21 rows
rule 3 removed 1 result set' "run prints what each rule removes"
is "$(sets)" "5 6 7 9 10 11 12" "the selected result sets are removed"
is "$(q "select count(*) from published_runs")" 12 "the history keeps their runs"
run retain run
is "$(sets)" "5 6 7 9 10 11 12" "running the rules again removes nothing"

run retain rm 2 9
is "$status" 2 "an unknown rule is reported"
like "$errors" "no retention rule 9" "the message names the rule"
run retain rm two
is "$status" 2 "an invalid number is refused"
is "$(q "select count(*) from retention_rules")" 3 "no rule was removed"
run retain rm 1 3
is "$status $(q "select string_agg(rule_no::text, ' ') from retention_rules")" "0 2" "rules are removed by number"

# --- a run that is interrupted ------------------------------------------------------------------

# The number of sessions that wait for a lock; on a cluster, they wait on the server of the row.
waits() {
    local sql='select count(*) from pg_locks where not granted'
    [ -z "${PROFDEPOT_TEST_CITUS-}" ] || sql="select sum(result::int) from run_command_on_all_nodes('$sql')"
    q "$sql"
}

psql -XqAt -v ON_ERROR_STOP=1 -v from=5 -v first=101 -v sets=600 -f "$srcdir/tests/lib/clone_sets.sql" >/dev/null || bail_out "clone"
before=$(q "select count(*) from instances")
hold=$(q "select min(inst_id) + 150 from instances where inst_id > 100")
psql -Xq -c "begin; select from profdepot.instances where inst_id = $hold for update; select pg_sleep(60)" >/dev/null 2>&1 &
holder=$!
until [ "$(q "select count(*) from pg_stat_activity where query like '%pg_sleep(60)%' and state = 'active'")" -gt 1 ]; do sleep 0.02; done
"$PROFDEPOT" retain run >"$tmp/out" 2>&1 &
pid=$!
until [ "$(waits)" -gt 0 ]; do sleep 0.02; done
kill -TERM $pid
wait $pid
until [ "$(q "select count(*) from pg_stat_activity where application_name = 'profdepot' and datname = current_database()")" = 0 ]; do sleep 0.05; done
after=$(q "select count(*) from instances")
ok "finished batches stay removed" [ "$after" -lt "$before" ]
ok "the interrupted batch is not removed" [ "$after" -gt 150 ]
q "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(60)%' and pid <> pg_backend_pid()" >/dev/null
wait $holder
run retain run
is "$status" 0 "the next run continues"
is "$(q "select count(*) from instances i join result_set_labels l using (inst_id) where l.value = 'main'")" 2 "the rule is fulfilled"
run verify
is "$status" 0 "what is left is complete"

done_testing
