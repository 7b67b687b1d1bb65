#!/usr/bin/env bash
# Tests what --gen-suppressions writes for each kind of memcheck error. In valgrind's syntax, it must be the
# entry that valgrind itself writes. In the sanitizers' syntax, it must be an entry, or a comment that says why there is
# no entry.
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

# --- every kind --------------------------------------------------------------------------------------

# Each line has a kind of error, valgrind's description, and the kind that valgrind writes into suppressions.
kinds='InvalidRead|Invalid read of size 4|Addr4
InvalidWrite|Invalid write of size 16|Addr16
UninitCondition|Conditional jump or move depends on uninitialised value(s)|Cond
UninitValue|Use of uninitialised value of size 8|Value8
SyscallParam|Syscall param write(buf) points to uninitialised byte(s)|Param
ClientCheck|Uninitialised byte(s) found during client check request|User
InvalidJump|Jump to the invalid address stated on the next line|Jump
InvalidFree|Invalid free() / delete / delete[] / realloc()|Free
MismatchedFree|Mismatched free() / delete / delete []|Free
Overlap|Source and destination overlap in memcpy(0x1, 0x2, 21)|Overlap
InvalidMemPool|Illegal memory pool address|Mempool
FishyValue|Argument &apos;size&apos; of function malloc has a fishy (possibly negative) value: -3|FishyValue
ReallocSizeZero|realloc() with size 0|ReallocZero
InvalidAlignment|Invalid alignment value: 3 (should be power of 2)|BadAlign'
{
    echo '<?xml version="1.0"?><valgrindoutput><protocolversion>4</protocolversion>'
    echo '<protocoltool>memcheck</protocoltool><preamble><line>m</line></preamble><pid>7</pid><ppid>1</ppid>'
    echo '<tool>memcheck</tool><args><vargv><exe>valgrind</exe></vargv><argv><exe>./app</exe></argv></args>'
    echo '<status><state>RUNNING</state><time>00:00:00:00.001</time></status>'
    n=0
    while IFS='|' read -r kind what _; do
        n=$((n + 1))
        echo "<error><unique>0x$n</unique><tid>1</tid><kind>$kind</kind><what>$what</what><stack>"
        for fn in "at_$n" caller main; do
            echo "<frame><ip>0x$n</ip><obj>/app</obj><fn>$fn</fn><dir>/src</dir><file>a.c</file><line>$n</line></frame>"
        done
        echo '</stack></error>'
    done <<<"$kinds"
    echo '<status><state>FINISHED</state><time>00:00:00:00.002</time></status>'
    echo '<errorcounts></errorcounts><suppcounts></suppcounts></valgrindoutput>'
} >"$tmp/kinds.xml"
run load "$tmp/kinds.xml"
is "$status" 0 "a file with one error of every kind loads" || diag "$errors"
all=$(wc -l <<<"$kinds")

run report errors --gen-suppressions
printf '%s\n' "$out" >"$tmp/made.supp"
n=0
while IFS='|' read -r kind _ word; do
    n=$((n + 1))
    case $word in
        Param) more=$'   write(buf)\n' ;;
        FishyValue) more=$'   malloc(size)\n' ;;
        *) more= ;;
    esac
    entry=$'\n'"   Memcheck:$word"$'\n'"$more   fun:at_$n"$'\n   fun:caller\n   fun:main\n}'
    is "$([[ $out == *"$entry"* ]] && echo written)" written "$kind: the entry for Memcheck:$word is written" || diag "$out"
done <<<"$kinds"
run report errors --suppressions "$tmp/made.supp"
like "$out" "suppressed: $all records" "the output of --gen-suppressions hides all $all errors"
unlike "$out" "matches nothing" "each suppression matches an error"

run report errors --gen-suppressions=lsan
is "$status" 0 "--gen-suppressions=lsan succeeds"
is "$(grep -c '^# .*: the sanitizers have no suppression of this kind$' <<<"$out")" $((all - 1)) \
    "a comment names the kinds without a suppression"
is "$(grep -v '^#' <<<"$out")" 'alloc_dealloc_mismatch:^at_9$' "the only suppression in the sanitizers' syntax is the one for a mismatched deallocation"
printf '%s\n' "$out" >"$tmp/made.supp"
run report errors --suppressions "$tmp/made.supp"
like "$out" "suppressed: 1 record" \
    "the suppression in the sanitizers' syntax hides the error it was written for"

# --- an access inside a function that AddressSanitizer intercepts ---------------------------------------

cat >"$tmp/asan.txt" <<'END'
=================================================================
==9==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000018 at pc 0x1 bp 0x2 sp 0x3
READ of size 12 at 0x602000000018 thread T0
    #0 0x7f1 in __interceptor_memcpy /san/sanitizer_common_interceptors.inc:827
    #1 0x551 in copy_name /src/a.c:5
    #2 0x552 in main /src/a.c:9

SUMMARY: AddressSanitizer: heap-buffer-overflow /src/a.c:5 in copy_name
END
run load "$tmp/asan.txt"
run report errors --gen-suppressions=lsan
is "$(grep -v '^#' <<<"$out")" 'interceptor_via_fun:^copy_name$' \
    "an interceptor_via_fun suppression names the interceptor's caller"
printf '%s\n' "$out" >"$tmp/made.supp"
run report errors --suppressions "$tmp/made.supp"
like "$out" "suppressed: 1 record" "an interceptor_via_fun suppression hides the error"

# --- valgrind accepts the suppressions -------------------------------------------------------------------------------

cat >"$tmp/bad.c" <<'END'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char *volatile keep;
static int __attribute__((noinline)) undefined(char *p) { return p[1] > 3 ? 1 : 2; }
static void __attribute__((noinline)) past(char *p) { p[12] = 1; }
static void __attribute__((noinline)) overlap(char *p, size_t n) { memcpy(p + 1, p, n); }
static void __attribute__((noinline)) send_it(char *p) { if (write(1, p, 4) < 0) keep = NULL; }
static void __attribute__((noinline)) leak_it(void) { keep = malloc(77); keep = NULL; }
int main(int argc, char **argv)
{
    char *p = malloc(12);
    (void)argv;
    keep = p;
    argc += undefined(p);
    past(p);
    send_it(p);
    memset(p, 0, 12);
    overlap(p, 4 + (size_t)(argc > 100));
    leak_it();
    free(p);
    past(p);
    free(p);
    return 0;
}
END
# shellcheck disable=SC2086 # a compiler and its options
if command -v valgrind >/dev/null && ${CC:-cc} -g -O0 -fno-sanitize=all -o "$tmp/bad" "$tmp/bad.c" 2>/dev/null; then
    valgrind -q --leak-check=full --xml=yes --xml-file="$tmp/bad.xml" "$tmp/bad" >/dev/null 2>&1
    run load "$tmp/bad.xml"
    is "$status" 0 "XML written by valgrind loads" || diag "$errors"
    {
        "$PROFDEPOT" report errors --gen-suppressions
        "$PROFDEPOT" report leaks --gen-suppressions
    } >"$tmp/bad.supp"
    valgrind -q --leak-check=full "$tmp/bad" >/dev/null 2>"$tmp/before"
    like "$(cat "$tmp/before")" "Invalid write of size 1" "valgrind finds errors without the suppressions"
    valgrind -q --leak-check=full --suppressions="$tmp/bad.supp" "$tmp/bad" >/dev/null 2>"$tmp/after"
    is "$(cat "$tmp/after")" "" "valgrind finds no errors with the suppressions"
else
    skip 3 "valgrind or a compiler is not installed"
fi
done_testing
