/*
 * A table: what a report hands to a renderer, row by row. Neither knows the other.
 *
 * Order of calls: begin (set_begin row* set_end)* end. A set is one result set's answer; a report
 * over several INST_IDs has several. After a call returned false, the only valid call frees the
 * sink. Arguments are borrowed for the call, except head and set, which stay valid until end and
 * set_end.
 */
#ifndef PROFDEPOT_MODEL_TABLE_H
#define PROFDEPOT_MODEL_TABLE_H

#include "base/error.h"
#include "base/text.h"
#include "model/suppress_facts.h"

#include <stdint.h>

/* Numbers and times are text: exact, in no locale. */
enum table_kind {
	TABLE_TEXT,
	TABLE_INTEGER, /* any size */
	TABLE_DECIMAL,
	TABLE_BOOL,   /* "t" or "f" */
	TABLE_TIME,   /* ISO 8601 */
	TABLE_FRAMES, /* a call stack, innermost frame first */
	TABLE_STACKS, /* further call stacks, with their roles */
	TABLE_KINDS
};

enum table_unit {
	TABLE_UNIT_NONE,
	TABLE_UNIT_COUNT,
	TABLE_UNIT_BYTES,
	TABLE_UNIT_PERCENT,
	TABLE_UNIT_HEX, /* an integer that is an address or handle, shown in hex */
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
	bool machine; /* an id for programs: only in JSON and CSV */
	bool series;  /* its rows are in an order that suits a line chart */
	bool change;  /* the change of the column before it, shown with a sign */
};

/* Text is left-aligned, numbers right-aligned. */
static inline bool
table_column_is_right(const struct table_column *c)
{
	return c->kind == TABLE_INTEGER || c->kind == TABLE_DECIMAL;
}

struct table_frame {
	struct text module_name, class_name, routine_name, unit_name, source_file;
	int64_t source_line; /* INT64_MIN if unknown */
	struct text symbol;  /* mangled; NULL or empty if unknown */
};

#define TABLE_NO_LINE INT64_MIN

/* A further stack, such as where a block was freed. */
struct table_stack {
	struct text role;    /* freed_at ...; see model/rows.h */
	struct text heading; /* in words: "freed by thread 2" */
	const struct table_frame *frames;
	size_t frame_count; /* 0 if the stack is unknown */
};

struct table_cell {
	struct text text;                 /* .data == NULL means no value */
	const struct table_frame *frames; /* TABLE_FRAMES; count 0 if the stack is unknown */
	size_t frame_count;
	const struct table_stack *stacks; /* TABLE_STACKS */
	size_t stack_count;
};

/* How people read it. */
enum table_layout {
	TABLE_GRID,
	TABLE_RECORDS,  /* one heading per row, with its stack below */
	TABLE_SECTIONS, /* a grid, split where the first column changes */
	TABLE_FINDINGS, /* records whose stacks look like a debugger's: at routine (file:line) */
	TABLE_LAYOUTS
};

struct table_head {
	const char *report; /* the report's name */
	const char *title;  /* what it shows */
	enum table_layout layout;
	const struct table_column *columns;
	size_t column_count;
};

struct table_set {
	struct text inst_id; /* digits; NULL if the answer is not about a single result set */
	struct text caption;
	struct text base_inst_id, base_caption; /* the set compared with; NULL if absent */
};

/* Totals of the rows that share one value in the part column. */
struct table_part {
	struct text value; /* of that column; NULL for rows with no or several values */
	struct text name;  /* for people */
	uint64_t rows;
	const struct table_cell *totals; /* as in the foot */
};

struct table_foot {
	uint64_t rows;                   /* rows shown */
	uint64_t all_rows;               /* rows before any limit, >= rows */
	const struct table_cell *totals; /* by column; NULL cells for columns without a total */
	const char *const *notes;        /* sentences, ends with NULL */
	/* What suppressions hid; NULL if there are no suppressions. */
	const struct suppress_use *suppressed;
	/* The totals split into parts; the parts add up to the totals. */
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
