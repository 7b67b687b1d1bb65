#ifndef PROFDEPOT_REPORT_PRIVATE_H
#define PROFDEPOT_REPORT_PRIVATE_H

#include "db/connection.h"
#include "report/report.h"

/* A result set's routines and lines, looked up by the ids in its stacks. */
struct frame_names;

struct frame_names *frame_names_load(struct db *db, const char *inst_id, struct error *err);
void frame_names_free(struct frame_names *f); /* NULL does nothing */

/* Fills the cell from "{1,2}{3,NULL}"; frames live in the arena, names as
 * long as f. A NULL text is the unknown stack. */
void frame_names_resolve(
	const struct frame_names *f, struct arena *a, struct text arrays, struct table_cell *cell);

/* The order that include/report/report.h defines: < 0, 0, > 0. */
int frames_compare(const struct table_cell *a, const struct table_cell *b);

/* A sum of whole numbers that does not overflow. */
struct total {
	uint64_t low, high; /* magnitude, of the positive and the negative numbers */
	uint64_t negative_low, negative_high;
};

void total_add(struct total *t, struct text digits); /* NULL adds nothing */
struct text total_text(const struct total *t, struct arena *a);

/* '{"a%","b"}': globs as LIKE patterns in an array literal. */
const char *report_patterns(struct arena *a, const struct option_list *globs);

#endif
