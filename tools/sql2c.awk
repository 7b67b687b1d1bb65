# sql2c.awk FILE.sql...: writes one C file with the text of every FILE, sorted by name, for
# include/base/sql_file.h. The comments at the top of files under src/ are omitted. With -v header=1 it
# writes the header base/sql_params.h instead, with the parameters of every FILE. Run it together with
# sql_file.awk in the top folder of the source tree, so that names do not depend on the build directory.
#
# Parameters: `:name` outside strings, quoted identifiers and comments becomes $1, $2, ... in order of
# first appearance, or in the order of a line "-- params: name name" in the comments at the top of the
# file. If there is such a line, it must list exactly the names that the file uses. Only files under src/
# have parameters.
#
# Parts: "-- with: a b" in the comments at the top puts part_a.sql and part_b.sql of the same folder
# before the file's query. The parts become the first WITH queries of this query, and their parameters
# become parameters of the file. Parts are not compiled separately.

# --- parts -----------------------------------------------------------------------------------------

function is_part(path) {
    return path ~ /\/part_[^\/]*$/
}

function add_line(line) {
    merged[++merged_count] = line
}

# Appends the part in lines[] to merged[]. `before` is the WITH or the comma that precedes it.
function add_part(before,    i) {
    i = head_length() + 1
    add_line(before lines[i])
    while (++i <= line_count)
        add_line(lines[i])
}

# Adds the parts of the file before its query, and stores the result in lines[].
function add_parts(path,    words, count, with, head, own, own_count, i, folder) {
    count = head_words("with", words)
    if (!count)
        return
    folder = path
    sub(/[^\/]*$/, "", folder)
    head = head_length()
    merged_count = 0
    for (i = 1; i <= head; i++)
        add_line(lines[i])
    own_count = line_count
    for (; i <= own_count; i++)
        own[i] = lines[i]
    with = match(own[head + 1], /^WITH (RECURSIVE )?/) ? substr(own[head + 1], 1, RLENGTH) : ""
    for (i = 1; i <= count; i++) {
        if (!((folder "part_" words[i] ".sql") in given))
            fail(path ": there is no part_" words[i] ".sql")
        read_lines(folder "part_" words[i] ".sql")
        add_part(i > 1 ? ", " : with != "" ? with : "WITH ")
    }
    add_line((with != "" ? ", " : "") substr(own[head + 1], length(with) + 1))
    for (i = head + 2; i <= own_count; i++)
        add_line(own[i])
    line_count = merged_count
    for (i = 1; i <= line_count; i++)
        lines[i] = merged[i]
}

# --- parameters ------------------------------------------------------------------------------------

# Returns the number of a parameter. A new name receives the next number.
function param_number(name, place,    i) {
    for (i = 1; i <= param_count; i++)
        if (params[i] == name) {
            used[i] = 1
            return i
        }
    if (declared)
        fail(place ": parameter :" name " is not in the file's \"-- params:\" line")
    params[++param_count] = name
    used[param_count] = 1
    return param_count
}

function declare_params(path,    i, words) {
    param_count = head_words("params", words)
    declared = param_count > 0
    for (i = 1; i <= param_count; i++) {
        if (words[i] !~ /^[a-z][a-z0-9_]*$/)
            fail(path ": \"" words[i] "\" is not the name of a parameter")
        params[i] = words[i]
        used[i] = 0
    }
}

# Skips the rest of a string, a comment or a dollar-quoted text whose terminator is `inside`. Returns the
# position after the skipped part. Sets `inside` to "" if the terminator is on this line.
function skip_inside(line, at,    n) {
    if (inside == "*/" || inside ~ /^\$/) {
        n = index(substr(line, at), inside)
        if (!n)
            return length(line) + 1
        n = at + n - 1 + length(inside)
        inside = ""
        return n
    }
    for (; at <= length(line); at++) {
        if (backslashes && substr(line, at, 1) == "\\")
            at++
        else if (substr(line, at, 1) == inside) {
            inside = ""
            return at + 1
        }
    }
    return at
}

function name_at(line, at) {
    return match(substr(line, at), /^[a-z_][a-z0-9_]*/) ? substr(line, at, RLENGTH) : ""
}

# Returns the line with numbers instead of parameter names.
function numbered(line, place,    at, from, char, before, name, out) {
    out = ""
    from = at = 1
    while (at <= length(line)) {
        if (inside != "") {
            at = skip_inside(line, at)
            continue
        }
        char = substr(line, at, 1)
        before = at > 1 ? substr(line, at - 1, 1) : ""
        if (char == "'" || char == "\"") {
            inside = char
            backslashes = (char == "'" && before ~ /[Ee]/)
        } else if (substr(line, at, 2) == "--")
            break
        else if (substr(line, at, 2) == "/*")
            inside = "*/"
        else if (char == "$" && match(substr(line, at), /^\$[0-9]/))
            fail(place ": a numbered parameter: parameters have names, such as :inst_id")
        else if (char == "$" && match(substr(line, at), /^\$[A-Za-z_]*\$/)) {
            inside = substr(line, at, RLENGTH)
            at += RLENGTH - 1
        } else if (char == ":" && before !~ /[:A-Za-z0-9_)\]"]/ && (name = name_at(line, at + 1)) != "") {
            named = place
            out = out substr(line, from, at - from) "$" param_number(name, place)
            at += length(name)
            from = at + 1
        }
        at++
    }
    return out substr(line, from)
}

# Assigns numbers to the parameters of the file in lines[].
function number_params(path,    i) {
    declare_params(path)
    inside = named = ""
    for (i = 1; i <= line_count; i++)
        lines[i] = numbered(lines[i], path ":" i)
    if (inside != "")
        fail(path ": ends inside " inside)
    for (i = 1; named != "" && i <= param_count; i++)
        if (!used[i])
            fail(path ": parameter :" params[i] " is never used")
}

# --- output ----------------------------------------------------------------------------------------

function read_file(path) {
    read_lines(path)
    param_count = 0
    if (path ~ /^src\//) {
        add_parts(path)
        number_params(path)
    }
}

function write_texts(count,    i, j) {
    print "#include \"base/sql_file.h\"\n\n#include <stddef.h>"
    for (i = 1; i <= count; i++) {
        read_file(paths[i])
        printf "\n/* %s */\nstatic const char text_%d[] = \"\"\n", paths[i], i
        for (j = (paths[i] ~ /^src\//) ? head_length() + 1 : 1; j <= line_count; j++)
            printf "\t\"%s\\n\"\n", escaped(lines[j])
        print "\t;"
    }
    print "\nconst struct sql_file sql_files[] = {"
    for (i = 1; i <= count; i++)
        printf "\t{ \"%s\", text_%d, sizeof(text_%d) - 1 },\n", names[i], i, i
    print "\t{ NULL, NULL, 0 },\n};\n"
    printf "const size_t sql_files_count = %d;\n", count
}

function write_params(count,    i, j, prefix) {
    print "#ifndef PROFDEPOT_BASE_SQL_PARAMS_H\n#define PROFDEPOT_BASE_SQL_PARAMS_H"
    for (i = 1; i <= count; i++) {
        read_file(paths[i])
        if (!param_count)
            continue
        prefix = "SQL_" toupper(names[i]) "_"
        gsub(/[^A-Z0-9_]/, "_", prefix)
        printf "\n/* %s */\nenum {\n", paths[i]
        for (j = 1; j <= param_count; j++)
            printf "\t%s%s,\n", prefix, toupper(params[j])
        printf "\t%sPARAMS\n};\n", prefix
    }
    print "\n#endif"
}

BEGIN {
    tool = "sql2c.awk"
    count = 0
    for (i = 1; i < ARGC; i++) {
        if (ARGV[i] !~ /\.sql$/)
            fail(ARGV[i] ": is not a .sql file")
        path = ARGV[i]
        name = sql_name(path) ""
        if (name in seen)
            fail(path ": has the same name as " seen[name])
        seen[name] = path
        given[path] = 1
        if (is_part(path))
            continue
        for (j = count; j > 0 && names[j] > name; j--) {
            names[j + 1] = names[j]
            paths[j + 1] = paths[j]
        }
        names[j + 1] = name
        paths[j + 1] = path
        count++
    }

    print "/* Generated by tools/sql2c.awk from the .sql files named below. Do not edit. */"
    if (header)
        write_params(count)
    else
        write_texts(count)
    exit failed
}
