#!/usr/bin/env bash
# Tests folders that also contain a file of another format, as the first or the last file. Every reader must
# skip this file with an issue that names it, and must refuse the folder with --strict.
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

stray() { # stray FORMAT INPUT: tests a folder with INPUT, a file of this format in tests/golden/inputs
    local format=$1 input=$2 name
    for name in 0-notes.md zz-notes.md; do
        rm -rf "$tmp/in"
        mkdir "$tmp/in"
        cp "$srcdir/tests/golden/inputs/$input" "$tmp/in/"
        echo '# These are notes.' >"$tmp/in/$name"
        run load --again "$tmp/in"
        is "$status" 0 "$format, $input: the folder loads without $name" || diag "$errors"
        is "$(q "select string_agg(distinct i.code || ' ' || i.severity || ' ' || coalesce(i.source, ''), ', ')
                 from import_issues i where i.message like '%left out%' and i.source = '$name'
                   and i.inst_id = (select max(inst_id) from instances)")" \
            "no-profile error $name" "$format, $input: an issue names $name"
        run load --again --strict "$tmp/in"
        is "$status" 3 "$format, $input: --strict refuses the folder with $name"
        like "$errors" "$name" "$format, $input: the error of --strict names $name"
    done
}

stray chrome chrome.json
stray speedscope speedscope.json
stray callgrind callgrind.out
stray collapsed collapsed.folded
stray cpuprofile cpuprofile.cpuprofile
stray heapprofile heapprofile.heapprofile
stray dhat dhat.json
stray heaptrack heaptrack.heaptrack
stray aqtimexml aqtimexml.xml
stray jemalloc jemalloc.heap
stray kernelscope kernelscope.json
stray massif massif.out
stray miniprofiler miniprofiler-camel.json
stray perf perf.txt
stray pprof pprof.pb
stray sanitizer sanitizer.txt
stray tcmalloc tcmalloc.heap
stray valgrind valgrind.xml

# Tables of another program in the folder of an AQTime export cause no more than an issue of severity info.
mkdir "$tmp/export"
cp "$srcdir"/examples/orders-before/* "$tmp/export/"
echo 'A,B' >"$tmp/export/OTHER_TABLE.csv"
run load --again --strict "$tmp/export"
is "$status" 0 "aqtime: --strict accepts an export with an unknown table" || diag "$errors"
is "$(q "select distinct code || ' ' || severity from import_issues where code = 'unknown-table'")" \
    "unknown-table info" "aqtime: the unknown table causes an issue of severity info"

done_testing
