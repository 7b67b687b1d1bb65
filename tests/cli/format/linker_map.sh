#!/usr/bin/env bash
# Tests load --map: if frames in Delphi's logs have only an address, they get names from a map file of the linker.
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
map=$srcdir/tests/golden/maps/Orders.map

# frames ARGUMENT...: loads with these arguments and prints the frames of all stacks of the last result set.
frames() {
    run load --again "$@"
    [ "$status" -eq 0 ] || echo "status $status: $errors"
    q "select concat_ws('|', module_name, unit_name, class_name, routine_name, source_file, source_line)
       from stack_frames where inst_id = (select max(inst_id) from instances) order by stack_id, position"
}

# fastmm ADDRESS...: a leak in FastMM4's log with these return addresses.
fastmm() {
    printf '%s\n' '' '--------------------------------2026/11/23 1:11:17--------------------------------' \
        'A memory block has been leaked. The size is: 20' '' \
        'This block was allocated by thread 0x24, and the stack trace (return addresses) at the time was:'
    printf '%s \n' "$@"
    printf '%s\n' '' 'The block is currently used for an object of class: TOrder' '' 'The allocation number is: 7' '' \
        'Current memory dump of 256 bytes starting at pointer address 7FFFFFD75540:'
}

fastmm 00401034 00402031 00402045 00402410 0040283A 00402905 00404021 00407000 00400500 >"$tmp/log"
is "$(frames --map "$map" "$tmp/log")" 'System|@GetMem
Store.Orders|TOrder|AddLine|Store.Orders.pas|41
Store.Orders|TOrder|AddLine|Store.Orders.pas|42
System.Generics.Collections|TList<Store.Orders.TOrder>|Add
Prices|LoadPrices|c:\work (new)\Prices.pas|13
Prices|Finalization
Orders|Orders|Orders.dpr|21
0x407000
0x400500' "a map names the routine, unit, class, file and line before each return address"
like "$(frames "$tmp/log")" '^0x401034' "without a map the addresses stay"
is "$(q "select count(distinct content_digest) from instances")" 2 "a log with other names is another content"
run load "$tmp/log"
like "$out" '^known' "a known log is not read again"
run load --map "$map" "$tmp/log"
like "$out" '^known' "a log that is known with the same names is known"

# The first address of an exception is not a return address. It is the address of the instruction at which the
# exception occurred.
cat >"$tmp/jcl" <<'LOG'
Exception class: EConvertError
Exception message: no number
Stack list, generated 11/20/2026 10:14:07 AM
[00402020]
[00402131]{Orders.exe}
[00402131]{Other.dll}
LOG
is "$(frames --map "$map" "$tmp/jcl")" 'Store.Orders|TOrder|AddLine|Store.Orders.pas|41
Orders.exe|Store.Orders|TOrder|Create|Store.Orders.pas|61
Other.dll|0x402131' "the module of a frame selects the map, and the first address of an exception is exact"
cat >"$tmp/mad" <<'LOG'
date/time         : 2026-11-20, 10:14:07, 641ms
executable        : Orders.exe
exception class   : EAccessViolation
exception message : none
madExcept version : 5.1.2

main thread ($33):
00402040 +02e Orders.exe
00402131 +018 Orders.exe
LOG
is "$(frames --map "$map" "$tmp/mad")" 'Orders.exe|Store.Orders|TOrder|AddLine|Store.Orders.pas|42
Orders.exe|Store.Orders|TOrder|Create|Store.Orders.pas|61' "madExcept's frames get names"

# Linkers before Delphi 2005 write a segment's offset instead of its address.
sed 's/0001:00401000/0001:00000000/; s/0002:00404000 /0002:00000000 /' "$map" >"$tmp/Orders.map"
is "$(frames --map "$tmp/Orders.map" "$tmp/log" | head -n 2)" 'System|@GetMem
Store.Orders|TOrder|AddLine|Store.Orders.pas|41' "an old map counts from the usual address"

# Several maps.
cp "$map" "$tmp/Other.map"
is "$(frames --map "$map" --map "$tmp/Other.map" "$tmp/jcl" | tail -n 1)" 'Other.dll|Store.Orders|TOrder|Create|Store.Orders.pas|61' \
    "each module has its own map"
is "$(frames --map "$map" --map "$tmp/Other.map" "$tmp/log" | head -n 1)" 0x401034 "an address in two maps has no name"

# --- errors ---------------------------------------------------------------------------------------------

run load --map "$tmp/missing.map" "$tmp/log"
is "$status" 3 "a missing map: exit status 3"
like "$errors" "option --map: cannot open the linker's map .*missing.map" "a missing map: the message names it"
like "$errors" "hint: Delphi writes it beside the program" "a missing map: the hint says where maps are"
run load --map "$tmp/log" "$tmp/log"
is "$status" 3 "a file of another format: exit status 3"
like "$errors" "not a linker's map: no segments.*\"Detailed\"" "a file of another format: the message says what is missing, and the hint how to get it"
sed '/Publics/,$d' "$map" >"$tmp/segments.map"
run load --map "$tmp/segments.map" "$tmp/log"
like "$errors" "not a linker's map: no routines" "a map with only segments is refused"
run load --map "$tmp" "$tmp/log"
is "$status" 3 "a folder: exit status 3"
run load --map "$srcdir/tests/cli/format/linker_map.sh" "$tmp/log"
is "$status" 3 "a script is not a map"
done_testing
