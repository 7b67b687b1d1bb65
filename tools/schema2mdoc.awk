# schema2mdoc.awk schema/*.sql: describes the relations, columns and functions of the schema in
# mdoc, from the CREATE TABLE and COMMENT statements. Works in mawk, gawk and busybox. Fails if a
# column of a table has no COMMENT, or if a COMMENT is on an unknown column.

function fail(message) {
    print "schema2mdoc.awk: " FILENAME ": " message > "/dev/stderr"
    failed = 1
    exit 1
}

# Returns the literal after IS; doubled quotes become single quotes.
function literal(line,    s, out, i) {
    s = line
    sub(/^[^']* IS '/, "", s)
    sub(/';$/, "", s)
    out = ""
    while ((i = index(s, "''")) > 0) {
        out = out substr(s, 1, i)
        s = substr(s, i + 2)
    }
    return out s
}

function sentence(s) {
    return toupper(substr(s, 1, 1)) substr(s, 2) "."
}

/^CREATE TABLE profdepot\./ {
    table = $3
    sub(/^profdepot\./, "", table)
    next
}
table != "" && /^\);/ { table = "" }
table != "" && /^    [a-z_0-9]+ / {
    type = $0
    sub(/ -- .*/, "", type)
    sub(/^ +[a-z_0-9]+ +/, "", type)
    sub(/,$/, "", type)
    null = type ~ / NOT NULL/ ? "" : ", may be NULL"
    sub(/ (COLLATE|NOT NULL|DEFAULT).*/, "", type)
    types[table "." $1] = type null
    next
}
/^COMMENT ON (TABLE|VIEW) / {
    name = $4
    sub(/^profdepot\./, "", name)
    order[++relations] = name
    kind[name] = tolower($3)
    text[name] = literal($0)
    next
}
/^COMMENT ON COLUMN / {
    name = $4
    sub(/^profdepot\./, "", name)
    relation = name
    sub(/\..*/, "", relation)
    if (!(relation in text))
        fail(name ": COMMENT before the COMMENT of its relation")
    column[relation, ++columns[relation]] = name
    text[name] = literal($0)
    next
}
/^COMMENT ON FUNCTION / {
    name = $0
    sub(/^COMMENT ON FUNCTION profdepot\./, "", name)
    sub(/ IS '.*/, "", name)
    functions[++function_count] = name
    text[name] = literal($0)
    next
}

END {
    if (failed)
        exit 1
    for (name in types)
        if (!(name in text))
            fail(name ": column without COMMENT")
    print ".Sh RELATIONS"
    for (i = 1; i <= relations; i++) {
        name = order[i]
        print ".Ss " name " (" kind[name] ")"
        print sentence(text[name])
        print ".Bl -tag -width Ds"
        for (j = 1; j <= columns[name]; j++) {
            c = column[name, j]
            short = c
            sub(/.*\./, "", short)
            if (c in types)
                print ".It Va " short " Pq " types[c]
            else if (kind[name] == "table")
                fail(c ": COMMENT on an unknown column")
            else
                print ".It Va " short
            print text[c] "."
        }
        print ".El"
    }
    print ".Sh FUNCTIONS"
    print ".Bl -tag -width Ds"
    for (i = 1; i <= function_count; i++) {
        print ".It Fn " substr(functions[i], 1, index(functions[i], "(") - 1) arguments(functions[i])
        print sentence(text[functions[i]])
    }
    print ".El"
}

function arguments(name,    s, n, parts, i, out) {
    s = substr(name, index(name, "(") + 1)
    sub(/\)$/, "", s)
    n = split(s, parts, /, /)
    out = ""
    for (i = 1; i <= n; i++)
        out = out " \"" parts[i] "\""
    return out
}
