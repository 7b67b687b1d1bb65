/*
 * Compares two result sets: sums their facts (analysis/facts.h) by the requested key, joins them,
 * and classifies each row as new, gone, grown, shrunk or the same.
 */
#ifndef PROFDEPOT_ANALYSIS_COMPARE_H
#define PROFDEPOT_ANALYSIS_COMPARE_H

#include "analysis/facts.h"

enum compare_by {
	COMPARE_BY_STACK, /* class, module, kind of errors, and stack */
	/* objects: class and module; errors: name; otherwise the routine's class */
	COMPARE_BY_CLASS,
	COMPARE_BY_ROUTINE, /* self of the innermost frame, and total */
	COMPARE_BY_MODULE,  /* objects: the calling module; otherwise the innermost frame's */
	COMPARE_BY_OWN,     /* the innermost own frame */
	COMPARE_BY_OBJECT   /* class, module and # of each object: within one run */
};

/* In the order in which people see them. */
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
	wide_int count, value; /* as in struct fact */
	/* including everything below; by routine, and for samples and spans by class and module */
	wide_int total_count, total_value;
	bool present; /* there is a fact, self or below */
};

struct compare_row {
	enum compare_status status;
	struct text class_name, module_name, kind, number, description;
	uint32_t stack;   /* by stack and object */
	uint32_t frame;   /* by routine and own; FACTS_NONE if absent */
	const char *bare; /* why there is no frame, such as "(stack unknown)"; or NULL */
	struct compare_sums sums[FACTS_SIDES];
	/* new minus base, by the figures that decide the status: totals if there are any */
	wide_int count_change, value_change;
};

struct compare_question {
	enum compare_by by;
	enum facts_family family;
	/* by stack: objects of different leak kinds are different */
	bool kinds;
	bool value_first;                /* decide by value; by count only if values are equal */
	const unsigned char *own_frames; /* facts_own_frames, or NULL */
};

struct comparison {
	struct compare_row *rows; /* largest change first */
	size_t row_count;
	size_t counts[COMPARE_STATUSES];      /* rows per status */
	struct compare_sums all[FACTS_SIDES]; /* of all facts; no totals */
	bool has_totals;
};

/* In the arena; the texts belong to the facts. */
struct comparison *facts_compare(
	struct arena *a, const struct facts *f, const struct compare_question *q);

/* Scales the base's values so that both sides have the same sum, each to six fraction digits.
 * Returns the factor; 0 if one of the sums is not positive, and then changes nothing. */
double facts_normalise(struct facts *f);

const char *compare_status_name(enum compare_status status);

/* Parses "new,gone" into bits 1 << COMPARE_...; ERROR_USAGE. */
bool compare_parse_statuses(const char *words, unsigned *bits, struct error *err);

/* How many per cent `now` is above `base`; false if base is 0. */
bool compare_percent(wide_int base, wide_int now, double *percent);

#endif
