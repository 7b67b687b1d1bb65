/*
 * The result of a check: budgets with their verdicts, and the leaks and errors of the result set.
 * The application layer creates it in an arena, and renderers write it.
 */
#ifndef PROFDEPOT_MODEL_CHECK_H
#define PROFDEPOT_MODEL_CHECK_H

#include "base/decimal.h"
#include "model/table.h"

#define CHECK_VERDICT_TABLE(X) \
	X(CHECK_PASSED, "passed") \
	X(CHECK_BROKEN, "broken") \
	X(CHECK_SKIPPED, "skipped")   /* an optional budget that cannot be judged */ \
	X(CHECK_UNJUDGED, "unjudged") /* a required budget that cannot be judged */

enum check_verdict {
#define CHECK_VERDICT_ENUM(code, word) code,
	CHECK_VERDICT_TABLE(CHECK_VERDICT_ENUM)
#undef CHECK_VERDICT_ENUM
	CHECK_VERDICTS
};

/* How a stack's facts differ from those in the base result set. */
enum check_state {
	CHECK_NOT_COMPARED,
	CHECK_NEW,
	CHECK_UPDATED, /* existed before, with a different count or value */
	CHECK_UNCHANGED,
	CHECK_ABSENT
};

enum check_fact {
	CHECK_LEAK,
	CHECK_ERROR,
	CHECK_MEASURE /* a metric of samples or spans; present only if it contributed to a breach */
};

/* All facts of one kind that have the same class and the same stack. */
struct check_stack {
	enum check_fact fact;
	/* "leak", "leak-definite" ..., the name of an error such as "InvalidRead", or of a metric */
	const char *rule;
	struct text class_name, module_name, kind, description;
	const struct table_frame *frames; /* innermost first */
	size_t frame_count;
	size_t place;      /* index of the frame to show first; frame_count if unknown */
	char identity[33]; /* hex hash of names; with --match lines, also of lines */
	char finding[33];  /* hex identity of the finding (model/finding.h); "" for a measure */
	/* owner of the source file of frames[place], from the depot's CODEOWNERS; NULL if unknown */
	struct text owner;
	enum check_state state;
	struct text count, count_change; /* digits; count_change is NULL if not compared */
	struct text value, value_change; /* leaks: bytes; measures: in `unit`; errors: NULL */
	struct text unit;                /* unit of a measure's value */
	bool breaks;                     /* the stack contributed to a breach */
};

/* A limit that was exceeded. */
struct check_breach {
	const char *limit; /* the limit's key in the budget file */
	const char *what;  /* the group, such as "Bitmap (orders.exe)"; "" for all facts together */
	const char *text;  /* "34 objects of Registry (Orders.exe), allowed: 10" */
	const size_t *stacks; /* indexes in check.stacks, descending by weight */
	size_t stack_count;
};

struct check_budget {
	const char *name;
	enum check_verdict verdict;
	const char *reason; /* why the budget is skipped or unjudged; otherwise NULL */
	const char *hint; /* for text: the end of the reason, which says what to do; may be NULL */
	bool incomplete;  /* cannot be judged, because the run's search was incomplete */
	const struct check_breach *breaches;
	size_t breach_count;
};

struct check {
	struct table_set set;    /* base_inst_id is NULL if not compared */
	const int64_t *inst_ids; /* the result sets that were checked */
	size_t inst_id_count;
	const char *tool_version;
	const struct check_budget *budgets;
	size_t budget_count;
	size_t verdicts[CHECK_VERDICTS];
	const struct check_stack *stacks; /* leaks, then errors, then measures */
	size_t stack_count;
	/* The number of objects and errors that suppressions hid; NULL if there are no suppressions. */
	struct text suppressed;
};

#endif
