/*
 * Compares two result sets: sums their facts (analysis/facts.h) by the requested key, joins them,
 * and classifies each row as new, gone, grown, shrunk or the same.
 */
#ifndef PROFDEPOT_ANALYSIS_COMPARE_H
#define PROFDEPOT_ANALYSIS_COMPARE_H

#include "analysis/facts.h"

enum compare_by {
	COMPARE_BY_STACK, /* one row per class, module, error kind and stack */
	/* objects by class and module, errors by name, other facts by the class of the innermost routine */
	COMPARE_BY_CLASS,
	/* count and value: facts whose innermost frame is the routine; totals: facts whose stack contains it */
	COMPARE_BY_ROUTINE,
	/* objects by calling module, other facts by the module of the innermost frame */
	COMPARE_BY_MODULE,
	COMPARE_BY_OWN,   /* one row per innermost own frame */
	COMPARE_BY_OBJECT /* single objects of one run, by class, module and creation number */
};

/* The statuses, in the order that reports use. */
#define COMPARE_STATUS_TABLE(X) \
	X(COMPARE_ADDED, "new") \
	X(COMPARE_GROWN, "grown") \
	X(COMPARE_SHRUNK, "shrunk") \
	X(COMPARE_GONE, "gone") \
	X(COMPARE_SAME, "same")

enum compare_status {
#define COMPARE_STATUS_ENUM(code, word) code,
	COMPARE_STATUS_TABLE(COMPARE_STATUS_ENUM)
#undef COMPARE_STATUS_ENUM
	COMPARE_STATUSES
};

struct compare_sums {
	wide_int count, value; /* sums of the members of struct fact */
	/* sums that include all calls below; set if compare_has_totals is true */
	wide_int total_count, total_value;
	bool present; /* the side has a fact for this row or for a call below it */
	/* what `value` and `total_value` contain: bits of enum facts_part; 0 if nothing was added */
	uint8_t parts, total_parts;
};

struct compare_row {
	enum compare_status status;
	/* kind: of an error, or of a leak if kinds have separate rows */
	struct text class_name, module_name, kind, number, description;
	uint32_t stack, lines; /* set if rows are compared by stack or object; see facts_stack */
	uint32_t frame; /* set if rows are compared by routine or own frame; FACTS_NONE if absent */
	const char *bare; /* why `frame` is missing, such as "(stack unknown)"; or NULL */
	struct compare_sums sums[FACTS_SIDES];
	/* new minus base; if compare_has_totals is true, the difference of the totals. value_change is 0 if a side
	 * contains unknown values. */
	wide_int count_change, value_change;
};

struct compare_question {
	enum compare_by by;
	enum facts_family family;
	/* when comparing by stack: separate rows for each leak kind */
	bool kinds;
	bool value_first; /* compare values first, then counts */
	bool normalise;   /* scale the base's values so that both sides have the same sum */
	const unsigned char *own_frames; /* result of facts_own_frames, or NULL */
	/* By routine: if not NULL, each fact is one routine with its self value, and these are the totals of the facts.
	 * Otherwise, totals are computed from the stacks. */
	const wide_int *totals[FACTS_SIDES];
};

struct comparison {
	struct compare_row *rows; /* largest change first */
	size_t row_count;
	size_t counts[COMPARE_STATUSES];      /* rows per status */
	struct compare_sums all[FACTS_SIDES]; /* sums of all facts; totals are not set */
	/* Two facts with given totals belong to one row. Its total is wrong if one routine calls the other. */
	bool merged;
	long double
		factor; /* what the base's values were multiplied by; 0 if they were not scaled */
};

/* The result is in the arena; its texts belong to the facts. */
struct comparison *facts_compare(
	struct arena *a, const struct facts *f, const struct compare_question *q);

/* Begins a comparison of the facts and of samples that follow one by one. The arguments must outlive the comparison. */
struct compare_work *compare_begin(
	struct arena *a, const struct facts *f, const struct compare_question *q);

/* Adds the value of one stack of samples to one side. frames: numbers of facts_frame, innermost first, at least one. For
 * comparisons by routine, class, module or own frame. */
void compare_stack(struct compare_work *w, enum facts_side side, const uint32_t *frames,
	size_t count, wide_int value);

/* Frees `w`. The result is that of facts_compare. */
struct comparison *compare_end(struct compare_work *w);

/* Sets the row's changes and status. */
void compare_judge(const struct compare_question *q, struct compare_row *row);

/* The sizes of a row's changes, the most important one first. */
struct compare_rank {
	wide_int keys[3];
};

/* self: the change of the value without the calls below. */
struct compare_rank compare_rank_of(const struct compare_question *q, wide_int count_change,
	wide_int value_change, wide_int self);

/* Compares two ranks. Larger changes come first. Returns < 0, 0 or > 0. */
int compare_ranks(const struct compare_rank *x, const struct compare_rank *y);

/* Returns the factor that gives both sides the same sum; 0 if either sum is not positive. */
long double compare_factor(wide_int now, wide_int base);

/* v * factor, rounded to six fraction digits. A product that is too large leaves v as it is. */
wide_int compare_scaled(wide_int v, long double factor);

/* Returns whether total_count and total_value are set when facts of this family are compared by
 * `by`. */
bool compare_has_totals(enum compare_by by, enum facts_family family);

const char *compare_status_name(enum compare_status status);

/* Parses "new,gone" into bits 1 << COMPARE_...; fails with ERROR_USAGE. */
bool compare_parse_statuses(const char *words, unsigned *bits, struct error *err);

/* Computes the growth from `base` to `now` in per cent. Returns false if base is 0. */
bool compare_percent(wide_int base, wide_int now, double *percent);

#endif
