#!/usr/bin/env bash
# Tests reports on findings: leaks and errors with --by record, peak, and temporary. The result set resembles those that
# profdepot loads from the files of leak and error detectors.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make

psql -XqAt -v ON_ERROR_STOP=1 -v inst=7 -f "$srcdir/tests/golden/findings/set.sql" ||
    bail_out "the golden result set cannot be created"

golden() { # NAME ARGUMENT...
    local name=$1
    shift
    "$PROFDEPOT" report "$@" >"$tmp/got" 2>&1
    if [ -n "${GOLDEN_WRITE:-}" ]; then
        cp "$tmp/got" "$srcdir/tests/golden/findings/$name"
    fi
    same_file "$tmp/got" "$srcdir/tests/golden/findings/$name" "report $* equals its golden file"
}

# cells KEY ARGUMENT...: prints one column of a report's rows.
cells() {
    local key=$1
    shift
    "$PROFDEPOT" report "$@" --output json | sed 's/\],"totals".*//' | grep '^,*{"\(number\|own_module\|os_thread_id\)"' |
        grep -o "\"$key\":[^,}]*" | sed 's/^[^:]*://; s/"//g' | paste -sd' '
}

# --- open and closed ----------------------------------------------------------------------------

every=("leaks --by record" "errors --by record" peak "peak --by routine" "peak --by module"
    temporary "temporary --by routine" "temporary --by module" "leaks --by lines" threads summary)
write_all() {
    local r
    for r in "${every[@]}"; do
        # shellcheck disable=SC2086 # words of a report
        "$PROFDEPOT" report $r --output json || echo "failed: $r"
    done
}
write_all >"$tmp/open" 2>&1
run reindex 7
is "$status" 0 "reindex closes the result set"
run verify 7
like "$errors" "0 differ, 0 open" "verify finds no difference"
write_all >"$tmp/closed" 2>&1
same_file "$tmp/open" "$tmp/closed" "reports on open and closed result sets are the same"
is "$(q "select sum(value) from stack_totals where metric = 'errors'")" 8 "each occurrence of an error is counted"
is "$("$PROFDEPOT" list --output json | tr -d '\n ' | sed 's/.*"objects":\([0-9]*\),"errors":\([0-9]*\).*/\1 \2/')" \
    "1012 8" "the command list counts blocks and errors"
is "$(cells errors threads)" "5 1 2" "report errors shows the number of threads of each record"
like "$("$PROFDEPOT" flame --output folded --metric errors 7)" "main;push;malloc 4" "a flame graph counts error occurrences"

# --- golden -------------------------------------------------------------------------------------

golden leaks.txt leaks
golden leaks.md leaks --output markdown
golden leaks.json leaks --output json
golden leaks.csv leaks --output csv --top 2
golden errors.txt errors
golden errors.md errors --output markdown
golden errors.json errors --output json
golden errors.csv errors --output csv --top 1
golden peak.txt peak
golden peak_routine.txt peak --by routine
golden peak_module.csv peak --by module --output csv
golden temporary.txt temporary
golden temporary_routine.txt temporary --by routine
golden temporary_module.csv temporary --by module --output csv
if command -v node >/dev/null; then
    ok "node parses the JSON of leaks and errors" node -e 'for (const f of process.argv.slice(1)) JSON.parse(require("fs").readFileSync(f))' \
        "$srcdir/tests/golden/findings/leaks.json" "$srcdir/tests/golden/findings/errors.json"
fi

# --- choice of the report -----------------------------------------------------------------------

like "$("$PROFDEPOT" report leaks --by lines)" "Leaks by class, module and equal stack" "--by lines groups by lines"
like "$("$PROFDEPOT" report errors --by each)" "Error Code" "--by each groups by error"
psql -XqAt -v ON_ERROR_STOP=1 -v inst=8 -f "$srcdir/tests/golden/reports/set.sql"
like "$("$PROFDEPOT" report leaks 8)" "Leaks by class, module and equal stack" "leaks of another profiler use the default grouping"
like "$("$PROFDEPOT" report leaks all)" "Leaks by class, module and equal stack" "leaks of several profilers use the default grouping"
like "$("$PROFDEPOT" report errors 8)" "Error Code" "errors of another profiler use the default grouping"
like "$("$PROFDEPOT" report leaks --by record 8)" "8 bytes in 1 block not released" "leaks --by record also works for another profiler"
like "$("$PROFDEPOT" report errors --by record 8)" "#1  tab" "errors --by record also works for another profiler"
like "$("$PROFDEPOT" report errors --kind none 7)" "total: 0 records, 0 errors" "report errors --kind shows no records if no kind matches"
run report leaks --kind definite 8
is "$status" 2 "an option of another report is rejected"
like "$errors" "does not take --kind.*these do: errors, leaks" "the hint lists the reports that take --kind"
run report peak 8
like "$out" "the result set has no peaks" "the peak report explains the missing data"
run report temporary 8
like "$out" "the result set has no temporary allocations" "the temporary report explains the missing data"
run report peak --by own 7
is "$status" 2 "peak rejects groupings of other reports"

# --- totals -------------------------------------------------------------------------------------

# foot ARGUMENT...: prints the lines that follow a report's records.
foot() {
    "$PROFDEPOT" report "$@" | sed -n '/^total/,$p'
}
is "$(foot leaks 7 --top 1 | grep -v '^shown')" "$(foot leaks 7)" "totals by kind include records that are not shown"
is "$(foot leaks 7 --kind definite)" "$(printf '%s\n' 'total: 2 records, 4 blocks, 65 bytes' \
    '  definitely lost: 2 records, 4 blocks, 65 bytes')" "leaks --kind: the foot shows a single kind"
is "$(foot leaks --by record 8 | wc -l)" 1 "the foot has no lines per kind if the objects have no kind"
is "$(foot errors 7 --top 1 --sort count:asc | grep -v '^shown')" "$(foot errors 7)" "the errors report's foot does not depend on the order"
if command -v node >/dev/null; then
    ok "totals by kind add up to the totals" node -e 'for (const f of process.argv.slice(1)) {
        const t = JSON.parse(require("fs").readFileSync(f)).result_sets[0].totals;
        for (const k of ["rows", "count", "size"])
            if (k in t && t.by_kind.reduce((n, p) => n + p[k], 0) !== t[k])
                process.exit(1);
    }' "$srcdir/tests/golden/findings/leaks.json" "$srcdir/tests/golden/findings/errors.json"
fi

# --- filters ------------------------------------------------------------------------------------

is "$(cells size leaks --kind 'DEF*' 7)" "64 1" "leaks --kind selects by kind"
is "$(cells size leaks --thread 2 7)" "4000" "leaks --thread selects by thread"
is "$(cells size leaks --routine PUSH 7)" "64 144" "leaks --routine ignores case"
is "$(cells size leaks --class strdup 7)" "144" "leaks --class selects by class"
is "$(cells size leaks --module app --min-size 100 7)" "144 4000 1234567" "leaks --module matches names without folders"
is "$(cells size leaks --module demo 7)" "" "folders are not part of module names"
is "$(cells own_routine leaks --own plugin.so 7)" "null null 0x1f2e null null null" "leaks --own matches names without folders"
is "$(cells size peak --module plugin.so 7)" "500" "peak --module matches names without folders"
is "$("$PROFDEPOT" report leaks --by own --output csv 7 | tr -d '\r' | tail -n +2 | cut -d, -f3,6 | LC_ALL=C sort | paste -sd' ')" \
    "(stack unknown),1 0x1f2e,4 push,3 push,3 run(int),1 start_thread,1000" "leaks --by own without globs"
is "$(cells size leaks --module '*app' --min-size 100 7)" "144 4000 1234567" "leaks: --module and --min-size can be combined"
is "$(cells size leaks --min-count 4 7)" "72 1234567" "leaks --min-count counts blocks"
is "$(cells size leaks --sort size --top 2 7)" "1234567 4000" "leaks --sort size: largest first"
is "$(cells own_routine leaks --own '*plugin*' 7)" "null null 0x1f2e null null null" "leaks --own: only matching frames are own frames"
is "$(cells kind errors --kind race 7)" "Race" "errors --kind selects by kind"
is "$(cells kind errors --routine 'reserve*' 7)" "" "errors --routine matches whole names"
is "$(cells kind errors --routine '*reserve*' 7)" "Race" "errors --routine accepts globs"
is "$(cells kind errors --thread 1 7)" "InvalidWrite double-free" "errors --thread selects by thread"
is "$(cells kind errors --min-count 3 7)" "InvalidWrite Race" "errors --min-count counts occurrences"
is "$(cells size peak --module '*plugin*' 7)" "500" "peak --module accepts globs"
is "$(cells size peak --routine main --min-size 501 7)" "3000" "peak: --routine and --min-size can be combined"
is "$(cells size peak --min-share 20 7)" "3000 1000" "peak --min-share omits small shares"
is "$(cells size peak --by module --own 'Worker' 7)" "3500 1000 500" "peak --by module groups by the frames that --own selects"
is "$(cells count temporary --min-count 10 --by routine 7)" "60 10" "temporary --min-count omits small counts"

# --- own and system frames ----------------------------------------------------------------------

# frames WORD ROWS TEXT: checks that is_system_frame returns WORD for each row of module, class, routine and file.
frames() {
    is "$(q "select module, class, routine, file from (values $2) v (module, class, routine, file)
        where is_system_frame(module, class, routine, file, null) is distinct from $1")" "" "$3"
}
frames true "('/srv/app', null, 'malloc', null), ('/srv/app', null, 'operator new(unsigned long)', 'x.cc'),
    (null, null, '_Znwm', null), (null, null, '__interceptor_realloc', '../../../../src/libsanitizer/asan/a.cpp'),
    ('/srv/app', null, 'xmalloc', 'x.c'), (null, null, '__GI___strdup', null), ('/srv/app', null, 'je_malloc', null), ('/usr/bin/perl', null, 'Perl_safesysmalloc', null)" \
    "allocators are system frames"
frames true "('/usr/lib/x86_64-linux-gnu/libc.so.6', null, 'qsort', null), ('libstdc++.so.6.0.30', null, 'f', null),
    ('C:\\Windows\\System32\\foo.dll', null, 'F', null), ('KERNEL32.dll', null, 'BaseThreadInitThunk', null),
    ('/lib64/ld-linux-x86-64.so.2', null, 'x', null), (null, null, 'std::vector<int>::reserve(unsigned long)', null),
    ('/srv/app', null, 'void std::__cxx11::f<int>()', 'x.h'), ('/srv/app', 'std::vector<int>', 'reserve', 'x.h'),
    ('/srv/app', null, '<alloc::vec::Vec<T> as core::x>::from', null), ('/srv/app', null, '_start', null),
    (null, null, '__libc_start_call_main', '../sysdeps/nptl/libc_start_call_main.h'), (null, null, '??', null),
    (null, null, '0x1234', null), ('', '', '', '')" "runtimes and system libraries are system frames"
frames false "('/srv/app', null, 'main', 'main.c'), ('/usr/bin/bash', null, 'execute_command', null),
    ('/srv/app', null, '0x1f2e', null), ('/srv/app', null, '??', null), (null, null, 'main', null),
    ('Orders.exe', 'TForm', 'Create', 'main.pas'), ('/srv/app', null, 'mallocator', null),
    ('/srv/app', null, 'standard::f()', null), ('/opt/lib/libown.so', null, 'f', null),
    ('mylibc.so', null, 'f', null), (null, null, 'push', '/srv/demo/../src/list.c')" "frames of the program are not system frames"

# --- bad input ----------------------------------------------------------------------------------

q "insert into instances (inst_id, caption, format) values (9, 'odd', 'trial')"
q "insert into resource_profiler_objects (inst_id, id, leak_kind, stack_id, attributes)
    values (9, 1, 'new kind', 77, '[1]'), (9, 2, 'definite', null, '{\"indirect_bytes\":null}')"
q "insert into resource_profiler_errors (inst_id, id, col_name, col_description, stack_id, parent_id, count)
    values (9, 1, E'a\x1fb', E'line one\nline\x1e two', 77, 5, 2), (9, 2, 'x', null, null, null, 1)"
q "insert into further_stacks values (9, 'error', 1, 1, 'freed_at', E'with\x1e\x1f in it', 44, 78)"
run report leaks 9
is "$status" 0 "report leaks accepts missing stacks and unusual attributes"
like "$out" "  1 block new kind" "report leaks shows an unknown kind"
run report errors 9
is "$status" 0 "report errors accepts missing threads"
like "$out" 'freed by \(with   in it\)' "separators in a stack heading are replaced"
like "$out" 'line one\\nline\\x1e two' "separators in an error's description are escaped"
run report errors 9 --output json
is "$(printf %s "$out" | tr -d '\n' | grep -o '"role":"[^"]*"')" '"role":"freed_at"' "report errors shows a further stack with its role"
run verify 9
like "$errors" "1 open" "an open result set is not verified"
q "insert into further_stacks values (7, 'error', 4711, 1, 'freed_at', null, null, null)"
run verify 7
is "$status" 1 "verify fails for a further stack without an error"
like "$out" "further_stacks.*error 4711" "verify reports a further stack without an error"
run rm 7
is "$(q "select count(*) from further_stacks where inst_id = 7")" 0 "rm removes further stacks"
done_testing
