/*
 * Budgets: what a result set may hold, and how much it may grow. Pure
 * functions on facts; app/budget_file.h reads them, app/check.h finds
 * the facts.
 */
#ifndef PROFDEPOT_ANALYSIS_BUDGET_H
#define PROFDEPOT_ANALYSIS_BUDGET_H

#include "analysis/compare.h"

enum budget_of {
	BUDGET_OF_LEAKS,
	BUDGET_OF_ERRORS,
	BUDGET_OF_METRIC,  /* of samples or spans */
	BUDGET_OF_DURATION /* how long spans of a name took */
};

enum budget_figure {
	BUDGET_COUNT,
	BUDGET_SIZE,
	BUDGET_VALUE,
	BUDGET_NEW /* stacks that the base has not */
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
	BUDGET_TOTAL = -1 /* of budget.each: all that is chosen together */
};

struct budget_limit {
	bool set;
	wide_int value;   /* fixed; percent as such */
	const char *unit; /* a time's unit as in model/measures.h; NULL: the metric's */
};

struct budget {
	const char *name; /* unique in its list */
	enum budget_of of;
	const char *metric;    /* of BUDGET_OF_METRIC */
	const char *statistic; /* of BUDGET_OF_DURATION: a word of store/tree/span_times.h; NULL:
				  median */
	int each;              /* enum compare_by: limits hold for each by itself; BUDGET_TOTAL */
	/* Globs; none: all. Classes and modules are those of objects, of metrics those of the
	 * innermost frame; a routine is one that the stack holds, an own frame the
	 * innermost one of own code: its module, class or routine. */
	struct option_list classes, modules, routines, own, kinds, spans;
	struct budget_limit limits[BUDGET_LIMITS];
	bool optional; /* passed over where it cannot be judged */
};

struct budget_list {
	struct budget *budgets;
	size_t count;
	struct option_list own; /* modules or classes of own code */
	enum facts_match match;
};

const char *budget_limit_key(enum budget_limit_code limit);
enum budget_figure budget_limit_figure(enum budget_limit_code limit);
enum budget_mode budget_limit_mode(enum budget_limit_code limit);

/* Does it need a result set to compare with? */
bool budget_needs_base(const struct budget *b);

/* A limit that does not hold. */
struct budget_breach {
	enum budget_limit_code limit;
	struct compare_row group; /* what broke it, by budget.each */
	wide_int measured;  /* fixed; percent as such; of a base of 0 all growth is INT128 max */
	wide_int now, base; /* fixed: the figure itself on both sides */
	struct compare_row *stacks; /* of the group, those that weigh most first */
	size_t stack_count;
};

/* Measured `measured` against the limit: is it broken? base and now are fixed. */
bool budget_breaks(const struct budget_limit *limit, enum budget_mode mode, wide_int base,
	wide_int now, wide_int *measured);

/*
 * All breaches, in the order of limits, the worst group first; in the arena.
 * own: facts_own_frames, NULL: nothing is own. Limits of budgets whose
 * base is missing are not looked at when !compared.
 */
struct budget_breach *budget_judge(struct arena *a, const struct facts *f, enum facts_family family,
	const struct budget *b, const unsigned char *own, bool compared, size_t *count);

/* Facts that a budget is about: shares the dictionary with f. */
const struct facts *budget_choose(struct arena *a, const struct facts *f, enum facts_family family,
	const struct budget *b, const unsigned char *own);

#endif
