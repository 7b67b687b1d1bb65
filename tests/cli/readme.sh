#!/usr/bin/env bash
# Tests the examples of README.md, doc/aqtime.md, doc/delphi.md and doc/scale.md.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/console.sh
. "$srcdir/tests/lib/console.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make
console_begin

console_run "$srcdir/README.md"

isnt "$tap_count" 0 "the README has examples"

# The examples of doc/aqtime.md start with an empty depot, and with the folders and the file that the page names.
run rm --all --forget
q "select setval('instances_inst_id_seq', 1, false)" >/dev/null
cp -r "$srcdir/examples/orders-before" results
cp -r "$srcdir/examples/orders-after" results-2
cp "$srcdir/tests/golden/aqtimexml/results.xml" full.xml
console_run "$srcdir/doc/aqtime.md"

# doc/delphi.md starts with an empty depot, too.
run rm --all --forget
q "select setval('instances_inst_id_seq', 1, false)" >/dev/null
console_run "$srcdir/doc/delphi.md"
# The logs of FastMM and of Visual C++ contain the same memory blocks as AQTime's export.
is "$(q "with blocks as (select inst_id = 2 as aqtime, col__ as number, col_size as size, col_address % 4294967296 as address
        from resource_profiler_objects where inst_id in (1, 2, 3) and col_size > 0 and stack_id is not null)
    select count(*) from (select * from blocks where aqtime) a full join (select * from blocks where not aqtime) b
        using (number, size, address) where a.aqtime is null or b.aqtime is null")" 0 \
    "the examples' logs have the blocks of the AQTime export"
is "$(q "select count(*) from resource_profiler_objects where inst_id in (1, 3)")" 18 "there are 18 such blocks"

# doc/scale.md partitions a depot, which must not be distributed.
pg_temp_database scale
PROFDEPOT=$pg_temp_program depot_make
console_run "$srcdir/doc/scale.md"

# Every file that the README or another document refers to must exist.
cd "$srcdir" || exit 1
for file in README.md CONTRIBUTING.md doc/architecture.md doc/aqtime.md doc/delphi.md doc/scale.md; do
    while IFS= read -r target; do
        ok "$file: $target exists" test -e "$(dirname "$file")/$target"
    done < <(grep -oE '\]\([^):#]+\)' "$file" | sed 's/^](//; s/)$//' | sort -u)
done

# The README must name all the packages that quickstart installs.
told=$(tr '\n' ' ' <README.md)
told=${told#*Debian packages: }
told=${told%%\`quickstart\`*}
read -rd '' -a packages < <(sed -n '/^packages=(/,/)$/{s/^packages=(\|)$//g;p}' quickstart)
for package in "${packages[@]}"; do
    like " $told " " $package " "README.md names the package $package"
done
done_testing
