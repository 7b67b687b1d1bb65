#!/usr/bin/env bash
# Tests the readers of text logs: each case must have the content that its expected.json states, in every
# encoding and with every prefix; files that only look like reports are refused.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/textlogs.sh
. "$srcdir/tests/lib/textlogs.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make

# --- own cases, in every encoding and with every prefix ----------------------------------------------

for expected in "$srcdir"/tests/golden/textlogs/*.expected.json; do
    file=${expected%.expected.json}.txt
    name=$(basename "$file" .txt)
    is "$(textlog_differences "$file" "$expected" | head -n 40)" "" "$name has the expected content"
    textlog_variants "$file"
    # FastMM and JCL write to separate files, which contain no lines of other programs.
    if [[ $name != fastmm* && $name != jcl ]]; then
        # A line inside a suppression would become part of the suppression.
        sed -i '/^   <insert/,/^}/{/^The thread/d}' "$tmp/variants/foreign-lines"
        is "$(textlog_differences "$tmp/variants/foreign-lines" "$expected" | head -n 40)" "" "$name: foreign-lines has the same content"
    fi
    rm "$tmp/variants/foreign-lines"
    cp "$file" "$tmp/variants/plain"
    is "$(textlog_different_variants)" "" "$name: all variants have the same content"
done

# --- the corpus ----------------------------------------------------------------------------------------

corpora=${PROFDEPOT_CORPORA:-$srcdir/../shared/corpora}/textlogs
if [ ! -d "$corpora" ]; then
    skip "corpora/textlogs is missing" "the cases of corpora/textlogs"
    done_testing
    exit
fi
# The folders of the formats that have a reader.
folders=(valgrind fastmm4 fastmm5 delphi-rtl vld crt heaptrc drmemory jcl madexcept umdh eurekalog)

for folder in "${folders[@]}"; do
    pairs=()
    for expected in "$corpora/$folder"/*.expected.json; do
        name=${expected%.expected.json}
        for file in "$name".txt "$name".csv "$name".out; do
            [ ! -f "$file" ] || pairs+=("$file" "$expected")
        done
    done
    textlog_check "${pairs[@]}"
done

for file in "$corpora/not-reports"/*; do
    [[ $file != *.json && $file != */massif.out ]] || continue
    run load "$file"
    is "$status" 3 "not-reports/${file##*/} is refused"
done

# --- own frames -------------------------------------------------------------------------------------

# Frames of FastMM and of Delphi's runtime do not count as the program's own frames.
for log in fastmm4/real-leaks fastmm5/real-debug-utf8-bom; do
    run load --again "$corpora/$log.txt"
    run report leaks --by own --output csv "$(q "select max(inst_id) from instances")"
    is "$(tail -n +2 <<<"$out" | cut -d, -f2,3 | LC_ALL=C sort -u | tr '\n' ' ')" ",RawBuffer TOrder,AddLine TOrder,Create " \
        "$log: the report names the program's own frames"
done

# --- valgrind: text and XML of one program ---------------------------------------------------------

# load_one FILE: loads the file; sets $inst to its result set.
load_one() {
    run load --again "$1"
    inst=$(q "select max(inst_id) from instances")
}

# Without --leak-check=full and -s, the text contains neither the list of leaks nor the counts of errors. For a
# wrong lock order, the text begins with a different stack than the XML.
for xml in "$corpora"/valgrind/*.xml; do
    name=$(basename "$xml" .xml)
    case $name in
    real-leaks-default | real-drd) continue ;;
    esac
    load_one "${xml%.xml}.txt"
    text=$inst
    load_one "$xml"
    run diff "$text" "$inst" --output csv
    is "$(tail -n +2 <<<"$out" | grep -v LockOrder)" "" "valgrind/$name: text and XML do not differ"
done
done_testing
