#!/usr/bin/env bash
# Tests how result sets record what a run looked for. Checks, trends and reports must not show 0
# for something that the run did not look for.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
"$PROFDEPOT" db migrate >/dev/null 2>&1 || bail_out "no depot"
golden=$srcdir/tests/golden
printf '{"budgets": [{"name": "leaks", "of": "leaks", "max_count": 0}]}\n' >"$tmp/leaks.json"
printf '{"budgets": [{"name": "errors", "of": "errors", "max_count": 0}]}\n' >"$tmp/errors.json"
printf '{"budgets": [{"name": "growth", "of": "leaks", "max_new": 0}]}\n' >"$tmp/growth.json"

# loads FILE OPTION...: loads the file, even if it is already known; sets $inst to the INST_ID.
loads() {
    run load --again "$@"
    [ "$status" -eq 0 ] || diag "$errors"
    inst=$(q "select max(inst_id) from instances")
}

# covers WHAT: prints the degree to which the run of $inst looked for WHAT, such as "full", and how this is known.
covers() {
    q "select degree || ' ' || source from coverage where inst_id = $inst and what = '$1'"
}

# judges STATUS BUDGET PATTERN TEXT [OPTION...]: checks the newest result set; TEXT is the test's title.
judges() {
    local expected=$1 budget=$2 pattern=$3 text=$4
    shift 4
    run check "$inst" --budget "$tmp/$budget.json" "$@"
    is "$status" "$expected" "$text: status"
    like "$out" "$pattern" "$text: output"
}

# --- an unknown number is not 0 -----------------------------------------------------------------

# memcheck ARGS LINE...: prints memcheck's XML with valgrind's arguments ARGS; the XML ends with the given lines.
memcheck() {
    printf '<?xml version="1.0"?>\n<valgrindoutput>\n<protocolversion>4</protocolversion>\n<pid>7</pid>\n<tool>memcheck</tool>\n'
    printf '<args><vargv><exe>valgrind</exe>%s</vargv><argv><exe>./app</exe></argv></args>\n' "$1"
    shift
    printf '<status><state>RUNNING</state><time>00</time></status>\n'
    printf '%s\n' "$@"
}
finished='<status><state>FINISHED</state><time>01</time></status>'
leak='<error><unique>0x1</unique><tid>1</tid><kind>Leak_DefinitelyLost</kind><xwhat><text>8 bytes in 1 blocks are definitely lost in loss record 1 of 1</text><leakedbytes>8</leakedbytes><leakedblocks>1</leakedblocks></xwhat><stack><frame><ip>0x1</ip><fn>main</fn></frame></stack></error>'

printf '<?xml version="1.0"?>\n<valgrindoutput></valgrindoutput>\n' >"$tmp/empty.xml"
loads "$tmp/empty.xml"
judges 2 leaks "UNKNOWN  leaks: it is unknown whether the run looked for leaks" "a budget of 0 leaks cannot be judged for an empty valgrind document"
# Only texts for people at a terminal name the command.
like "$out" 'looked for leaks; use "load --looked-for" to state it' "the text says what to do"
run check "$inst" --budget "$tmp/leaks.json" --output json
like "$out" '"reason": "it is unknown whether the run looked for leaks"' "JSON does not name a command"
run report leaks "$inst" --output json
like "$out" '"incomplete":\["it is unknown whether the run looked for leaks"\]' "nor does the JSON of a report"
run report leaks "$inst"
like "$out" 'looked for leaks; use "load --looked-for" to state it' "but its text does"
memcheck '<arg>--leak-check=full</arg>' "$finished" '</valgrindoutput>' >"$tmp/clean.xml"
loads "$tmp/clean.xml"
is "$(covers leaks), $(covers errors)" "full memcheck finished, full the tool" "a finished memcheck run looked for leaks and errors"
judges 0 leaks "met +leaks" "a budget of 0 leaks is met by a finished memcheck run"
memcheck '<arg>--leak-check=no</arg>' "$finished" '</valgrindoutput>' >"$tmp/no.xml"
loads "$tmp/no.xml"
is "$(covers leaks)" "none --leak-check=no" "a run with --leak-check=no did not look for leaks"
judges 2 leaks "the run did not look for leaks: --leak-check=no" "a budget of 0 leaks cannot be judged with --leak-check=no"
judges 0 errors "met +errors" "a budget of 0 errors is met with --leak-check=no"
memcheck '<arg>--leak-check=no</arg>' "$finished" "$leak" '</valgrindoutput>' >"$tmp/still.xml"
loads "$tmp/still.xml"
is "$(covers leaks)" "full memcheck finished" "a file with a leak shows that the run looked for leaks, despite --leak-check=no"
memcheck '<arg>--leak-check=full</arg>' "$finished" >"$tmp/cut.xml"
loads "$tmp/cut.xml"
like "$out" "no leaks \((not looked for|looked for in part|not finished)\)" "load does not claim that a cut file has no leaks"
is "$(covers leaks)" "none the XML ends before the leak part" "a file truncated before the leaks contains no leaks"
judges 2 leaks "ends before the leak part" "a budget of 0 leaks cannot be judged for a file truncated before the leaks"
judges 2 errors "only in part" "a budget of 0 errors cannot be judged for a file truncated before the leaks"
memcheck '<arg>--leak-check=full</arg>' "$finished" "$leak" >"$tmp/cut2.xml"
loads "$tmp/cut2.xml"
is "$(covers leaks)" "partial the XML ends in the leak part" "a file truncated within the leaks contains some of the leaks"
judges 1 leaks "EXCEEDED +leaks" "a budget of 0 leaks is exceeded by a file truncated within the leaks"
printf '{"budgets": [{"name": "leaks", "of": "leaks", "max_count": 1}]}\n' >"$tmp/one.json"
judges 2 one "only in part" "a budget of one leak cannot be judged for a file truncated within the leaks"
loads "$golden/valgrind/helgrind.xml"
is "$(covers leaks), $(covers races)" "none the tool, full the tool" "helgrind looks for races, not for leaks"
cp -r "$srcdir/examples/orders-after" "$tmp/orders"
loads "$tmp/orders"
is "$(covers leaks), $(covers errors)" "full the format, full the format" "AQTime's Resource profiler looks for leaks and errors"
rm "$tmp"/orders/*RESOURCE_PROFILER_ERRORS*
loads "$tmp/orders"
is "$(covers errors)" "" "an export without the table of errors does not show whether the run looked for them"
judges 2 errors "it is unknown whether the run looked for errors" "a budget of 0 errors cannot be judged for an export without the table of errors"
loads "$srcdir/examples/orders-start.speedscope.json"
is "$(covers leaks)" "none speedscope files do not hold them" "speedscope never looks for leaks"
judges 2 leaks "the run did not look for leaks: speedscope files do not hold them" "a budget of 0 leaks cannot be judged for a speedscope file"

# --- unjudged, optional, exceeded ------------------------------------------------------------------

judges 0 leaks "skipped  leaks: the run did not look" "with --unjudged skip, a budget that cannot be judged is skipped" --unjudged skip
judges 2 leaks "UNKNOWN" "with --unjudged fail, a budget that cannot be judged fails" --unjudged fail
printf '{"budgets": [{"of": "leaks", "max_count": 0, "optional": true}]}\n' >"$tmp/optional.json"
judges 0 optional "skipped  budget 1" "an optional budget that cannot be judged is skipped"
loads "$tmp/cut2.xml"
printf '{"budgets": [{"of": "leaks", "max_count": 0}, {"of": "errors", "max_count": 0}]}\n' >"$tmp/both.json"
judges 1 both "UNKNOWN  budget 2" "an exceeded budget takes precedence over one that cannot be judged"
for format in json markdown junit sarif github; do
    run check "$inst" --budget "$tmp/errors.json" --output $format
    like "$out" "only in part" "the output format $format contains the reason why a budget cannot be judged"
done

# --- clean runs ----------------------------------------------------------------------------------

: >"$tmp/asan.log"
printf 'all tests passed\n' >"$tmp/tests.log"
run load "$tmp/asan.log"
is "$status" 3 "an empty file is refused"
run load --format collapsed "$tmp/asan.log"
is "$status" 3 "an empty file is refused if the format named with --format has no empty files"
loads --format sanitizer "$tmp/asan.log"
judges 2 leaks "it is unknown whether" "an empty log with --format sanitizer does not show what the run looked for"
run load --format sanitizer "$tmp/tests.log"
is "$status" 3 "a log without a report is refused"
run load --format sanitizer "$tmp/asan.log" --looked-for leaks,errors --run build-1
like "$out" "loaded +result set [0-9]+ of run build-1" "load shows the run's key"
run load --format sanitizer "$tmp/asan.log" --looked-for leaks,errors --run build-2
like "$out" "^loaded" "the same empty log with another run key is loaded again"
inst=$(q "select max(inst_id) from instances")
judges 0 leaks "met +leaks" "a budget of 0 leaks is met by an empty log with --looked-for"
run load --format sanitizer "$tmp/asan.log" --looked-for leaks,errors --run build-2
like "$out" "^known +result set $inst " "the same empty log with the same run key is known"
like "$("$PROFDEPOT" show "$inst")" "same as +[0-9]" "show names the result set that has the same facts"
loads --format sanitizer "$tmp/tests.log" --looked-for leaks
judges 0 leaks "met +leaks" "a budget of 0 leaks is met by a log without a report, with --looked-for"
run load --clean --tool asan --looked-for leaks,errors --run build-3
like "$out" "loaded +result set [0-9]+ of run build-3" "load --clean stores a clean run without a file"
inst=$(q "select max(inst_id) from instances")
is "$(q "select tool || ' ' || finished from instances join runs using (inst_id) where inst_id = $inst")" "asan true" "load --clean stores the tool"
like "$("$PROFDEPOT" show "$inst" --output json)" '"finished": true' "show --output json says as a boolean that the run finished"
like "$("$PROFDEPOT" show "$inst")" 'finished +yes' "show says in words that the run finished"
judges 0 errors "met +errors" "a budget of 0 errors is met by a clean run without a file"
run load --clean --tool asan --looked-for leaks,errors --run build-3
like "$out" "^known" "a second clean run with the same run key is known"
before=$(q "select count(*) from instances")
"$PROFDEPOT" load -q --clean --tool asan --looked-for leaks >/dev/null
"$PROFDEPOT" load -q --clean --tool asan --looked-for leaks >/dev/null
is "$(($(q "select count(*) from instances") - before))" 2 "each clean run without a run key is a separate run"
run load --clean --tool asan --looked-for leaks --dry-run
like "$out" "^checked" "load --clean --dry-run checks the arguments, but stores nothing"
for wrong in "--clean" "--clean --tool asan" "--clean --tool asan --looked-for leaks $tmp/clean.xml" \
    "--tool asan $tmp/clean.xml" "--looked-for leak $tmp/clean.xml" "--looked-for , $tmp/clean.xml" "--run= $tmp/clean.xml"; do
    # shellcheck disable=SC2086
    run load $wrong
    is "$status" 2 "load ${wrong//$tmp\//} is refused"
done
run load --again "$tmp/no.xml" --looked-for leaks
is "$status" 3 "load refuses a statement of the user that contradicts the file"
like "$errors" "did not look for leaks: --leak-check=no" "the message names the option that the user's statement contradicts"

# --- runs ----------------------------------------------------------------------------------------

"$PROFDEPOT" load -q --run job-1 --commit abc --parent-commit 123 --environment nightly "$tmp/still.xml" \
    "$srcdir/examples/orders-start.speedscope.json" --again >/dev/null || bail_out "no run"
is "$(q "select count(*) || ' ' || max(commit_id || parent_commit_id || environment) from runs where run_key = 'job-1'")" \
    "2 abc123nightly" "load stores two result sets of one run with its properties"
is "$("$PROFDEPOT" list --run job-1 --output csv | wc -l)" 3 "list --run lists both result sets of the run"
run check run:job-1 --budget "$tmp/leaks.json"
is "$status" 1 "the result sets of a run are checked together"
like "$out" "1 object, 8 B" "the check of a run counts the leak of the result set that looked for leaks"
run check run:job-1 --budget "$tmp/errors.json"
is "$status" 0 "a budget for a run can be judged if one result set looked for the errors"
"$PROFDEPOT" load -q --again --run job-1 "$tmp/cut.xml" >/dev/null
run check run:job-1 --budget "$tmp/errors.json"
is "$status" 2 "a budget for a run cannot be judged if another result set looked only in part"
run report leaks run:job-1
is "$(grep -c '^Leaks: ' <<<"$out")" 3 "report prints one report per result set of a run"
"$PROFDEPOT" load -q --again --run job-2 "$tmp/still.xml" "$srcdir/examples/orders-start.speedscope.json" >/dev/null
run check run:job-2 --base run:job-1 --budget "$tmp/growth.json"
is "$status" 0 "check compares each result set of a run with the base run's result set of the same tool"
run diff run:job-1 "$(q "select max(inst_id) from runs where run_key = 'job-2'")"
is "$status" 0 "diff compares with the run's result set of the same tool"
run show run:job-2
is "$status" 2 "show refuses a run with several result sets"
like "$errors" "has 2 result sets" "the error says that the run has several result sets"
run check run:nope --budget "$tmp/leaks.json"
is "$status" 2 "check refuses an unknown run"
run check run:job-2 --base run:nope --budget "$tmp/growth.json"
is "$status" 2 "check refuses an unknown base run"
run check run:job-2 --base run:nope --base-optional --budget "$tmp/growth.json"
is "$status" 0 "check --base-optional accepts an unknown base run"
like "$out" "skipped  growth: there is no result set to compare with yet" "check --base-optional skips the growth budget if there is no base run"
PROFDEPOT_DB=postgresql://localhost:1/none run check run:job-2 --base run:nope --base-optional --budget "$tmp/growth.json"
is "$status" 2 "check --base-optional fails if the database cannot be reached"
run check "$inst" --base "$(q "select max(inst_id) from instances where format = 'speedscope'")" --budget "$tmp/growth.json"
is "$status" 2 "growth since a run that did not look for leaks cannot be judged"
run load "$tmp/clean.xml" --label run=7
is "$status" 2 "load refuses a label named run"
run label "$inst" run=7
is "$status" 2 "label refuses a label named run"

# --- trends and reports --------------------------------------------------------------------------

"$PROFDEPOT" rm --all >/dev/null 2>&1
"$PROFDEPOT" load -q "$tmp/still.xml" "$tmp/no.xml" "$tmp/cut2.xml" "$srcdir/examples/orders-start.speedscope.json" "$tmp/clean.xml" >/dev/null
is "$("$PROFDEPOT" trend live_count --output json | grep -oE '"(value|coverage)":[^,}]*' | cut -d: -f2 | tr '\n' ' ')" \
    '1 null 1 "looked for in part" 0 null ' \
    "a trend has no value for a run that did not look for leaks, and marks a run that looked only in part"
like "$("$PROFDEPOT" trend live_count)" "2 result sets are left out" "a trend shows the number of result sets that did not measure the metric"
is "$("$PROFDEPOT" trend live_count --last 2 --output json | grep -o '"value":[^,}]*' | tr '\n' ' ')" '"value":1 "value":0 ' \
    "--last counts the result sets that measured the metric"
no=$(q "select inst_id from instances where source_name = 'no.xml'")
like "$("$PROFDEPOT" report leaks "$no")" "did not look for leaks: --leak-check=no" "report leaks shows that the run did not look for leaks"
like "$("$PROFDEPOT" report leaks "$no" --output json)" '"incomplete":\["the run did not' "JSON shows that the run did not look for leaks"
like "$("$PROFDEPOT" report leaks "$no" --output html)" "did not look for leaks" "HTML shows that the run did not look for leaks"
unlike "$("$PROFDEPOT" report leaks "$no")" "total:|has no objects" "report leaks shows no total of leaks that the run did not look for"
like "$("$PROFDEPOT" report leaks "$no" --output json)" '"rows":0,.*"count":null,"size":null' "in JSON, these totals are null"
unlike "$("$PROFDEPOT" report leaks "$no" --output markdown)" "[Tt]otal: 0" "Markdown shows no total either"
is "$("$PROFDEPOT" report summary "$no" --output csv | sed -n '2p' | tr -d '\r')" "Not released,Not looked for,,," "the summary shows that the run did not look for leaks"
unlike "$("$PROFDEPOT" report summary "$no")" "Live objects|Classes with live" "the summary has no empty rows"
like "$("$PROFDEPOT" report leaks latest)" "total: 0 " "report leaks shows a total of 0 for a run that found no leaks"
is "$("$PROFDEPOT" report summary latest --output csv | grep 'Live objects' | cut -d, -f4)" "0" "the summary shows 0 for a run that found no leaks"
like "$("$PROFDEPOT" diff "$no" latest)" "result set $no: the run did not look for leaks" "diff names the result set whose run did not look for leaks"
like "$("$PROFDEPOT" show "$no" --output json | tr -d ' \n')" '"what":"leaks","degree":"none","source":"--leak-check=no"' "show shows what the run did not look for"

# --- streams -------------------------------------------------------------------------------------

"$PROFDEPOT" load -q --again "$tmp/clean.xml" --application shop --label branch=main --label arch=x86 --run 1 >/dev/null
"$PROFDEPOT" load -q --again "$tmp/clean.xml" --application shop --label branch=main --label arch=arm --run 1 >/dev/null
is "$("$PROFDEPOT" stream list --output csv | grep '^shop' | cut -d, -f1-4)" "shop,branch=main,2,1" "by default, the application and its branch identify a stream"
ok "stream set accepts two label keys" "$PROFDEPOT" stream set branch arch
is "$("$PROFDEPOT" stream list --output csv | grep '^shop' | cut -d, -f1-4 | sort | tr '\n' ' ')" \
    "shop,arch=arm branch=main,1,1 shop,arch=x86 branch=main,1,1 " "the labels named with stream set identify streams"
ok "stream set works without label keys" "$PROFDEPOT" stream set
like "$("$PROFDEPOT" stream list --output csv)" "shop,,2,1" "without label keys, only the application identifies a stream"
for wrong in "set a=b" "set a,b" "set run" "list a" ""; do
    # shellcheck disable=SC2086
    run stream $wrong
    is "$status" 2 "stream $wrong is refused"
done
done_testing
