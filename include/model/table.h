/*
 * A table: what a report hands to a renderer, row by row. Neither knows the
 * other.
 *
 * Grammar: begin (set_begin row* set_end)* end. A set is one result set's
 * answer; a report over several INST_IDs gives several. After a call that
 * returned false nothing but freeing the sink is allowed.
 * Everything handed over is borrowed for the call, but the head and the set:
 * these stay until end and set_end.
 */
#ifndef PROFDEPOT_MODEL_TABLE_H
#define PROFDEPOT_MODEL_TABLE_H

#include "base/error.h"
#include "base/text.h"
#include "model/suppress_facts.h"

#include <stdint.h>

/* Numbers and times arrive as text, exact, without locale. */
enum table_kind {
	TABLE_TEXT,
	TABLE_INTEGER, /* any size */
	TABLE_DECIMAL,
	TABLE_BOOL,   /* "t" or "f" */
	TABLE_TIME,   /* ISO 8601 */
	TABLE_FRAMES, /* a call stack, innermost frame first */
	TABLE_STACKS, /* further call stacks, with what they are */
	TABLE_KINDS
};

enum table_unit {
	TABLE_UNIT_NONE,
	TABLE_UNIT_COUNT,
	TABLE_UNIT_BYTES,
	TABLE_UNIT_PERCENT,
	TABLE_UNIT_HEX, /* an integer that is an address or handle: people see hex */
	TABLE_UNIT_SECONDS,
	TABLE_UNIT_MILLISECONDS,
	TABLE_UNIT_MICROSECONDS,
	TABLE_UNIT_NANOSECONDS,
	TABLE_UNITS
};

struct table_column {
	const char *key;   /* snake_case; name in JSON and CSV */
	const char *title; /* for people */
	enum table_kind kind;
	enum table_unit unit;
	bool summed;  /* has a total */
	bool machine; /* an id for programs: in JSON and CSV only */
	bool series;  /* its rows stand in an order worth drawing as a line */
	bool change;  /* how much what stands before it changed: people see its sign */
};

/* Texts stand left, numbers right; a stack is no cell of a grid. */
static inline bool
table_column_is_right(const struct table_column *c)
{
	return c->kind == TABLE_INTEGER || c->kind == TABLE_DECIMAL;
}

struct table_frame {
	struct text module_name, class_name, routine_name, unit_name, source_file;
	int64_t source_line; /* INT64_MIN: unknown */
	struct text symbol;  /* mangled; NULL or empty: not known */
};

#define TABLE_NO_LINE INT64_MIN

/* A further stack, such as where a block was freed. */
struct table_stack {
	struct text role;    /* freed_at ..., of model/rows.h */
	struct text heading; /* in words: "freed by thread 2" */
	const struct table_frame *frames;
	size_t frame_count; /* 0: the stack is unknown */
};

struct table_cell {
	struct text text;                 /* .data == NULL: no value */
	const struct table_frame *frames; /* TABLE_FRAMES; count 0: the stack is unknown */
	size_t frame_count;
	const struct table_stack *stacks; /* TABLE_STACKS */
	size_t stack_count;
};

/* How people want to read it. */
enum table_layout {
	TABLE_GRID,
	TABLE_RECORDS,  /* a heading a row, its stack below */
	TABLE_SECTIONS, /* a grid, parted where the first column changes */
	TABLE_FINDINGS, /* records whose stacks read as a debugger's: at routine (file:line) */
	TABLE_LAYOUTS
};

struct table_head {
	const char *report; /* its name */
	const char *title;  /* what it shows */
	enum table_layout layout;
	const struct table_column *columns;
	size_t column_count;
};

struct table_set {
	struct text inst_id; /* digits; NULL when the answer is of no single result set */
	struct text caption;
	struct text base_inst_id, base_caption; /* what it is compared with; NULL: nothing */
};

/* Totals of the rows that have one value in the column that parts them. */
struct table_part {
	struct text value; /* of that column; NULL: none, or several */
	struct text name;  /* for people */
	uint64_t rows;
	const struct table_cell *totals; /* as those of the foot */
};

struct table_foot {
	uint64_t rows;                   /* shown */
	uint64_t all_rows;               /* those that were there, >= rows */
	const struct table_cell *totals; /* by column; NULL cells where there is none */
	const char *const *notes;        /* sentences, ends with NULL */
	/* What suppressions left out; NULL: there are none. */
	const struct suppress_use *suppressed;
	/* The totals once more, parted; the sums of all parts are the totals. */
	const struct table_part *parts;
	size_t part_count;
	size_t part_column;
};

struct table_sink {
	bool (*begin)(struct table_sink *s, const struct table_head *head, struct error *err);
	bool (*set_begin)(struct table_sink *s, const struct table_set *set, struct error *err);
	/* head->column_count cells. */
	bool (*row)(struct table_sink *s, const struct table_cell *cells, struct error *err);
	bool (*set_end)(struct table_sink *s, const struct table_foot *foot, struct error *err);
	bool (*end)(struct table_sink *s, struct error *err);
};

#endif
