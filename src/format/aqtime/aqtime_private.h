/* Declarations of the AQTime reader. Format: the documentation of AQTime 8.81, "Resource Profiler Results -
 * Database Structure". */
#ifndef PROFDEPOT_FORMAT_AQTIME_AQTIME_PRIVATE_H
#define PROFDEPOT_FORMAT_AQTIME_AQTIME_PRIVATE_H

#include "base/pair_map.h"
#include "format/format.h"

enum {
	AQTIME_MAX_COLUMNS = 20,
	/* Positions of columns that most tables have; column 0 is INST_ID. */
	KEY_ID = 1,
	KEY_PARENT,
	KEY_REC,
	FIRST /* the first of the table's own columns */
};

enum aqtime_kind {
	AQTIME_KEY,     /* whole number, required */
	AQTIME_ID,      /* whole number or NULL */
	AQTIME_INTEGER, /* 32 bits, signed or unsigned, or NULL */
	AQTIME_BOOLEAN, /* 0, -1, 1, true, false, or NULL */
	AQTIME_BIG,     /* 64 bits signed, or NULL */
	AQTIME_DECIMAL, /* -2^63 .. 2^64-1, or NULL */
	AQTIME_TEXT,
};

enum aqtime_table_id {
	AQTIME_INSTANCES,
	AQTIME_RELATIONS,
	AQTIME_THREADS,
	AQTIME_META_CLASSES,
	AQTIME_CLASSES,
	AQTIME_META_ROUTINES,
	AQTIME_META_LINES,
	AQTIME_OBJECTS,
	AQTIME_CREATION_STACK,
	AQTIME_ERRORS,
	AQTIME_STACK,
	AQTIME_SETS,   /* profdepot's own table, for values that AQTime does not have */
	AQTIME_LABELS, /* profdepot's own table */
	AQTIME_TABLES,
};

struct aqtime_column {
	const char *name;
	enum aqtime_kind kind;
	bool required;    /* an input without the column is rejected */
	bool ours;        /* profdepot's own column, which may be absent */
	const char *loss; /* what reports cannot answer without the column; NULL if nothing */
};

struct aqtime_table {
	const char *name;
	bool ours;
	bool shared; /* its rows may belong to result sets of other profilers */
	struct aqtime_column columns[AQTIME_MAX_COLUMNS]; /* the last one has .name == NULL */
};

extern const struct aqtime_table aqtime_tables[AQTIME_TABLES];

union aqtime_value {
	int64_t integer; /* MODEL_NULL if the field is NULL */
	struct number number;
	struct text text;
};

/* Flags of format_source.plan. */
enum {
	AQTIME_SORT_OBJECTS = 1,
	AQTIME_SORT_CREATION_STACK = 2,
	AQTIME_SORT_ERRORS = 4,
	AQTIME_SORT_STACK = 8,
	AQTIME_CHECK_CREATION_IDS = 16, /* look for repeated frame IDs, as the IDs do not ascend */
	AQTIME_CHECK_STACK_IDS = 32,
};

/* A result set. */
struct aqtime_set {
	bool wanted;
	bool has_threads;
	bool has_rows; /* whether a table of the Resource profiler has rows of the set */
};

struct aqtime {
	struct format_source *source;
	struct sink *sink;
	struct error *err;
	struct pair_map numbers; /* maps an INST_ID to the set */
	struct aqtime_set *sets;
	size_t set_count, set_room;
	struct pair_map threads;      /* by (set, ID), to find errors whose thread is missing */
	struct pair_map routines;     /* maps (set, ID) to the routine number, across all sets */
	struct pair_map routine_recs; /* by (set, REC_ID), to find duplicates */
	struct pair_map line_recs;    /* by (routine number, REC_ID), to find duplicates */
	bool quiet;                   /* this pass reports no issues; the second pass does */
	unsigned ticks;
};

enum aqtime_step {
	AQTIME_FAILED,
	AQTIME_END,      /* no further row, or the table is absent */
	AQTIME_ROW,      /* a row was read, or the table is open */
	AQTIME_REJECTED, /* the row became an issue, or its set is not wanted */
	AQTIME_UNORDERED
};

/* A table being read. */
struct aqtime_reader {
	struct aqtime *aq;
	const struct aqtime_table *table;
	struct row_reader *rows;
	int map[AQTIME_MAX_COLUMNS]; /* index of each column's field in the row; -1 if absent */
	size_t column_count;
	struct row row;       /* the current row */
	uint64_t sequence;    /* the row's number, from 1 */
	uint32_t set;         /* the row's set; ISSUE_EVERY_SET if unknown or in INSTANCES */
	int64_t last_inst_id; /* cached with last_set, as rows of a set are mostly consecutive */
	uint32_t last_set;
	union aqtime_value values[AQTIME_MAX_COLUMNS];
};

/* Returns AQTIME_ROW, AQTIME_END if the table is absent, or AQTIME_FAILED. */
enum aqtime_step aqtime_open(struct aqtime *aq, enum aqtime_table_id id, struct aqtime_reader *r);
void aqtime_close(struct aqtime_reader *r);

/* Reads the next valid row of a wanted set into r->values. Invalid rows become issues. Returns
 * AQTIME_ROW, AQTIME_END or AQTIME_FAILED. */
enum aqtime_step aqtime_next(struct aqtime_reader *r);

/* Emits an issue about the current row. Returns AQTIME_REJECTED or AQTIME_FAILED. */
enum aqtime_step aqtime_reject(
	struct aqtime_reader *r, enum issue_code code, const char *format, ...) ERROR_PRINTF(3, 4);
/* Emits an issue with the code, source, line, offset and raw text of `at`. */
bool aqtime_issue(struct aqtime *aq, uint32_t set, struct issue at, const char *format, ...)
	ERROR_PRINTF(4, 5);

/* The value of a column, by its position in aqtime_tables. */
static inline int64_t
aqtime_int(const struct aqtime_reader *r, size_t column)
{
	return r->values[column].integer;
}

/* Reads objects with their creation call stacks, or errors with their call stacks. */
enum format_result aqtime_read_facts(struct aqtime *aq, bool errors);

#endif
