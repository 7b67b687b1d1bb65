#!/usr/bin/env bash
# Tests collapsed stacks: their content, lines that are left out, difference files, and the corpora.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/speedscope-cases.sh
. "$srcdir/tests/lib/speedscope-cases.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make
corpora=${PROFDEPOT_CORPORA:-$srcdir/../shared/corpora}/speedscope

takes() { # takes TEXT INPUT [OPTION...]
    local text=$1
    printf '%b' "$2" >"$tmp/in.folded"
    shift 2
    case_take "$text" "$@" "$tmp/in.folded"
}
refuses() { # refuses TEXT INPUT PATTERN
    printf '%b' "$2" >"$tmp/in.txt"
    run load --again "$tmp/in.txt"
    is "$status" 3 "$1: the file is refused"
    like "$errors" "$3" "$1: the message gives the reason"
}

# --- the golden file ---------------------------------------------------------------------------------

case_take "golden" --strict "$srcdir/tests/golden/inputs/collapsed.folded"
is "$(totals)" "main 2 44, app::run(int) 5 42, app::work(char const*) 10 25, do_syscall_64_[k] 15 15,  0 12, idle 12 12" \
    "golden: the self values and totals of all routines are as expected, even if a name is empty"
is "$(q "select col_symbol_moniker, col_code_type from resource_profiler_meta_routines
    where inst_id = $inst and (col_symbol_moniker is not null or col_code_type is not null) order by rec_id")" \
    $'_ZN3app3runEi|\n_ZN3app4workEPKc|\n|kernel' "golden: symbols and code types are stored"
is "$(q "select name, unit from metrics where inst_id = $inst")" "samples|none" "golden: the only metric is samples"
is "$(q "select count(*), sum(weight) from samples where inst_id = $inst")" "6|44" "golden: each line is one sample"
run verify "$inst"
is "$status" 0 "golden: verify finds no differences"

# --- other lines -------------------------------------------------------------------------------------

odd='a;b 1.5\na 1\nb\t2\n\n# hello\nc +7\nd 1e3\ne -2\nf 3 \na;x 4'
takes "odd lines" "$odd"
is "$(totals)" "a 1 5, x 4 4" "odd lines: the lines that speedscope accepts are counted"
is "$(issues)" "left-out@1 left-out@3 comment@5 left-out@6 left-out@7 left-out@8 left-out@9" "odd lines: every other line becomes an issue"
run load --strict --again "$tmp/in.folded"
is "$status" 3 "odd lines: --strict refuses the file"
takes "odd lines, --lenient" "$odd" --lenient
is "$(totals)" "a 1 6.5, b 3.5 3.5, c 7 7, d 1000 1000, e -2 -2, f 3 3, x 4 4" "odd lines: --lenient accepts unusual numbers as counts"
takes "a line of 5 MB" "$(printf 'x%.0s' {1..50000} | sed 's/.*/&&&&&&&&&&/;s/.*/&&&&&&&&&&/') 3\na;b 2"
is "$(issues)|$(totals)" "left-out@1|a 0 2, b 2 2" "a line of 5 MB: the line is left out"
takes "70,000 frames" "$(printf 'f;%.0s' {1..70000})g 3"
is "$(issues)|$(totals)" "stack-cut@1|f 0 3, g 3 3" "70,000 frames: the outermost frames are left out"
takes "3,000 frames" "$(printf 'f%d;' {1..3000})g 3"
is "$(q "select pg_column_compression(routine_ids) from stacks where inst_id = $inst")" \
    "$(q "select case when 'lz4' = any(enumvals) then 'lz4' else 'pglz' end from pg_settings
          where name = 'default_toast_compression'")" "3,000 frames: the stack is compressed with lz4 if the server supports it"
takes "a number of 1,001 digits" "a;b 1$(printf '0%.0s' {1..1000})\na 1"
is "$(issues)" "number-range@1" "a number with 1,001 digits: the line is left out"
refuses "a sum beyond 10^20" 'a;b 99999999999999999999\na;b 99999999999999999999\n' 'sample 2: the values up to this sample add up to more than'
refuses "text" 'one\ntwo 2\nthree\n' 'not in a format'
refuses "prose whose lines end in a number" 'word word 2\nmore of such words 3\n' '--format collapsed reads them'
refuses "prose with semicolons" 'one is here; then 2\nother words; and 3\n' '--format collapsed reads them'
refuses "prose in which one line has a stack" 'one word 2\ntwo words 3\nthree words 1\na;b 4\n' 'not in a format'
refuses "numbers in columns" '1 10\n2 20\n' 'not in a format'
refuses "labels with numbers" 'apples: 1\npears: 2\n' 'not in a format'
refuses "names and numbers below a comment" '# HELP requests\nrequests 12\nerrors 3\n' 'not in a format'
run load --format collapsed --again "$tmp/in.txt"
is "$status" 0 "names and numbers: --format collapsed loads the file"
for name in in.folded in.collapsed; do
    cp "$tmp/in.txt" "$tmp/$name"
    run load --again "$tmp/$name"
    is "$status" 0 "names and numbers: the file name $name suffices"
done
for input in 'main 3\nrun(unsigned int, std::pair<int, int>) 4\n[vdso page] 1\n' \
    'Main Thread 5\nmain;a b;c 7\nmain;d 2\n' 'idle 5 6\nmain 7 8\n'; do
    printf '%b' "$input" >"$tmp/in.txt"
    case_take "recognised by content: ${input%%\\*}" --strict "$tmp/in.txt"
done
refuses "lines without a count" 'a;b\na;c\n' 'not in a format'
run load --format collapsed "$tmp/in.txt"
like "$status$errors" '^3.*no line is a stack with a count' "lines without a count: with --format collapsed, the message says what a line must contain"

# --- differences -----------------------------------------------------------------------------------------

takes "two counts" 'a;b 1 5\na;c 2 3\n' --strict
is "$(totals)|$(totals 2)" "a 0 8, b 5 5, c 3 3|a 0 3, b 1 1, c 2 2" "two counts: the second counts become one metric, and the first counts another"
is "$(q "select string_agg(name, ' ' order by metric_no) from metrics where inst_id = $inst")" \
    "samples samples_before" "two counts: the metrics are called samples and samples_before"
takes "a single count after pairs" "$(printf 'a;b %d 5\\n' {1..2000})a;c 3\n" --strict
is "$(q "select count(*), min(total), max(total) from routine_totals where inst_id = $inst")" "2002|3|10003" \
    "a single count after pairs: the first number of each pair is part of the name"

# --- the corpora -------------------------------------------------------------------------------------------

[ -d "$corpora" ] || { done_testing; exit; }
cases_begin
for dir in "$corpora"/edge/collapsed/* "$corpora"/samples/stackcollapse/*; do
    case ${dir##*/} in
    # speedscope reads this file as a pprof profile without samples. profdepot finds no stacks in it.
    utf16le-no-bom) case_refused "$dir" 'no line is a stack' ;;
    # speedscope treats the first count as part of a name.
    diff-two-counts)
        case_take diff-two-counts "$(case_input "$dir")"
        is "$(totals)" "a 0 8, b 5 5, c 3 3" "diff-two-counts: the first count is not part of a name"
        ;;
    looks-like-json-number | only-garbage) case_refused "$dir" 'no line is a stack' ;;
    *) case_load "$dir" ;;
    esac
done
cases_check
done_testing
