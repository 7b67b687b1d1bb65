# prose.awk FILE...: prints the prose in the files as FILE:LINE:TEXT. Prose is comments, man pages, Markdown
# without its examples, and each string literal of C and JavaScript that contains a blank. Text in backquotes
# is code and is omitted. check-words and the spelling check of tools/lint use prose.awk.

function kind_of(file) {
    if (file ~ /\.(c|h|js|css)$/)
        return "c"
    if (file ~ /\.sql$/)
        return "sql"
    if (file ~ /\.md$/)
        return "md"
    if (file ~ /\.in$/)
        return "man"
    return "sh"
}

function say(text) {
    gsub(/`[^`]*`/, " ", text)
    gsub(/%[-+#0-9.*]*(l|ll|z|j|h)?[a-zA-Z]/, " ", text)
    gsub(/\\[ntr"\\]/, " ", text)
    gsub(/\\[^a-z]?/, " ", text)
    if (text ~ /[A-Za-z]/)
        print FILENAME ":" FNR ":" text
}

# Returns a line of C without its strings. Strings that contain a blank are printed as prose.
function take_strings(line,    rest, text) {
    rest = ""
    while (match(line, /"([^"\\]|\\.)*"/)) {
        text = substr(line, RSTART + 1, RLENGTH - 2)
        rest = rest substr(line, 1, RSTART - 1) " "
        line = substr(line, RSTART + RLENGTH)
        if (text ~ /[a-z] [a-z]/)
            say(text)
    }
    return rest line
}

function c_line(line,    at) {
    if (!inside && line ~ /^[ \t]*#[ \t]*include/)
        return
    if (!inside) {
        line = take_strings(line)
        at = index(line, "/*")
        if (!at) {
            if (match(line, /(^|[^:])\/\/.*/))
                say(substr(line, RSTART))
            return
        }
        line = substr(line, at + 2)
        inside = 1
    }
    at = index(line, "*/")
    if (at) {
        inside = 0
        say(substr(line, 1, at - 1))
        return
    }
    sub(/^[ \t]*\*/, "", line)
    say(line)
}

FNR == 1 {
    kind = kind_of(FILENAME)
    inside = 0
}
kind == "c" {
    c_line($0)
}
# Of the lines "-- KEY: ..." at the top of a report, only the titles of the report and of its
# columns are prose.
kind == "sql" && /^-- [a-z]+: / && !/^-- (title|note): / {
    if ($0 ~ /^-- column: / && match($0, /"[^"]*"/))
        say(substr($0, RSTART + 1, RLENGTH - 2))
    next
}
kind == "sql" {
    if (match($0, /--.*/))
        say(substr($0, RSTART + 2))
    else if ($0 ~ /COMMENT ON|^ *'|^ *IS '/) {
        line = $0
        if (sub(/^[^']*'/, "", line) && sub(/'[^']*$/, "", line))
            say(line)
    }
}
kind == "md" {
    if ($0 ~ /^```/)
        inside = !inside
    else if (!inside && $0 !~ /^(    |\t)/)
        say($0)
}
kind == "man" {
    if ($0 ~ /^\.Bd/)
        inside = 1
    else if ($0 ~ /^\.Ed/)
        inside = 0
    else if (!inside && $0 !~ /^[.'`]/)
        say($0)
}
kind == "sh" {
    if (FNR > 1 && match($0, /(^|[ \t])# .*/))
        say(substr($0, RSTART))
}
