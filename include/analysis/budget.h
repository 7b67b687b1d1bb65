/*
 * Budgets: limits on what a result set may contain and on how much it may grow. These functions
 * read no files and no tables: app/budget_file.h reads budgets, and app/check.h reads the facts.
 */
#ifndef PROFDEPOT_ANALYSIS_BUDGET_H
#define PROFDEPOT_ANALYSIS_BUDGET_H

#include "analysis/compare.h"

enum budget_of {
	BUDGET_OF_LEAKS,
	BUDGET_OF_ERRORS,
	BUDGET_OF_METRIC,  /* metrics of samples or spans */
	BUDGET_OF_DURATION /* durations of spans with a given name */
};

enum budget_figure {
	BUDGET_COUNT,
	BUDGET_SIZE,
	BUDGET_VALUE,
	BUDGET_NEW /* stacks that the base does not contain */
};

enum budget_mode {
	BUDGET_MOST,
	BUDGET_GROWTH,
	BUDGET_PERCENT /* growth in per cent */
};

/* The columns: code, key in the budget file, figure, mode. */
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
	BUDGET_TOTAL = -1 /* value of budget.each: all chosen facts form one group */
};

struct budget_limit {
	bool set;
	wide_int value;   /* fixed-point; 5 % is 5 */
	const char *unit; /* unit of a time, as in model/measures.h; NULL means the metric's unit */
};

struct budget {
	const char *name; /* unique in its list */
	enum budget_of of;
	const char *metric; /* name of the metric, for BUDGET_OF_METRIC */
	/* for BUDGET_OF_DURATION: a word from store/tree/span_times.h; NULL means median */
	const char *statistic;
	int each; /* enum compare_by if the limits apply to each group; otherwise BUDGET_TOTAL */
	/* Globs; empty lists match everything. Classes and modules are those of the object or, for
	 * metrics, of the innermost frame. Routines are matched with every frame of the stack.
	 * `own` is matched with the innermost own frame's module, class and routine. */
	struct option_list classes, modules, routines, own, kinds, spans;
	struct budget_limit limits[BUDGET_LIMITS];
	bool optional; /* the budget is skipped if it cannot be judged */
};

struct budget_list {
	struct budget *budgets;
	size_t count;
	struct option_list own; /* globs that match the modules or classes of own code */
	enum facts_match match;
};

/* Indexed by enum budget_limit_code. */
extern const struct budget_limit_info {
	const char *key;
	enum budget_figure figure;
	enum budget_mode mode;
} budget_limits[];

/* Returns whether the budget needs a result set to compare with. */
bool budget_needs_base(const struct budget *b);

/* A limit that was exceeded. */
struct budget_breach {
	enum budget_limit_code limit;
	struct compare_row group; /* the group that exceeded the limit; see budget.each */
	/* the figure to compare with the limit's value; fixed-point; 5 % is 5; growth from 0 is
	 * WIDE_MAX */
	wide_int measured;
	wide_int now, base;         /* the figure in the result set and in its base; fixed-point */
	struct compare_row *stacks; /* the group's stacks, descending by weight */
	size_t stack_count;
};

/* Returns whether the limit is exceeded; sets `measured`. base and now are fixed-point. */
bool budget_breaks(const struct budget_limit *limit, enum budget_mode mode, wide_int base,
	wide_int now, wide_int *measured);

struct budget_verdict {
	/* in the order of limits; for each limit, the worst group comes first */
	struct budget_breach *breaches;
	size_t count;
	/* because some sizes are unknown, a limit may be exceeded that is not among the breaches */
	bool unknown;
};

/* The result is in the arena. `own` is the result of facts_own_frames; NULL means that there are no own frames. If
 * `compared` is false, limits that need a base are skipped. */
struct budget_verdict budget_judge(struct arena *a, const struct facts *f, enum facts_family family,
	const struct budget *b, const unsigned char *own, bool compared);

#endif
