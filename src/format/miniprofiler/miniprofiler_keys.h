/*
 * The members of MiniProfiler objects, their spellings, and the shape of a profile. The shape
 * consists of the spellings that most objects of the profile use.
 */
#ifndef PROFDEPOT_FORMAT_MINIPROFILER_MINIPROFILER_KEYS_H
#define PROFDEPOT_FORMAT_MINIPROFILER_MINIPROFILER_KEYS_H

#include "base/strbuf.h"
#include "input/json/json_tree.h"

/* Kinds of objects: code, name in @keys. */
#define MINI_KIND_TABLE(X) \
	X(MINI_PROFILE, "profile") \
	X(MINI_STEP, "step") \
	X(MINI_CALL, "call") /* an item of CustomTimings */ \
	X(MINI_SQL, "sql")   /* an item of SqlTimings */ \
	X(MINI_CLIENTS, "clients") \
	X(MINI_CLIENT, "client")

enum mini_kind {
#define MINI_KIND_ENUM(code, name) code,
	MINI_KIND_TABLE(MINI_KIND_ENUM)
#undef MINI_KIND_ENUM
	MINI_KINDS
};

#define MINI_IN(kind) (1U << MINI_##kind)
#define MINI_IN_CALLS (MINI_IN(CALL) | MINI_IN(SQL))
#define MINI_IN_TREE (MINI_IN_CALLS | MINI_IN(STEP))

/*
 * Fields: code, type, key in PascalCase (and in camelCase, which is derived from it), key in
 * snake_case, object kinds. .NET 2 and Ruby use a different key for the SQL text.
 */
#define MINI_FIELD_TABLE(X) \
	X(ID, TEXT, "Id", "id", MINI_IN(PROFILE) | MINI_IN_TREE | MINI_IN(CLIENT)) \
	X(NAME, TEXT, "Name", "name", MINI_IN(PROFILE) | MINI_IN(STEP) | MINI_IN(CLIENT)) \
	X(STARTED, TIME, "Started", "started", MINI_IN(PROFILE)) \
	X(STARTED_AT, TIME, "StartedAt", "started_at", MINI_IN(PROFILE)) \
	X(DURATION, NUMBER, "DurationMilliseconds", "duration_milliseconds", \
		MINI_IN(PROFILE) | MINI_IN_TREE) \
	X(MACHINE, TEXT, "MachineName", "machine_name", MINI_IN(PROFILE)) \
	X(USER, TEXT, "User", "user", MINI_IN(PROFILE)) \
	X(ROOT, LIST, "Root", "root", MINI_IN(PROFILE)) \
	X(CLIENT_TIMINGS, LIST, "ClientTimings", "client_timings", MINI_IN(PROFILE)) \
	X(START, NUMBER, "StartMilliseconds", "start_milliseconds", MINI_IN_TREE) \
	X(CHILDREN, LIST, "Children", "children", MINI_IN(STEP)) \
	X(CUSTOM_TIMINGS, LIST, "CustomTimings", "custom_timings", MINI_IN(STEP)) \
	X(SQL_TIMINGS, LIST, "SqlTimings", "sql_timings", MINI_IN(STEP)) \
	X(COMMAND, TEXT, "CommandString", "command_string", MINI_IN(CALL)) \
	X(SQL_COMMAND, TEXT, "FormattedCommandString", "formatted_command_string", MINI_IN(SQL)) \
	X(EXECUTE_TYPE, WORD, "ExecuteType", "execute_type", MINI_IN_CALLS) \
	X(SNIPPET, SNIPPET, "StackTraceSnippet", "stack_trace_snippet", MINI_IN_CALLS) \
	X(FIRST_FETCH, NUMBER, "FirstFetchDurationMilliseconds", \
		"first_fetch_duration_milliseconds", MINI_IN_CALLS) \
	X(ERRORED, FLAG, "Errored", "errored", MINI_IN_CALLS) \
	X(TIMINGS, LIST, "Timings", "timings", MINI_IN(CLIENTS)) \
	X(CLIENT_START, NUMBER, "Start", "start", MINI_IN(CLIENT)) \
	X(CLIENT_DURATION, NUMBER, "Duration", "duration", MINI_IN(CLIENT))

enum mini_field {
#define MINI_FIELD_ENUM(code, what, pascal, snake, kinds) MINI_F_##code,
	MINI_FIELD_TABLE(MINI_FIELD_ENUM)
#undef MINI_FIELD_ENUM
	MINI_FIELDS
};

enum mini_what {
	MINI_IS_TEXT,
	MINI_IS_NUMBER,
	MINI_IS_TIME,
	MINI_IS_WORD, /* a text, or the number of an enumeration member */
	MINI_IS_FLAG,
	MINI_IS_SNIPPET, /* stored in the attributes */
	MINI_IS_LIST,    /* a list of steps, calls or client timings */
};

enum mini_none {
	MINI_NONE_NULL,
	MINI_NONE_ABSENT,
	MINI_NONE_EMPTY,
};

enum mini_form {
	MINI_FORM_PLAIN,
	MINI_FORM_MS,     /* 1795246926464 */
	MINI_FORM_DATE,   /* "/Date(1795246926464)/" */
	MINI_FORM_ISO,    /* "2026-11-21T07:52:18.056669Z" */
	MINI_FORM_NUMBER, /* the number of an enumeration member */
	MINI_FORMS
};

struct mini_place {
	struct text key; /* as the producer spells it; NULL if the producer has no such member */
	enum mini_none none;
	enum mini_form form;
};

struct mini_shape {
	struct mini_place places[MINI_KINDS][MINI_FIELDS];
};

enum {
	MINI_TIME_BYTES = 64
};

#define MINI_LIST_MARK "@list"

enum mini_what mini_field_what(enum mini_field f);
/* The field with this key; MINI_FIELDS if objects of this kind have no such field. */
enum mini_field mini_field_find(enum mini_kind kind, struct text key);
/* The field whose key in the shape is exactly this key, or MINI_FIELDS. */
enum mini_field mini_shape_find(const struct mini_shape *s, enum mini_kind kind, struct text key);

/* An object's member for the field; NULL if absent. */
const struct json_node *mini_member(const struct mini_shape *s, enum mini_kind kind,
	enum mini_field f, const struct json_node *n);
/* The step after `step` in preorder; NULL after the last step below the root. Updates *depth. */
const struct json_node *mini_next_step(const struct mini_shape *s, const struct json_node *root,
	const struct json_node *step, size_t *depth);

/* Whether n is the field's empty value, which has the type mini_empty_type(f). */
bool mini_is_nothing(enum mini_field f, const struct json_node *n);
enum json_type mini_empty_type(enum mini_field f);

/* Sets *s to the shape of the profile. The shape borrows the texts of the profile's keys. */
void mini_shape_take(struct mini_shape *s, const struct json_node *profile);
void mini_shape_put(const struct mini_shape *s, struct strbuf *json);
/* Reads the shape from @keys, using the arena. If keys is NULL, sets the shape of current .NET
 * versions. */
void mini_shape_get(struct mini_shape *s, struct arena *a, const struct json_node *keys);

/* Reads "/Date(N)/", ISO 8601 or milliseconds. *us is MODEL_NULL if the value is not a date.
 * Returns the form with which mini_time_put reproduces the value, or MINI_FORM_PLAIN if it cannot
 * reproduce the value. */
enum mini_form mini_time_read(const struct json_node *n, int64_t *us);
/* Writes the time as JSON, and returns its size. */
size_t mini_time_put(char out[MINI_TIME_BYTES], int64_t us, enum mini_form form);

/* Convert the execute types of .NET 2; return NULL or -1 for unknown types. */
const char *mini_execute_type_name(struct text number);
int mini_execute_type_number(struct text name);

/* Whether n is a list that contains only objects. Such objects become spans. */
bool mini_is_list(const struct json_node *n);

#endif
