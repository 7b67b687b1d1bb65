/*
 * Reports: one .sql file each, run against one result set at a time.
 *
 * The comments at the top of a file describe the report. tools/report2c.awk turns them into a table at
 * build time. Options, `profdepot reports` and the renderers' columns come from this table.
 *
 *	-- title: the heading
 *	-- layout: grid | records | sections | findings	(default: grid)
 *	-- facts: objects			a word of REPORT_FACTS_TABLE; if a set has no such
 *						facts, the answer says so
 *	-- detectors: record			the default --by for facts that detectors found
 *	-- with: live chosen			part_live.sql and part_chosen.sql come before the query
 *	-- params: inst_id thread ...		names of REPORT_PARAM_TABLE that the query may use;
 *						inst_ids must come first, and means all result sets together
 *	-- order: count desc, size desc, class	columns; without this line, the query orders the rows,
 *						and --sort, --top and --skip are refused
 *	-- ties: stack				rows with equal values in "order" are sorted by this column
 *	-- parts: kind				the answer also has totals for each value of this column
 *	-- part: definite "definitely lost"	a value of that column and its name, in order; "-" means NULL
 *	-- column: KEY KIND [UNIT] "TITLE" [sum] [machine] [rank] [change] [series] [picture] [row_unit[:KEY]] [owner [routine]]
 *
 * The other comments are the report's note. If a file has no query, app/report_rows.h makes the
 * rows. A column with "rank" contains the row's position in the output. With "row_unit", the column "unit" of each row
 * contains the unit of the value; with "row_unit:KEY", the column KEY contains it. A column with "owner" is the last column. Its values in the query are source files, and the answer
 * shows their owners. With "owner routine", they are REC_IDs of routines, and the source files are those of the
 * routines; such a report has a column of kind frames. A column of kind frames contains the arrays of a stack as text:
 * its routine_ids, then its line_ids. A column of kind stacks contains several stacks, separated by U+001E. Each
 * consists of a role, U+001F, a heading, U+001F and arrays.
 *
 * Stacks are ordered frame by frame, innermost first. Frames are ordered by module, class, routine and
 * source file (as bytes; NULL counts as empty), then by line (unknown first). If one stack is the
 * beginning of another, the shorter one comes first. An unknown stack has no frames, so it is the very first.
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
	const char *by;   /* NULL if the report has no --by */
	const char *file; /* name for sql_file_find, such as "report/leaks" */
	bool has_query;   /* false: app/report_rows.h makes the rows */
	const char *title;
	const char *note; /* one line; "" if absent */
	enum table_layout layout;
	enum report_facts facts;
	const char *detectors_by; /* the default --by for facts of detectors; NULL if absent */
	struct table_column columns[REPORT_MAX_COLUMNS];
	size_t column_count, param_count, order_count, part_name_count;
	bool owner_has_routine; /* the query has routines, not source files, in the column "owner" */
	enum report_param params[REPORT_MAX_PARAMS]; /* the values of $1, $2, ... */
	struct report_order order[REPORT_MAX_ORDER];
	int rank_column; /* -1 if absent */
	int tie_column;  /* a column of kind frames; -1 if absent */
	int part_column; /* the answer also has totals for each of its values; -1 if absent */
	const char *part_values[REPORT_MAX_PARTS], *part_names[REPORT_MAX_PARTS]; /* "": NULL */
};

/* A request. A member that is zero does not restrict the answer. */
struct report_request {
	int64_t inst_id;
	const int64_t *inst_ids; /* for a report on several result sets together */
	size_t inst_id_count;
	const struct result_set_filter *sets;    /* for a trend; NULL: the trend uses inst_ids */
	struct option_list lists[REPORT_PARAMS]; /* globs, for the text[] parameters */
	const char *values[REPORT_PARAMS];       /* the other parameters, as users write them */
	/* IDs of objects and errors to omit, for the reports that accept such IDs. */
	const int64_t *excluded_objects, *excluded_errors;
	size_t excluded_object_count, excluded_error_count;
	struct text (*owner_of)(void *owners, struct text source_file); /* NULL: unknown owners */
	void *owners;
	struct metric_name metric;              /* for struct table_set */
	const char *const *notes, *const *gaps; /* for the foot (struct table_foot); may be NULL */
	const struct suppress_use *suppressed;  /* for the foot; NULL if nothing is suppressed */
	/* app/report_rows.h applies the suppressions to reports on leaks and errors; may be NULL. */
	struct suppressions *suppressions;
	int64_t skip, top; /* rows to skip, and rows to show after them; a top of 0 means all */
	int64_t last;      /* for a trend: the maximum number of result sets; 0 means all */
	const char *sort;  /* "COLUMN[:asc|desc]" */
};

struct report_param_info {
	const char *name, *option; /* the option without the dashes; "" if it has no option */
	enum report_value value;
};

extern const struct report_param_info report_param_infos[REPORT_PARAMS];
extern const char *const report_value_types[REPORT_VALUES]; /* names of SQL types */
/* If `by` is NULL, finds the default --by. Fails with ERROR_NOT_FOUND and a hint, or with
 * ERROR_USAGE if the report has no such --by. All reports are constant and are never freed. */
const struct report *report_find(const char *name, const char *by, struct error *err);

const struct report *report_side(enum report_side side);
/* The i-th row of REPORT_TABLE; NULL after the last. */
const struct report *report_at(size_t i);
bool report_takes(const struct report *r, enum report_param p);
/* Returns globs as LIKE patterns in an array literal, such as '{"a%","b"}'. */
const char *report_patterns(struct arena *a, const struct option_list *globs);
/* Returns texts as an array literal. */
const char *report_texts(struct arena *a, const struct text *texts, size_t count);
/* Fails with ERROR_USAGE and a hint if the report cannot answer the request. */
bool report_check(const struct report *r, const struct report_request *q, struct error *err);
/* Parses a request's "COLUMN[:asc|desc]"; fails with ERROR_USAGE if r has no such column. */
bool report_parse_sort(
	const struct report *r, const char *sort, struct report_order *order, struct error *err);

/* For a request without --by. Returns r's variant for detectors if all sets of q->inst_ids come from detectors
 * and the variant can answer the request; otherwise r. ERROR_USAGE: r cannot answer the request. */
const struct report *report_for_sets(struct db *db, struct arena *a, const struct report *r,
	const struct report_request *q, struct error *err);
/* Checks that r or its variant for detectors can answer the request. */
bool report_check_any(const struct report *r, const struct report_request *q, struct error *err);
/* *applies becomes true if the result set has facts of the kind that the report is about, otherwise false. */
bool report_applies(
	struct db *db, const struct report *r, int64_t inst_id, bool *applies, struct error *err);

void report_head(const struct report *r, struct table_head *head); /* for the sink's begin */

/* Returns the SELECT to send. If the report has an order, ORDER BY lists the request's column, then the
 * report's columns. The last parameter limits the rows; `ties` means WITH TIES. ERROR_USAGE: bad q->sort. */
const char *report_sql(struct arena *a, const struct report *r, const struct report_request *q,
	bool ties, struct error *err);

/*
 * Runs the report for one result set inside the caller's snapshot (db_begin_snapshot and
 * db_set_timeout), and calls the sink from set_begin to set_end. Fails with ERROR_NOT_FOUND if
 * there is no such result set, object or error. set_begin and set_end of this sink may be NULL.
 */
bool report_run(struct db *db, const struct report *r, const struct report_request *q,
	struct table_sink *sink, struct error *err);
#endif
