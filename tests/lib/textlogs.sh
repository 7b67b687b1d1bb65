# shellcheck shell=bash
# Compares the loaded content of a text log with its expected content (corpora/textlogs). Source this file after depot.sh.
#
#	textlog_differences FILE EXPECTED	loads FILE and prints how its content differs from EXPECTED
#	textlog_join EXPECTED...	prints the expected content of a file that contains the reports of all these files

textlog_differences() {
    local before cut=false
    [[ $1 != *-cut* ]] || cut=true
    before=$(q "select coalesce(max(inst_id), 0) from instances")
    run load --again "$1"
    # Status 5: the load caused issues of severity error.
    if [ "$status" -ne 0 ] && [ "$status" -ne 5 ]; then
        echo "not loaded: $errors"
        return
    fi
    EXPECTED=$2 psql -XqAt -v ON_ERROR_STOP=1 -v before="$before" -v cut=$cut \
        -f "$srcdir/tests/cli/format/textlogs_check.sql" 2>&1
}

textlog_join() {
    local file all="" n=0
    {
        for file in "$@"; do
            n=$((n + 1))
            # shellcheck disable=SC2016 # psql runs the command
            printf '\\set e%d `cat "%s"`\n' "$n" "$file"
            all+="${all:+ union all }select $n, :'e$n'::json"
        done
        echo "select json_build_object('reports', (select json_agg(r order by n, m) from x, json_array_elements(d -> 'reports')
            with ordinality y(r, m)), 'issues', (select coalesce(json_agg(i), '[]') from x, json_array_elements(d -> 'issues') i))
            from (values (1)) one;" | sed "s/^select/with x(n, d) as ($all) select/"
    } >"$tmp/join.sql"
    psql -XqAt -v ON_ERROR_STOP=1 -f "$tmp/join.sql"
}
