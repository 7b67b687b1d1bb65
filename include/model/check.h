/*
 * What a check found: budgets with their verdicts, and the leaks and errors
 * of the result set. Service makes it, renderers write it; it lives in the
 * arena of its maker.
 */
#ifndef PROFDEPOT_MODEL_CHECK_H
#define PROFDEPOT_MODEL_CHECK_H

#include "base/decimal.h"
#include "model/table.h"

#define CHECK_VERDICT_TABLE(X) \
	X(CHECK_PASSED, "passed") \
	X(CHECK_BROKEN, "broken") \
	X(CHECK_SKIPPED, "skipped")   /* optional, and cannot be judged */ \
	X(CHECK_UNJUDGED, "unjudged") /* cannot be judged */

enum check_verdict {
#define CHECK_VERDICT_ENUM(code, word) code,
	CHECK_VERDICT_TABLE(CHECK_VERDICT_ENUM)
#undef CHECK_VERDICT_ENUM
	CHECK_VERDICTS
};

/* Of a stack since the result set that is compared with. */
enum check_state {
	CHECK_NOT_COMPARED,
	CHECK_NEW,
	CHECK_UPDATED, /* there before, more or less of it */
	CHECK_UNCHANGED,
	CHECK_ABSENT
};

enum check_fact {
	CHECK_LEAK,
	CHECK_ERROR,
	CHECK_MEASURE /* of samples or spans: told for a breach only */
};

/* Facts of one kind, class and stack. */
struct check_stack {
	enum check_fact fact;
	const char *rule; /* "leak", "leak-definite", "InvalidRead": the same for the same kind */
	struct text class_name, module_name, kind, description;
	const struct table_frame *frames; /* innermost first */
	size_t frame_count;
	size_t place;      /* the frame where people begin to read; frame_count: none */
	char identity[33]; /* hex; of the frames' names, with --match lines of lines too */
	enum check_state state;
	struct text count, count_change; /* digits; change NULL: not compared */
	struct text value, value_change; /* leaks: bytes; measures: in unit; errors: NULL */
	struct text unit;                /* of a measure */
	bool breaks;                     /* it is part of what broke a budget */
};

/* A limit that does not hold. */
struct check_breach {
	const char *limit;    /* its key in the budget file */
	const char *what;     /* of the group: "Bitmap (orders.exe)"; "" for all together */
	const char *text;     /* "34 objects of Registry (Orders.exe), allowed are 10" */
	const size_t *stacks; /* in check.stacks, those that weigh most first */
	size_t stack_count;
};

struct check_budget {
	const char *name;
	enum check_verdict verdict;
	const char *reason; /* of skipped and unjudged; else NULL */
	const struct check_breach *breaches;
	size_t breach_count;
};

struct check {
	struct table_set set; /* base_inst_id NULL: not compared */
	const char *tool_version;
	const struct check_budget *budgets;
	size_t budget_count;
	size_t verdicts[CHECK_VERDICTS];
	const struct check_stack *stacks; /* leaks, then errors, then measures */
	size_t stack_count;
	struct text suppressed; /* objects and errors that suppressions hid; NULL: none */
};

#endif
