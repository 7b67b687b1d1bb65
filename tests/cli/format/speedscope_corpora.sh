#!/usr/bin/env bash
# Tests the corpora of speedscope files. A file's folder also contains summary.json, with speedscope's
# own result. profdepot must accept or refuse a native file as speedscope does, compute the same totals,
# and export an equal file. Files that speedscope saved from other formats are also native.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"

corpora=${PROFDEPOT_CORPORA:-$srcdir/../shared/corpora}/speedscope
[ -d "$corpora" ] || skip_all "the corpora are missing"
pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make
q "create table public.speedscope_case (name text, inst_id bigint, summary json, caption text,
    exact boolean, saved boolean)"
: >"$tmp/cases.sql"

newest() {
    q "select max(inst_id) from instances"
}

# input_of FOLDER: prints the path of the input among the files of a case.
input_of() {
    local candidate
    for candidate in "$1"/*; do
        case ${candidate##*/} in
        expected.* | summary.json) ;;
        *) echo "$candidate" ;;
        esac
    done
}

# note_case NAME INST SUMMARY OUT EXACT SAVED: adds a case for speedscope_check.sql. OUT is the file that speedscope
# saved, if any; the member "name" of this file is the case's caption. SAVED says whether OUT itself was loaded.
note_case() {
    local name=$1 inst=$2 summary=$3 saved=$4 exact=$5 is_saved=${6:-false}
    [ -f "$saved" ] || saved=/dev/null
    cat >>"$tmp/cases.sql" <<EOF
\\set summary \`cat '$summary'\`
\\set saved \`cat '$saved'\`
insert into public.speedscope_case
select '$name', $inst, :'summary'::json, nullif(:'saved', '')::json ->> 'name', $exact, $is_saved;
EOF
}

# gives_back NAME INST FILE: checks that the export is the same JSON value as the file.
gives_back() {
    "$PROFDEPOT" export --format speedscope "$2" >"$tmp/out.json"
    ok "$1: the export equals the file" "$builddir/tests/tools/compare_json" "$3" "$tmp/out.json"
}

# plain_of FILE: prints the file as plain JSON.
plain_of() {
    case $1 in
    *text-gzip*) gzip -dc <"$1" ;;
    *text-utf16*) iconv -f UTF-16 -t UTF-8 "$1" ;;
    *text-zlib*) printf '\037\213\b\0\0\0\0\0\0\3' | cat - <(tail -c +3 "$1") | gzip -dc 2>/dev/null ;;
    *) cat "$1" ;;
    esac
}

# --- native files: accepted or refused as in speedscope ---------------------------------------------

taken=0
refused=0
check_native() {
    local dir=$1 name=${1##*/} exact=true input before after out_file
    input=$(input_of "$dir")
    before=$(newest)
    run load --again "$input"
    after=$(newest)
    # In the case deep-sampled-distinct-10000, speedscope fails with a stack overflow, but profdepot loads the file.
    if [ -f "$dir/expected.error.txt" ] && [ "$name" != deep-sampled-distinct-10000 ]; then
        is "$status|$after" "3|$before" "$name: the file is refused"
        like "$errors" '^profdepot: .{20,}' "$name: the error gives the reason"
        refused=$((refused + 1))
        return
    fi
    is "$status" 0 "$name: the file is accepted"
    [ "$status" -eq 0 ] || diag "$errors"
    taken=$((taken + 1))
    # In these cases speedscope computes NaN or inexact doubles.
    case $name in
    evented-at-missing | evented-start-missing | evented-end-missing | sampled-start-end-missing) exact=false ;;
    evented-above-2p53) exact=false ;;
    esac
    if ! [ -f "$dir/expected.error.txt" ]; then
        out_file=$dir/expected.speedscope.json
        # speedscope replaces an empty name with "profile", but profdepot does not.
        [ "$name" != profile-name-empty ] || out_file=
        note_case "$name" "$after" "$dir/summary.json" "$out_file" $exact
    fi
    plain_of "$input" >"$tmp/plain.json"
    gives_back "$name" "$after" "$tmp/plain.json"
}

for dir in "$corpora"/edge/native/* "$corpora"/samples/speedscope/*/*; do
    [ ! -f "$dir/summary.json" ] || check_native "$dir"
done
ok "more than 60 cases were accepted, and more than 15 were refused" test $taken -gt 60 -a $refused -gt 15

# --- recognition by content alone ----------------------------------------------------------------------

# Loads the input under a name without an extension.
check_unnamed() {
    local dir=$1 name=${1##*/} said wanted=0
    said=$(tr -d '\n' <"$dir/summary.json" | grep -o '"whenNameUnknown": *.*')
    case $said in
    '"whenNameUnknown": "unrecognized"'*) wanted=3 ;;
    *) [ ! -f "$dir/expected.error.txt" ] || return 0 ;;
    esac
    cp "$(input_of "$dir")" "$tmp/unnamed"
    run load --again "$tmp/unnamed"
    is "$status" $wanted "$name: the result without a file name is the same as in speedscope"
}
for dir in "$corpora"/edge/native/{schema,text,evented-ok,sampled-empty}*; do
    check_unnamed "$dir"
done

# --- files that speedscope saved -------------------------------------------------------------------------------

mkdir "$tmp/saved"
number=1000
declare -a saved_from=()
for summary in "$corpora"/edge/*/*/summary.json "$corpora"/samples/*/*/*/summary.json "$corpora"/samples/*/*/summary.json; do
    dir=${summary%/*}
    # speedscope itself cannot read files with an endValue of null.
    if [ -f "$dir/expected.speedscope.json" ] && ! grep -q '"endValue":null' "$dir/expected.speedscope.json"; then
        cp "$dir/expected.speedscope.json" "$tmp/saved/$number.speedscope.json"
        saved_from[number]=$dir
        number=$((number + 1))
    fi
done
ok "speedscope's saved files exist" test ${#saved_from[@]} -gt 100
before=$(newest)
run load --again "$tmp/saved"
is "$status" 0 "the folder of saved files loads"
[ "$status" -eq 0 ] || diag "$errors"
inst=$before
for number in "${!saved_from[@]}"; do
    dir=${saved_from[number]}
    inst=$((inst + 1))
    case $dir in
    */huge-count) exact=false ;; # its total exceeds 2^53, so speedscope loses the second frame's value of 1
    *) exact=true ;;
    esac
    note_case "saved ${dir#"$corpora/"}" $inst "$dir/summary.json" "$dir/expected.speedscope.json" $exact true
    gives_back "saved ${dir#"$corpora/"}" $inst "$dir/expected.speedscope.json"
done

# --- totals, self and total ------------------------------------------------------------------------------

psql -XqAt -v ON_ERROR_STOP=1 -f "$tmp/cases.sql" || bail_out "the cases cannot be stored"
psql -XqAt -v ON_ERROR_STOP=1 -f "$srcdir/tests/cli/format/speedscope_check.sql" >"$tmp/differences" ||
    bail_out "the check fails"
compared=0
while IFS='|' read -r name frames differences; do
    compared=$((compared + frames))
    is "$differences" "" "$name: the totals equal speedscope's"
done <"$tmp/differences"
is "$(wc -l <"$tmp/differences")" "$(q "select count(*) from public.speedscope_case")" "every case was compared"
ok "frames were compared" test $compared -gt 1000
done_testing
