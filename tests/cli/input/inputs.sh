#!/usr/bin/env bash
# Tests the places from which profdepot load reads inputs, and its messages if no format accepts an
# input.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/export.sh
. "$srcdir/tests/lib/export.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make
export_make "$tmp/a"

# --- ways in --------------------------------------------------------------------------------------

(cd "$tmp/a" && tar cf "$tmp/a.tar" -- *.csv && zip -q "$tmp/a.zip" -- *.csv)
xz -k "$tmp/a.tar"
run load "$tmp/a"
is "$status" 0 "a folder is loaded"
known() { # TEXT COMMAND...: checks that the command recognises the folder's content.
    local text=$1
    shift
    out=$("$@" 2>&1)
    like "$out" '^known    result set 1  ' "$text"
}
load_stdin() { "$PROFDEPOT" load --quiet --output json - <"$1"; }
# shellcheck disable=SC2002 # the test needs a pipe
load_pipe() { cat < "$1" | "$PROFDEPOT" load -; }
load_fifo() {
    mkfifo "$tmp/fifo"
    cat "$1" >"$tmp/fifo" &
    "$PROFDEPOT" load "$tmp/fifo"
    wait
    rm "$tmp/fifo"
}
known "an archive is read from a pipe" load_pipe "$tmp/a.tar"
known "a compressed archive is read from a pipe" load_pipe "$tmp/a.tar.xz"
known "an archive is read from a FIFO" load_fifo "$tmp/a.zip"
like "$(load_stdin "$tmp/a.zip")" '"inst_id":1,.*"source":"-",.*"state":"known"' "an archive is read from a redirected file"
like "$({ head -c 0; cat; } <"$tmp/a.zip" | "$PROFDEPOT" load --again --output json - 2>/dev/null)" '"state":"loaded"' \
    "an archive from a pipe is loaded with load -"
is "$(q "select source_name from instances where inst_id = 2")" stdin "the source name of standard input is stdin"
gzip "$tmp"/a/*CALL_STACK.csv
known "the result set of a folder is known after files in it were compressed" "$PROFDEPOT" load "$tmp/a"

# --- the same input, compressed or from a pipe ----------------------------------------------------

# any_way FORMAT FILE: checks that loading the file compressed, from a pipe or from a FIFO gives the same result set.
any_way() {
    local way inst
    run load --output json "$2"
    like "$out" "\"format\":\"$1\".*\"state\":\"loaded\"" "$1 is loaded"
    inst=$(q "select max(inst_id) from instances")
    gzip -c "$2" >"$tmp/one.gz"
    zstd -q -c "$2" >"$tmp/one.zst"
    xz -c "$2" >"$tmp/one.xz"
    for way in gz zst xz; do
        run load "$tmp/one.$way"
        like "$out" "^known    result set $inst " "$1 compressed as .$way is recognised as known"
    done
    like "$(load_pipe "$tmp/one.zst" 2>&1)" "^known    result set $inst " "$1 compressed and from a pipe is recognised as known"
    like "$(load_fifo "$2" 2>&1)" "^known    result set $inst " "$1 from a FIFO is recognised as known"
}
golden=$srcdir/tests/golden
any_way chrome "$golden/inputs/chrome.json"
any_way kernelscope "$golden/inputs/kernelscope.json"
any_way speedscope "$golden/inputs/speedscope.json"
any_way aqtimexml "$golden/aqtimexml/results.xml"
profile='{"Id":"6a3e7b6e-0000-4000-8000-000000000001","Name":"page","Started":"2026-11-21T10:00:00Z",
    "DurationMilliseconds":2.5,"Root":{"Id":"6a3e7b6e-0000-4000-8000-000000000002","Name":"page","DurationMilliseconds":2.5}}'
echo "$profile" >"$tmp/profile.json"
any_way miniprofiler "$tmp/profile.json"

# Loads each format from a folder that also contains files that are not in this format.
mkdir "$tmp/others"
echo '{"name": "package", "version": 1}' >"$tmp/others/a.json"
echo '[1, 2, 3]' >"$tmp/others/b.json"
echo 'read me' >"$tmp/others/readme"
: >"$tmp/others/void.json"
for file in inputs/chrome.json inputs/kernelscope.json inputs/speedscope.json aqtimexml/results.xml; do
    cp "$golden/$file" "$tmp/others/z.${file##*.}"
    run load --again --output json "$tmp/others"
    like "$out" '"state":"loaded"' "${file##*/} is found in a folder with other JSON files"
    rm "$tmp/others"/z.*
done
mkdir "$tmp/mixed"
cp "$golden/inputs/chrome.json" "$golden/inputs/speedscope.json" "$golden/aqtimexml/results.xml" "$tmp/mixed"
before=$(q "select count(*) from instances")
run load "$tmp/mixed"
like "$status $errors" '^3 .*files of several formats: results.xml is aqtimexml, chrome.json is chrome.*--format' \
    "a folder with files of several formats is rejected"
is "$(q "select count(*) from instances")" "$before" "no file of the rejected folder is loaded"
run load --format speedscope --again --output json "$tmp/mixed"
like "$out" '"format":"speedscope".*"state":"loaded"' "--format selects the files of one format from a folder"
before=$(q "select count(*) from instances")

# --- inputs that no format accepts ----------------------------------------------------------------

refused() { # TEXT PATTERN PATH
    run load "$3"
    is "$status" 3 "$1: the exit status is 3"
    like "$errors" "$2" "$1: the message names the cause"
    like "$errors" 'hint: ' "$1: the error has a hint"
    # For JSON, the hint is longer, because it contains the expected keys.
    case $errors in
    *'hint: looked for'*) limit=580 ;;
    *) limit=210 ;;
    esac
    is "$(awk -v limit=$limit '/^hint: / && length($0) <= limit' <<<"$errors" | wc -l)" 1 \
        "$1: the hint is one short line"
}

: >"$tmp/empty"
refused "an empty file" 'empty: the file is empty' "$tmp/empty"
: | gzip >"$tmp/empty.gz"
refused "a gzip file without content" 'empty.gz: ' "$tmp/empty.gz"
mkdir "$tmp/none"
refused "a folder without files" 'none has no files' "$tmp/none"
refused "a device" '/dev/null is neither a file nor' /dev/null
printf '{"a": 1, "b\\n\\u001b": [], "c": {}}' >"$tmp/x.json"
refused "JSON that is in no known format" 'x.json: JSON, but not in a format that profdepot reads: an object with the keys "a", "b\?\?", "c"' \
    "$tmp/x.json"
printf '[{"name": 1}, 2]' | gzip >"$tmp/y.json.gz"
refused "a JSON array, compressed" 'y.json.gz: JSON.*: an array of objects with the keys "name"' "$tmp/y.json.gz"
printf '[]' >"$tmp/z.json"
refused "an empty array" 'z.json: JSON.*: an array without objects' "$tmp/z.json"
printf '17' >"$tmp/n.json"
refused "a number" 'n.json: JSON.*: a single value' "$tmp/n.json"
head -c 20 "$tmp/y.json.gz" >"$tmp/cut.json.gz"
refused "a gzip file that is cut off" 'cut.json.gz: .*(damaged|truncated)' "$tmp/cut.json.gz"
head -c 100000 /dev/zero | tr '\0' x >"$tmp/text"
refused "text" 'text: not in a format that profdepot reads' "$tmp/text"
printf 'goroutine profile: total 3\n3 @ 0x4375f6\n#\t0x4375f5\tmain.wait+0x1a\t/m.go:3\n' >"$tmp/goroutine"
refused "a goroutine profile as text" 'goroutine: a Go count profile.*go tool pprof -proto' "$tmp/goroutine"
printf -- '--- contention:\ncycles/second=259\n69 1 @ 0x4b426a\n' >"$tmp/block"
refused "a contention profile as text" 'block: a contention profile.*\?debug=1' "$tmp/block"
printf -- '--- mutex:\ncycles/second=259\nsampling period=1\n69 1 @ 0x4b426a\n' >"$tmp/mutex"
refused "a mutex profile as text" 'mutex: a Go mutex profile' "$tmp/mutex"
words() { # SIZE VALUE...: prints the values as numbers of SIZE bytes, little endian
    local v
    for v in "${@:2}"; do
        printf '%b' "$(printf '\\x%02x\\x%02x\\x%02x\\0' $((v & 255)) $((v >> 8 & 255)) $((v >> 16)))"
        [ "$1" = 4 ] || printf '\0\0\0\0'
    done
}
words 8 0 3 0 10000 0 1 1 4198400 0 1 0 >"$tmp/cpu64"
refused "a CPU profile of gperftools" 'cpu64: a gperftools CPU profile.*google-pprof --collapsed' "$tmp/cpu64"
words 4 0 3 0 10000 0 1 1 4198400 0 1 0 >"$tmp/cpu32"
refused "a 32-bit CPU profile of gperftools" 'cpu32: a gperftools CPU profile' "$tmp/cpu32"
printf 'PERFILE2\150\0\0\0\0\0\0\0' >"$tmp/perf.data"
refused "perf.data" 'a perf recording.*perf script' "$tmp/perf.data"
printf '==7== Cachegrind, a cache and branch-prediction profiler\n==7== Command: ./a\n' >"$tmp/cachegrind"
refused "the log of another valgrind tool" "cachegrind: the log of a valgrind tool.*callgrind.out.PID" "$tmp/cachegrind"
printf '\377\376=\0=\0001\0' >"$tmp/utf16"
refused "a log in UTF-16" 'utf16: UTF-16 text.*iconv -f UTF-16' "$tmp/utf16"
mkdir "$tmp/json" && cp "$tmp/x.json" "$tmp/json"
refused "a folder with JSON that is in no known format" 'json: JSON, but not in a format.* "a"' "$tmp/json"
like "$errors" 'hint: looked for chrome: an object with "traceEvents"' "the hint lists the expected keys if no format is similar"
printf '{"nodes": [], "samples": 1}' >"$tmp/near.json"
refused "JSON that is similar to a known format" 'near.json: JSON, but not in a format.* "nodes", "samples"' "$tmp/near.json"
like "$errors" 'hint: the nearest is cpuprofile: an object with "nodes",' "the hint names the most similar format"

# says TEXT PATH HINT MESSAGE [OPTION...]: checks that the error is PATH: MESSAGE and the hint begins with HINT.
says() {
    run load "${@:5}" "$2"
    is "$(grep -v '^profdepot: [0-9]* input' <<<"$errors" | sed 's/^\(hint: .\{'${#3}'\}\).*/\1/')" \
        "profdepot: $2: $4"$'\n'"hint: $3" "$1"
}
fix='nothing was loaded; fix the file'
mkdir "$tmp/said" "$tmp/said/folder"
printf '{"Id":"a","Root":{"Name":"x",,}}' >"$tmp/said/mini.json"
printf '{"traceEvents":[{"ph":"X" "x":1}]}' >"$tmp/said/chrome.json"
printf '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"a"}]},"profiles":[}' \
    >"$tmp/said/speed.json"
printf '{"hostname":"h","time":"2016-10-24 17:12:43","nope":[' >"$tmp/said/kernel.json"
printf '{"traceEvents":[{"ph":"X","args":[[[[1]]]]}]}' >"$tmp/said/deep.json"
says "the error of a MiniProfiler file names the file once" "$tmp/said/mini.json" "$fix" "offset 29: expected a key, found ','"
says "the error of a Chrome trace has an offset" "$tmp/said/chrome.json" "$fix" "offset 26: expected ',' or '}', found '\"'"
gzip -k "$tmp/said/chrome.json"
says "the error of a compressed trace names the given path" "$tmp/said/chrome.json.gz" "$fix" "offset 26: expected ',' or '}', found '\"'"
says "the error of a speedscope file has an offset" "$tmp/said/speed.json" "$fix" "offset 111: expected a value, found '}'"
says "the error of a kernelscope file has an offset" "$tmp/said/kernel.json" "$fix" "offset 53: expected a value or ']', found the end of the input"
mv "$tmp/said/speed.json" "$tmp/said/folder"
says "the error of a file in a folder names the folder, then the file" "$tmp/said/folder" "$fix" "speed.json: offset 111: expected a value, found '}'"
tar -C "$tmp/said" -cf "$tmp/said.tar" chrome.json
says "the error of a file in an archive names the archive, then the file" "$tmp/said.tar" "$fix" "chrome.json: offset 26: expected ',' or '}', found '\"'"
is "$("$PROFDEPOT" load - 2>&1 <"$tmp/said/chrome.json" | head -n 1)" \
    "profdepot: standard input: offset 26: expected ',' or '}', found '\"'" "the error of an input from a pipe names standard input"
says "the hint for an exceeded limit names the option that raises the limit" "$tmp/said/deep.json" "nothing was loaded; --max-depth N" \
    "offset 36: containers nested more than 6 deep" --max-depth 6
mkdir "$tmp/said/one" "$tmp/said/two"
cp "$tmp/said/kernel.json" "$tmp/said/one"
cp "$tmp/said/kernel.json" "$tmp/said/two"
tar -C "$tmp/said" -cf "$tmp/twice.tar" one two
run load "$tmp/twice.tar"
like "$status $errors" '^3 .*twice.tar has two files named kernel.json.*hint: .*folders are ignored; load each folder' \
    "two files with the same name are rejected, with a hint"
run load --format aqtime "$tmp/x.json"
is "$status" 3 "JSON is rejected with --format aqtime"
like "$errors" 'x.json has no table' "the error of JSON with --format aqtime says that the input has no table"
run load --format nonsense "$tmp/x.json"
is "$status" 2 "an unknown format is a usage error"
out=$("$PROFDEPOT" load - 2>&1 </dev/null)
like "$out" 'standard input: the file is empty' "empty standard input is rejected"
out=$("$PROFDEPOT" load - 2>&1 <&-)
like "$out" 'standard input: the file is empty' "closed standard input is rejected"
for format in aqtime aqtimexml chrome kernelscope miniprofiler miniprofiler-storage; do
    run load --format $format "$golden/inputs/speedscope.json"
    is "$status" 3 "a speedscope file is rejected with --format $format"
done
is "$(q "select count(*) from instances")" "$before" "no rejected input was loaded"

done_testing
