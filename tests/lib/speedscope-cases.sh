# shellcheck shell=bash
# Loads files of formats other than speedscope's, and compares the depot's totals with those that speedscope computed
# for the same files. Source this file after tap.sh, pg-temp.sh and depot.sh; it needs $tmp and a depot.
#
#	cases_begin			creates the table of cases
#	case_take NAME [OPTION...] FILE	loads a file, which must be accepted; sets $inst
#	totals [METRIC]			prints the name, self value and total of each routine; METRIC is a name or a number
#	issues				prints the code and the line of each import issue
#	case_refused DIR PATTERN	loads a case's input, which must be rejected
#	case_load DIR			adds the case to the list for cases_check
#	cases_check			loads all listed cases and compares them with speedscope's totals
#
# A case identifies frames by name and file. $case_file is an SQL expression for the file of a routine r.

case_file="''"

cases_begin() {
    q "create table public.text_case (name text, inst_id bigint, summary json)"
    : >"$tmp/cases.sql"
    cases=0
}

case_input() {
    local candidate
    for candidate in "$1"/*; do
        case ${candidate##*/} in
        expected.* | summary.json) ;;
        *) echo "$candidate" ;;
        esac
    done
}

case_take() {
    local name=$1
    shift
    run load --again "$@"
    is "$status" 0 "$name: the file is accepted"
    [ "$status" -eq 0 ] || diag "$errors"
    inst=${out##*result set }
    # shellcheck disable=SC2034 # for the script that sources this
    inst=${inst%% *}
}

totals() {
    q "select string_agg(r.col_routine_name || ' ' || t.self || ' ' || t.total, ', ' order by r.rec_id)
       from routine_totals t join metrics m using (inst_id, metric_no) join resource_profiler_meta_routines r
         on r.inst_id = t.inst_id and r.rec_id = t.routine_id
       where t.inst_id = $inst and '${1:-1}' in (m.name, m.metric_no::text)"
}

issues() {
    q "select string_agg(code || '@' || line, ' ' order by issue_no) from import_issues where inst_id = $inst"
}

# Loads the cases as one folder; each becomes a result set.
case_load() {
    local input name
    input=$(case_input "$1")
    name=${1##*/}.${input##*/}
    cases=$((cases + 1))
    mkdir -p "$tmp/cases"
    cp "$input" "$tmp/cases/$name"
    cat >>"$tmp/cases.sql" <<SQL
\\set summary \`cat '$1/summary.json'\`
insert into public.text_case
select '${1##*/}', (select max(inst_id) from profdepot.instances where caption = '$name'), :'summary'::json;
SQL
}

case_refused() {
    local dir=$1 pattern=$2 before
    before=$(q "select max(inst_id) from instances")
    run load --again "$(case_input "$dir")"
    is "$status|$(q "select max(inst_id) from instances")" "3|$before" "${dir##*/}: the file is refused"
    like "$errors" "$pattern" "${dir##*/}: the error gives the reason"
}

cases_check() {
    local name frames differences compared=0
    run load --again "$tmp/cases"
    is "$status" 0 "the cases are loaded"
    [ "$status" -eq 0 ] || diag "$errors"
    psql -XqAt -v ON_ERROR_STOP=1 -f "$tmp/cases.sql" || bail_out "the list of cases cannot be stored"
    psql -XqAt -v ON_ERROR_STOP=1 -v file="$case_file" -f "$srcdir/tests/lib/speedscope_cases.sql" \
        >"$tmp/differences" || bail_out "the comparison with speedscope's totals fails"
    while IFS='|' read -r name frames differences; do
        compared=$((compared + frames))
        is "$differences" "" "$name: the totals equal speedscope's"
    done <"$tmp/differences"
    is "$(wc -l <"$tmp/differences")" "$cases" "every case was compared"
    ok "frames were compared" test $compared -gt 10
}
