#!/usr/bin/env bash
# Tests valgrind's XML: every kind of record, several processes in one file, damaged files, and real
# files with known contents.
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
golden=$srcdir/tests/golden/valgrind

# load_one FILE: loads the file; sets $inst to its result set.
load_one() {
    run load "$@"
    inst=$(q "select max(inst_id) from instances")
}

# --- memcheck, protocol 6 --------------------------------------------------------------------------

load_one "$golden/memcheck.xml"
is "$status" 0 "memcheck's file loads"
is "$(q "select caption, application, tool from instances where inst_id = $inst")" "app, process 100|app|memcheck" \
    "the caption, the application and the tool are stored"
is "$(q "select a ->> 'pid', a ->> 'ppid', a ->> 'protocolversion', a ->> 'usercomment', a ->> 'args', a ->> 'finished_after',
    a ->> 'others', a ->> 'client_messages', a -> 'heap_summary' ->> 'total_heap_usage.allocs'
    from (select attributes::json a from instances where inst_id = $inst) x")" \
    '100|17|6|<b at="1">hi &amp; <i>x</i></b>|["/srv/demo/app","a <b> \"c\""]|00:00:00:01.500|[["var","RUN"],["value","7"],["all_heap_blocks_freed","false"]]|[{"tid":1,"text":"hello <you>\n  ","stack":["main"]}]|5' \
    "the attributes of the result set are stored"
is "$(q "select o.id, c.col_class_name, c.col_module_name, o.col_size, block_count, leak_kind, col_address,
    a ->> 'unique', a ->> 'indirect_bytes', a ->> 'path', a ->> 'addresses', left(a ->> 'suppression', 1)
    from (select *, attributes::json a from resource_profiler_objects where inst_id = $inst) o
    join resource_profiler_meta_classes_data c on c.inst_id = o.inst_id and c.rec_id = o.col_classrid order by o.id")" \
    "0|file descriptor|/lib/libc.so.6|0|1||7|0x4||/tmp/left open||
1|malloc|/srv/demo/app|1048|3|definite||0x5|144|||{
2|operator new[]|/srv/demo/app|144|2|indirect||0x6||||
3|malloc|/usr/lib/libdemo.so|96|6|possible||0x7|||[[0,1,\"0x4849ABC\"]]|
4|strdup|/lib/libc.so.6|64|4|reachable||0x8||||
5|??||1|1|definite||0x9||||" "leaks are stored with direct bytes, blocks, kinds and classes; an open file is stored, too"
is "$(q "select e.col__, e.col_name, e.count, t.col_win32threadid, t.name, left(e.col_description, 20), a ->> 'notes', a ->> 'fd'
    from (select *, attributes::json a from resource_profiler_errors where inst_id = $inst) e
    join resource_profiler_threads t on t.inst_id = e.inst_id and t.id = e.parent_id order by e.id")" \
    "1|UninitCondition|1|1||Conditional jump or ||
2|InvalidWrite|3|2|worker & co|Invalid write of siz||
3|SyscallParam|1|1||Syscall param write(|[\"Address 0x1ffeffe is on thread 1's stack\",\"in frame #1, created by main (app.c:15)\"]|
4|FdBadClose|2|1||File descriptor 5: /||5" "errors are stored with threads and counts; values without a column become attributes"
further="select f.owner, f.owner_id, f.position, f.role, left(f.description, 30), r.col_routine_name, l.col_source_line
    from further_stacks f join stacks s on s.inst_id = f.inst_id and s.stack_id = f.stack_id
    join resource_profiler_meta_routines r on r.inst_id = f.inst_id and r.rec_id = s.routine_ids[least(2, cardinality(s.routine_ids))]
    left join resource_profiler_meta_lines l on l.inst_id = f.inst_id and l.parent_id = r.id
        and l.rec_id = s.line_ids[least(2, cardinality(s.routine_ids))]
    where f.inst_id = \$inst order by 1, 2, 3"
is "$(q "${further/\$inst/$inst}")" \
    "error|0|1|origin|Uninitialised value was create|uninit|9
error|1|1|freed_at|Address 0x4a46ed1 is 1 bytes i|uaf|11
error|1|2|allocated_at|Block was alloc'd at|uaf|10
error|3|1|closed_at|Previously closed|first|20
error|3|2|opened_at|Originally opened|first|19" "further stacks are stored with their roles"
is "$(q "select id, name, syntax, count from result_set_suppressions where inst_id = $inst order by id")" \
    "1|dl-hack3-cond-1|valgrind|2
2|mine: <all>|valgrind|1" "the suppressions that were used are stored with their counts"
is "$(q "select count(*) from import_issues where inst_id = $inst")" 0 "the summaries agree with the records, so there are no issues"
is "$(q "select r.col_source_file from resource_profiler_meta_routines r where r.inst_id = $inst and r.col_routine_name = 'uaf'")" \
    "/srv/demo/app.c" "a frame's file is stored with its folder"
run verify "$inst"
is "$status" 0 "verify finds no difference"
run load "$golden/memcheck.xml"
like "$out" '^known ' "a file that is loaded again is recognised"

sed 's/<bytes>144</<bytes>145</; s/<error_contexts>6</<error_contexts>60</' "$golden/memcheck.xml" >"$tmp/sums.xml"
load_one "$tmp/sums.xml"
is "$(q "select code, message from import_issues where inst_id = $inst order by issue_no")" \
    "summary|indirectly lost: the records have 144 bytes in 2 blocks, but the leak summary has 145 in 2
summary|the records have 7 errors of 4 contexts and 6 leaks, but the error summary has 9 errors of 60 contexts" "summaries that differ from the records are reported"

# --- files of helgrind, drd and another tool --------------------------------------------------------

load_one "$golden/helgrind.xml"
is "$(q "select e.col_name, e.count, t.col_win32threadid, t.name from resource_profiler_errors e
    join resource_profiler_threads t on t.inst_id = e.inst_id and t.id = e.parent_id where e.inst_id = $inst order by e.id")" \
    "Race|7|2|thread #4
LockOrder|1|3|thread #3
PthAPIerror|1|1|thread #1" "each of helgrind's errors is stored with both numbers of its thread"
is "$(q "${further/\$inst/$inst}")" \
    "error|0|1|conflicting_access|This conflicts with a previous|t1|4
error|1|1|lock_later|followed by a later acquisitio|t1|9
error|1|2|lock_first|Required order was established|t2|8
error|1|3|lock_later|followed by a later acquisitio|t2|9
thread|1|1|thread_start||??|
thread|2|1|thread_start||main|6" "further stacks show the other access, both lock orders, and where threads were created"
is "$(q "select t.name from further_stacks f join resource_profiler_threads t on t.inst_id = f.inst_id and t.rec_id = f.thread_id
    where f.inst_id = $inst and f.owner = 'error'")" "thread #3" "the other access to the variable has the thread that made it"
is "$(q "select attributes::json ->> 'notes' from resource_profiler_errors where inst_id = $inst order by id limit 1")" \
    '[{"text":"Location 0x10c060 is 0 bytes inside global var \"g\"","dir":"/srv/demo","file":"race.c","line":3}]' \
    "a note shows where the variable is declared"
load_one "$golden/drd.xml"
is "$(q "${further/\$inst/$inst}")" \
    "error|0|1|conflicting_access|Other segment start|t1|4
error|1|1|lock_first|mutex at 0x10c080 was first ob|main|6" "drd: further stacks show other segments and first observations"
regressions=${PROFDEPOT_CORPORA:-$srcdir/../shared/corpora}/regressions
if [ -f "$regressions/drd-allocation-context.xml" ]; then
    load_one "$regressions/drd-allocation-context.xml"
    is "$(q "select f.role, f.description, count(*), min(n.routine_name)
        from further_stacks f
        join stack_frames n on n.inst_id = f.inst_id and n.stack_id = f.stack_id and n.position = 0
        where f.inst_id = $inst and f.description like 'Address%' group by 1, 2 order by 2")" \
        "allocated_at|Address 0x4d9bf78 is at offset 24 from 0x4d9bf60.|1|operator new(unsigned long)
allocated_at|Address 0x4d9bf80 is at offset 32 from 0x4d9bf60.|1|operator new(unsigned long)
allocated_at|Address 0x4d9bf84 is at offset 36 from 0x4d9bf60.|1|operator new(unsigned long)
allocated_at|Address 0x4d9c060 is at offset 16 from 0x4d9c050.|1|operator new(unsigned long)
allocated_at|Address 0x4d9c070 is at offset 32 from 0x4d9c050.|1|operator new(unsigned long)" \
        "drd: the allocation context is where the block was allocated"
else
    skip "corpora/regressions is missing" "drd: the allocation context is where the block was allocated"
fi
load_one "$golden/imitator.xml"
is "$(q "select o.col_size, block_count, leak_kind, t.name, a ->> 'unique', a ->> 'kind'
    from (select *, attributes::json a from resource_profiler_objects where inst_id = $inst) o
    join resource_profiler_threads t on t.inst_id = o.inst_id and t.rec_id = o.col_threadid order by o.id")" \
    "30|3|definite|main|1A|
20|4|reachable|main|1B|
2|1||other|1C|Leak_Whatever" "a file loads that another tool writes with differences in the format"

# --- several processes in a file, and damage ---------------------------------------------------------

before=$(q "select max(inst_id) from instances")
run load "$golden/forked.xml"
is "$status" 0 "a file of several processes loads"
is "$(q "select caption, (select string_agg(r.col_routine_name, ' ' order by o.id) from resource_profiler_objects o
        join stacks s on s.inst_id = o.inst_id and s.stack_id = o.stack_id
        join resource_profiler_meta_routines r on r.inst_id = o.inst_id and r.rec_id = s.routine_ids[2]
        where o.inst_id = i.inst_id), (select string_agg(e.count::text, ' ') from resource_profiler_errors e where e.inst_id = i.inst_id)
    from instances i where inst_id > $before order by inst_id")" \
    "app, process 400|parent|4
app, part 1 behind process 400|child|
app, process 401|second|
app, process 402|third fourth fifth|
app, process 403|sixth|" "each process becomes a result set with all complete records"
is "$(q "select i.caption, x.code, x.severity, x.line, left(x.message, 60) from import_issues x join instances i using (inst_id)
    where inst_id > $before order by inst_id, issue_no")" "app, process 400|document-part|warning|107|records after the end of this document, such as those of a f
app, part 1 behind process 400|document-part|warning|107|these records follow the end of a document, so they are a se
app, process 401|record-broken|error|235|<error> left out: XML or text declaration not at start of en
app, process 401|unfinished|warning|237|another document begins before this one is closed: the next 
app, process 402|record-broken|error|308|<error> left out: not well-formed (invalid token) at line 31
app, process 402|record-broken|error|345|text left out: mismatched tag
app, process 403|record-broken|error|453|<error> left out: the input ends inside it
app, process 403|unfinished|warning|455|the document is not closed: the process was killed or replac
app, process 403|record-broken|error|380|9 bytes outside of all documents were left out" "the issues describe the damage and its place"
run load --strict --again "$golden/forked.xml"
is "$status" 3 "--strict refuses a damaged file"
sed 's/reads/other/' "$golden/forked.xml" >"$tmp/forked.xml"
run load --output json "$tmp/forked.xml"
is "$(grep -o '"state":"[a-z]*"' <<<"$out" | sort | uniq -c | tr -s ' ')" ' 4 "state":"known"
 1 "state":"loaded"' "if one process of a file has changed, only its result set is loaded"

sed "s|<arg>a|<arg>$(printf 'A\377\033\302B')|" "$golden/memcheck.xml" >"$tmp/bytes.xml"
load_one "$tmp/bytes.xml"
is "$(q "select attributes::json -> 'args' ->> 1 from instances where inst_id = $inst")" \
    "$(printf 'A\357\277\275\357\277\275\357\277\275B <b> "c"')" "bytes that are invalid in XML become U+FFFD"
is "$(q "select code, message from import_issues where inst_id = $inst")" \
    "bad-utf8|3 bytes are invalid in XML; each became U+FFFD" "bytes that are invalid in XML are reported"

refused() { # PATTERN TEXT
    run load "$tmp/x.xml"
    is "$status" 3 "$2: the exit status is 3"
    like "$errors" "$1" "$2: the message names the reason"
}
sets=$(q "select count(*) from instances")
sed 's/<valgrindoutput>/<!DOCTYPE valgrindoutput [<!ENTITY a "aaaa"><!ENTITY b "\&a;\&a;">]><valgrindoutput>/' \
    "$golden/drd.xml" >"$tmp/x.xml"
refused 'document type at byte [0-9]*' "a document with entities"
sed 's|<valgrindoutput>|<!DOCTYPE valgrindoutput SYSTEM "file:///etc/passwd"><valgrindoutput>|' "$golden/drd.xml" >"$tmp/x.xml"
refused 'document type' "an external document type"
echo '<?xml version="1.0"?><other><error/></other>' >"$tmp/x.xml"
refused 'not in a format that profdepot reads' "other XML"
run load --format valgrind "$tmp/x.xml"
like "$status $errors" '^3 .*no valgrind document in it' "other XML is refused under --format valgrind"
{
    head -c 90 "$golden/memcheck.xml"
    head -c 3000 /dev/zero | tr '\0' '\376'
} >"$tmp/x.xml"
refused 'offset 0: .*nothing in it is complete' "a valid beginning before garbage"
printf '<valgrindoutput>%s' "$(printf '<error>%.0s' {1..5000})" >"$tmp/x.xml"
refused 'nothing in it is complete' "elements that never end"
is "$(q "select count(*) from instances")" "$sets" "nothing was loaded"

# The rows of the first document are still being sent to the server when the second document begins.
awk 'BEGIN {
    for (run = 1; run <= 3; run++) {
        printf "<?xml version=\"1.0\"?>\n<valgrindoutput>\n<protocolversion>4</protocolversion>\n"
        printf "<protocoltool>memcheck</protocoltool>\n<pid>%d</pid>\n<ppid>1</ppid>\n<tool>memcheck</tool>\n", run
        printf "<args><vargv></vargv><argv><exe>/srv/app</exe></argv></args>\n"
        printf "<status><state>RUNNING</state><time>00:00:00:00.070 </time></status>\n"
        for (n = 0; n < 8000; n++) {
            printf "<error><unique>0x%x</unique><tid>1</tid><kind>Leak_DefinitelyLost</kind>\n", n
            printf "<xwhat><text>8 bytes in 1 blocks are definitely lost</text><leakedbytes>8</leakedbytes><leakedblocks>1</leakedblocks></xwhat>\n<stack>\n"
            printf "<frame><ip>0x1</ip><fn>malloc</fn></frame>\n<frame><ip>0x2</ip><fn>f%d</fn></frame>\n", n
            printf "<frame><ip>0x3</ip><fn>main</fn></frame>\n</stack></error>\n"
        }
        print "<status><state>FINISHED</state><time>00:00:00:01.500 </time></status>\n</valgrindoutput>"
    }
}' >"$tmp/runs.xml"
before=$(q "select max(inst_id) from instances")
run load "$tmp/runs.xml"
is "$status" 0 "a file of several large documents loads"
is "$(q "select count(*), sum(n), sum(bytes) from (select inst_id, count(*) as n, sum(col_size) as bytes
    from resource_profiler_objects where inst_id > $before group by inst_id) x")" "3|24000|192000" "each document becomes a complete result set"

# If several documents of a file contain the same names or stacks, the reader stores them only once. Each document must
# nevertheless have the same content as if it were in a separate file.
contents() {
    q "select content_digest, (select string_agg(identity::text || line_identity || coalesce(own_place::text, ''), ' ' order by stack_id)
            from stacks s where s.inst_id = i.inst_id),
        (select string_agg(identity::text, ' ' order by routine_id) from routine_identities r where r.inst_id = i.inst_id)
        from instances i where inst_id > $1 order by inst_id"
}
before=$(q "select max(inst_id) from instances")
for pid in 701 702 703 704; do
    sed "s|<pid>100</pid>|<pid>$pid</pid>|" "$golden/memcheck.xml" >"$tmp/$pid.xml"
    sed 's|<fn>main</fn>|<fn>start</fn>|' "$tmp/$pid.xml" >"$tmp/other-$pid.xml"
    # Stacks that have more than frames, and one that is cut off.
    sed 's|</frame>|&<!-- <frame></frame> -->|; s|^ *<stack>|&<odd>1</odd>|; /<unique>0x2</,/<stack>/ s|<stack>|&<frame><ip>0x9</ip>|' \
        "$tmp/$pid.xml" >"$tmp/odd-$pid.xml"
    run load "$tmp/$pid.xml" "$tmp/other-$pid.xml" "$tmp/odd-$pid.xml"
done
expected=$(contents "$before")
before=$(q "select max(inst_id) from instances")
for pid in 701 702 703 704; do cat "$tmp/$pid.xml" "$tmp/other-$pid.xml" "$tmp/odd-$pid.xml"; done >"$tmp/all.xml"
run load --again "$tmp/all.xml"
is "$status $(wc -l <<<"$expected")" "0 12" "twelve documents of one file are loaded"
is "$(contents "$before")" "$expected" "they have the same digests and identities as in separate files"

# A load reserves the numbers of several result sets in one step, and gives unused numbers back.
before=$(q "select max(inst_id) from instances")
for pid in {801..820}; do sed "s|<pid>100</pid>|<pid>$pid</pid>|" "$golden/memcheck.xml"; done >"$tmp/many.xml"
run load --again --limit frames=200 "$tmp/many.xml"
is "$status" 3 "a file of many documents is rejected in its middle"
run load "$tmp/many.xml"
load_one --again "$golden/drd.xml"
is "$(q "select count(*), max(inst_id) - $before from instances where inst_id > $before")" "21|21" "no number is skipped"

# A load does not look for known documents before it reads the file. After the first documents it asks whether they are
# known, and at the end whether any document is.
last=$(q "select max(inst_id) from instances")
documents() { # documents FIRST LAST: prints documents with these process IDs
    for pid in $(seq "$1" "$2"); do sed "s|<pid>100</pid>|<pid>$pid</pid>|" "$golden/memcheck.xml"; done
}
documents 801 825 >"$tmp/grown.xml"
run load "$tmp/grown.xml"
like "$errors" "5 loaded, 20 known" "only the new documents of a file that has grown are loaded"
documents 826 845 >"$tmp/late.xml"
documents 801 803 >>"$tmp/late.xml"
run load "$tmp/late.xml"
like "$errors" "20 loaded, 3 known" "documents that are known only at the end are not loaded again"
documents 846 865 >"$tmp/new.xml"
cat "$tmp/late.xml" >>"$tmp/new.xml"
run load --again "$tmp/new.xml"
like "$errors" "43 loaded, 0 known" "--again loads all of them"
is "$(q "select count(*), count(distinct content_digest) from instances where inst_id > $last")" "68|48" "no other result set is stored"
mapfile -t ids < <(q "select inst_id from instances where inst_id > $last")
ok "verify finds no difference" "$PROFDEPOT" verify "${ids[@]}"

# --- real files ---------------------------------------------------------------------------------------

corpus=${PROFDEPOT_CORPORA:-$srcdir/../shared/corpora}/leaks
if [ -f "$corpus/expected.json" ]; then
    before=$(q "select max(inst_id) from instances")
    run load "$corpus"/{drd,helgrind,memcheck-bash,memcheck-clean,memcheck-errors,memcheck-leaks-gensupp,memcheck-perl}.xml
    is "$status" 0 "real files load"
    is "$(psql -XqAt -v ON_ERROR_STOP=1 -v before="$before" -v expected="$(cat "$corpus/expected.json")" -f "$srcdir/tests/cli/format/leaks_valgrind_check.sql")" "" \
        "real files have the expected contents"
    is "$(q "select count(*) from resource_profiler_objects o join instances i using (inst_id)
        where source_name like '%memcheck-bash.xml' group by inst_id order by inst_id" | paste -sd+ | bc)" \
        "$(grep -c '<error>' "$corpus/memcheck-bash.xml")" "all records of forked processes are loaded"
    is "$(q "select distinct line from import_issues x join instances i using (inst_id)
        where source_name like '%memcheck-bash.xml' order by line" | paste -sd' ')" "18243 36775 55307" "the issue of each process contains its line in the file"
    is "$(q "select code, line from import_issues x join instances i using (inst_id)
        where source_name like '%memcheck-clean.xml'")" "unfinished|39" "the unfinished document of a process that was replaced is reported"
    for file in memcheck-errors memcheck-leaks-gensupp memcheck-perl; do
        inst=$(q "select inst_id from instances where source_name like '%$file.xml'")
        known=$(psql -XqAt -v e="$(cat "$corpus/expected.json")" <<END
            select case key when 'Leak_DefinitelyLost' then 'definitely lost' when 'Leak_IndirectlyLost' then 'indirectly lost'
                       when 'Leak_PossiblyLost' then 'possibly lost' else 'still reachable' end,
                   value ->> 'blocks', value ->> 'direct_bytes'
            from json_each(:'e'::json -> '$file.xml' -> 'leaks') order by key = 'Leak_StillReachable', key
END
)
        for format in text markdown; do
            "$PROFDEPOT" report leaks "$inst" --output $format >"$tmp/report"
            # A line looks like "definitely lost: 11 records, 30 blocks, 8,325 bytes". In Markdown, it also has escapes.
            is "$(tr -d ',\134' <"$tmp/report" | sed -n 's/^ *-* *\([a-z]* [a-z]*\): [0-9]* records* \([0-9]*\) blocks* \([0-9]*\) bytes*$/\1|\2|\3/p')" \
                "$known" "$file: the totals by kind are as expected in the format $format"
            like "$(tr -d ',' <"$tmp/report" | grep '^[Tt]otal')" \
                "$(awk -F'|' '{ blocks += $2; bytes += $3 } END { print " records " blocks " blocks " bytes " bytes" }' <<<"$known")" \
                "$file: the total counts no byte twice"
        done
        is "$("$PROFDEPOT" report leaks "$inst" --top 1 --output json | grep -o '"by_kind".*')" \
            "$("$PROFDEPOT" report leaks "$inst" --output json | grep -o '"by_kind".*')" "$file: the totals include the rows that --top omits"
        like "$("$PROFDEPOT" report leaks "$inst" --output html | grep -o '<td class="n fig"[^>]*>[0-9,]* bytes' | sed 's/.*>//; s/[, bytes]//g' | paste -sd' ')" \
            "^$(cut -d'|' -f3 <<<"$known" | paste -sd' ')" "$file: the totals by kind are as expected in HTML"
    done
else
    skip "the corpora do not exist" "real files"
fi


# --- a stack for each object --------------------------------------------------------------------

# many PLACES: prints 10,200 leaks. Their blocks are allocated at PLACES different places.
many() {
    echo '<?xml version="1.0"?><valgrindoutput><protocolversion>4</protocolversion><protocoltool>memcheck</protocoltool>'
    echo "<pid>77</pid><ppid>1</ppid><tool>memcheck</tool><args><vargv><exe>v</exe></vargv><argv><exe>./$1</exe></argv></args>"
    seq 0 10199 | awk -v n="$1" '{
        printf "<error>\n<unique>0x%x</unique>\n<tid>1</tid>\n<kind>Leak_DefinitelyLost</kind>\n", $1
        printf "<xwhat><text>%d bytes</text><leakedbytes>%d</leakedbytes><leakedblocks>1</leakedblocks></xwhat>\n", $1 + 1, $1 + 1
        printf "<stack>\n<frame>\n<ip>0x1</ip>\n<fn>malloc</fn>\n</frame>\n<frame>\n<ip>0x%x</ip>\n<fn>place_%d</fn>\n</frame>\n</stack>\n</error>\n", 16 + $1 % n, $1 % n
    }'
    echo '</valgrindoutput>'
}

for places in 10200 5000; do
    many "$places" >"$tmp/$places.xml"
    ok "leaks from $places places load" "$PROFDEPOT" load --label "places=$places" "$tmp/$places.xml"
done
is "$(q "select l.value, i.live_summed, (select count(*) from stack_totals t where t.inst_id = i.inst_id and t.metric = 'live'),
        (select count(*) || ' ' || sum(v.count) || ' ' || sum(v.size) from live_totals v where v.inst_id = i.inst_id)
    from instances i join result_set_labels l using (inst_id) where l.key = 'places' order by 1")" \
    "10200|f|0|10200 10200 52025100
5000|t|5000|5000 10200 52025100" "no sums per stack are stored if there would be as many sums as objects"
each=$(q "select inst_id from result_set_labels where value = '10200'")
few=$(q "select inst_id from result_set_labels where value = '5000'")
ok "verify finds no difference in either result set" "$PROFDEPOT" verify "$each" "$few"
# Right after the load, the depot must have the statistics that query plans need.
is "$(pg_temp_everywhere "select distinct regexp_replace(tablename, '_[0-9]{6,}$', ''), attname from pg_stats
    where schemaname = 'profdepot' and attname in ('inst_id', 'stack_id') and tablename ~ '^(resource_profiler_objects|stacks)(_[0-9]{6,})?$'" |
    sort -u)" "resource_profiler_objects|inst_id
resource_profiler_objects|stack_id
stacks|inst_id
stacks|stack_id" "the database has statistics of the keys after the load"
before=$("$PROFDEPOT" report leaks "$each" --top 3)
like "$before" 'place_10199' "the largest leak comes first"
q "update instances set state = 'open' where inst_id = $each"
ok "reindex succeeds" "$PROFDEPOT" reindex "$each"
is "$(q "select live_summed, (select count(*) from stack_totals t where t.inst_id = i.inst_id and t.metric = 'live')
    from instances i where inst_id = $each")" "t|10200" "reindex computes the sums of all stacks"
is "$("$PROFDEPOT" report leaks "$each" --top 3)" "$before" "the report is unchanged after reindex"
ok "verify finds no difference after reindex" "$PROFDEPOT" verify "$each"


# --- frames that are parsed without expat ------------------------------------------------------------------

# If a tag contains a blank, expat parses the element. The content must be the same as without the blanks.
for file in "$golden"/*.xml; do
    ok "${file##*/} loads" "$PROFDEPOT" load --again "$file"
    sed -E '/usercomment/!s/<([a-z]+)>([^<]*)<\/([a-z]+)>/<\1 >\2<\/\3 >/' "$file" >"$tmp/blank.xml"
    ok "${file##*/}: the copy has tags with blanks" grep -q '<unique >' "$tmp/blank.xml"
    like "$("$PROFDEPOT" load "$tmp/blank.xml" 2>&1)" ' 0 loaded, [1-9][0-9]* known' "${file##*/}: the copy has the same content"
done

# Tests a file that has no blanks between its tags, and a broken tag shortly before its end. The reader leaves
# out the broken record, and must report the position of the broken tag.
{
    printf '<?xml version="1.0"?>\n<valgrindoutput><pid>5</pid><tool>memcheck</tool>\n'
    printf '<error><unique>0x1</unique><tid>1</tid><kind>InvalidRead</kind><what>one</what>'
    printf '<stack><frame><fn>f</fn></frame></stack></error>\n'
    printf '<error><unique>0x2</unique><tid>1</tid><kind>InvalidRead</kind><what>two</what>'
    printf '<stack><frame><fn>f</fn></frame><frame><fn>g</fn></frame\232</stack></error>\n</valgrindoutput>\n'
} >"$tmp/broken.xml"
load_one "$tmp/broken.xml"
place=$(LC_ALL=C grep -abo $'\232' "$tmp/broken.xml")
is "$(q "select line, message from import_issues where inst_id = $inst and code = 'record-broken'")" \
    "4|<error> left out: not well-formed (invalid token) at line 4 (byte ${place%%:*})" "a broken tag of a frame is reported with its place"

done_testing
