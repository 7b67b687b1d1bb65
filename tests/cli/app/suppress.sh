#!/usr/bin/env bash
# Suppressions in files, in the depot, in a result set, and for standard leaks: how reports show
# them, and the output of --gen-suppressions.
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

# --- result sets with leaks and with an error ----------------------------------------------------

cat >"$tmp/leaks.log" <<'END'
=================================================================
==77==ERROR: LeakSanitizer: detected memory leaks

Direct leak of 30 byte(s) in 3 object(s) allocated from:
    #0 0x1 in __interceptor_malloc /san/malloc.cpp:69
    #1 0x2 in cache_fill /src/cache.c:12
    #2 0x3 in main /src/main.c:7

Direct leak of 500 byte(s) in 1 object(s) allocated from:
    #0 0x1 in operator new(unsigned long) /san/new.cpp:95
    #1 0x4 in shop::Cart::add(int) /src/cart.cpp:30
    #2 0x3 in main /src/main.c:9

Indirect leak of 7 byte(s) in 1 object(s) allocated from:
    #0 0x1 in __interceptor_malloc /san/malloc.cpp:69
    #1 0x5 in setlocale /libc/setlocale.c:1
    #2 0x3 in main /src/main.c:3

SUMMARY: AddressSanitizer: 537 byte(s) leaked in 5 allocation(s).
END
cat >"$tmp/race.log" <<'END'
==================
WARNING: ThreadSanitizer: data race (pid=88)
  Write of size 4 at 0x1 by thread T1:
    #0 bump /src/race.c:5 (race+0x1)
    #1 worker /src/race.c:9 (race+0x2)

  Previous write of size 4 at 0x1 by main thread:
    #0 bump_main /src/race.c:6 (race+0x3)
    #1 main /src/race.c:20 (race+0x4)

SUMMARY: ThreadSanitizer: data race /src/race.c:5 in bump
==================
END
run load "$tmp/leaks.log"
is "$status" 0 "leaks load" || diag "$errors"
leaks=$(q "select max(inst_id) from instances")
run load "$tmp/race.log"
is "$status" 0 "an error loads" || diag "$errors"
race=$(q "select max(inst_id) from instances")

# leaks_left OPTION...: sets $left to the sizes of the leaks shown, and $errors, $status and $out.
leaks_left() {
    run report leaks "$leaks" -o json "$@"
    left=$(grep -o '"count":[0-9]*,"size":[0-9]*,"indirect' <<<"$out" | sed 's/.*"size":\([0-9]*\).*/\1/' |
        sort -n | paste -sd' ')
}

leaks_left
is "$left" "7 30 500" "without suppressions all is shown"
unlike "$out" '"suppressed"' "and they are not mentioned"

# --- files ---------------------------------------------------------------------------------------

printf '# known\nleak:^cache_fill$\nleak:gone_since\n' >"$tmp/one.supp"
cat >"$tmp/two.supp" <<'END'
{
   the cart
   Memcheck:Leak
   match-leak-kinds: definite
   fun:_Znwm
   fun:_ZN4shop4Cart3addEi
}
END
leaks_left --suppressions "$tmp/one.supp"
is "$left" "7 500" "a sanitizer's file hides its routines"
like "$out" '"suppressed":\{"records":1,"blocks":3,"bytes":30\}' "JSON counts them"
leaks_left --suppressions "$tmp/one.supp" --suppressions "$tmp/two.supp"
is "$left" "7" "valgrind's too, by the mangled name"
run report leaks "$leaks" --suppressions "$tmp/one.supp" --suppressions "$tmp/two.supp"
like "$out" "suppressed: 2 records, 4 blocks, 530 bytes" "the foot gives the count"
like "$out" "suppressed by the cart \(.*two.supp:1\): 1 record, 1 block, 500 bytes" "by which"
like "$out" "matches nothing: leak:gone_since \(.*one.supp:3\)" "and entries that no longer match"
for by in class module stack routine thread lines names; do
    run report leaks "$leaks" --by $by --suppressions "$tmp/one.supp" -o json
    like "$out" '"count":2,"size":507' "--by $by leaves it out as well"
done
printf '{\n a\n Memcheck:Leak\n ...\n fun:main\n' >"$tmp/bad.supp"
run report leaks "$leaks" --suppressions "$tmp/bad.supp"
is "$status" 3 "an invalid file is refused"
like "$errors" 'bad.supp:5: "\{" without "\}"' "with its line"
run report leaks "$leaks" --suppressions "$tmp/none.supp"
is "$status" 3 "so is a missing file"
run report classes "$leaks" --suppressions "$tmp/one.supp"
is "$status" 2 "a report without suppressible records says so"
run report errors "$race" --suppressions <(echo race:bump_main)
like "$out" "suppressed: 1 record" "a race is hidden by its other stack too"
run report errors "$race" --suppressions <(echo mutex:bump)
like "$out" "matches nothing: mutex:bump" "but not by another kind"

# --- suppressions in the depot ---------------------------------------------------------------------------------

run suppress add "$tmp/one.supp" --reason "cached for good" --author ada
is "$out" "added 1: leak:^cache_fill\$
added 2: leak:gone_since" "the depot stores a file"
run suppress add --pattern 'leak:Cart' --expires 2020-02-29
is "$out" "added 3: leak:Cart" "and a pattern with a last day"
leaks_left
is "$left" "7 500" "reports apply the depot's suppressions; expired ones hide nothing"
run report leaks "$leaks"
like "$out" "expired, hides nothing: leak:Cart \(depot's 3\)" "and is reported"
leaks_left --no-suppressions
is "$left" "7 30 500" "--no-suppressions leaves them out"
leaks_left --no-suppressions --suppressions "$tmp/two.supp"
is "$left" "7 30" "but not a file's"
run suppress list -o csv
like "$out" '1,leak:\^cache_fill\$,lsan,leak:\^cache_fill\$,cached for good,ada,20.*,,active' "list has reason and author"
like "$out" '3,leak:Cart,.*,2020-02-29,expired' "and the last day"
run suppress list --as-file
is "$(grep -v '^#' <<<"$out")" "leak:^cache_fill\$
leak:gone_since" "--as-file prints the valid entries"
run suppress add --pattern 'leak:Cart' --author bob
is "$out" "renewed 3: leak:Cart" "adding it again renews it"
leaks_left
is "$left" "7" "so that it holds"
run suppress add --pattern 'leak:x' --pattern 'lick:y'
is "$status" 3 "one invalid entry"
is "$(q "select count(*) from suppressions")" 3 "and nothing is added"
run suppress add --pattern leak:x --expires 2026-02-30
is "$status" 2 "a day that no calendar has is refused"
run suppress add --pattern leak:x --expires soon
is "$status" 2 "so is an invalid date"
run suppress rm 3 9
is "$status" 2 "rm of an unknown entry"
is "$(q "select count(*) from suppressions")" 3 "removes nothing"
run suppress rm 2 3
is "$(q "select string_agg(id::text, ' ') from suppressions")" 1 "rm removes"

# --- the suppressions report ----------------------------------------------------------------------------------

q "insert into result_set_suppressions (inst_id, id, name, syntax, kind, pattern, file, count, bytes, blocks) values
    ($leaks, 1, null, 'lsan', 'leak', 'leak:Cart::add', null, null, null, null),
    ($leaks, 2, 'dl-init', 'valgrind', 'Memcheck:Leak', null, 'default.supp', 4, 96, 2)"
leaks_left
is "$left" "7" "a result set's own apply where its tool applies them only in print"
leaks_left --no-suppressions
is "$left" "7 30 500" "and go with --no-suppressions"
run report suppressions "$leaks" --suppressions "$tmp/one.supp" --hide-standard-leaks -o csv
is "$(cut -d, -f1-5,7,8 <<<"$(grep , <<<"$out")")" "state,records,blocks,bytes,name,place,origin
matches,1,3,30,leak:^cache_fill\$,$tmp/one.supp:2,file
matches nothing,0,0,0,leak:gone_since,$tmp/one.supp:3,file
matches nothing,0,0,0,leak:^cache_fill\$,depot's 1,depot
matches,1,1,500,leak:Cart::add,the result set's own,result set
matches,1,1,7,glibc: name of the locale,standard leak,standard
applied by the profiler,4,2,96,dl-init,default.supp,profiler" "report suppressions lists all of them; the first match counts"
leaks_left --hide-standard-leaks
is "$left" "" "standard leaks can be hidden"

# --- --gen-suppressions -------------------------------------------------------------------------------------

for syntax in valgrind lsan; do
    run report leaks "$leaks" --no-suppressions --gen-suppressions=$syntax
    is "$status" 0 "--gen-suppressions=$syntax"
    printf '%s\n' "$out" >"$tmp/made.supp"
    leaks_left --no-suppressions --suppressions "$tmp/made.supp"
    is "$left" "" "its output hides everything shown"
    run report errors "$race" --gen-suppressions=$syntax
    printf '%s\n' "$out" >"$tmp/made.supp"
    run report errors "$race" --suppressions "$tmp/made.supp"
    like "$out" "suppressed: 1 record" "of errors too"
done
run report leaks "$leaks" --no-suppressions --gen-suppressions
like "$out" "Memcheck:Leak
   match-leak-kinds: definite
   fun:malloc
   fun:cache_fill
   fun:main" "valgrind's entry is the one alone, with the kind of leak"
like "$out" "fun:_Znw\*
   fun:_Z\*4shop4Cart3add\*" "C++ names as valgrind knows them"
run report leaks "$leaks" --by class --gen-suppressions
is "$status" 2 "a report without stacks cannot write them"

done_testing
