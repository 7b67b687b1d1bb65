# Reads the names of SQL and C files, and prints a line "RULE FILE DETAIL" for each statement that breaks a rule of
# check-sql. All text is converted to lower case.

function report(rule, detail) {
    print rule, file, detail
}

# Returns the line without comments and with empty strings.
function without_strings(line,    at) {
    gsub(/\047[^\047]*\047/, "\047\047", line)
    at = index(line, "--")
    return at ? substr(line, 1, at - 1) : line
}

function read_sql(    line, text) {
    text = " "
    while ((getline line < file) > 0) {
        line = tolower(line)
        if (line ~ /to_char/ && line ~ /tz[hm]?[^a-z(,) :]*\047/ && line !~ /at time zone/)
            report("zone", "to_char")
        text = text " " without_strings(line)
    }
    close(file)
    return text
}

# The strings of a C file that begin like a statement. Adjacent strings, also with a macro between them, are joined.
function read_c(    line, text, rest, gap, literal) {
    text = literal = ""
    while ((getline line < file) > 0) {
        if (line ~ /^[ \t]*(\/?\*|\/\/)/)
            continue
        rest = line
        while (match(rest, /"([^"\\]|\\.)*"/)) {
            gap = gap substr(rest, 1, RSTART - 1)
            if (gap !~ /^[ \t#a-zA-Z0-9_\\]*$/) {
                text = text statement_of(literal)
                literal = ""
            }
            literal = literal " " substr(rest, RSTART + 1, RLENGTH - 2)
            rest = substr(rest, RSTART + RLENGTH)
            gap = ""
        }
        gap = gap rest
    }
    close(file)
    return text statement_of(literal)
}

# The statement or part of a statement in a string; empty for other strings, such as hints that begin with "set".
function statement_of(literal,    sql) {
    gsub(/\\n/, " ", literal)
    sql = tolower(literal)
    if (sql !~ /^ *[(]*(select|with|insert|update|delete|begin|copy|create|alter|do)[ ;]/ &&
        sql !~ /^ *[(]*(from|cross|left|join|where|and|union) / &&
        literal !~ /^ *(RE)?SET / && sql !~ /^ *set (local|session) /)
        return ""
    return without_strings(sql) ";"
}

# The position after the parenthesis that closes the one at position `at`.
function closing(text, at,    depth, c) {
    for (depth = 0; at <= length(text); at++) {
        c = substr(text, at, 1)
        if (c == "(")
            depth++
        else if (c == ")" && --depth == 0)
            return at + 1
    }
    return at
}

# Learns the names of the tables, views, functions and columns with times of the schema.
function learn(text,    rest, name, head) {
    rest = text
    while (match(rest, /create (table|view)( if not exists)? profdepot\.[a-z_]+/)) {
        name = substr(rest, RSTART, RLENGTH)
        sub(/.*profdepot\./, "", name)
        relation[name] = 1
        rest = substr(rest, RSTART + RLENGTH)
        if (substr(rest, 1, index(rest, ";")) ~ / union /)
            union_view[name] = 1
    }
    rest = text
    while (match(rest, /[a-z_]+ timestamptz/)) {
        name = substr(rest, RSTART, RLENGTH - 12)
        times = times "|" name
        rest = substr(rest, RSTART + RLENGTH)
    }
    rest = text
    while (match(rest, /create function profdepot\.[a-z_]+/)) {
        name = substr(rest, RSTART, RLENGTH)
        sub(/.*profdepot\./, "", name)
        rest = substr(rest, RSTART + RLENGTH)
        head = rest
        sub(/as \$\$.*/, "", head)
        if (head !~ /immutable/ && head !~ /returns trigger/)
            reader[name] = 1
    }
}

# Adds the schema to the relations that follow one of the words.
function qualified(text, words,    done, name, cte) {
    while (match(text, words " [a-z_]+[^a-z_.(]")) {
        name = substr(text, RSTART, RLENGTH - 1)
        sub(/.* /, "", name)
        cte = " " name " as (not )?(materialized )?\\("
        done = done substr(text, 1, RSTART + RLENGTH - 2 - length(name)) \
            (name in relation && whole !~ cte ? "profdepot." : "") name
        text = substr(text, RSTART + RLENGTH - 1)
    }
    return done text
}

# Checks which tables and functions one SELECT uses.
function check_use(text,    rest, name, next_char, own, others, copied, function_name) {
    rest = text
    while (match(rest, /profdepot\.[a-z_]+/)) {
        name = substr(rest, RSTART + 10, RLENGTH - 10)
        next_char = substr(rest, RSTART + RLENGTH, 1)
        rest = substr(rest, RSTART + RLENGTH)
        if (next_char == "(" && name in reader)
            function_name = name
        else if (!(name in relation))
            continue
        else if (place[name] == "coordinator")
            own = name
        else if (place[name] != "reference")
            others = name
        else
            copied = name
    }
    if (own != "" && others != "")
        report("coordinator", own " with " others)
    if (function_name != "" && others copied != "" && text !~ /^ *insert [^;]* values/)
        report("function", function_name " with " others copied)
}

function check_arms(text,    n, arms, i) {
    n = split(text, arms, / union (all )?/)
    for (i = 1; i <= n; i++)
        check_use(arms[i])
}

# Checks the subqueries of a statement or a subquery. Each subquery is replaced by a word: "tables" if it is part of a
# condition or value and reads a table, otherwise "rows".
function check_subqueries(text,    at, after, before, inner, flat, word, n, arms, i) {
    flat = ""
    while (match(text, /\( ?select /)) {
        at = RSTART
        after = closing(text, at)
        before = flat substr(text, 1, at - 1)
        inner = substr(text, at + 1, after - at - 2)
        text = substr(text, after)
        check_subqueries(inner)
        word = "rows"
        if (before !~ /(^|from|join|lateral|as|materialized|union|union all|except|intersect) *[(]?$/ &&
            before !~ /(array|return|execute) ?$/) {
            if (reads_function(subqueries_gone))
                report("subquery", reads_what)
            if (inner ~ /profdepot\./)
                word = "tables"
            if (in_select_list(before) && (of_row(inner) || is_conditional(inner)))
                word = word ") (row"
        }
        flat = before " (" word ") "
    }
    flat = flat text
    n = split(flat, arms, / union (all )?| except | intersect /)
    for (i = 1; i <= n; i++)
        if (arms[i] ~ /\(tables\)/ && reads_function(arms[i]))
            report("subquery", "tables in a select from " reads_what)
    for (i = 1; i <= n; i++)
        if (arms[i] ~ /\(row\)/ && arms[i] ~ outer_join)
            report("outer", "subquery")
    subqueries_gone = flat
}

# Whether the text is the beginning of a SELECT, without FROM.
function in_select_list(text) {
    gsub(/extract ?\( ?[a-z]+ from |distinct from /, "", text)
    sub(/.* (union|except|intersect) (all )?/, "", text)
    return text !~ / from /
}

# Whether a subquery has a comparison with the INST_ID of a row, but no comparison with a parameter.
function of_row(text) {
    return text ~ /inst_id = [a-z_0-9]+\.inst_id/ && text !~ /inst_id = (any ?\( ?)?(:|p_|\$)/
}

# Whether a subquery depends on a row and has a condition that reads no column. If this condition is false, the planner
# removes the subquery's relation, and Citus no longer finds its INST_ID.
function is_conditional(text) {
    return text ~ /inst_id = [a-z_0-9]+\.inst_id/ && text ~ /(where|and) \(?:[a-z_]+(::[a-z]+(\[\])?)? (=|<|>|in|is|not) /
}

# Checks that the condition of an outer join has no INST_ID of a view with UNION, unless the statement is for one result
# set.
function check_outer(text,    rest, name, condition, names) {
    if (text !~ outer_join || text ~ /inst_id = (:inst_id|p_inst_id|\$1)/)
        return
    rest = text
    while (match(rest, /(from|join) profdepot\.[a-z_]+ (as )?[a-z_]+/)) {
        name = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        sub(/.*profdepot\./, "", name)
        split(name, names, / (as )?/)
        if (names[1] in union_view)
            names_of_unions = names_of_unions " " names[2] " "
    }
    while (match(text, outer_join)) {
        text = substr(text, RSTART + RLENGTH)
        rest = text ~ /^ *\(/ ? substr(text, closing(text, index(text, "("))) : text
        condition = rest
        sub(/^[^=]* on /, "", condition)
        sub(/ ((left|right|full|cross|inner) )?join .*| (where|group|order|having|union) .*|;.*/, "", condition)
        while (match(condition, /[a-z_0-9]+\.inst_id/)) {
            name = substr(condition, RSTART, RLENGTH - 8)
            if (index(names_of_unions, " " name " "))
                report("outer", "union")
            condition = substr(condition, RSTART + RLENGTH)
        }
    }
    names_of_unions = ""
}

# Whether a SELECT reads the rows of a function or of VALUES; sets reads_what to its name.
function reads_function(text) {
    gsub(/extract ?\( ?[a-z]+ from |distinct from /, "", text)
    gsub(/ lateral /, " ", text)
    while (match(text, / (from|join|from [a-z_0-9., ]*,) ?([a-z_.]+ ?\(|\( ?values)/)) {
        reads_what = substr(text, RSTART, RLENGTH)
        gsub(/.* |\(/, "", reads_what)
        if (reads_what != "")
            return 1
        text = substr(text, RSTART + RLENGTH)
    }
    return 0
}

# Checks that a time is shown in a zone that the statement names.
function check_zone(text,    at, argument) {
    text = " " text " "
    if (match(text, "[^a-z_](" times "|now\\(\\)|current_timestamp)::(text|date|time|timestamp)[^a-z]"))
        report("zone", substr(text, RSTART + 1, RLENGTH - 2))
    if (match(text, /[^a-z_](current_date|current_time|localtime|localtimestamp)[^a-z_]/))
        report("zone", substr(text, RSTART + 1, RLENGTH - 2))
    while (match(text, /[^a-z_](to_char|date_trunc|date_part)\(/)) {
        at = RSTART + RLENGTH - 1
        argument = substr(text, at, closing(text, at) - at)
        if (argument !~ /at time zone/ && argument ~ "[^a-z_](" times "|now\\(\\)|current_timestamp)[^a-z_]")
            report("zone", substr(text, RSTART + 1, RLENGTH - 2))
        text = substr(text, at)
    }
}

# Checks a SET statement, or the SET clauses of a function, role or database. Functions may set search_path.
function check_setting(text,    setting, word) {
    if (text ~ /set_config ?\(/)
        report("session", "set_config")
    setting = "(reset [a-z_.]+ *$|set (local |session )?(time zone |[a-z_.]+ ?(=|to) ?[^ ]+(, *[^ ]+)* *$))"
    if (text ~ /^ *(create|alter) (or replace )?(function|role|database)/) {
        sub(/as \$\$.*/, "", text)
        setting = "set [a-z_.]+ ?(=|to) "
    } else if (text !~ "^ *" setting)
        return
    while (match(text, setting)) {
        word = substr(text, RSTART, RLENGTH)
        sub(/^(re)?set (local |session )?/, "", word)
        sub(/[ =].*/, "", word)
        if (word != "search_path" || text !~ /function/)
            report("session", word)
        text = substr(text, RSTART + RLENGTH)
    }
}

function check_statement(text,    at, after) {
    if (text ~ /create view/ && text ~ /offset 0/)
        report("lateral", "")
    check_setting(text)
    check_zone(text)
    if (text ~ /^ *(comment|grant|revoke|alter|create trigger|create function|create index|create table)/)
        return
    check_subqueries(text)
    check_outer(text)
    while (match(text, /as materialized \(/)) {
        at = RSTART + RLENGTH - 1
        after = closing(text, at)
        check_arms(substr(text, at, after - at))
        text = substr(text, 1, RSTART - 1) substr(text, after)
    }
    check_arms(text)
}

function check_file(text,    n, statements, i) {
    gsub(/[ \t]+/, " ", text)
    whole = text
    text = qualified(text, "(from|join|insert into|update|using|only)")
    text = qualified(text, "(from|join) (profdepot\\.)?[a-z_]+( as)?( [a-z_]+)?,")
    if (match(text, /(with|recursive|,) [a-z0-9_]+ ?\([a-z0-9_, ]+\) as (not )?(materialized )?\(/))
        report("columns", substr(text, RSTART, RLENGTH))
    if (match(text, /returning [^;]*((now|clock_timestamp|to_char|nextval)\(|extract\([a-z]+ from [a-z_.]+\))/))
        report("returning", substr(text, RSTART, RLENGTH))
    if (match(text " ", /[^a-z_](xmin|xmax|cmin|cmax|ctid)[^a-z_]/))
        report("row", substr(text, RSTART + 1, RLENGTH - 2))
    n = split(text, statements, file ~ /^schema/ ? ";| loop | then | begin " : ";| begin ")
    for (i = 1; i <= n; i++)
        check_statement(statements[i])
}

BEGIN {
    while ((getline line < "src/db/sql/distribution.sql") > 0)
        if (match(line, /^ *\(\047[a-z_]+\047, \047[a-z]+\047/)) {
            split(substr(line, RSTART, RLENGTH), parts, "\047")
            place[parts[2]] = parts[4]
        }
    times = "loaded_at"
    outer_join = " (left|right|full) (outer )?join "
}

{
    file = files[NR] = $0
    texts[NR] = file ~ /\.c$/ ? read_c() : read_sql()
    if (file ~ /^schema\//)
        learn(texts[NR])
}

END {
    for (i = 1; i <= NR; i++) {
        file = files[i]
        check_file(texts[i])
    }
}
