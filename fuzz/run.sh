#!/usr/bin/env bash
# run.sh BUILD TARGET...: runs each libFuzzer target of BUILD for FUZZ_SECONDS, starting from its inputs.
# FUZZ_FLAGS has further options of libFuzzer.
# Findings stay in BUILD/fuzz/found/. Prints TAP, one case per target. Called by `make fuzz'.
build=$(cd "$1" && pwd) || exit 1
shift
srcdir=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=fuzz/inputs.sh
. "$srcdir/fuzz/inputs.sh"

# The work folder is fixed, so that a run continues with the inputs that earlier runs found.
fuzz_one() {
    local target=$1 name=${1##*/fuzz_} dictionary=()
    local grown="$build/fuzz/grown/$name" seeds="$build/fuzz/seeds/$name"
    rm -rf "$seeds"
    mkdir -p "$grown" "$seeds" "$build/fuzz/found"
    fuzz_inputs "$target" | while IFS= read -r input; do
        cp "$input" "$seeds/$(sha256sum "$input" | cut -c 1-16)"
    done
    [ ! -f "$srcdir/fuzz/dictionaries/$name.dict" ] || dictionary=("-dict=$srcdir/fuzz/dictionaries/$name.dict")
    # shellcheck disable=SC2086 # FUZZ_FLAGS is a list
    "$build/$target" -max_total_time="${FUZZ_SECONDS:-60}" -timeout=20 -rss_limit_mb=2048 \
        -print_final_stats=1 "${dictionary[@]}" -artifact_prefix="$build/fuzz/found/$name-" \
        ${FUZZ_FLAGS:-} "$grown" "$seeds" > "$build/fuzz/$name.out" 2>&1
}

# Each input becomes a temporary file. ASan's quarantine for freed memory is smaller than by default,
# because an input needs little memory.
[ -n "${TMPDIR:-}" ] || [ ! -w /dev/shm ] || export TMPDIR=/dev/shm
export ASAN_OPTIONS="malloc_context_size=4:quarantine_size_mb=4${ASAN_OPTIONS:+:$ASAN_OPTIONS}"

# Runs one target per core, at most four. Reports the results in order.
jobs=$(nproc 2>/dev/null || echo 2)
[ "$jobs" -le 4 ] || jobs=4
verdicts=$(mktemp -d) || bail_out "no temporary folder"
trap 'rm -rf "$verdicts"' EXIT
trap 'exit 130' INT TERM HUP
export build srcdir
export -f fuzz_one fuzz_inputs
# shellcheck disable=SC2016 # the inner shell expands these
printf '%s\0' "$@" | xargs -0 -r -I '{}' -P "$jobs" bash -c \
    'fuzz_one "$1" && : >"$2/${1##*/}"' fuzz_one '{}' "$verdicts"

for target in "$@"; do
    if [ -e "$verdicts/${target##*/}" ]; then
        pass "$target: $(sed -n 's/^stat::number_of_executed_units: //p' "$build/fuzz/${target##*/fuzz_}.out") runs"
    else
        fail "$target: see $build/fuzz/${target##*/fuzz_}.out and $build/fuzz/found/"
        diag "$(tail -n 40 "$build/fuzz/${target##*/fuzz_}.out")"
    fi
done
[ $# -gt 0 ] || diag "there are no fuzz targets"
done_testing
