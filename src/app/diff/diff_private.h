/* Declarations that the comparison files share. */
#ifndef PROFDEPOT_APP_DIFF_PRIVATE_H
#define PROFDEPOT_APP_DIFF_PRIVATE_H

#include "analysis/stack_table.h"
#include "app/facts.h"

/* The two sides that the request compares, and how it compares them. */
struct diff_plan {
	int64_t inst_id, base_id;
	struct facts_metric metric;
	enum facts_match match;
	enum compare_by by;
	bool normalise;
	unsigned statuses;
};

/* Finds the result sets and the metric. Sets ERROR_USAGE if options contradict each other. */
bool diff_plan_make(struct db *db, struct arena *a, const struct report *r,
	const struct report_request *q, struct diff_plan *p, struct error *err);

/* A request for a comparison. */
struct diff_request {
	const struct diff_plan *plan;
	const struct report_request *request;
};

struct compare_question diff_question(const struct diff_plan *p);

/* Returns whether the request compares the samples of two result sets, and has no filters except those by routine. */
bool diff_takes_samples(const struct diff_plan *p, const struct report_request *q);

/* Returns whether the request compares the objects of two result sets, and has no filters except those by routine. */
bool diff_takes_objects(const struct diff_plan *p, const struct report_request *q);

/* Compares large result sets by routine, class, module or own frame, with the same rows as a comparison of all stacks. Sets
 * *out to NULL if this is impossible. The result is in the arena and in `facts`, to which it adds the frames. */
bool diff_samples(struct db *db, struct arena *a, const struct diff_request *d, struct facts *facts,
	struct comparison **out, struct error *err);

/* Adds the objects of both sides to the facts, summed by class, if this gives a comparison by class or module the same rows
 * as with all stacks. Otherwise sets *known to false. */
bool diff_class_facts(struct db *db, struct arena *a, const struct diff_request *d,
	struct facts *facts, bool *known, struct error *err);

/* If the base's values were to be scaled, but cannot be, sets ERROR_USAGE and returns false. */
bool diff_check_factor(const struct diff_plan *p, const struct comparison *c, struct error *err);

/* A request for one page of a comparison of samples or objects by stack. */
struct diff_stacks {
	struct diff_request of;
	stack_key_fn *key; /* the requested order, or NULL */
	void *self;        /* passed to `key` */
	const char *
		name; /* if rows are sorted by the names of objects: "class" or "module"; otherwise NULL */
	bool descending; /* sorted by name in descending order */
};

struct diff_page {
	/* If false, stacks or classes cannot be matched by identity, or suppressions hide objects. The other
	 * members are then not set. */
	bool known;
	/* The comparison has only the rows of the page, but its counts include all rows. */
	struct comparison comparison;
	size_t row_count;       /* rows of the page */
	size_t all;             /* rows with a requested status */
	struct compare_row sum; /* sums of all rows with a requested status */
};

/* Returns whether diff_stacks_page can answer the request. */
bool diff_stacks_apply(const struct diff_plan *p, const struct report_request *q);

/* Compares stacks by identity, and reads names only for the page's rows. The rows and their order are
 * the same as without paging. The result is in the arena and in `facts`. */
bool diff_stacks_page(struct db *db, struct arena *a, const struct diff_stacks *d,
	struct facts *facts, struct diff_page *page, struct error *err);

/* Returns whether the column with this key shows the figure. For example, "base_count" and "count_delta" show
 * "count". */
bool diff_column_is_of(const char *key, const char *figure);

/* A figure of both sides, in fixed point. */
struct diff_figure {
	wide_int sides[FACTS_SIDES];
	uint8_t parts[FACTS_SIDES]; /* bits of enum facts_part */
};

/* Reads the row's figure for a column, such as "count" for the columns "base_count" and "count_delta". Returns false if the
 * column shows no figure. */
bool diff_figure_of(const struct diff_plan *p, const struct compare_row *r, const char *key,
	struct diff_figure *f);

/* Returns what the column shows of the figure; NULL if this is unknown. The text is in the arena. */
struct text diff_figure_text(
	struct arena *a, const struct diff_plan *p, const char *key, const struct diff_figure *f);

/* Returns the number by which rows are sorted. Unknown figures are sorted as 0. */
wide_int diff_figure_key(const char *key, const struct diff_figure *f);

/* Returns whether the result set has a value for the metric. If it has no objects or no errors, their value is 0. */
bool diff_is_measured(const struct diff_plan *p, enum facts_side side);

#endif
