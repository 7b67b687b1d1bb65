# shellcheck shell=bash
# The inputs of a fuzz target. The inputs of fuzz/fuzz_thing are the files of fuzz/corpus/thing/ (fixed
# crashes), and the files that match a line of fuzz/corpus/thing.seeds. Each line is a pattern relative to the
# source tree, such as tests/golden/thing/*.in.

# fuzz_inputs TARGET: prints one absolute path per line.
fuzz_inputs() {
    local name=${1##*/fuzz_} pattern
    (
        cd "$srcdir" || exit 1
        shopt -s nullglob globstar
        for file in "$PWD/fuzz/corpus/$name"/*; do
            [ ! -f "$file" ] || printf '%s\n' "$file"
        done
        [ -f "fuzz/corpus/$name.seeds" ] || exit 0
        grep -v '^#' "fuzz/corpus/$name.seeds" | while IFS= read -r pattern; do
            # shellcheck disable=SC2086
            for file in $pattern; do
                [ ! -f "$file" ] || printf '%s\n' "$PWD/$file"
            done
        done
    )
}
