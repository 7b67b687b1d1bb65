# Functions that read a .sql file and write C strings, for sql2c.awk and report2c.awk. Run them as LC_ALL=C awk
# -f tools/sql_file.awk -f tools/sql2c.awk FILE.sql..., so that characters are bytes. Works in mawk, gawk
# and busybox.
#
# Characters are escaped with a table, not with gsub, because awk programs interpret backslashes in
# replacements differently.

function fail(message) {
    print tool ": " message > "/dev/stderr"
    failed = 1
    exit 1
}

# "src/report/sql/leaks.sql" -> "report/leaks", "schema/100_instances.sql" -> "schema/100_instances"
function sql_name(path) {
    sub(/\.sql$/, "", path)
    sub(/^src\//, "", path)
    sub(/\/sql\//, "/", path)
    return path
}

function escaped(line,    i, out) {
    if (line !~ /[^ -~]/ && line !~ /["\\?]/)
        return line
    out = ""
    for (i = 1; i <= length(line); i++)
        out = out escape[substr(line, i, 1)]
    return out
}

function read_lines(path,    line, status, empty) {
    empty = 1
    line_count = 0
    while ((status = (getline line < path)) > 0) {
        lines[++line_count] = line
        if (line !~ /^[ \t\r]*$/)
            empty = 0
    }
    if (status < 0)
        fail(path ": cannot be read")
    if (empty)
        fail(path ": holds no SQL")
    close(path)
}

# Returns the number of comment lines before the query.
function head_length(    i) {
    for (i = 1; i <= line_count && lines[i] ~ /^--/; i++)
        ;
    return i - 1
}

# Returns the text after "-- KEY: " in the comments at the top, or "".
function head_text(key,    i, n, prefix) {
    prefix = "-- " key ": "
    n = head_length()
    for (i = 1; i <= n; i++)
        if (substr(lines[i], 1, length(prefix)) == prefix)
            return substr(lines[i], length(prefix) + 1)
    return ""
}

# Splits the text after "-- KEY: " into words; returns their number.
function head_words(key, words) {
    return split(head_text(key), words, /[ ,]+/)
}

BEGIN {
    for (i = 1; i < 256; i++) {
        char = sprintf("%c", i)
        # An octal escape ends after three digits, even if another digit follows.
        escape[char] = (i < 32 || i > 126) ? sprintf("\\%03o", i) : char
    }
    escape["\t"] = "\\t"
    escape["\""] = "\\\""
    escape["\\"] = "\\\\"
    escape["?"] = "\\?" # -std=c11 has trigraphs
}
