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

/* Relation and condition of a word of REPORT_FACTS_TABLE; NULL for another. */
const char *report_facts_place(const char *word);

/* Is the text one that the parameter's type can hold: ERROR_USAGE, naming the
 * option. */
bool report_value_check(enum report_param p, const char *text, struct error *err);

/* The request's value of a parameter as it is sent, in the arena; NULL when it
 * is not asked for. Values passed report_value_check. */
const char *report_value_sql(struct arena *a, const struct report_request *q, enum report_param p);

/* '{"a%","b"}': globs as LIKE patterns in an array literal. */
const char *report_patterns(struct arena *a, const struct option_list *globs);

#endif
