#!/usr/bin/env bash
# A finding must have the same identity with GCC and clang, and with valgrind and AddressSanitizer. Different findings
# must have different identities. The test builds the programs, because identities depend on the output of compilers and
# demanglers.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
targets=(i686-w64-mingw32 x86_64-w64-mingw32)
for program in valgrind gcc g++ clang clang++ python3 "${targets[@]/%/-g++}"; do
    command -v "$program" >/dev/null || skip_all "$program is not installed"
done

pg_temp_start
tmp=$(mktemp -d "${TMPDIR:-/tmp}/profdepot-test.XXXXXX") || bail_out "the temporary folder cannot be created"
trap 'status=$?; rm -rf "$tmp"; (exit $status); pg_temp_stop' EXIT
"$PROFDEPOT" db migrate >"$tmp/migrate" 2>&1 || bail_out "the depot cannot be created: $(cat "$tmp/migrate")"
echo '{"budgets":[{"of":"leaks","max_count":100},{"of":"errors","max_count":100}]}' >"$tmp/budget"

# findings FILE NAME: loads the file and writes the identities of its findings to NAME.
findings() {
    "$PROFDEPOT" load --quiet --again "$1" >"$tmp/said" 2>&1 || bail_out "load fails: $(cat "$tmp/said")"
    "$PROFDEPOT" check --budget "$tmp/budget" --unjudged skip --output json >"$tmp/check" 2>&1 ||
        bail_out "check fails: $(cat "$tmp/check")"
    grep -o '"finding": "[0-9a-f]*"' "$tmp/check" | LC_ALL=C sort -u >"$tmp/$2"
}

# detect NAME SOURCE COMPILER LEVEL: runs the program under both detectors, and writes the identities to NAME.valgrind
# and NAME.asan.
detect() {
    local tool
    "$3" -g -gdwarf-4 "-O$4" -o "$tmp/plain" "$srcdir/tests/golden/findings/$2" || bail_out "$3 fails"
    "$3" -g -gdwarf-4 "-O$4" -fsanitize=address -fno-omit-frame-pointer -o "$tmp/checked" "$srcdir/tests/golden/findings/$2" || bail_out "$3 fails"
    valgrind -q --leak-check=full --show-leak-kinds=all --xml=yes --xml-file="$tmp/valgrind.xml" "$tmp/plain"
    ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 "$tmp/checked" >"$tmp/asan.txt" 2>&1
    for tool in valgrind.xml asan.txt; do
        findings "$tmp/$tool" "$1.${tool%.*}"
    done
}

both() {
    LC_ALL=C comm -12 "$tmp/$1" "$tmp/$2" | wc -l
}

for level in 0 2; do
    detect gcc$level leaks.cc g++ $level
    detect clang$level leaks.cc clang++ $level
    detect gcc_error$level use_after_free.c gcc $level
    detect clang_error$level use_after_free.c clang $level
done

# Functions: box<int>, box<double>, add twice, hidden, two_lines, recurse, numbered twice, two lambdas, many.
is "$(wc -l <"$tmp/gcc0.valgrind")" 12 "valgrind: each function that leaks is one finding"
is "$(cat "$tmp/clang0.valgrind")" "$(cat "$tmp/gcc0.valgrind")" "valgrind: findings are the same for both compilers"
is "$(LC_ALL=C comm -13 "$tmp/clang0.valgrind" "$tmp/clang0.asan")" "" "clang: each of ASan's findings is one of valgrind's"
ok "clang: ASan finds nearly all of valgrind's findings" test "$(both clang0.valgrind clang0.asan)" -ge 10
# GCC's ASan omits the scope and parameters of functions with internal linkage, which are hidden() and the lambdas.
ok "gcc: functions with external linkage are the same in ASan and valgrind" test "$(both gcc0.valgrind gcc0.asan)" -ge 8
diag "in both, of valgrind's: gcc -O0 $(both gcc0.valgrind gcc0.asan) of $(wc -l <"$tmp/gcc0.valgrind")," \
    "clang -O0 $(both clang0.valgrind clang0.asan) of $(wc -l <"$tmp/clang0.valgrind")," \
    "gcc -O2 $(both gcc2.valgrind gcc2.asan) of $(wc -l <"$tmp/gcc2.valgrind")," \
    "clang -O2 $(both clang2.valgrind clang2.asan) of $(wc -l <"$tmp/clang2.valgrind")"
# The optimiser inlines the lambdas and the allocator that many() calls.
ok "functions that are not inlined are the same at -O2" test "$(both gcc0.valgrind gcc2.valgrind)" -ge 8
ok "clang: functions that are not inlined are the same at -O2" test "$(both clang0.valgrind clang2.valgrind)" -ge 8

# Programs for Windows cannot run here, so their leaks are read from their code and debug information.
for target in "${targets[@]}"; do
    for level in 0 2; do
        "$target-g++" -g "-O$level" -o "$tmp/leaks.exe" "$srcdir/tests/golden/findings/leaks.cc" || bail_out "$target-g++ fails"
        python3 "$srcdir/tests/lib/pe_leaks.py" "$target" "$tmp/leaks.exe" >"$tmp/$target.heaptrack" || bail_out "no leaks of $target"
        findings "$tmp/$target.heaptrack" "$target$level.mingw"
    done
    is "$(cat "$tmp/${target}0.mingw")" "$(cat "$tmp/gcc0.valgrind")" "$target: findings are the same as on Linux"
    ok "$target: functions that are not inlined are the same at -O2" test "$(both gcc0.valgrind "${target}2.mingw")" -ge 8
    diag "of valgrind's 12: $target -O0 $(both gcc0.valgrind "${target}0.mingw"), -O2 $(both gcc0.valgrind "${target}2.mingw")"
done

is "$(cat "$tmp"/*_error?.* | LC_ALL=C sort | uniq -c | awk '{ print $1 }')" 8 \
    "a read after free is one finding for both detectors, compilers and levels"
is "$(cat "$tmp"/gcc?.valgrind "$tmp"/clang?.* | LC_ALL=C sort -u | LC_ALL=C comm -12 - "$tmp/gcc_error0.asan")" "" \
    "an error and a leak are different findings"
done_testing
