# schema2c.awk schema/*.sql: generates C code for the schema's tables from their CREATE TABLE
# statements. With -v header=1 it writes store/columns.h, with -v tables=1 model/row_tables.c, otherwise
# store/columns.c. Works in mawk, gawk and busybox.
#
# For every table, the script generates the list of columns for COPY. If the first line of a table ends in
# "-- row: object_row", the script also generates functions that write, digest and read a struct
# object_row, and the SELECT for reading. By default, a member of the struct has the name of its column
# without a leading "col_". A comment at the end of a column's line can contain these words:
#
#	member=NAME	the struct's member has this name
#	count=NAME	for an array: the member that contains the number of its items
#	digest=no	the column is not part of the content digest
#	digest=number	a text column that the struct stores as a number: the number is hashed
#	digest=last	the last text of the row's hash, omitted if NULL
#	copy=no		the list of columns omits the column, and so does the checksum of the relation's rows
#	digest=second	part of a second hash, which a row has only if one of these columns is set
#	digest=alone	the column has a separate hash, which a row has only if the column is set. A column
#			that is added later needs this, so that digests of known inputs stay the same
#
# "Set" means: not NULL and not the column's DEFAULT. Words can also follow the struct's name.
# There, "digest=no" means that no digest function is generated, and "track_metric" means that a row's
# metric is its track's metric, and that rows are read by track.

function fail(message) {
    print "schema2c.awk: " FILENAME ": " message > "/dev/stderr"
    failed = 1
    exit 1
}

# Returns the word after "NAME=" in a comment, or `otherwise` if there is no such word.
function option(comment, name, otherwise,    i, n, words) {
    n = split(comment, words, /[ ,]+/)
    for (i = 1; i <= n; i++)
        if (index(words[i], name "=") == 1)
            return substr(words[i], length(name) + 2)
    return otherwise
}

/^CREATE TABLE profdepot\./ {
    table = $3
    sub(/^profdepot\./, "", table)
    columns = ""
    count = row = key = ""
    fields = 0
    if (match($0, / -- row: [a-z_]+/)) {
        row = substr($0, RSTART + 9, RLENGTH - 9)
        by_track = $0 ~ / track_metric$/
        digested = $0 !~ / digest=no( |$)/
    }
    next
}

table != "" && /^    [a-z_0-9]+ / {
    name = $1
    comment = ""
    line = $0
    if ((i = index(line, " -- ")) > 0) {
        comment = substr(line, i + 4)
        line = substr(line, 1, i - 1)
    }
    sub(/^ +[a-z_0-9]+ +/, "", line)
    sub(/,$/, "", line)
    if (option(comment, "copy", "") == "no")
        next
    columns = columns (columns == "" ? "" : ", ") name
    count++
    if (name == "inst_id")
        next
    fields++
    column[fields] = name
    default_value[fields] = ""
    if (match(line, / DEFAULT [0-9]+$/))
        default_value[fields] = substr(line, RSTART + 9)
    required[fields] = line ~ / NOT NULL/ && line !~ / DEFAULT /
    sub(/ (COLLATE|NOT NULL|DEFAULT).*/, "", line)
    type[fields] = line
    member = name
    sub(/^col_/, "", member)
    members[fields] = option(comment, "member", member)
    value[fields] = "row->" members[fields]
    counts[fields] = option(comment, "count", "")
    items[fields] = "row->" counts[fields]
    digest[fields] = option(comment, "digest", "row")
    next
}

table != "" && /^    PRIMARY KEY \(inst_id, / {
    key = $0
    sub(/^.*\(inst_id, /, "", key)
    sub(/\).*/, "", key)
    gsub(/, /, ", t.", key)
    key = "t." key
    next
}

table != "" && /^\);/ {
    if (header)
        printf "#define COLUMNS_%s \\\n\t\"%s\", \\\n\t%d\n", table, columns, count
    if (row != "" && tables)
        define_table()
    else if (row != "" && header)
        declare()
    else if (row != "")
        define()
    table = ""
}

function declare() {
    printf "extern const char %s_select[];\n", row
    printf "void %s_put(struct copier *c, const struct %s *row);\n", row, row
    if (digested)
        printf "void %s_digest(struct row_digest *d, int tag, const struct %s *row%s);\n",
            row, row, stack_argument()
    printf "bool %s_read(struct row_values *v, struct %s *row, struct error *err);\n\n", row, row
}

function define() {
    print "/* --- " table " --- */\n"
    define_select()
    define_put()
    if (digested)
        define_digest()
    define_read()
}

# Returns the SQL expression that reads a column. Times are read as Unix time in microseconds.
function selected(name, type) {
    return type == "timestamptz" ? "(extract(epoch FROM " name ") * 1000000)::bigint" : name
}

function define_select(    i, out) {
    for (i = 1; i <= fields; i++)
        out = out (i > 1 ? ", " : "") selected("t." column[i], type[i])
    printf "const char %s_select[] =\n\t\"SELECT %s%s \"\n", row, out, by_track ? ", k.metric_no" : ""
    printf "\t\"FROM profdepot.%s t \"\n", table
    if (by_track)
        print "\t\"LEFT JOIN profdepot.tracks k ON k.inst_id = t.inst_id AND k.track_id = t.track_id \""
    printf "\t\"WHERE t.inst_id = $1::bigint AND $2::bigint %s \"\n",
        by_track || key == "t.track_id" ? "IN (0, t.track_id)" : "IS NOT NULL"
    printf "\t\"ORDER BY %s%s\";\n\n", by_track ? "t.track_id, " : "", key
}

# --- the description of the columns ---------------------------------------------------------------

function column_type(i) {
    if (type[i] == "text")
        return "ROW_TEXT_TYPE(struct " row ", " members[i] ")"
    if (type[i] == "numeric(20, 0)")
        return "ROW_NUMBER"
    if (type[i] == "numeric[]")
        return "ROW_DECIMALS"
    if (type[i] == "numeric")
        return "ROW_DECIMAL"
    if (type[i] == "timestamptz")
        return "ROW_TIME"
    if (type[i] ~ /^(bigint|integer|boolean|json)$/)
        return "ROW_" toupper(type[i])
    fail(table "." column[i] ": no row_type for " type[i])
}

function define_table(    i) {
    printf "static const struct row_column %s_columns[] = {\n", row
    for (i = 1; i <= fields; i++)
        printf "\t{ \"%s\", %s, %s, %s,\n\t\tROW_PLACE(struct %s, %s), %s },\n", column[i], column_type(i),
            required[i] ? "true" : "false", default_value[i] == "" ? "NULL" : "\"" default_value[i] "\"",
            row, members[i], counts[i] == "" ? "0" : "offsetof(struct " row ", " counts[i] ")"
    printf "};\nconst struct row_table %s_table = { \"%s\", \"%s\", %s_columns, %d };\n\n",
        row, table, key == "" ? "t.inst_id" : key, row, fields
}

# --- COPY ---------------------------------------------------------------------------------------

function define_put(    i, v) {
    printf "void\n%s_put(struct copier *c, const struct %s *row)\n{\n", row, row
    for (i = 1; i <= fields; i++) {
        v = value[i]
        if (type[i] == "bigint")
            print "\tcopier_int64_or_null(c, " v ");"
        else if (type[i] == "integer")
            print "\tcopier_int32_or_null(c, (int32_t)" v ");"
        else if (type[i] == "numeric(20, 0)")
            print "\tcopier_number(c, " v ");"
        else if (type[i] == "numeric")
            print "\tcopier_decimal(c, " v ");"
        else if (type[i] == "numeric[]")
            print "\tcopier_decimal_array(c, " v ", " items[i] ");"
        else if (type[i] == "text" || type[i] == "json")
            print "\tcopier_text(c, TEXT_OF(" v "));"
        else if (type[i] == "boolean")
            print "\tcopier_flag(c, " v ");"
        else if (type[i] == "timestamptz")
            print "\tcopier_timestamp(c, " v ");"
        else
            fail(table "." column[i] ": no encoder for " type[i])
    }
    print "}\n"
}

# --- the content digest ---------------------------------------------------------------------------

function is_text(i) {
    return type[i] ~ /^(text|json)$/ && digest[i] != "number"
}

# Returns the rank of a column in the order of the hash: whole numbers come first, then two-word numbers, then
# decimals, then the content of the stack.
function rank(i) {
    if (column[i] ~ /^stack_/)
        return 4
    return type[i] == "numeric" ? 3 : type[i] == "numeric(20, 0)" ? 2 : 1
}

function set_test(i) {
    if (is_text(i))
        return value[i] ".data"
    if (rank(i) == 2)
        return "!" value[i] ".null"
    if (rank(i) == 3)
        return value[i] ".kind != DECIMAL_NULL"
    return value[i] (default_value[i] != "" ? " != " default_value[i] : " != MODEL_NULL")
}

# Adds the columns with this kind of digest to `words` and `texts`, which become arrays of the C code.
function collect(kind,    r, i) {
    for (r = 1; r <= 4; r++)
        for (i = 1; i <= fields; i++)
            if (digest[i] ~ ("^(" kind ")$") && !is_text(i) && rank(i) == r)
                add_word(i, r)
    for (i = 1; i <= fields; i++)
        if (digest[i] ~ ("^(" kind ")$") && is_text(i))
            texts = texts (text_count++ ? ", " : "") "TEXT_OF(" value[i] ")"
}

function add_word(i, r,    v) {
    v = "(int64_t)" value[i]
    if (r == 2)
        v = "NUMBER_WORDS(" value[i] ")"
    else if (r == 3) {
        decimals = decimals "\tdigest_decimal(" value[i] ", words + " word_count ");\n"
        v = "0, 0"
    } else if (type[i] == "integer" && r == 4)
        v = "(int64_t)stack.low, (int64_t)stack.high"
    words = words (word_count ? ", " : "") v
    word_count += v ~ /WORDS|, / ? 2 : 1
}

# Returns the parameter for the hash of a row's stack. The stack is hashed instead of its number, because stack
# numbers are arbitrary.
function stack_argument(    i) {
    for (i = 1; i <= fields; i++)
        if (column[i] == "stack_id")
            return ", struct hash128 stack"
    return ""
}

# Prints a block that calls digest_row. `last` is C code that subtracts 1 from the number of texts if the
# last text is NULL.
function print_hash(condition, last,    indent) {
    indent = "\t\t"
    printf "\t%s{\n", condition == "" ? "" : "if (" condition ") "
    printf "%s%sint64_t words[] = { %s };\n", indent, decimals == "" ? "const " : "", words
    if (text_count)
        printf "%sconst struct text texts[] = { %s };\n", indent, texts
    printf "\n%s%sdigest_row(d, tag, words, %d, %s, %d%s);\n", decimals, indent, word_count,
        text_count ? "texts" : "NULL", text_count, last
    print "\t}"
}

function begin_hash(id) {
    words = id
    word_count = id != ""
    texts = decimals = ""
    text_count = 0
}

function define_digest(    i, last, second) {
    printf "void\n%s_digest(struct row_digest *d, int tag, const struct %s *row%s)\n{\n",
        row, row, stack_argument()
    last = second = ""
    for (i = 1; i <= fields; i++)
        if (digest[i] == "last")
            last = " - (" value[i] ".data ? 0 : 1)"
        else if (digest[i] == "second")
            second = second (second != "" ? " || " : "") set_test(i)
    begin_hash("")
    collect("row|number|last")
    print_hash("", last)
    if (second != "") {
        begin_hash("row->id")
        collect("second")
        print_hash(second, "")
    }
    for (i = 1; i <= fields; i++)
        if (digest[i] == "alone")
            print_alone(i)
    print "}\n"
}

# Prints the code for the separate hash of a column. The hash includes the column's name, so that equal values in
# different columns have different hashes.
function print_alone(i) {
    begin_hash("row->id")
    if (is_text(i))
        texts = "TEXT_OF(" value[i] "), "
    else
        add_word(i, rank(i))
    texts = texts "TEXT_LITERAL(\"" column[i] "\")"
    text_count = is_text(i) ? 2 : 1
    print_hash(set_test(i), "")
}

# --- SELECT -------------------------------------------------------------------------------------

function define_read(    i, v) {
    printf "bool\n%s_read(struct row_values *v, struct %s *row, struct error *err)\n{\n", row, row
    print "\t(void)err;"
    for (i = 1; i <= fields; i++) {
        v = value[i]
        if (type[i] == "bigint" || type[i] == "timestamptz")
            print "\t" v " = row_int64(v);"
        else if (type[i] == "integer")
            print "\t" v " = row_int32(v);"
        else if (type[i] == "numeric(20, 0)")
            print "\t" v " = row_number(v);"
        else if (type[i] == "numeric")
            print "\t" v " = row_decimal(v);"
        else if (type[i] == "numeric[]")
            print "\tif (!row_decimals(v, &" v ", &" items[i] ", err))\n\t\treturn false;"
        else if (type[i] == "boolean")
            print "\t" v " = row_flag(v);"
        else
            print "\tREAD_TEXT(v, " v ");"
    }
    if (by_track)
        print "\trow->metric = row_int32(v);"
    print "\treturn true;\n}\n"
}

BEGIN {
    print "/* Generated by tools/schema2c.awk from schema/. Do not edit. */"
    if (header) {
        print "#ifndef PROFDEPOT_SRC_STORE_COLUMNS_H\n#define PROFDEPOT_SRC_STORE_COLUMNS_H\n"
        print "#include \"store/rows.h\"\n"
    } else if (tables)
        print "#include \"model/row_tables.h\"\n"
    else
        print "#include \"store/columns.h\"\n"
}

END {
    if (!failed && header)
        print "#endif"
    exit failed
}
