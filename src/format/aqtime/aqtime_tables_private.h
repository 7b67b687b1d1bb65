/* The tables that the AQTime reader knows, and their columns. */
#ifndef PROFDEPOT_FORMAT_AQTIME_AQTIME_TABLES_PRIVATE_H
#define PROFDEPOT_FORMAT_AQTIME_AQTIME_TABLES_PRIVATE_H

#include <stdbool.h>

enum {
	AQTIME_MAX_COLUMNS = 20,
	/* Positions of columns that most tables have; column 0 is INST_ID. */
	KEY_ID = 1,
	KEY_PARENT,
	KEY_REC,
	FIRST /* the first column after those above */
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
	/* profdepot's own tables, for values that AQTime does not have */
	AQTIME_SETS,
	AQTIME_LABELS,
	AQTIME_ATTRIBUTES,
	AQTIME_COVERAGE,
	AQTIME_METRICS,
	AQTIME_STACKS,
	AQTIME_SAMPLES,
	AQTIME_CALLS,
	AQTIME_TABLES,
};

struct aqtime_column {
	const char *name;
	enum aqtime_kind kind;
	bool required;    /* an input without the column is rejected */
	bool ours;        /* profdepot's own column, which may be absent */
	const char *loss; /* how reports suffer if the column is absent; may be NULL */
};

struct aqtime_table {
	const char *name;
	bool ours;
	bool shared; /* its rows may belong to result sets of other profilers */
	struct aqtime_column columns[AQTIME_MAX_COLUMNS]; /* the last one has .name == NULL */
};

extern const struct aqtime_table aqtime_tables[AQTIME_TABLES];

#endif
