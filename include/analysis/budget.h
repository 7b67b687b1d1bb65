/*
 * Budgets: what a result set may hold, and how much it may grow. Pure functions on facts.
 * app/budget_file.h reads budgets, app/check.h finds the facts.
 */
#ifndef PROFDEPOT_ANALYSIS_BUDGET_H
#define PROFDEPOT_ANALYSIS_BUDGET_H

#include "analysis/compare.h"

enum budget_of {
	BUDGET_OF_LEAKS,
	BUDGET_OF_ERRORS,
	BUDGET_OF_METRIC,  /* of samples or spans */
	BUDGET_OF_DURATION /* durations of the spans of a name */
};

enum budget_figure {
	BUDGET_COUNT,
	BUDGET_SIZE,
	BUDGET_VALUE,
	BUDGET_NEW /* stacks that are not in the base */
};

enum budget_mode {
	BUDGET_MOST,
	BUDGET_GROWTH,
	BUDGET_PERCENT /* of growth */
};

/* code, key in the file, figure, mode */
#define BUDGET_LIMIT_TABLE(X) \
	X(BUDGET_MAX_COUNT, "max_count", BUDGET_COUNT, BUDGET_MOST) \
	X(BUDGET_MAX_SIZE, "max_size", BUDGET_SIZE, BUDGET_MOST) \
	X(BUDGET_MAX_VALUE, "max_value", BUDGET_VALUE, BUDGET_MOST) \
	X(BUDGET_MAX_COUNT_GROWTH, "max_count_growth", BUDGET_COUNT, BUDGET_GROWTH) \
	X(BUDGET_MAX_SIZE_GROWTH, "max_size_growth", BUDGET_SIZE, BUDGET_GROWTH) \
	X(BUDGET_MAX_VALUE_GROWTH, "max_value_growth", BUDGET_VALUE, BUDGET_GROWTH) \
	X(BUDGET_MAX_COUNT_PERCENT, "max_count_growth_percent", BUDGET_COUNT, BUDGET_PERCENT) \
	X(BUDGET_MAX_SIZE_PERCENT, "max_size_growth_percent", BUDGET_SIZE, BUDGET_PERCENT) \
	X(BUDGET_MAX_VALUE_PERCENT, "max_value_growth_percent", BUDGET_VALUE, BUDGET_PERCENT) \
	X(BUDGET_MAX_NEW, "max_new", BUDGET_NEW, BUDGET_MOST)

enum budget_limit_code {
#define BUDGET_LIMIT_ENUM(code, key, figure, mode) code,
	BUDGET_LIMIT_TABLE(BUDGET_LIMIT_ENUM)
#undef BUDGET_LIMIT_ENUM
	BUDGET_LIMITS
};

enum {
	BUDGET_TOTAL = -1 /* in budget.each: everything that was chosen, together */
};

struct budget_limit {
	bool set;
	wide_int value;   /* fixed-point; 5 % is 5 */
	const char *unit; /* a time's unit, as in model/measures.h; NULL means the metric's unit */
};

struct budget {
	const char *name; /* unique in its list */
	enum budget_of of;
	const char *metric; /* for BUDGET_OF_METRIC */
	/* for BUDGET_OF_DURATION: a word of store/tree/span_times.h; NULL means median */
	const char *statistic;
	int each; /* enum compare_by: limits apply to each group; or BUDGET_TOTAL */
	/* Globs; empty lists match everything. Classes and modules are those of objects; for
	 * metrics, those of the innermost frame. A routine is any in the stack. An own frame is the
	 * innermost frame of own code: its module, class or routine. */
	struct option_list classes, modules, routines, own, kinds, spans;
	struct budget_limit limits[BUDGET_LIMITS];
	bool optional; /* skipped if it cannot be judged */
};

struct budget_list {
	struct budget *budgets;
	size_t count;
	struct option_list own; /* globs for modules or classes of own code */
	enum facts_match match;
};

const char *budget_limit_key(enum budget_limit_code limit);
enum budget_figure budget_limit_figure(enum budget_limit_code limit);
enum budget_mode budget_limit_mode(enum budget_limit_code limit);

/* Does the budget need a result set to compare with? */
bool budget_needs_base(const struct budget *b);

/* A limit that was exceeded. */
struct budget_breach {
	enum budget_limit_code limit;
	struct compare_row group; /* the group that exceeded it, by budget.each */
	/* fixed-point; 5 % is 5; any growth from 0 is the largest wide_int */
	wide_int measured;
	wide_int now, base;         /* the figure in the result set and its base; fixed-point */
	struct compare_row *stacks; /* the group's stacks, descending by weight */
	size_t stack_count;
};

/* Whether the limit is exceeded; sets `measured`. base and now are fixed-point. */
bool budget_breaks(const struct budget_limit *limit, enum budget_mode mode, wide_int base,
	wide_int now, wide_int *measured);

/*
 * All breaches, in the order of limits, the worst group first; in the arena. own is from
 * facts_own_frames; NULL means nothing is own. If !compared, limits that need a base are skipped.
 */
struct budget_breach *budget_judge(struct arena *a, const struct facts *f, enum facts_family family,
	const struct budget *b, const unsigned char *own, bool compared, size_t *count);

#endif
