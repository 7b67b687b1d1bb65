#!/usr/bin/env bash
# Tests suppressions in files, in the depot and in a result set, and --hide-standard-leaks. Checks how reports show
# suppressions, and what --gen-suppressions writes.
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
is "$status" 0 "a log that contains an error loads" || diag "$errors"
race=$(q "select max(inst_id) from instances")

# leaks_left OPTION...: sets $left to the sizes of the leaks that the report shows. Also sets $errors, $status and $out.
leaks_left() {
    run report leaks "$leaks" -o json "$@"
    left=$(grep -o '"count":[0-9]*,"size":[0-9]*,"indirect' <<<"$out" | sed 's/.*"size":\([0-9]*\).*/\1/' |
        sort -n | paste -sd' ')
}

leaks_left
is "$left" "7 30 500" "without suppressions all leaks are shown"
unlike "$out" '"suppressed"' "without suppressions JSON does not mention suppression"

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
is "$left" "7 500" "a file in the sanitizers' syntax hides leaks"
like "$out" '"suppressed":\{"records":1,"blocks":3,"bytes":30\}' "JSON counts the suppressed leaks"
leaks_left --suppressions "$tmp/one.supp" --suppressions "$tmp/two.supp"
is "$left" "7" "a file in valgrind's syntax hides leaks by mangled names"
run report leaks "$leaks" --suppressions "$tmp/one.supp" --suppressions "$tmp/two.supp"
like "$out" "suppressed: 2 records, 4 blocks, 530 bytes" \
    "the report's foot counts the suppressed records"
like "$out" "suppressed by the cart \(.*two.supp:1\): 1 record, 1 block, 500 bytes" \
    "the report's foot names the suppression"
like "$out" "matches nothing: leak:gone_since \(.*one.supp:3\)" \
    "the report's foot lists suppressions that match nothing"
for by in class module stack routine thread lines names; do
    run report leaks "$leaks" --by $by --suppressions "$tmp/one.supp" -o json
    like "$out" '"count":2,"size":507' "--by $by leaves out suppressed leaks"
done
printf '{\n a\n Memcheck:Leak\n ...\n fun:main\n' >"$tmp/bad.supp"
run report leaks "$leaks" --suppressions "$tmp/bad.supp"
is "$status" 3 "an invalid suppression file is refused"
like "$errors" 'bad.supp:5: "\{" without "\}"' \
    "the error names the line in an invalid suppression file"
run report leaks "$leaks" --suppressions "$tmp/none.supp"
is "$status" 3 "a missing suppression file is refused"
run report classes "$leaks" --suppressions "$tmp/one.supp"
is "$status" 2 "a report to which suppressions do not apply refuses --suppressions"
run report errors "$race" --suppressions <(echo race:bump_main)
like "$out" "suppressed: 1 record" "a frame of the second stack hides a race"
run report errors "$race" --suppressions <(echo mutex:bump)
like "$out" "matches nothing: mutex:bump" "an entry for another kind does not hide a race"

# --- suppressions in the depot ---------------------------------------------------------------------------------

run suppress add "$tmp/one.supp" --reason "cached for good" --author ada
is "$out" "added 1: leak:^cache_fill\$
added 2: leak:gone_since" "suppress add stores the entries of a file"
run suppress add --pattern 'leak:Cart' --expires 2020-02-29
is "$out" "added 3: leak:Cart" "suppress add stores a pattern with an expiry date"
leaks_left
is "$left" "7 500" "reports apply the depot's suppressions; expired ones hide nothing"
run trend live_count -o json
like "$out" "\"inst_id\":$leaks,.*\"value\":2[,}]" "a trend does not count suppressed leaks"
run report leaks "$leaks"
like "$out" "expired, hides nothing: leak:Cart \(depot's 3\)" \
    "the report's foot lists expired suppressions"
leaks_left --no-suppressions
is "$left" "7 30 500" "--no-suppressions ignores the depot's suppressions"
leaks_left --no-suppressions --suppressions "$tmp/two.supp"
is "$left" "7 30" "--no-suppressions does not apply to files"
run suppress list -o csv
like "$out" '1,leak:\^cache_fill\$,lsan,leak:\^cache_fill\$,cached for good,ada,20.*,,active' \
    "suppress list shows the reason and the author"
like "$out" '3,leak:Cart,.*,2020-02-29,expired' "suppress list shows the expiry date"
run suppress list --as-file
is "$(grep -v '^#' <<<"$out")" "leak:^cache_fill\$
leak:gone_since" "--as-file prints the valid entries"
run suppress add --pattern 'leak:Cart' --author bob
is "$out" "renewed 3: leak:Cart" "adding a suppression again renews it"
leaks_left
is "$left" "7" "a renewed suppression hides leaks again"
run suppress add --pattern 'leak:x' --pattern 'lick:y'
is "$status" 3 "suppress add refuses an invalid entry"
is "$(q "select count(*) from suppressions")" 3 "suppress add with an invalid entry adds nothing"
run suppress add --pattern leak:x --expires 2026-02-30
is "$status" 2 "--expires refuses a day that does not exist"
run suppress add --pattern leak:x --expires soon
is "$status" 2 "--expires refuses a word that is not a date"
run suppress rm 3 9
is "$status" 2 "suppress rm refuses an unknown entry"
is "$(q "select count(*) from suppressions")" 3 "a refused suppress rm removes nothing"
run suppress rm 2 3
is "$(q "select string_agg(id::text, ' ') from suppressions")" 1 "suppress rm removes entries"

# --- the suppressions report ----------------------------------------------------------------------------------

q "insert into result_set_suppressions (inst_id, id, name, syntax, kind, pattern, file, count, bytes, blocks) values
    ($leaks, 1, null, 'lsan', 'leak', 'leak:Cart::add', null, null, null, null),
    ($leaks, 2, 'dl-init', 'valgrind', 'Memcheck:Leak', null, 'default.supp', 4, 96, 2)"
leaks_left
is "$left" "7" "suppressions in a result set hide its leaks"
leaks_left --no-suppressions
is "$left" "7 30 500" "--no-suppressions ignores suppressions in a result set"
run report suppressions "$leaks" --suppressions "$tmp/one.supp" --hide-standard-leaks -o csv
is "$(cut -d, -f1-5,7,8 <<<"$(grep , <<<"$out")")" "state,records,blocks,bytes,name,place,origin
matches,1,3,30,leak:^cache_fill\$,$tmp/one.supp:2,file
matches nothing,0,0,0,leak:gone_since,$tmp/one.supp:3,file
matches nothing,0,0,0,leak:^cache_fill\$,depot's 1,depot
matches,1,1,500,leak:Cart::add,the result set's own,result set
matches,1,1,7,glibc: name of the locale,standard leak,standard
applied by the profiler,4,2,96,dl-init,default.supp,profiler" "report suppressions lists every suppression; the first match counts"
leaks_left --hide-standard-leaks
is "$left" "" "--hide-standard-leaks hides standard leaks"

# --- --gen-suppressions -------------------------------------------------------------------------------------

for syntax in valgrind lsan; do
    run report leaks "$leaks" --no-suppressions --gen-suppressions=$syntax
    is "$status" 0 "--gen-suppressions=$syntax succeeds"
    printf '%s\n' "$out" >"$tmp/made.supp"
    leaks_left --no-suppressions --suppressions "$tmp/made.supp"
    is "$left" "" "the output of --gen-suppressions=$syntax hides all leaks"
    run report errors "$race" --gen-suppressions=$syntax
    printf '%s\n' "$out" >"$tmp/made.supp"
    run report errors "$race" --suppressions "$tmp/made.supp"
    like "$out" "suppressed: 1 record" "the output of --gen-suppressions=$syntax hides the error"
done
run report leaks "$leaks" --no-suppressions --gen-suppressions
like "$out" "Memcheck:Leak
   match-leak-kinds: definite
   fun:malloc
   fun:cache_fill
   fun:main" "--gen-suppressions writes valgrind's syntax by default, with the leak kind"
like "$out" "fun:_Znw\*
   fun:_Z\*4shop4Cart3add\*" "C++ names are mangled for valgrind"
run report leaks "$leaks" --by class --gen-suppressions
is "$status" 2 "a report without stacks refuses --gen-suppressions"

done_testing
