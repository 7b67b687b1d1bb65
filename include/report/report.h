/*
 * Reports: one .sql file each, run against one result set at a time.
 *
 * A file begins with comments that describe it; they make the option check,
 * `profdepot reports`, and the columns that a renderer sees:
 *
 *	-- title: for people
 *	-- layout: grid | records | sections | findings	(grid when left out)
 *	-- facts: objects			a word of REPORT_FACTS_TABLE; no row of a
 *						result set without them: the answer says so
 *	-- detectors: record			the --by of what detectors found, if none is asked
 *	-- rows: tree				made from the call tree, or a comparison, by
 *						app/report_rows.h; there is no query
 *	-- with: live chosen			part_live.sql, part_chosen.sql before it
 *	-- params: inst_id thread ...		$1, $2, ... by names of REPORT_PARAM_TABLE;
 *						inst_ids first: all result sets asked for at once
 *	-- order: count desc, size desc, class	columns; left out: rows come as they
 *						stand, and --sort and --top are refused
 *	-- ties: stack				rows equal in the order's columns are
 *						sorted by their stack
 *	-- parts: kind				the totals are told by this column's values, too
 *	-- part: definite "definitely lost"	such a value's name, in their order; "-": none
 *	-- column: KEY KIND UNIT "TITLE" [sum] [machine] [rank] [change] [series]
 *
 * rank numbers the rows as they are shown. A column of kind frames
 * holds a stack's routine_ids and then its line_ids as array texts, one of kind
 * stacks any number of them: role, U+001F, heading, U+001F, arrays, parted by U+001E.
 *
 * Stacks are ordered frame by frame, innermost first; a frame by module,
 * class, routine and source file (bytes, NULL as empty), then by its line
 * (unknown first); a stack that ends first is first, so the unknown one is
 * before all.
 */
#ifndef PROFDEPOT_REPORT_REPORT_H
#define PROFDEPOT_REPORT_REPORT_H

#include "base/arena.h"
#include "base/option.h"
#include "model/table.h"
#include "report/params.h"
#include "report/tables.h"

struct db;
struct suppressions;

enum {
	REPORT_MAX_PARAMS = 16,
	REPORT_MAX_COLUMNS = 32,
	REPORT_MAX_ORDER = 12,
	REPORT_MAX_PARTS = 12
};

struct report_order {
	size_t column;
	bool descending;
};

struct report {
	const char *name;
	const char *by; /* NULL: the report knows no --by */
	const char *title;
	const char *note; /* the comment behind the header, one line; "" for none */
	enum table_layout layout;
	const char *rows;         /* how rows are made; NULL: by the query */
	const char *facts;        /* what it is about; NULL: of any */
	const char *detectors_by; /* --by of report_for_sets; NULL: none */
	struct table_column columns[REPORT_MAX_COLUMNS];
	size_t column_count;
	enum report_param params[REPORT_MAX_PARAMS]; /* of $1, $2, ... */
	size_t param_count;
	struct report_order order[REPORT_MAX_ORDER];
	size_t order_count;
	int rank_column; /* -1: none */
	int tie_column;  /* of kind frames; -1: none */
	int part_column; /* the totals are parted by; -1: none */
	const char *part_values[REPORT_MAX_PARTS], *part_names[REPORT_MAX_PARTS]; /* "": NULL */
	size_t part_name_count;
	const char *sql; /* its parts put together, without ORDER BY */
};

/* What is asked. Members left zero are not asked for. */
struct report_request {
	int64_t inst_id;
	const int64_t *inst_ids; /* of a report that takes several at once */
	size_t inst_id_count;
	struct option_list lists[REPORT_PARAMS]; /* globs, of the text[] parameters */
	const char *values[REPORT_PARAMS];       /* of the others, as people write them */
	/* What the reports that take them leave out: IDs of objects and errors. */
	const int64_t *excluded_objects, *excluded_errors;
	size_t excluded_object_count, excluded_error_count;
	/* Sentences of the caller's for the foot, ends with NULL; may be NULL itself. */
	const char *const *notes;
	const struct suppress_use *suppressed; /* for the foot; NULL: nothing is */
	/* Applied by app/report_rows.h to reports on leaks and errors; NULL: none. */
	struct suppressions *suppressions;
	int64_t top;      /* rows; 0: all */
	int64_t skip;     /* rows before the first shown */
	const char *sort; /* "COLUMN[:asc|desc]" */
};

/* Parsed from its file into the arena. by NULL: the default. ERROR_NOT_FOUND
 * with the nearest name as a hint; ERROR_USAGE when it has no such --by. */
const struct report *report_find(
	struct arena *a, const char *name, const char *by, struct error *err);

/* One that others are made from: report/FILE.sql, which is not in the table. */
const struct report *report_part(struct arena *a, const char *file, struct error *err);
/* The i-th row of REPORT_TABLE; NULL behind the last. */
const struct report *report_at(struct arena *a, size_t i, struct error *err);
bool report_takes(const struct report *r, enum report_param p);
const char *report_param_name(enum report_param p);
const char *report_param_option(enum report_param p); /* without the dashes */
enum report_value report_param_value(enum report_param p);
const char *report_param_type(enum report_param p); /* in SQL */

/* '{"a%","b"}': globs as LIKE patterns in an array literal. */
const char *report_patterns(struct arena *a, const struct option_list *globs);
/* Can the report answer it: ERROR_USAGE, with the reports that take the option as a hint. */
bool report_check(const struct report *r, const struct report_request *q, struct error *err);
/* A request's "COLUMN[:asc|desc]"; ERROR_USAGE when it is none of r's. */
bool report_parse_sort(
	const struct report *r, const char *sort, struct report_order *order, struct error *err);

/* The report to run for q->inst_ids when r was found without --by: the one for detectors,
 * where these found all and it takes the request; else r. ERROR_USAGE when r cannot.
 * report_check_any: can one of the two? As report_check. */
const struct report *report_for_sets(struct db *db, struct arena *a, const struct report *r,
	const struct report_request *q, struct error *err);
bool report_check_any(const struct report *r, const struct report_request *q, struct error *err);

/* Has the result set anything that the report is about? */
bool report_applies(
	struct db *db, const struct report *r, int64_t inst_id, bool *applies, struct error *err);

/* What the sink's begin is to be told. */
void report_head(const struct report *r, struct table_head *head);

/* The SELECT that is sent: with ORDER BY, where the report has an order, from
 * its columns and the request's; then $n+1 is the number of rows. */
const char *report_sql(
	struct arena *a, const struct report *r, const struct report_request *q, struct error *err);

/*
 * Runs it for one result set inside the caller's snapshot (db_begin_snapshot,
 * with db_set_timeout) and tells the sink set_begin .. set_end. ERROR_NOT_FOUND when there is no
 * such result set, object or error.
 */
bool report_run(struct db *db, const struct report *r, const struct report_request *q,
	struct table_sink *sink, struct error *err);
#endif
