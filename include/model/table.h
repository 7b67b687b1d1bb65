/*
 * A table: a report passes it to a renderer row by row. The order of calls is
 *     begin (set_begin row* set_end)* end
 * A set is the answer for one result set; a report about several INST_IDs has several sets. After a call
 * returns false, the sink may only be freed. Arguments are borrowed for the call, except that `head` stays
 * valid until `end`, and `set` until `set_end`.
 */
#ifndef PROFDEPOT_MODEL_TABLE_H
#define PROFDEPOT_MODEL_TABLE_H

#include "base/error.h"
#include "base/text.h"
#include "model/metric_name.h"
#include "model/suppress_facts.h"
#include "model/table_frame.h"
#include "model/table_origin.h"

#include <stdint.h>

struct json_writer;

/* Numbers and times are exact texts that do not depend on a locale. */
enum table_kind {
	TABLE_TEXT,
	TABLE_INTEGER, /* any size */
	TABLE_DECIMAL,
	TABLE_BOOL,   /* "t" or "f" */
	TABLE_TIME,   /* ISO 8601 */
	TABLE_FRAMES, /* a call stack, innermost frame first */
	TABLE_STACKS, /* further call stacks, with their roles */
	TABLE_LABELS, /* key U+001F value, one pair after each U+001E; NULL if there are no labels */
	TABLE_KINDS
};

enum table_unit {
	TABLE_UNIT_NONE,
	TABLE_UNIT_COUNT,
	TABLE_UNIT_BYTES,
	TABLE_UNIT_PERCENT,
	TABLE_UNIT_HEX, /* an integer that is an address or handle, shown in hex */
	TABLE_UNIT_ID,  /* an ID that can be the value of an option */
	TABLE_UNIT_SECONDS,
	TABLE_UNIT_MILLISECONDS,
	TABLE_UNIT_MICROSECONDS,
	TABLE_UNIT_NANOSECONDS,
	TABLE_UNITS
};

/* "none", "count" ... "nanoseconds", for example in JSON */
extern const char *const table_unit_names[TABLE_UNITS];
/* "text", "integer" ... "labels", for example in JSON */
extern const char *const table_kind_names[TABLE_KINDS];

struct table_column {
	const char *key;   /* in snake_case; the name in JSON and CSV */
	const char *title; /* for display */
	enum table_kind kind;
	enum table_unit unit;
	bool summed;  /* has a total */
	bool machine; /* an ID for programs; only in JSON and CSV */
	bool series;  /* a line chart shows these values in the order of the rows */
	bool change;  /* how much a value in an earlier column has changed; with a sign */
	bool picture; /* a small chart of other columns' values; left out if it does not fit */
	bool owner;   /* owners of a finding; rows cannot be sorted by this column */
	/* The unit of values whose `unit` is TABLE_UNIT_NONE, such as that of a metric: "samples". NULL: no unit. "row":
	 * the column "unit" of the row contains it; "row:KEY": the column KEY contains it. */
	const char *unit_name;
};

/* Returns the name of the column's unit, as in table_unit_names. */
const char *table_column_unit(const struct table_column *c);

/* Text is left-aligned; numbers are right-aligned. */
static inline bool
table_column_is_right(const struct table_column *c)
{
	return c->kind == TABLE_INTEGER || c->kind == TABLE_DECIMAL;
}

struct table_cell {
	struct text text;                 /* .data == NULL means no value */
	const struct table_frame *frames; /* TABLE_FRAMES; count 0 if the stack is unknown */
	size_t frame_count;
	const struct table_stack *stacks; /* TABLE_STACKS */
	size_t stack_count;
};

/* The layout for human readers. */
enum table_layout {
	TABLE_GRID,
	TABLE_RECORDS,  /* one heading per row, with its stack below */
	TABLE_SECTIONS, /* one grid per value of the first column */
	TABLE_FINDINGS, /* records with stacks as in a debugger: at routine (file:line) */
	TABLE_LAYOUTS
};

struct table_head {
	const char *report; /* the report's name */
	const char *title;  /* for display */
	enum table_layout layout;
	const struct table_column *columns;
	size_t column_count;
};

struct table_set {
	struct text inst_id; /* digits; NULL if the answer is not about a single result set */
	struct text caption;
	struct text base_inst_id, base_caption; /* the base of a comparison; NULL if absent */
	struct text subject; /* what the rows are about, such as "error 3: ..."; NULL if absent */
	struct metric_name metric; /* the name is NULL if the answer is not about a metric */
	const struct table_column *columns; /* with this set's units; NULL: as in the head */
	struct table_origin origin, base_origin;
	/* Writes further members of the set's object in JSON; NULL if there are no further members. */
	void (*members)(struct json_writer *w, const void *self);
	const void *members_self;
};

/* Totals of the rows that share one value in the part column. */
struct table_part {
	struct text value; /* value of the part column; NULL if several values are combined */
	struct text name;  /* for display */
	uint64_t rows;
	const struct table_cell *totals; /* as in struct table_foot */
};

struct table_foot {
	uint64_t rows;     /* rows shown */
	uint64_t all_rows; /* number of rows without the limit, >= rows */
	bool more;         /* more rows exist, but were not counted; all_rows == rows */
	const struct table_cell *totals; /* by column; NULL cells for columns without a total */
	const char *const *notes;        /* sentences; the last element is NULL */
	const char *const *gaps;         /* notes on figures that may be too low; may be NULL */
	/* The total that suppressions hid; NULL if there are no suppressions. */
	const struct suppress_use *suppressed;
	/* Totals for each value of the part column. Together, they add up to `totals`. */
	const struct table_part *parts;
	size_t part_count;
	size_t part_column;
};

struct table_sink {
	bool (*begin)(struct table_sink *s, const struct table_head *head, struct error *err);
	bool (*set_begin)(struct table_sink *s, const struct table_set *set, struct error *err);
	/* `cells` has head->column_count elements. */
	bool (*row)(struct table_sink *s, const struct table_cell *cells, struct error *err);
	bool (*set_end)(struct table_sink *s, const struct table_foot *foot, struct error *err);
	bool (*end)(struct table_sink *s, struct error *err);
};

#endif
