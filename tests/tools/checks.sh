#!/usr/bin/env bash
# Tests that the checks in tools/ reject violations in a small tree, and accept the tree without them.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Creates a small tree without violations.
fresh_tree() {
    rm -rf "$dir/tree"
    mkdir -p "$dir"/tree/{src,include}/{base,model,db,cmd}
    cd "$dir/tree" || bail_out "no temporary directory"
    cat > include/base/text.h <<'C'
#ifndef TEXT_H
#define TEXT_H
#include <stddef.h>
size_t text_length(const char *text);
#endif
C
    cat > src/base/text.c <<'C'
/* The length of a text. */
#include "base/text.h"

#include <string.h>

#include <openssl/evp.h>

#include "text_private.h"

/* strcpy(a, b) in a comment, atoi(x) too
 * sprintf(here, "too") */
size_t
text_length(const char *text)
{
	return strlen(text) + sizeof("system(\"x\")") + t->system(1) + my_strcpy(text); // gets(x)
}
C
    cat > src/base/text_private.h <<'C'
#ifndef TEXT_PRIVATE_H
#define TEXT_PRIVATE_H
#include "base/text.h"
struct text {
	int (*system)(int);
};
#endif
C
    printf '/* A connection. */\n#include "base/text.h"\n#include <libpq-fe.h>\n' > src/db/conn.c
    printf '/* The program. */\n#include "db/conn.h"\n#include "format/a.h"\n#include "config.h"\n' > src/cmd/main.c
    mkdir -p src/format/{common,chrome,perf}
    for folder in common chrome perf; do
        printf '#ifndef %s_H\n#define %s_H\n#endif\n' "$folder" "$folder" > "src/format/$folder/$folder.h"
    done
    printf '/* Traces. */\n#include "chrome.h"\n#include "format/common/common.h"\n' > src/format/chrome/chrome.c
}

# plant PATH TEXT...: appends each TEXT to a file as a line.
plant() {
    local path=$1
    shift
    mkdir -p "$(dirname "$path")"
    printf '%s\n' "$@" >> "$path"
}

# verdict CHECK: runs the check on the tree; prints its output and exit status.
verdict() {
    local status=0 said
    said=$(env -u builddir "$srcdir/tools/$1" "$dir/tree" 2>&1) || status=$?
    printf '%s\nstatus %s' "$said" "$status"
}

# refuses CHECK PATTERN TEXT: tests that the check prints a failed case and PATTERN, and exits with a failure.
refuses() {
    local said
    said=$(verdict "$1")
    if [[ $said == *"not ok"* && $said =~ $2 && $said == *"status 1" ]]; then
        pass "$1: $3"
    else
        fail "$1: $3"
        diag "$said"
    fi
}

# The small tree calls no banned functions, so the allowances of the real table would be reported as unused.
grep -v '^allow' "$srcdir/tools/banned.tab" > "$dir/clean.tab"
export BANNED_TABLE="$dir/clean.tab"
for check in check-layers check-headers check-size check-banned check-comments check-words; do
    fresh_tree
    said=$(verdict $check)
    like "$said" 'status 0$' "$check: a clean tree is accepted"
    unlike "$said" 'not ok' "$check: a clean tree has no failed case"
done

# FILE | INCLUDE | description
while IFS='|' read -r file include what; do
    fresh_tree
    plant "$file" "#include $include"
    refuses check-layers "$file:[0-9]+: includes" "$what"
done <<'EOS'
src/base/text.c|"model/sink.h"|base must not include model
include/base/text.h|<model/sink.h>|headers of base must not include model, even in angle brackets
src/store/rows.c|"format/json.h"|store must not include format
src/format/json.c|"store/rows.h"|format must not include store
src/format/chrome/chrome.c|"format/perf/perf.h"|a format must not include another format
src/format/common/common.c|"format/perf/perf.h"|format/common must not include a format
src/cmd/main.c|"format/perf/perf.h"|cmd must not include a private header of another layer
src/cmd/main.c|"service/server.h"|cmd must not include service
src/http/http.c|"service/server.h"|http must not include service
src/service/routes.c|<microhttpd.h>|only http includes libmicrohttpd
src/render/html.c|"report/report.h"|render must not include report
src/report/report.c|"render/html.h"|report must not include render
src/store/rows.c|"input/input.h"|store must not include input
src/db/conn.c|"cmd/main.h"|no layer includes cmd
src/store/rows.c|<libpq-fe.h>|only db includes libpq
src/cmd/main.c|<libpq-fe.h>|cmd must not include libpq
src/cmd/main.c|"libpq-fe.h"|cmd must not include libpq in quotes
src/format/json.c|<archive.h>|only input includes libarchive
src/input/digest.c|<openssl/evp.h>|only base includes libcrypto
src/input/digest.c|<xxhash.h>|only base includes xxhash
src/input/json.c|<cjson/cJSON.h>|input must not include cJSON
src/base/text.c|"../db/conn_private.h"|a path with .. is rejected
src/base/text.c|<yyjson.h>|an unlisted library is rejected
include/db/conn.h|<libpq-fe.h>|a public header must not include a library
EOS
fresh_tree
plant src/other/new.c '#include <stdio.h>'
refuses check-layers 'src/other/new.c:0: is in no layer' "a folder that belongs to no layer is rejected"

fresh_tree
plant include/model/bad.h 'struct bad { size_t n; };'
refuses check-headers 'include/model/bad.h' "a header that needs another header first is rejected"
fresh_tree
plant include/model/bad.h 'struct bad { int n; };'
refuses check-headers 'include/model/bad.h' "a header without a guard is rejected"
fresh_tree
plant src/model/bad_private.h 'uint8_t bad(void);'
refuses check-headers 'src/model/bad_private.h' "a private header that does not compile alone is rejected"

fresh_tree
plant src/base/bare.c 'int bare;'
refuses check-comments 'src/base/bare.c' "a file without a comment at the top is rejected"
fresh_tree
plant src/base/text.c '/*' ' * json_peek	the next value' ' *call json_next	skips it' ' */'
refuses check-comments 'src/base/text.c:[0-9]+: ' "a comment whose columns are joined is rejected"

fresh_tree
plant src/base/text.c '/* The token is none. */' '/* The value is none. */'
refuses check-words 'src/base/text.c:[0-9]+: The token' "a stiff word that is used too often is rejected"
fresh_tree
plant src/base/text.c '/* A line tells `what is none`. */'
like "$(verdict check-words)" 'status 0$' "check-words: a single use of a stiff word is allowed, and code in backquotes is ignored"

# compiled NAME SOURCE: compiles SOURCE to an object file in a separate build folder.
compiled() {
    mkdir -p "$dir/build/src/a" "$dir/tree/src/a"
    printf '%s\n' "$2" > "$dir/tree/src/a/$1.c"
    # shellcheck disable=SC2086 # CC may be two words
    ${CC:-cc} -c -o "$dir/build/src/a/$1.o" "$dir/tree/src/a/$1.c"
}
# cycles: prints the verdict of check-cycles on this build.
cycles() {
    local status=0 said
    said=$(env srcdir="$dir/tree" "$srcdir/tools/check-cycles" "$dir/build" 2>&1) || status=$?
    printf '%s\nstatus %s' "$said" "$status"
}
fresh_tree
rm -rf "$dir/build"
compiled one 'int two(void); int one(void); int one(void) { return two(); }'
compiled two 'int three(void); int two(void); int two(void) { return three(); }'
compiled three 'int three(void); int three(void) { return 3; }'
like "$(cycles)" 'status 0$' "check-cycles: calls in one direction are accepted"
compiled three 'int one(void); int three(void); int three(void) { return one(); }'
like "$(cycles)" 'src/a/three.o needs one of src/a/one.o.*status 1$' "check-cycles: a cycle across three files is found"
rm -rf "$dir/tree/src/a"
like "$(cycles)" 'no object files.*status 1$' "check-cycles: objects without a source are ignored"

# lines N: prints N empty lines.
lines() {
    head -c "$1" /dev/zero | tr '\0' '\n'
}

# a_function N: prints a function of N lines from brace to brace.
a_function() {
    printf 'int\nlong_one(int a)\n{\n%s\n}\n' "$(lines $(($1 - 3)); echo '	return a;')"
}
fresh_tree
a_function 80 > src/base/long.c
like "$(verdict check-size)" 'status 0$' "check-size: a function of 80 lines is accepted"
a_function 81 > src/base/long.c
refuses check-size 'long.c:3: long_one has 81 lines' "a function of 81 lines is rejected"
fresh_tree
lines 601 > src/base/long.c
refuses check-size 'src/base/long.c has 601' "a file of 601 lines is rejected"
fresh_tree
mkdir -p tests
lines 601 > tests/long.c
refuses check-size 'tests/long.c has 601' "a test of 601 lines is rejected"
fresh_tree
mkdir -p fuzz
a_function 81 > fuzz/long.c
refuses check-size 'fuzz/long.c:3: long_one has 81 lines' "a function of 81 lines is rejected in a fuzz target, too"
fresh_tree
{ echo '/* Generated by x */'; lines 601; } > src/base/long.c
like "$(verdict check-size)" 'status 0$' "check-size: a long generated file is accepted"
fresh_tree
lines 151 > include/base/long.h
refuses check-size 'include/base/long.h has 151' "a header of 151 lines is rejected"
fresh_tree
for i in {1..36}; do
    plant "src/db/file$i.h" ''
done
refuses check-size 'src/db has 3[0-9] files of 35' "a folder of more than 35 files is rejected"

for call in 'strcpy(a, b);' 'x = sprintf (a, "b");' 'y = "a" + strtok(a, b); /* c */' 'gmtime(&t);' \
    'if (!atoi(x))' 'return strtod(x, NULL);' 'puts("/*"); strcat(a, b); puts("*/");' "c = '\"'; gets(a);"; do
    fresh_tree
    plant src/base/text.c "$call"
    refuses check-banned 'src/base/text.c:[0-9]+: ' "the call is rejected: $call"
done
fresh_tree
printf 'strcpy  memcpy\nallow strcpy src/base/text.c\n' > "$dir/banned.tab"
export BANNED_TABLE="$dir/banned.tab"
refuses check-banned 'strcpy src/base/text.c' "an unused allowance is rejected"
plant src/base/text.c 'strcpy(a, b);'
like "$(verdict check-banned)" 'status 0$' "check-banned: an allowed call is accepted"
plant src/db/conn.c 'strcpy(a, b);'
refuses check-banned 'src/db/conn.c' "an allowance applies to only one file"

# sql FILE TEXT: a tree with a schema and this text in a file.
sql() {
    fresh_tree
    mkdir -p schema src/{db,store}/sql
    cat > schema/100_all.sql <<'SQL'
CREATE TABLE profdepot.stacks (inst_id bigint, ids bigint[]);
CREATE TABLE profdepot.instances (inst_id bigint, loaded_at timestamptz, expires date);
CREATE TABLE profdepot.ledger (ledger_no bigint);
CREATE TABLE profdepot.settings (name text);
CREATE VIEW profdepot.both AS SELECT s.inst_id FROM profdepot.stacks s UNION ALL SELECT i.inst_id FROM profdepot.instances i;
CREATE FUNCTION profdepot.pure(a int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN a; END; $$;
CREATE FUNCTION profdepot.reads(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN a; END; $$;
CREATE FUNCTION profdepot.safe() RETURNS int LANGUAGE plpgsql SET search_path = pg_catalog AS $$ BEGIN RETURN 1; END; $$;
SQL
    printf "    ('settings', 'reference'), -- x\n    ('ledger', 'coordinator') -- x\n" > src/db/sql/distribution.sql
    printf '%s\n' "$2" >> "$1"
}
# Near misses, which are valid.
for statement in \
    'SELECT profdepot.pure(s.inst_id::int) FROM profdepot.stacks s JOIN profdepot.settings t ON true' \
    "-- xmin, EXISTS (SELECT FROM unnest(a))
SELECT ' xmin ' FROM profdepot.stacks" \
    'WITH l AS MATERIALIZED (SELECT ledger_no FROM profdepot.ledger) SELECT FROM l JOIN profdepot.stacks s ON true' \
    'SELECT inst_id FROM profdepot.stacks UNION ALL SELECT ledger_no FROM profdepot.ledger' \
    'WITH ledger AS (SELECT 1 AS n) SELECT FROM ledger l JOIN profdepot.stacks s ON s.inst_id = l.n' \
    'SELECT profdepot.reads(1)' \
    'WITH RECURSIVE a1 AS NOT MATERIALIZED (SELECT max(1, 2) AS x) SELECT x FROM a1, unnest($1) AS b (c, d)' \
    'SELECT n FROM unnest($1) n JOIN profdepot.stacks s ON s.inst_id = n' \
    'SELECT FROM profdepot.stacks s WHERE s.inst_id = ANY (ARRAY(SELECT n FROM unnest($1) n))' \
    'SELECT FROM profdepot.stacks s CROSS JOIN LATERAL (SELECT n FROM unnest(s.ids) n) u' \
    'SELECT n FROM unnest($1) n UNION ALL SELECT 1 WHERE EXISTS (SELECT FROM profdepot.stacks)' \
    'SELECT extract(epoch FROM now()) WHERE EXISTS (SELECT FROM profdepot.stacks)' \
    'SELECT s.xmin_of, s.my_ctid FROM profdepot.stacks s' \
    'SELECT (SELECT max(b.inst_id) FROM profdepot.both b WHERE b.inst_id = i.inst_id) FROM profdepot.instances i' \
    'SELECT (SELECT max(s.ids) FROM profdepot.stacks s WHERE s.inst_id = $1) FROM profdepot.instances i LEFT JOIN profdepot.settings t ON true' \
    'SELECT EXISTS (SELECT FROM profdepot.stacks s WHERE s.inst_id = i.inst_id AND s.inst_id = ANY (:inst_ids)) FROM profdepot.instances i LEFT JOIN profdepot.settings t ON true' \
    'SELECT FROM profdepot.instances i LEFT JOIN profdepot.settings t ON true WHERE EXISTS (SELECT FROM profdepot.stacks s WHERE s.inst_id = i.inst_id)' \
    'SELECT FROM profdepot.both b JOIN profdepot.stacks s ON s.inst_id = b.inst_id LEFT JOIN profdepot.instances i ON i.inst_id = s.inst_id' \
    'SELECT FROM profdepot.both b LEFT JOIN profdepot.stacks s ON s.inst_id = b.inst_id WHERE b.inst_id = :inst_id::bigint' \
    "UPDATE profdepot.settings SET work_mem = '1MB'" \
    "SELECT to_char(i.loaded_at AT TIME ZONE 'UTC', 'YYYY'), i.expires::text FROM profdepot.instances i" \
    "SELECT to_char(i.inst_id, 'FM990'), now()::timestamptz, '1'::text FROM profdepot.instances i"; do
    sql src/store/sql/one.sql "$statement"
    like "$(verdict check-sql)" 'status 0$' "check-sql: the statement is accepted: ${statement:0:70}"
done
while IFS='|' read -r rule statement; do
    sql src/store/sql/one.sql "$statement"
    refuses check-sql "rule \"$rule\".*src/store/sql/one.sql" "the rule \"$rule\" rejects: $statement"
done <<'SQL'
columns|WITH a (b, c) AS (SELECT 1, 2) SELECT b FROM a
columns|WITH z AS (SELECT 1), a (b) AS MATERIALIZED (SELECT 1) SELECT b FROM a
columns|WITH RECURSIVE a (x, y) AS (SELECT 1, 2) SELECT x FROM a
columns|WITH a1 (x1) AS (SELECT 1) SELECT x1 FROM a1
columns|with a(x) as not materialized (select 1) select x from a
subquery|SELECT 1 WHERE NOT EXISTS (SELECT FROM unnest($1) u WHERE u = 1)
subquery|SELECT FROM profdepot.stacks s WHERE s.inst_id NOT IN (SELECT n FROM unnest($1) n)
subquery|SELECT FROM profdepot.stacks s WHERE s.inst_id <> ALL (SELECT n FROM unnest($1) n)
subquery|SELECT (SELECT max(x) FROM unnest(s.ids) x) FROM profdepot.stacks s
subquery|SELECT n FROM nextval('x') n WHERE NOT EXISTS (SELECT FROM profdepot.instances i WHERE i.inst_id = n)
subquery|select n from unnest($1) n where exists (select from instances i where i.inst_id = n)
subquery|SELECT n, (SELECT count(*) FROM profdepot.stacks s WHERE s.inst_id = n) FROM (VALUES (1)) v (n)
subquery|SELECT FROM profdepot.stacks s, unnest(s.ids) n WHERE EXISTS (SELECT FROM profdepot.instances i WHERE i.inst_id = n)
coordinator|SELECT FROM profdepot.ledger l JOIN profdepot.stacks s ON s.inst_id = l.ledger_no
coordinator|SELECT (SELECT max(ledger_no) FROM profdepot.ledger) FROM profdepot.stacks
coordinator|SELECT FROM stacks s JOIN ledger l ON s.inst_id = l.ledger_no
coordinator|select from ledger l, stacks s where s.inst_id = l.ledger_no
function|SELECT profdepot.reads(1) FROM profdepot.stacks
function|WITH a AS (SELECT profdepot.reads(1)) UPDATE profdepot.settings SET name = 1 FROM a
outer|SELECT (SELECT max(s.ids) FROM profdepot.stacks s WHERE s.inst_id = i.inst_id) FROM profdepot.instances i LEFT JOIN settings t ON true
outer|SELECT 1 UNION ALL SELECT (SELECT 1 FROM stacks s WHERE s.inst_id = i.inst_id) FROM instances i FULL OUTER JOIN settings t ON true
outer|SELECT NOT EXISTS (SELECT FROM stacks s WHERE s.inst_id = i.inst_id AND s.inst_id = ANY (:inst_ids) AND :name::text = 'x') FROM instances i LEFT JOIN settings t ON true
outer|SELECT FROM profdepot.both AS b LEFT JOIN profdepot.stacks s ON s.inst_id = b.inst_id
outer|SELECT FROM both b LEFT JOIN (SELECT x.inst_id FROM stacks x) s ON s.inst_id = b.inst_id WHERE b.inst_id = ANY (:inst_ids)
returning|INSERT INTO profdepot.stacks VALUES (1) RETURNING extract(epoch FROM created_at)::bigint
returning|INSERT INTO profdepot.stacks VALUES (1) RETURNING inst_id, now()
row|SELECT s.xmin FROM profdepot.stacks s
row|SELECT CTID FROM profdepot.stacks s
row|SELECT FROM profdepot.stacks s WHERE $1 = s.xmin
session|SELECT set_config('enable_seqscan', 'off', true)
session|SET work_mem = '1MB'
session|BEGIN; set local jit = off
session|SET SESSION search_path TO a, b
session|SET enable_hashagg TO off
session|SET TIME ZONE 'UTC'
session|RESET work_mem
zone|SELECT to_char(now(), 'HH24:MI:SSTZH')
zone|SELECT to_char(i.loaded_at, 'YYYY-MM') FROM profdepot.instances i
zone|SELECT to_char(x, 'TZ') FROM profdepot.instances i
zone|SELECT loaded_at::text FROM profdepot.instances
zone|SELECT date_trunc('day', max(i.loaded_at)) FROM profdepot.instances i
zone|SELECT now()::date
zone|SELECT current_date
SQL
sql src/db/sql/one.sql "SET work_mem = '1MB'"
refuses check-sql 'rule "session".*src/db/sql/one.sql work_mem' "the statements of db are checked"
while IFS='|' read -r rule code; do
    sql src/store/one.c "/* A statement. */
	db_exec(db, $code);"
    refuses check-sql "rule \"$rule\".*src/store/one.c" "the rule \"$rule\" rejects the string: $code"
done <<'C'
session|"SET LOCAL jit = off", err
session|"BEGIN; SET LOCAL jit = off", err
coordinator|"SELECT FROM profdepot.%s AS " LOCKED " JOIN profdepot.ledger l ON true JOIN stacks s ON true", x
zone|"SELECT i.loaded_at::text FROM profdepot.instances i WHERE i.inst_id = $1", &id
row|"DELETE FROM profdepot." #name " WHERE ctid = $1"
C
sql src/store/one.c '/* "SET jit = off" */
	error_hint(err, "set TMPDIR to another folder, such as xmin");
	f("SELECT FROM profdepot.ledger l"), g("SELECT FROM profdepot.stacks s");'
like "$(verdict check-sql)" 'status 0$' "check-sql: comments, messages and separate strings of C files are accepted"
for clause in "SET enable_seqscan = off" "SET jit TO off"; do
    sql schema/200_more.sql "CREATE FUNCTION profdepot.f() RETURNS int LANGUAGE plpgsql $clause AS \$\$ BEGIN RETURN 1; END; \$\$;"
    refuses check-sql 'rule "session".*schema/200_more.sql' "the rule \"session\" rejects a function with: $clause"
done
sql src/store/sql/one.sql 'SELECT 1'
printf '%s\n' 'CREATE VIEW profdepot.v AS SELECT s.inst_id FROM profdepot.stacks s' \
    'CROSS JOIN LATERAL (SELECT 1 OFFSET 0) k;' >> schema/100_all.sql
refuses check-sql 'rule "lateral".*schema/100_all.sql' "the rule \"lateral\" rejects OFFSET 0 in a view"
sql src/cmd/flame.c '/* No settings. */'
refuses check-sql 'each exception is used.*session src/cmd/flame.c' "an exception that is no longer used is rejected"
done_testing
