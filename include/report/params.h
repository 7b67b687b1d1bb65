/*
 * What reports may be asked: a new parameter is a row here; options, help and
 * manual pages follow.
 */
#ifndef PROFDEPOT_REPORT_PARAMS_H
#define PROFDEPOT_REPORT_PARAMS_H

/* What a parameter's value is: code, SQL type. */
#define REPORT_VALUE_TABLE(X) \
	X(REPORT_OPERAND, "bigint")                /* the result set: no option */ \
	X(REPORT_OPERANDS, "bigint[]")             /* several at once: no option */ \
	X(REPORT_IDS, "bigint[]")                  /* the caller's: no option */ \
	X(REPORT_GROUPING, "text")                 /* the report's own --by */ \
	X(REPORT_GLOBS, "text[]")                  /* lists: globs, sent as LIKE patterns */ \
	X(REPORT_INTEGER, "bigint")                /* 0 or more */ \
	X(REPORT_NUMBER, "numeric")                /* a decimal, 0 or more */ \
	X(REPORT_BYTES, "numeric")                 /* 64K, 10M, 2G */ \
	X(REPORT_TIME, "timestamp with time zone") /* ISO 8601; UTC when it names no zone */ \
	X(REPORT_WORD, "text") \
	X(REPORT_FLAG, "boolean")

/*
 * code, name in SQL headers and JSON, option, value, what help calls it, help.
 * An option stands for the same thing in every report that takes it.
 */
#define REPORT_PARAM_TABLE(X) \
	X(REPORT_INST_IDS, "inst_ids", "", OPERANDS, NULL, "") \
	X(REPORT_INST_ID, "inst_id", "", OPERAND, NULL, "") \
	X(REPORT_EXCLUDED_OBJECTS, "excluded_objects", "", IDS, NULL, "") \
	X(REPORT_EXCLUDED_ERRORS, "excluded_errors", "", IDS, NULL, "") \
	X(REPORT_CLASS, "class", "class", GLOBS, "GLOB", \
		"only these classes; * any run, ? any character") \
	X(REPORT_MODULE, "module", "module", GLOBS, "GLOB", "only these modules") \
	X(REPORT_ROUTINE, "routine", "routine", GLOBS, "GLOB", \
		"only these routines; of leaks, objects and errors: stacks that hold one") \
	X(REPORT_THREAD, "thread", "thread", GLOBS, "GLOB", \
		"only these threads, by the system's thread id") \
	X(REPORT_NAME, "name", "name", GLOBS, "GLOB", \
		"only these names: of profiles, requests, marks, measures") \
	X(REPORT_KIND, "kind", "kind", GLOBS, "GLOB", \
		"only leaks or errors of these kinds, such as definite or InvalidRead") \
	X(REPORT_HOST, "host", "host", GLOBS, "GLOB", "only what these machines sent") \
	X(REPORT_USER, "user", "user", GLOBS, "GLOB", "only what ran for these users") \
	X(REPORT_TYPE, "type", "type", GLOBS, "GLOB", \
		"only these call types or categories, such as sql") \
	X(REPORT_TRACK, "track", "track", INTEGER, "N", "only this track") \
	X(REPORT_PROFILE, "profile", "profile", WORD, "ID", "only the profile with this Id") \
	X(REPORT_METRIC, "metric", "metric", WORD, "NAME", \
		"what is measured; the first of the result set when left out") \
	X(REPORT_SINCE, "since", "since", TIME, "TIME", \
		"only what began at this time or later; 2026-11-21T14:00:00Z") \
	X(REPORT_UNTIL, "until", "until", TIME, "TIME", "only what began before this time") \
	X(REPORT_MIN_DURATION, "min_duration", "min-duration", NUMBER, "N", \
		"only what took at least this long, in the result set's unit") \
	X(REPORT_SLOWER_THAN, "slower_than", "slower-than", NUMBER, "N", \
		"only calls that took longer than this, in the result set's unit") \
	X(REPORT_TRIVIAL, "trivial", "trivial", NUMBER, "N", \
		"what took less than this itself is trivial; 2.0 when left out") \
	X(REPORT_FOCUS, "focus", "focus", GLOBS, "GLOB", "only paths through these routines") \
	X(REPORT_IGNORE, "ignore", "ignore", GLOBS, "GLOB", "no paths through these routines") \
	X(REPORT_MIN_SHARE, "min_share", "min-share", NUMBER, "PERCENT", \
		"only rows of at least this share of the whole") \
	X(REPORT_LIKE_DEVTOOLS, "like_devtools", "like-devtools", FLAG, NULL, \
		"show what DevTools shows, and nothing that it loses") \
	X(REPORT_MIN_COUNT, "min_count", "min-count", NUMBER, "N", \
		"only rows of at least N objects") \
	X(REPORT_MIN_SIZE, "min_size", "min-size", BYTES, "BYTES", \
		"only rows of at least this size; 64K, 10M, 2G") \
	X(REPORT_BY, "by", "by", GROUPING, "KEY", \
		"what the report groups by or shows, as \"profdepot reports\" tells") \
	X(REPORT_OWN, "own", "own", GLOBS, "GLOB", \
		"modules or classes of yours: the first such frame is the own one") \
	X(REPORT_BASE, "base", "base", WORD, "SET", \
		"what to compare with: an INST_ID, latest, latest~1, label:KEY=VALUE") \
	X(REPORT_MATCH, "match", "match", WORD, "HOW", \
		"stacks are the same by names, or by names and lines; names when left out") \
	X(REPORT_NORMALISE, "normalise", "normalise", FLAG, NULL, \
		"compare shares of samples and spans, as if both totals were the same") \
	X(REPORT_STATUS, "status", "status", WORD, "WORDS", \
		"only what is new, gone, grown, shrunk or same; all but same when left out") \
	X(REPORT_GET, "get", "get", GLOBS, "N", \
		"compare Get Results N of a result set with the one given before it; twice or more") \
	X(REPORT_GET_NUMBER, "get_number", "", OPERAND, NULL, "") \
	X(REPORT_HIDDEN, "hidden", "", OPERANDS, NULL, "") \
	X(REPORT_STATISTIC, "statistic", "statistic", WORD, "WORD", \
		"of durations: sum, min, max, median or p95; median when left out") \
	X(REPORT_OBJECT, "object", "object", INTEGER, "ID", \
		"the object whose stack report stack shows") \
	X(REPORT_ERROR, "error", "error", INTEGER, "ID", "the error whose stack report stack shows")

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
