#ifndef PROFDEPOT_REPORT_PRIVATE_H
#define PROFDEPOT_REPORT_PRIVATE_H

#include "base/decimal.h"
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

/* Fills the cell from stacks parted by U+001E, each its role, heading and arrays
 * parted by U+001F. A NULL text is none. */
void frame_names_stacks(
	const struct frame_names *f, struct arena *a, struct text stacks, struct table_cell *cell);

/* The order that include/report/report.h defines: < 0, 0, > 0. */
int frames_compare(const struct table_cell *a, const struct table_cell *b);

/* An exact sum of numbers as PostgreSQL writes them. */
struct total {
	wide_int whole;
	int64_t fraction; /* in units of 10^-18 */
	uint8_t scale;    /* most digits behind the point */
	bool beyond;      /* a number had more digits than is summed here */
};

void total_add(struct total *t, struct text digits);            /* NULL adds nothing */
struct text total_text(const struct total *t, struct arena *a); /* beyond: NULL */

/* Totals by the values of a report's part_column: what table_foot's parts are made from. */
struct parts;

struct parts *parts_new(const struct report *report);
void parts_free(struct parts *p); /* NULL does nothing */
void parts_forget(struct parts *p);
/* cells: by column, those that are summed. */
void parts_add(struct parts *p, struct text value, uint64_t rows, const struct table_cell *cells);
/* Fills the foot's parts, in the arena; their texts live as long as p's. */
void parts_tell(struct parts *p, struct arena *a, struct table_foot *foot);

/* The text of the report's .sql file, without ORDER BY. */
const char *report_query(const struct report *r);

/* Is the text one that the parameter's type can hold: ERROR_USAGE, naming the
 * option. */
bool report_value_check(enum report_param p, const char *text, struct error *err);

/* The request's value of a parameter as it is sent, in the arena; NULL when it
 * is not asked for. Values passed report_value_check. */
const char *report_value_sql(struct arena *a, const struct report_request *q, enum report_param p);

/* '{1,2}': numbers in an array literal. */
const char *report_ids(struct arena *a, const int64_t *ids, size_t count);

#endif
