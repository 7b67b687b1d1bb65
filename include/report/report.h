/*
 * Reports: one .sql file each, run against one result set at a time.
 *
 * A file begins with comments that describe it; they make the option check,
 * `profdepot reports`, and the columns that a renderer sees:
 *
 *	-- title: for people
 *	-- layout: grid | records | sections	(grid when left out)
 *	-- with: live chosen			part_live.sql, part_chosen.sql before it
 *	-- params: inst_id thread ...		$1, $2, ... by names of REPORT_PARAM_TABLE
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

struct db;

/* name, --by (the first of a name is its default), .sql file */
#define REPORT_TABLE(X) \
	X("summary", NULL, "summary") \
	X("classes", NULL, "classes") \
	X("objects", NULL, "objects") \
	X("errors", NULL, "errors") \
	X("stack", NULL, "stack") \
	X("leaks", "lines", "leaks") \
	X("leaks", "names", "leaks") \
	X("leaks", "class", "leaks_class") \
	X("leaks", "stack", "leaks_stack") \
	X("leaks", "routine", "leaks_routine") \
	X("leaks", "module", "leaks_module") \
	X("leaks", "thread", "leaks_thread") \
	X("leaks", "own", "leaks_own") \
	X("routines", NULL, "routines") \
	X("modules", NULL, "modules") \
	X("threads", NULL, "threads") \
	X("lines", NULL, "lines") \
	X("issues", NULL, "issues")

#define REPORT_BY_CHOICES "lines|names|class|stack|routine|module|thread|own"

/* name (also the option's), SQL type */
#define REPORT_PARAM_TABLE(X) \
	X(REPORT_INST_ID, "inst_id", "bigint") \
	X(REPORT_CLASS, "class", "text[]") \
	X(REPORT_MODULE, "module", "text[]") \
	X(REPORT_ROUTINE, "routine", "text[]") \
	X(REPORT_THREAD, "thread", "text[]") \
	X(REPORT_OWN, "own", "text[]") \
	X(REPORT_MIN_COUNT, "min_count", "numeric") \
	X(REPORT_MIN_SIZE, "min_size", "numeric") \
	X(REPORT_BY, "by", "text") \
	X(REPORT_OBJECT, "object", "bigint") \
	X(REPORT_ERROR, "error", "bigint")

enum report_param {
#define REPORT_PARAM_ENUM(code, name, type) code,
	REPORT_PARAM_TABLE(REPORT_PARAM_ENUM)
#undef REPORT_PARAM_ENUM
	REPORT_PARAMS
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
	struct option_list lists[REPORT_PARAMS]; /* globs, of the text[] parameters */
	int64_t min_count, min_size;             /* 0: none */
	int64_t object, error;                   /* -1: none */
	int64_t top;                             /* rows; 0: all */
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
const char *report_param_type(enum report_param p);

/* Is the request one that the report can answer: ERROR_USAGE, with the reports
 * that take the option as a hint. */
bool report_check(const struct report *r, const struct report_request *q, struct error *err);

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
