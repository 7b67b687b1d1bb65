#!/usr/bin/env bash
# Uses PostgreSQL's catalogues to check the rules that allow a depot to be spread over several
# servers by INST_ID. Every relation must follow these rules, except the relations that a distributed depot keeps
# entirely on one server or on every server.
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

# Relations whose rows do not belong to a result set; src/db/sql/distribution.sql gives the reasons.
mapfile -t exempt < <(sed -n "s/^    ('\([a-z_]*\)', '[a-z]*').*/\1/p" "$srcdir/src/db/sql/distribution.sql")
isnt "${#exempt[@]}" 0 "distribution.sql lists relations"
exempt+=(findings) # this view shows the findings of a stream, from several result sets
list=$(printf "'%s'," "${exempt[@]}")
q "create temporary table x (y int)" # the catalogues also list temporary relations, which must be skipped
relation="c.relnamespace = 'profdepot'::regnamespace and c.relname not in (${list%,})"

# no_rows SQL TEXT: checks that the query returns no rows.
no_rows() {
    is "$(q "$1")" "" "$2"
}

isnt "$(q "select count(*) from pg_class c where $relation and c.relkind = 'r'")" 0 "the depot has tables"
no_rows "select c.relname from pg_class c where $relation and c.relkind not in ('r', 'v', 'i', 'S', 'c')" \
    "the depot has only tables, views, indexes, sequences and types"
no_rows "select c.relname from pg_class c left join pg_attribute a
    on a.attrelid = c.oid and a.attnum = 1 and a.attname = 'inst_id' and a.atttypid = 'bigint'::regtype
    where $relation and c.relkind in ('r', 'v') and a.attname is null" \
    "inst_id bigint is the first column of every table and view"
no_rows "select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'inst_id'
    where $relation and c.relkind = 'r' and not a.attnotnull" "inst_id is NOT NULL in every table"
no_rows "select c.relname from pg_class c where $relation and c.relkind = 'r' and not exists
    (select from pg_index i where i.indrelid = c.oid and i.indisprimary)" "every table has a primary key"
no_rows "select i.indexrelid::regclass from pg_index i join pg_class c on c.oid = i.indrelid
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'inst_id'
    where $relation and i.indisunique and i.indkey[0] <> a.attnum" "inst_id is first in every unique index"
is "$(q "select string_agg(x.relname, ' ' order by x.relname) from pg_index i join pg_class c on c.oid = i.indrelid
    join pg_class x on x.oid = i.indexrelid join pg_attribute a on a.attrelid = c.oid and a.attname = 'inst_id'
    where $relation and i.indkey[0] <> a.attnum")" \
    "instances_application instances_content instances_format instances_host instances_input instances_loaded instances_stream instances_tool instances_version result_set_labels_value runs_key" \
    "only indexes that find result sets begin with another column"
no_rows "select n.conrelid::regclass, n.conname from pg_constraint n join pg_class c on c.oid = n.conrelid
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'inst_id'
    where $relation and n.contype = 'f' and n.conkey[1] <> a.attnum" "inst_id is first in every foreign key"
no_rows "select c.relname, a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid
    where $relation and c.relkind = 'r' and (a.attidentity <> '' or a.attgenerated <> '')" \
    "no column is an identity column or a generated column"
is "$(q "select c.relname, a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid
    join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where $relation and pg_get_expr(d.adbin, d.adrelid) like '%nextval%'")" "instances|inst_id" \
    "the only sequence assigns numbers to result sets"
no_rows "select c.relname, t.tgname from pg_class c join pg_trigger t on t.tgrelid = c.oid
    where $relation and not t.tgisinternal and c.relkind = 'r'" "no table has a trigger"
no_rows "select c.relname, t.tgname from pg_class c join pg_trigger t on t.tgrelid = c.oid
    where $relation and not t.tgisinternal and c.relkind = 'v' and pg_get_triggerdef(t.oid) !~ ' INSTEAD OF INSERT ON '" \
    "views have only INSTEAD OF INSERT triggers"
no_rows "select c.relname, r.rulename from pg_class c join pg_rewrite r on r.ev_class = c.oid
    where $relation and r.rulename <> '_RETURN'" "no relation has a rule, except the rules of views"
no_rows "select c.relname from pg_class c where $relation and c.relkind = 'v'
    and pg_get_viewdef(c.oid) ~* '(recursive| over \()'" \
        "no view has a recursive CTE or a window function"
no_rows "select p.proname from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'profdepot'::regnamespace and l.lanname <> 'plpgsql' and p.prokind <> 'a'" "functions are written in plpgsql"
# Exceptions: draw_inst_id chooses the number of a result set before the result set exists. analyze_relations
# works on whole tables, separately on each server. The category_ and suppression_ functions work on the lists of
# categories and suppressions, which belong to no result set. The ledger_ functions order the runs of all result sets.
# The stream_ functions group result sets and runs by stream.
# The partition_ functions work on whole tables of a depot that is not distributed. IMMUTABLE functions use only their
# arguments, and read no relation on any server.
no_rows "select p.proname from pg_proc p where p.pronamespace = 'profdepot'::regnamespace
    and p.prorettype <> 'trigger'::regtype and p.proname not in ('analyze_relations', 'draw_inst_id') and p.proname not like 'category\_%' and p.proname not like 'suppression\_%'
    and p.proname not like 'ledger\_%' and p.proname not like 'stream\_%' and p.proname not like 'partition\_%'
    and not (p.provolatile = 'i' and p.prosrc !~* '\m(from|join|perform|execute)\M')
    and coalesce(p.proargnames[1], '') <> 'p_inst_id'" \
        "the first argument of every function is the result set"

no_rows "select c.relname, a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid
    join pg_type t on t.oid = a.atttypid
    where $relation and c.relkind = 'r' and a.attnum > 0 and t.typname in ('text', 'varchar', 'bpchar')
    and a.attcollation <> '\"C\"'::regcollation" "every text column has the collation \"C\""
no_rows "select c.relname, a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid
    where $relation and c.relkind = 'r' and a.atttypid = 'jsonb'::regtype" \
        "no column has the type jsonb, which does not keep the original text"

# Checks that every relation, column and function has a description.
no_rows "select c.relname from pg_class c where c.relnamespace = 'profdepot'::regnamespace
    and c.relkind in ('r', 'v', 'S') and obj_description(c.oid, 'pg_class') is null" "every relation has a COMMENT"
no_rows "select c.relname, a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'profdepot'::regnamespace and c.relkind in ('r', 'v') and a.attnum > 0
    and not a.attisdropped and col_description(c.oid, a.attnum) is null" "every column has a COMMENT"
no_rows "select p.oid::regprocedure from pg_proc p where p.pronamespace = 'profdepot'::regnamespace
    and obj_description(p.oid, 'pg_proc') is null" "every function has a COMMENT"

# Checks that a function or a view that is queried for one result set does not read rows of other result sets.
q "insert into instances (inst_id, caption) values (1, 'one'), (2, 'two')"
for inst in 1 2; do
    q "insert into resource_profiler_objects (inst_id, id, rec_id, col_classrid, col_size)
        select $inst, i, i, 5, $inst from generate_series(1, $inst) i"
    q "insert into resource_profiler_creation_call_stack (inst_id, id, parent_id, rec_id, col_routinerid)
        select $inst, 10 * i + j, i, j, j from generate_series(1, $inst) i, generate_series(0, 2) j"
done
is "$(q "select row_count, value_sum from count_result_set(2) where relation = 'resource_profiler_objects'")" "2|4" \
    "count_result_set reads only the given result set"
q "select reindex_result_set(2)"
is "$(q "select inst_id, sum(count), sum(value) from stack_totals group by inst_id")" "2|2|4" \
    "reindex_result_set writes only the given result set"
done_testing
