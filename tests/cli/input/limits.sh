#!/usr/bin/env bash
# Tests the limits of an input, and inputs that are hard to read: well-compressed files, bombs, damaged
# XML, streams without an end, many files, and files that change while they are read.
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

# repeat TEXT COUNT: prints the text COUNT times.
repeat() {
    awk -v text="$1" -v n="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", text }'
}

# --- limits ---------------------------------------------------------------------------------

# refused TEXT PATTERN ARGUMENT...: checks that a dry run rejects the input, that its message matches PATTERN,
# and that the hint names an option.
refused() {
    local text=$1 pattern=$2
    shift 2
    run load --dry-run "$@"
    is "$status" 3 "$text: the input is rejected"
    like "$errors" "$pattern" "$text: the message names the limit"
    like "$errors" "hint: nothing was loaded; --limit [a-z]*=N raises the limit" "$text: the hint names the option"
}

repeat $'main;f;g 1\n' 7000000 >"$tmp/well.txt"
zstd -q -19 "$tmp/well.txt" -o "$tmp/well.zst"
zip -q -j "$tmp/well.zip" "$tmp/well.zst"
run load "$tmp/well.zst"
is "$status" 0 "a file that is compressed more than 1,000-fold is loaded"
is "$(q "select sum(value)::bigint from sample_totals where inst_id = 1")" 7000000 "all of its samples are loaded"
run load "$tmp/well.zip"
is "$status" 0 "its copy in an archive is accepted"
refused "ratio" 'well.zst: it unpacks to more than 1000 times its size' --limit ratio=1000 "$tmp/well.zst"
refused "bytes" 'well.zst: it unpacks to more than 1048576 bytes' --limit bytes=1M "$tmp/well.zst"
refused "bytes of two levels" 'well.zip: well.zst: it unpacks to more than 77000000 bytes' --limit bytes=77000000 "$tmp/well.zip"
refused "memory" 'well.zst: reading needs more than 1048576 bytes of memory' --again --limit memory=1M "$tmp/well.zst"
printf 'a;b 1\na;c 1\na;d 1\n' >"$tmp/stacks.txt"
refused "frames" 'stacks.txt: more than 5 frames in distinct stacks' --limit frames=5 "$tmp/stacks.txt"
mkdir "$tmp/three"
cp "$tmp/stacks.txt" "$tmp/three/a"
cp "$tmp/stacks.txt" "$tmp/three/b"
cp "$tmp/stacks.txt" "$tmp/three/c"
refused "files" 'three: more than 2 files' --limit files=2 "$tmp/three"
run load --limit nodes=4 "$tmp/stacks.txt"
is "$status" 3 "nodes: the input is rejected"
like "$errors" 'stacks.txt: more than 4 nodes in a call tree' "nodes: the message names the limit"
is "$(q "select count(*) from instances")" 1 "rejected inputs leave no result set"
run load --dry-run --limit frames=6 --limit bytes=none "$tmp/stacks.txt"
is "$status" 0 "an input within its limits is accepted"
for bad in bytes bytes= bytes=-1 bytes=0 byte=1 bytes=1X =1; do
    run load --limit "$bad" "$tmp/stacks.txt"
    is "$status" 2 "--limit $bad is a usage error"
done

# Two levels of compression reach a ratio that is higher than that of any profiler's file.
head -c 64000000 /dev/zero | gzip -9 >"$tmp/part.gz"
for _ in {1..100}; do cat "$tmp/part.gz"; done >"$tmp/INSTANCES.csv.gz"
zip -q -j "$tmp/bomb.zip" "$tmp/INSTANCES.csv.gz"
refused "a nested bomb" 'bomb.zip: INSTANCES.csv.gz: it unpacks to more than [0-9]* times its size' "$tmp/bomb.zip"

# These names have a maximum length, because the depot's indexes contain them.
long=$(head -c 1001 /dev/zero | tr '\0' x)
for option in application run commit parent-commit; do
    run load --again "--$option" "$long" "$tmp/stacks.txt"
    is "$status" 3 "--$option of 1,001 bytes is rejected"
    like "$errors" 'exceeds 1000 bytes' "--$option of 1,001 bytes: the message names the limit"
    run load --again "--$option" "${long#x}" "$tmp/stacks.txt"
    is "$status" 0 "--$option of 1,000 bytes is accepted"
done

# --- time -----------------------------------------------------------------------------------

# Before the fix, 1 MB took 2 s and 8 MB took 40 s in an optimised build.
for record in '<error>' '<error><what>x</wat>' '<error><what><![CDATA[ <error> x '; do
    { printf '<?xml version="1.0"?>\n<valgrindoutput>\n' && repeat "$record" $((7000000 / ${#record})); } >"$tmp/nested.xml"
    status=0
    errors=$(timeout 30 "$PROFDEPOT" load --dry-run "$tmp/nested.xml" 2>&1) || status=$?
    is "$status" 3 "7 MB of $record: the file is rejected in linear time"
    like "$errors" "nothing in it is complete" "7 MB of $record: the message says why"
done
# --- files that change ------------------------------------------------------------------------

# changes TEXT COMMAND...: repeats the command while a copy of the large file in $tmp/changing is loaded.
changes() {
    local text=$1 before writer
    shift
    rm -rf "$tmp/changing" && mkdir "$tmp/changing"
    cp "$tmp/well.txt" "$tmp/changing/x"
    before=$(q "select count(*) from instances")
    (cd "$tmp/changing" && while sleep 0.1; do "$@"; done) &
    writer=$!
    run load --again "${load_path:-$tmp/changing/x}"
    kill "$writer"
    wait "$writer" 2>/dev/null
    is "$status $(q "select count(*) from instances")" "3 $before" "$text: the file is rejected"
    like "$errors" 'x: the file changed while it was read' "$text: the message says why"
}
changes "growing" sh -c 'echo "main;g 1" >>x'
changes "overwritten with as many bytes" sh -c 'printf xxxx | dd of=x conv=notrunc bs=4 status=none'
load_path=$tmp/changing changes "overwritten in a folder" sh -c 'printf xxxx | dd of=x conv=notrunc bs=4 status=none'

# --- many inputs ----------------------------------------------------------------------------

mkdir "$tmp/folder"
for i in {1..1010}; do echo "a;b $i" >"$tmp/folder/$i.folded"; done
run load --dry-run "$tmp/folder"
is "$status $(wc -l <<<"$out")" "0 1010" "a folder of 1,010 files is read"
run load --dry-run --quiet --output json "$tmp"/folder/*
is "$status $(grep -c '"state": *"checked"' <<<"$out")" "0 1010" "1,010 arguments are read"
run load --dry-run --jobs 4 --output json "$tmp"/folder/*
is "$status $(grep -c '"state": *"checked"' <<<"$out")" "0 1010" "1,010 arguments are read by four jobs"
is "$(sed 's/.*"source": *"[^"]*\/\([0-9]*\.folded\)".*/\1/' <<<"$out")" "$(cd "$tmp/folder" && printf '%s\n' *)" "the output is in the order of the arguments"
# The sessions of Citus itself count, too.
others=$(q "select count(*) from pg_stat_activity where datname = current_database() and application_name ilike 'citus%'")
q "alter database $(psql -XqAtc 'select current_database()') connection limit $((3 + others))"
q "create role few login; grant profdepot_loader to few; alter role few connection limit 3"
out=$(PGUSER=few "$PROFDEPOT" load --again --jobs 20 "$tmp"/folder/1?.folded 2>"$tmp/errors")
is "$? $(grep -c '^loaded' <<<"$out")" "0 10" "20 jobs load 10 inputs over 3 connections"
like "$(cat "$tmp/errors")" 'the server has [23] free connections, so not more than [23] inputs are loaded at a time' "the load reports that it uses fewer jobs"

# --- disk -----------------------------------------------------------------------------------

awk 'BEGIN { for (i = 0; i < 60000; i++) printf "main;routine_with_a_rather_long_name_%d %d\n", i, i + 1 }' >"$tmp/wide.folded"
run load --limit disk=1M "$tmp/wide.folded"
is "$status" 3 "a load that sends too many rows to the database is rejected"
like "$errors" 'writes more than 1048576 bytes' "the message names the limit"
like "$errors" 'hint: nothing was loaded; --limit disk=N raises the limit' "the hint names the option"
tar -C "$tmp" -cf "$tmp/wide.tar" wide.folded
run load --dry-run --limit disk=1M "$tmp/wide.tar"
is "$status" 3 "an archive that needs too much temporary space is rejected"
like "$errors" 'writes more than 1048576 bytes' "the message names the limit"
run load --dry-run --limit disk=none "$tmp/wide.tar"
is "$status" 0 "without a limit, the archive is read"

# --- streams --------------------------------------------------------------------------------

mkfifo "$tmp/fifo"
(sleep 3 && cat "$tmp/stacks.txt" >"$tmp/fifo") &
run load --dry-run "$tmp/fifo"
is "$status" 0 "a FIFO whose writer comes late is read"
like "$errors" 'fifo: no data yet, waiting' "after a second, the load reports that it waits"
run load --dry-run --limit seconds=2 "$tmp/fifo"
is "$status" 3 "the time limit ends the wait for a FIFO without a writer"
like "$errors" 'fifo: reading takes more than 2 seconds' "the message names the limit"
like "$errors" 'hint: nothing was loaded; --limit seconds=N raises the limit' "the hint names the option"

# endless TEXT COMMAND...: checks that a dry run rejects the output of the command, which has no end.
endless() {
    local text=$1
    shift
    status=0
    errors=$("$@" 2>/dev/null | timeout 60 "$PROFDEPOT" load --dry-run --progress - 2>&1) || status=$?
    is "$status" 3 "$text: the stream is rejected"
    like "$errors" 'standard input: the first 64 MiB match no format that profdepot reads' "$text: the message says why"
}
endless "yes" yes
endless "zeros" cat /dev/zero
endless "empty lines" yes ''
endless "compressed text" sh -c 'yes | gzip -1'
(cat "$tmp/stacks.txt" && sleep 3) | "$PROFDEPOT" load --dry-run --progress - >"$tmp/out" 2>&1
like "$(cat "$tmp/out")" '-: 0 MB so far' "a slow stream shows its progress"
{ echo '{"a":"' && repeat "$(printf '%01000d' 1)" 70000 && echo '"}'; } | "$PROFDEPOT" load --dry-run - >"$tmp/out" 2>&1
like "$(cat "$tmp/out")" 'JSON, but not in a format' "JSON is read to its end before it is judged"
repeat $'main;f;g 1\n' 7000000 | "$PROFDEPOT" load --dry-run - >"$tmp/out" 2>&1
like "$(cat "$tmp/out")" 'known    result set 1' "a long stream in a known format is read"

# --- hints ----------------------------------------------------------------------------------

head -c 100000 /dev/zero >"$tmp/zeros"
run load --dry-run "$tmp/zeros"
is "$status" 3 "a file of zeros is rejected"
like "$errors" 'zeros: zeros where a profile should begin' "a file of zeros: the message says what it is"
{ awk 'BEGIN { for (i = 0; i < 60000; i++) printf "frame%d;", i }' && printf 'end 5\na;b 1\n'; } >"$tmp/long"
run load --dry-run "$tmp/long"
is "$status" 0 "collapsed stacks whose first line is long are recognised"
{ awk 'BEGIN { for (i = 0; i < 70000; i++) printf "f;" }' && printf 'end 5\na;b 1\n'; } >"$tmp/deep"
run load --dry-run "$tmp/deep"
like "$out" '1 warning' "a stack that is cut is a warning"
unlike "$out" 'left out' "a stack that is cut does not count as a row that was left out"
mkdir "$tmp/many"
for i in {1..60}; do cp "$tmp/stacks.txt" "$tmp/many/$i"; done
(cd "$tmp/many" && zip -q -r "$tmp/many.zip" .)
status=0
errors=$(ulimit -n 40 && "$PROFDEPOT" load --dry-run "$tmp/many.zip" 2>&1) || status=$?
is "$status" 3 "an archive that needs too many descriptors is rejected"
like "$errors" 'hint: too many files are open: raise the limit' "the hint does not name the folder for temporary files"
done_testing
