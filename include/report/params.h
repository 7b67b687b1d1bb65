/*
 * The parameters of reports. To add one, add a row here. Options, help and manual pages are
 * generated from this table.
 */
#ifndef PROFDEPOT_REPORT_PARAMS_H
#define PROFDEPOT_REPORT_PARAMS_H

/* The value kinds: code, SQL type. */
#define REPORT_VALUE_TABLE(X) \
	X(REPORT_OPERAND, "bigint")                /* the result set; has no option */ \
	X(REPORT_OPERANDS, "bigint[]")             /* all result sets together; has no option */ \
	X(REPORT_IDS, "bigint[]")                  /* set by the caller; has no option */ \
	X(REPORT_TEXTS, "text[]")                  /* set by the caller; has no option */ \
	X(REPORT_GROUPING, "text")                 /* the value of the report's --by */ \
	X(REPORT_GLOBS, "text[]")                  /* globs, sent as LIKE patterns */ \
	X(REPORT_INTEGER, "bigint")                /* 0 or more */ \
	X(REPORT_NUMBER, "numeric")                /* a decimal, 0 or more */ \
	X(REPORT_BYTES, "numeric")                 /* 64K, 10M, 2G */ \
	X(REPORT_TIME, "timestamp with time zone") /* ISO 8601; UTC if it has no zone */ \
	X(REPORT_WORD, "text") \
	X(REPORT_FLAG, "boolean")

/*
 * code, name in .sql files and JSON, option, kind, name of the value in help, help.
 * The code is REPORT_ followed by the name, because tools/report2c.awk relies on this. An option means
 * the same in every report that has it.
 */
#define REPORT_PARAM_TABLE(X) \
	X(REPORT_INST_IDS, "inst_ids", "", OPERANDS, NULL, "") \
	X(REPORT_INST_ID, "inst_id", "", OPERAND, NULL, "") \
	X(REPORT_EXCLUDED_OBJECTS, "excluded_objects", "", IDS, NULL, "") \
	X(REPORT_EXCLUDED_ERRORS, "excluded_errors", "", IDS, NULL, "") \
	X(REPORT_CLASS, "class", "class", GLOBS, "GLOB", \
		"only these classes; * matches any run of characters, ? any character") \
	X(REPORT_MODULE, "module", "module", GLOBS, "GLOB", "only these modules") \
	X(REPORT_ROUTINE, "routine", "routine", GLOBS, "GLOB", \
		"only these routines, or objects and errors with such a routine in their stack") \
	X(REPORT_THREAD, "thread", "thread", GLOBS, "GLOB", \
		"only these threads, by the system's thread id") \
	X(REPORT_NAME, "name", "name", GLOBS, "GLOB", \
		"only profiles, requests, marks, measures or spans with these names") \
	X(REPORT_KIND, "kind", "kind", GLOBS, "GLOB", \
		"only leaks or errors of these kinds, such as definite or InvalidRead") \
	X(REPORT_HOST, "host", "host", GLOBS, "GLOB", "only profiles from these hosts") \
	X(REPORT_USER, "user", "user", GLOBS, "GLOB", "only profiles of these users") \
	X(REPORT_TYPE, "type", "type", GLOBS, "GLOB", \
		"only these call types or categories, such as sql") \
	X(REPORT_COMMAND, "command", "command", GLOBS, "GLOB", "only these commands") \
	X(REPORT_TRACK, "track", "track", INTEGER, "N", "only this track") \
	X(REPORT_FROM, "from", "from", NUMBER, "N", \
		"only what ends at this time or later, in microseconds after the first entry") \
	X(REPORT_TO, "to", "to", NUMBER, "N", \
		"only what starts at this time or earlier, in microseconds after the first entry") \
	X(REPORT_PROFILE, "profile", "profile", WORD, "ID", "only the profile with this Id") \
	X(REPORT_METRIC, "metric", "metric", WORD, "NAME", \
		"the metric; default: the first metric that \"profdepot show\" lists") \
	X(REPORT_SINCE, "since", "since", TIME, "TIME", \
		"only profiles that started at this time or later, such as 2026-11-21T14:00:00Z") \
	X(REPORT_UNTIL, "until", "until", TIME, "TIME", "only profiles that started before TIME") \
	X(REPORT_MIN_DURATION, "min_duration", "min-duration", NUMBER, "N", \
		"only profiles that took at least this long, in the result set's unit") \
	X(REPORT_SLOWER_THAN, "slower_than", "slower-than", NUMBER, "N", \
		"only calls that took longer than this, in the result set's unit") \
	X(REPORT_TRIVIAL, "trivial", "trivial", NUMBER, "N", \
		"steps whose self time is below this are trivial; default 2.0") \
	X(REPORT_FOCUS, "focus", "focus", GLOBS, "GLOB", "only paths through these routines") \
	X(REPORT_IGNORE, "ignore", "ignore", GLOBS, "GLOB", "no paths through these routines") \
	X(REPORT_MIN_SHARE, "min_share", "min-share", NUMBER, "PERCENT", \
		"only rows with at least this share of the total") \
	X(REPORT_LIKE_DEVTOOLS, "like_devtools", "like-devtools", FLAG, NULL, \
		"show only what DevTools shows") \
	X(REPORT_MIN_COUNT, "min_count", "min-count", NUMBER, "N", \
		"only rows with at least N objects") \
	X(REPORT_MIN_SIZE, "min_size", "min-size", BYTES, "BYTES", \
		"only rows with at least this size, such as 64K, 10M, 2G") \
	X(REPORT_BY, "by", "by", GROUPING, "KEY", \
		"what the report groups by; \"profdepot reports\" lists the keys of each report") \
	X(REPORT_OWN, "own", "own", GLOBS, "GLOB", \
		"modules or classes of your own code; the own frame is the innermost frame in one of them") \
	X(REPORT_OWNER, "owner", "owner", GLOBS, "GLOB", \
		"only leaks and errors whose own frames are in files of these owners, such as @team; see " \
		"profdepot-owners(1)") \
	X(REPORT_OWNER_FILES, "owner_files", "", TEXTS, NULL, "") \
	X(REPORT_BASE, "base", "base", WORD, "SET", \
		"the result set to compare with: an INST_ID, latest, latest~1, label:KEY=VALUE") \
	X(REPORT_MATCH, "match", "match", WORD, "HOW", \
		"match stacks by names, or by names and lines; default names") \
	X(REPORT_NORMALISE, "normalise", "normalise", FLAG, NULL, \
		"compare shares of samples and spans instead of values") \
	X(REPORT_STATUS, "status", "status", WORD, "WORDS", \
		"only rows with these states: new, gone, grown, shrunk, same; default: all but same") \
	X(REPORT_GET, "get", "get", GLOBS, "N", \
		"a Get # of AQTime; each one is compared with the one given before it; give at least two") \
	X(REPORT_GET_NUMBER, "get_number", "", OPERAND, NULL, "") \
	X(REPORT_HIDDEN, "hidden", "", OPERANDS, NULL, "") \
	X(REPORT_STATISTIC, "statistic", "statistic", WORD, "WORD", \
		"duration statistic: sum, min, max, median or p95; default median") \
	X(REPORT_OBJECT, "object", "object", INTEGER, "ID", "the object whose stack is shown") \
	X(REPORT_ERROR, "error", "error", INTEGER, "ID", "the error whose stack is shown")

enum report_param {
#define REPORT_PARAM_ENUM(code, name, option, value, word, help) code,
	REPORT_PARAM_TABLE(REPORT_PARAM_ENUM)
#undef REPORT_PARAM_ENUM
	REPORT_PARAMS
};

enum report_value {
#define REPORT_VALUE_ENUM(code, type) code,
	REPORT_VALUE_TABLE(REPORT_VALUE_ENUM)
#undef REPORT_VALUE_ENUM
	REPORT_VALUES
};

#endif
