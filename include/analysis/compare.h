/*
 * Two result sets side by side: their facts (analysis/facts.h) summed by what
 * is asked for, joined, and judged new, gone, grown, shrunk or the same.
 */
#ifndef PROFDEPOT_ANALYSIS_COMPARE_H
#define PROFDEPOT_ANALYSIS_COMPARE_H

#include "analysis/facts.h"

enum compare_by {
	COMPARE_BY_STACK,   /* class, module, kind of errors, and stack */
	COMPARE_BY_CLASS,   /* objects: class and module; errors: name; else the routine's class */
	COMPARE_BY_ROUTINE, /* the innermost frame's own, and all below it */
	COMPARE_BY_MODULE,  /* objects: the module that called; else the innermost frame's */
	COMPARE_BY_OWN,     /* the innermost own frame */
	COMPARE_BY_OBJECT   /* class, module and # of each object: of one run */
};

/* In the order in which people want to see them. */
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
	wide_int count, value;             /* as in struct fact */
	wide_int total_count, total_value; /* with all below; by routine, and of samples and
					      spans by class and module */
	bool present;                      /* there is a fact, own or below */
};

struct compare_row {
	enum compare_status status;
	struct text class_name, module_name, kind, number, description;
	uint32_t stack;   /* by stack and object */
	uint32_t frame;   /* by routine and own; FACTS_NONE: none */
	const char *bare; /* why there is no frame, such as "(stack unknown)"; NULL */
	struct compare_sums sums[FACTS_SIDES];
	wide_int count_change, value_change; /* new less base: by what the rows are judged,
						totals where there are such */
};

struct compare_question {
	enum compare_by by;
	enum facts_family family;
	bool kinds;                      /* by stack: objects of another leak kind are others */
	bool value_first;                /* judge by value, by count only where values are equal */
	const unsigned char *own_frames; /* facts_own_frames; NULL: none */
};

struct comparison {
	struct compare_row *rows; /* largest change first */
	size_t row_count;
	size_t counts[COMPARE_STATUSES];      /* rows of each status */
	struct compare_sums all[FACTS_SIDES]; /* of all facts; no totals */
	bool has_totals;
};

/* In the arena; texts are the facts'. */
struct comparison *facts_compare(
	struct arena *a, const struct facts *f, const struct compare_question *q);

/* Multiplies the base's values so that both sides have the same sum, each to
 * six digits behind the point. The factor, 0 when one of the sums is not
 * above 0: then nothing changes. */
double facts_normalise(struct facts *f);

const char *compare_status_name(enum compare_status status);

/* "new,gone" as bits 1 << COMPARE_...; ERROR_USAGE. */
bool compare_parse_statuses(const char *words, unsigned *bits, struct error *err);

/* Percent that `now` is above `base`; false when base is 0. */
bool compare_percent(wide_int base, wide_int now, double *percent);

#endif
