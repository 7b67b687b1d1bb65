#ifndef PROFDEPOT_REPORT_PRIVATE_H
#define PROFDEPOT_REPORT_PRIVATE_H

#include "base/decimal.h"
#include "db/connection.h"
#include "report/report.h"

/* The routines and lines of a result set, by the ids in its stacks. */
struct frame_names;

struct frame_names *frame_names_load(struct db *db, const char *inst_id, struct error *err);
void frame_names_free(struct frame_names *f); /* NULL is allowed */

/* Fills the cell from array texts such as "{1,2}{3,NULL}". The frames live in the arena; their
 * names live as long as f. If `arrays` is NULL, the stack is unknown. */
void frame_names_resolve(
	const struct frame_names *f, struct arena *a, struct text arrays, struct table_cell *cell);

/* Fills the cell from stacks separated by U+001E. Each consists of role, heading and arrays,
 * separated by U+001F. NULL means no stacks. */
void frame_names_stacks(
	const struct frame_names *f, struct arena *a, struct text stacks, struct table_cell *cell);

/* Returns the source file of a routine, given its REC_ID as text. Returns NULL if the REC_ID is NULL or the
 * routine or its file is unknown. The text lives as long as f. */
struct text frame_names_file(const struct frame_names *f, struct text routine_id);

/* Compares stacks in the order that include/report/report.h defines. Returns < 0, 0 or > 0. */
int frames_compare(const struct table_cell *a, const struct table_cell *b);

/* An exact sum of decimals from PostgreSQL. */
struct total {
	wide_int whole;
	int64_t fraction;    /* in units of 10^-18 */
	uint8_t scale;       /* digits after the point */
	bool beyond;         /* a number had too many digits */
	bool known, unknown; /* some number was not NULL; some number was NULL */
};

void total_add(struct total *t, struct text digits);
/* NULL if t->beyond, or if all numbers were NULL. Without any numbers, the sum is 0. */
struct text total_text(const struct total *t, struct arena *a);

/* Totals for each value of a report's part_column, for table_foot's parts. */
struct parts;

struct parts *parts_new(const struct report *report);
void parts_free(struct parts *p); /* NULL is allowed */
void parts_forget(struct parts *p);
/* `cells` has one cell per column; only summed columns are used. */
void parts_add(struct parts *p, struct text value, uint64_t rows, const struct table_cell *cells);
/* Sets the foot's parts to an array in the arena; the texts in it live as long as p. */
void parts_fill(struct parts *p, struct arena *a, struct table_foot *foot);

/* The text of the report's .sql file, without ORDER BY. */
const char *report_query(const struct report *r);

/* Returns whether report_sql adds columns with totals if its argument `ties` is false. These columns are the
 * number of all rows, then the sum of each summed column over all rows. Rows beyond the limit count, too. */
bool report_page_has_totals(const struct report *r, const struct report_request *q);

/* Sets ERROR_USAGE, naming the option, if the text is not a value of the parameter's type. */
bool report_value_check(enum report_param p, const char *text, struct error *err);

/* A parameter's value for the server, in the arena; NULL if the request does not set the parameter.
 * The caller has already checked the value with report_value_check. */
const char *report_value_sql(struct arena *a, const struct report_request *q, enum report_param p);

/* Returns the numbers as an array literal such as '{1,2}'. */
const char *report_ids(struct arena *a, const int64_t *ids, size_t count);

#endif
