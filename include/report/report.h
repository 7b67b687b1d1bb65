/*
 * Reports: one .sql file each, run against one result set at a time.
 *
 * A file begins with comments that describe it; they make the option check,
 * `profdepot reports`, and the columns that a renderer sees:
 *
 *	-- title: for people
 *	-- layout: grid | records | sections	(grid when left out)
 *	-- facts: objects			a word of REPORT_FACTS_TABLE; no row of a
 *						result set without them: the answer says so
 *	-- rows: tree				made from the call tree by
 *						service/tree_report.h; there is no query
 *	-- with: live chosen			part_live.sql, part_chosen.sql before it
 *	-- params: inst_id thread ...		$1, $2, ... by names of REPORT_PARAM_TABLE;
 *						inst_ids first: all result sets asked for at once
 *	-- order: count desc, size desc, class	columns; left out: rows come as they
 *						stand, and --sort and --top are refused
 *	-- ties: stack				rows equal in the order's columns are
 *						sorted by their stack
 *	-- column: KEY KIND UNIT "TITLE" [sum] [machine] [rank]
 *
 * rank numbers the rows as they are shown. A column of kind frames
 * holds a stack's routine_ids and then its line_ids as array texts.
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

enum report_param {
#define REPORT_PARAM_ENUM(code, name, option, value, word, help) code,
	REPORT_PARAM_TABLE(REPORT_PARAM_ENUM)
#undef REPORT_PARAM_ENUM
	REPORT_PARAMS
};

enum report_value {
#define REPORT_VALUE_ENUM(code, type) code,
	REPORT_VALUE_TABLE(REPORT_VALUE_ENUM)
#undef REPORT_VALUE_ENUM
	REPORT_VALUES
};

enum {
	REPORT_MAX_PARAMS = 16,
	REPORT_MAX_COLUMNS = 32,
	REPORT_MAX_ORDER = 12
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
	const char *rows;  /* how rows are made from the call tree; NULL: by the query */
	const char *facts; /* what it is about; NULL: of any */
	struct table_column columns[REPORT_MAX_COLUMNS];
	size_t column_count;
	enum report_param params[REPORT_MAX_PARAMS]; /* of $1, $2, ... */
	size_t param_count;
	struct report_order order[REPORT_MAX_ORDER];
	size_t order_count;
	int rank_column; /* -1: none */
	int tie_column;  /* of kind frames; -1: none */
	const char *sql; /* its parts put together, without ORDER BY */
};

/* What is asked. Members left zero are not asked for. */
struct report_request {
	int64_t inst_id;
	const int64_t *inst_ids; /* of a report that takes several at once */
	size_t inst_id_count;
	struct option_list lists[REPORT_PARAMS]; /* globs, of the text[] parameters */
	const char *values[REPORT_PARAMS];       /* of the others, as people write them */
	int64_t top;                             /* rows; 0: all */
	int64_t skip;                            /* rows before the first shown */
	const char *sort;                        /* "COLUMN[:asc|desc]" */
};

/* Parsed from its file into the arena. by NULL: the default. ERROR_NOT_FOUND
 * with the nearest name as a hint; ERROR_USAGE when it has no such --by. */
const struct report *report_find(
	struct arena *a, const char *name, const char *by, struct error *err);

/* The i-th row of REPORT_TABLE; NULL behind the last. */
const struct report *report_at(struct arena *a, size_t i, struct error *err);

bool report_takes(const struct report *r, enum report_param p);
const char *report_param_name(enum report_param p);
const char *report_param_option(enum report_param p); /* without the dashes */
enum report_value report_param_value(enum report_param p);
const char *report_param_type(enum report_param p); /* in SQL */

/* Is the request one that the report can answer: ERROR_USAGE, with the reports
 * that take the option as a hint. */
bool report_check(const struct report *r, const struct report_request *q, struct error *err);

/* A request's "COLUMN[:asc|desc]"; ERROR_USAGE when it is none of r's. */
bool report_parse_sort(
	const struct report *r, const char *sort, struct report_order *order, struct error *err);

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
