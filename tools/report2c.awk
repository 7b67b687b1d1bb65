# report2c.awk FILE.sql...: writes the header src/report/report_files.h from the comments at the top of
# the files. include/report/report.h describes the syntax of these comments. NAME.sql becomes a macro
# REPORT_FILE_NAME with initialisers of struct report. Words become enumerators: "bytes" becomes
# TABLE_UNIT_BYTES, and "min_size" becomes REPORT_MIN_SIZE. An unknown word therefore does not compile. Run
# report2c.awk together with sql_file.awk.

function enumerator(prefix, word) {
    word = toupper(word)
    gsub(/[^A-Z0-9]/, "_", word)
    return prefix word
}

function quoted(text) {
    return "\"" escaped(text) "\""
}

function put(text) {
    printf " \\\n\t%s", text
}

# Returns the index of the column with this key.
function column_index(key,    i) {
    for (i = 0; i < column_count; i++)
        if (keys[i] == key)
            return i
    fail(path ": has no column " key)
}

# Writes the column that a value such as `size integer bytes "Size" sum machine` describes.
function put_column(value,    title, words, flags, count, n, i) {
    if (!match(value, /"[^"]*"/))
        fail(path ": column without a title: " value)
    title = substr(value, RSTART + 1, RLENGTH - 2)
    n = split(substr(value, 1, RSTART - 2), words, / +/)
    if (n < 2 || n > 3)
        fail(path ": not KEY KIND [UNIT] \"TITLE\": " value)
    count = split(substr(value, RSTART + RLENGTH + 1), flags, / +/)
    keys[column_count] = words[1]
    printf " \\\n\t\t{ \"%s\", %s, %s, %s", words[1], quoted(title), enumerator("TABLE_", words[2]), \
        enumerator("TABLE_UNIT_", n == 3 ? words[3] : "none")
    for (i = 1; i <= count; i++)
        if (flags[i] == "rank")
            rank = column_count
        else if (flags[i] == "routine")
            has_routine = "true"
        else if (flags[i] == "row_unit")
            printf ", .unit_name = \"row\""
        else if (flags[i] ~ /^row_unit:/)
            printf ", .unit_name = \"row:%s\"", substr(flags[i], length("row_unit:") + 1)
        else
            printf ", .%s = true", flags[i] == "sum" ? "summed" : flags[i]
    printf " },"
    column_count++
}

function put_params(    words, count, i) {
    count = head_words("params", words)
    put(".params = {")
    for (i = 1; i <= count; i++)
        printf " %s,", enumerator("REPORT_", words[i])
    printf " }, .param_count = %d,", count
}

# Writes the order, which is given as "count desc, size desc, class".
function put_order(    words, count, i, n) {
    count = head_words("order", words)
    if (!count)
        return
    put(".order = {")
    for (i = 1; i <= count; i++) {
        if (words[i] == "desc")
            continue
        printf " { %d, %s },", column_index(words[i]), words[i + 1] == "desc" ? "true" : "false"
        n++
    }
    printf " }, .order_count = %d,", n
}

# Writes the values and names of the parts; each part is given as `definite "definitely lost"`.
function put_part_names(    i, n, value, values, titles) {
    for (i = 1; i <= head_length(); i++) {
        if (lines[i] !~ /^-- part: /)
            continue
        value = substr(lines[i], 10)
        match(value, /"[^"]*"/)
        titles = titles " " substr(value, RSTART, RLENGTH) ","
        value = substr(value, 1, RSTART - 2)
        values = values " " quoted(value == "-" ? "" : value) ","
        n++
    }
    if (n) {
        put(".part_values = {" values " },")
        put(".part_names = {" titles " }, .part_name_count = " n ",")
    }
}

# Returns the index of the column in the file's line "-- KEY: COLUMN", or -1 if there is no such line.
function named_column(key,    words) {
    return head_words(key, words) ? column_index(words[1]) : -1
}

function put_columns(    i) {
    column_count = 0
    rank = -1
    has_routine = "false"
    put(".columns = {")
    for (i = 1; i <= head_length(); i++)
        if (lines[i] ~ /^-- column: /)
            put_column(substr(lines[i], 12))
    put("},")
    put(".column_count = " column_count ", .owner_has_routine = " has_routine ",")
}

# Joins the lines of the report's note.
function note(    i, text) {
    for (i = 1; i <= head_length(); i++)
        if (lines[i] !~ /^-- [a-z]+: /)
            text = text (text == "" ? "" : " ") substr(lines[i], 4)
        else if (lines[i] !~ /^-- (title|layout|facts|detectors|with|params|order|ties|parts|part|column): /)
            fail(path ":" i ": an unknown key before the colon")
    return text
}

function put_words(    words) {
    if (head_words("layout", words))
        put(enumerator(".layout = TABLE_", words[1]) ",")
    if (head_words("detectors", words))
        put(".detectors_by = " quoted(words[1]) ",")
    if (head_text("facts") != "")
        put(".facts = " enumerator("REPORT_FACTS_", head_text("facts")) ",")
}

function put_report(    name) {
    name = path
    gsub(/^.*\/|\.sql$/, "", name)
    printf "\n#define REPORT_FILE_%s", name
    put(".file = " quoted("report/" name) ", .has_query = " (line_count > head_length() ? "true" : "false") ",")
    put(".title = " quoted(head_text("title")) ",")
    put(".note = " quoted(note()) ",")
    put_words()
    put_columns()
    put_params()
    put_order()
    put_part_names()
    put(".rank_column = " rank ", .tie_column = " named_column("ties") ", .part_column = " named_column("parts"))
    print ""
}

BEGIN {
    tool = "report2c.awk"
    print "/* Generated by tools/report2c.awk from the reports' .sql files. Do not edit. */"
    print "#ifndef PROFDEPOT_REPORT_FILES_H\n#define PROFDEPOT_REPORT_FILES_H"
    for (arg = 1; arg < ARGC; arg++) {
        path = ARGV[arg]
        if (path !~ /^src\/report\/sql\//)
            continue
        read_lines(path)
        if (head_text("title") != "")
            put_report()
    }
    print "\n#endif"
    exit failed
}
