#!/usr/bin/env bash
# Tests the examples of README.md and doc/aqtime.md.
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
q "alter sequence instances_inst_id_seq restart" >/dev/null
cp -r "$srcdir/examples/orders-before" results
cp -r "$srcdir/examples/orders-after" results-2
cp "$srcdir/tests/golden/aqtimexml/results.xml" full.xml
console_run "$srcdir/doc/aqtime.md"

# Every file that the README or another document refers to must exist.
cd "$srcdir" || exit 1
for file in README.md CONTRIBUTING.md doc/architecture.md doc/aqtime.md; do
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
