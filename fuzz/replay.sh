#!/usr/bin/env bash
# Runs every fuzz target over its seeds and old crashes. FUZZ_TARGETS comes from the makefile.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=fuzz/inputs.sh
. "$srcdir/fuzz/inputs.sh"

for target in $FUZZ_TARGETS; do
    mapfile -t inputs < <(fuzz_inputs "$target")
    if [ ${#inputs[@]} -eq 0 ]; then
        fail "$target: has inputs (fuzz/corpus/${target##*/fuzz_}/ or .seeds)"
        continue
    fi
    ok "$target: ${#inputs[@]} inputs" "$builddir/$target" "${inputs[@]}"
done
pass "all targets were replayed"
missing=$(grep -oE '"/[^" ]*"' "$srcdir/src/service/routes.c" | tr -d '"' | sed 's/{[^}]*}/\n/g' | grep '^/.' | sort -u |
    while read -r part; do
        grep -qxF "\"$part\"" "$srcdir/fuzz/dictionaries/request.dict" || echo "$part"
    done)
is "$missing" "" "the dictionary for requests has the paths of all routes"
done_testing
