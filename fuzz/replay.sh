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
done_testing
