#!/usr/bin/env bash
# Tests loading invalid inputs. Each load must end with a documented exit status and print one line per
# rejected input. The line names the file and the position of the error. A rejected input must leave no
# rows in the depot.
#
# tests/tools/damage makes the invalid inputs from a small valid input of each format:
# tests/golden/inputs/FORMAT.ENDING, tests/golden/inputs/FORMAT-WHAT.ENDING or tests/golden/textlogs/FORMAT.txt.
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
most=${BAD_INPUT_MOST:-64} # per kind and input; raise it for a thorough run
batch=200                  # inputs per run of profdepot

# These messages name no position, because the error concerns the whole file or a top-level member.
no_place='not in a format that profdepot reads|the file is empty|no event body|no result set'
no_place="$no_place|neither JSON nor a share page|no category \"[^\"]*\", and none that is declared|no declared category|add up to more than"
no_place="$no_place|no line is a stack with a count|no perf script sample|no \"events:\" line"
no_place="$no_place|no [^:]* in it|contains no sanitizer report"
no_place="$no_place|no traceEvents in the object|: traceEvents is an? |: \"[a-z]*\" is missing$"

# judge FORMAT WHAT: checks the output of `sweep` in $tmp/said, which has one line per rejected input.
judge() {
    is "$(grep -E -v '^(profdepot: |hint: |loaded |checked |known |new |         )' "$tmp/said" | head -n 5)" "" \
        "$1: $2: each error is one line"
    is "$(grep '^profdepot: ' "$tmp/said" | grep -v '^profdepot: [0-9]* inputs*: ' | grep -vF "$tmp/" | head -n 5)" "" \
        "$1: $2: each error names the file"
    is "$(grep '^profdepot: ' "$tmp/said" | grep -v '^profdepot: [0-9]* inputs*: ' |
        grep -vE "(offset|line|row|sample) [0-9]+" | grep -vE "$no_place" | sed "s|$tmp/||" | head -n 5)" "" \
        "$1: $2: each error names its position"
}

# sweep FORMAT OPTION... <LIST: loads the inputs listed in the file LIST in batches; sets $worst to the worst status.
sweep() {
    local format=$1 status inputs=()
    shift
    worst=0 refused=0
    : >"$tmp/said"
    while mapfile -t -n $batch inputs && [ ${#inputs[@]} -gt 0 ]; do
        status=0
        timeout 120 "$PROFDEPOT" load --format "$format" "$@" "${inputs[@]}" >>"$tmp/said" 2>&1 || status=$?
        case $status in
        0) ;;
        3 | 5) refused=$((refused + 1)) ;;
        *)
            worst=$status
            diag "status $status from the batch that begins with ${inputs[0]##*/}"
            ;;
        esac
    done
}

# Lists the relations with rows whose result set is not in INSTANCES. The ledger is not checked, because it keeps the
# entries of removed result sets.
traces() {
    psql -XqAt -v ON_ERROR_STOP=1 2>&1 <<'SQL'
set search_path = profdepot;
select format('select %L from (select inst_id from %s except select inst_id from instances) r limit 1',
    c.relname, c.oid::regclass)
from pg_class c join pg_attribute a on a.attrelid = c.oid
where c.relnamespace = 'profdepot'::regnamespace and c.relkind = 'r' and a.attname = 'inst_id'
  and c.relname <> 'ledger' \gexec
SQL
}

# check_format FORMAT LIST: makes a dry run with all inputs listed in the file LIST, then loads some of them.
check_format() {
    local before after
    sweep "$1" --dry-run <"$2"
    is "$worst" 0 "$1: $(wc -l <"$2") damaged inputs: the dry run ends with a documented status"
    isnt "$refused" 0 "$1: some inputs are refused"
    judge "$1" "dry run"
    awk 'NR % 6 == 1' "$2" >"$tmp/some"
    before=$(q "select count(*) from instances")
    sweep "$1" --again <"$tmp/some"
    after=$(q "select count(*) from instances")
    is "$worst" 0 "$1: $(wc -l <"$tmp/some") damaged inputs: the load ends with a documented status"
    judge "$1" "load"
    is "$(grep -c '^loaded ' "$tmp/said")" $((after - before)) "$1: refused inputs create no result set"
    is "$(traces)" "" "$1: refused inputs leave no rows"
    is "$("$PROFDEPOT" verify 2>&1 >/dev/null | grep -vE '^[0-9]+ result sets? verified, 0 differ, 0 open$')" "" \
        "$1: the loaded result sets pass verification"
    "$PROFDEPOT" rm --all --forget >/dev/null 2>&1
}

# An AQTime export is a folder. Each invalid export has one invalid file.
make_aqtime() {
    local table variant folder n=0
    export_make "$tmp/export"
    for table in "$tmp"/export/*.csv; do
        rm -rf "$tmp/tables" && mkdir "$tmp/tables"
        "$builddir/tests/tools/damage" "$table" "$tmp/tables" $((most / 16 + 1)) || return 1
        for variant in "$tmp"/tables/*; do
            folder=$tmp/bad/export-$((n++))
            cp -rl "$tmp/export" "$folder"
            rm "$folder/${table##*/}"
            mv "$variant" "$folder/${table##*/}"
            echo "$folder"
        done
    done
}

# Formats that are read only from a database have no files, so other tests cover them (format/miniprofiler.sh).
for format in $("$PROFDEPOT" formats | awk '/ load / && !/through --from-db/ { print $1 }'); do
    rm -rf "$tmp/bad" && mkdir "$tmp/bad"
    if [ "$format" = aqtime ]; then
        make_aqtime >"$tmp/list"
        check_format "$format" "$tmp/list"
        continue
    fi
    inputs=()
    for input in "$srcdir/tests/golden/inputs/$format"[.-]* "$srcdir/tests/golden/textlogs/$format"*.txt; do
        [ ! -f "$input" ] || inputs+=("$input")
    done
    isnt "${#inputs[@]}" 0 "$format has an input in tests/golden/inputs"
    for input in "${inputs[@]}"; do
        ok "$format: ${input##*/} is valid" "$PROFDEPOT" load --strict --dry-run "$input"
        name=${input##*/}
        mkdir "$tmp/bad/${name%%.*}"
        "$builddir/tests/tools/damage" "$input" "$tmp/bad/${name%%.*}" "$most" || fail "$format: damage"
    done
    echo "this is not a result set" >"$tmp/bad/foreign"
    find "$tmp/bad" -type f | LC_ALL=C sort >"$tmp/list"
    check_format "$format" "$tmp/list"
done
done_testing
