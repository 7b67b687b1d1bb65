# shellcheck shell=bash disable=SC2034
# Runs with chosen findings, and the states of the findings. Source this file after depot.sh and memcheck.sh.
#
#	add APPLICATION [OPTION...] [-- FINDING...]	loads a memcheck report with these findings; sets $id
#	add_file FILE OPTION...				loads the file; sets $id
#	clean APPLICATION LOOKED-FOR [OPTION...]	records a run that found nothing; sets $id
#	states STREAM [OPTION...]			prints "ROUTINE STATE" of each finding, ordered by routine
#	ledger						prints the newest ledger number
#	small_folds					as soon as there are 8 runs outside of folds, the oldest 4 of
#							them are moved to a fold

serial=0

add() {
    local options=(--application "$1")
    shift
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    [ $# -eq 0 ] || shift
    serial=$((serial + 1))
    memcheck_pid=$serial memcheck "$@" >"$tmp/report.xml"
    add_file "$tmp/report.xml" "${options[@]}"
}

add_file() {
    run load --quiet "$@"
    [ "$status" -eq 0 ] || bail_out "load $*: $errors"
    id=$(q "select max(inst_id) from instances")
}

clean() {
    run load --quiet --clean --tool Checker --application "$1" --looked-for "$2" "${@:3}"
    [ "$status" -eq 0 ] || bail_out "load --clean: $errors"
    id=$(q "select max(inst_id) from instances")
}

states() {
    "$PROFDEPOT" history --stream "$1" --state all --output csv "${@:2}" 2>&1 | awk -F , '
        NR == 1 && !/^finding,/ { print; exit }
        NR > 1 { print $6 " " $2 }' | LC_ALL=C sort | paste -s -d, -
}

ledger() {
    q "select max(ledger_no) from ledger"
}

small_folds() {
    psql -XqAt -c "select pg_get_functiondef('profdepot.ledger_fold(text)'::regprocedure)" |
        sed 's/\<512\>/8/g; s/\<256\>/4/g; s/bit(4)/bit(256)/g' >"$tmp/fold.sql"
    psql -Xq -v ON_ERROR_STOP=1 -f "$tmp/fold.sql" || bail_out "the smaller fold cannot be created"
}
