/*
 * The inside of the AQTime reader. Source of the format: the AQTime 8.81
 * documentation, "Resource Profiler Results - Database Structure".
 */
#ifndef PROFDEPOT_FORMAT_AQTIME_AQTIME_PRIVATE_H
#define PROFDEPOT_FORMAT_AQTIME_AQTIME_PRIVATE_H

#include "base/pair_map.h"
#include "format/format.h"

enum {
	AQTIME_MAX_COLUMNS = 20,
	AQTIME_TICK_ROWS = 16384
};

enum aqtime_kind {
	AQTIME_KEY,     /* whole number, must be there */
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
	AQTIME_SETS,   /* ours: what the depot knows beyond AQTime */
	AQTIME_LABELS, /* ours */
	AQTIME_TABLES,
};

struct aqtime_column {
	const char *name;
	enum aqtime_kind kind;
	bool required; /* the table is refused without it */
	bool ours;     /* its absence is nothing to tell */
};

struct aqtime_table {
	const char *name;
	bool ours;
	bool shared; /* has rows of every profiler's result sets */
	struct aqtime_column columns[AQTIME_MAX_COLUMNS]; /* ends with .name == NULL */
};

extern const struct aqtime_table aqtime_tables[AQTIME_TABLES];

union aqtime_value {
	int64_t integer; /* MODEL_NULL is NULL */
	struct number number;
	struct text text;
};

/* Flags of format_source.plan. */
enum {
	AQTIME_SORT_OBJECTS = 1,
	AQTIME_SORT_CREATION_STACK = 2,
	AQTIME_SORT_ERRORS = 4,
	AQTIME_SORT_STACK = 8,
	AQTIME_CHECK_CREATION_IDS = 16, /* IDs of frames do not rise: look for repeated ones */
	AQTIME_CHECK_STACK_IDS = 32,
};

struct aqtime {
	struct format_source *source;
	struct sink *sink;
	struct error *err;
	struct pair_map sets; /* INST_ID -> set */
	bool *wanted;         /* by set */
	size_t set_count, wanted_room;
	struct pair_map threads;      /* (set, ID), to find dangling parents of errors */
	struct pair_map routines;     /* (set, ID) -> number of the routine, over all sets */
	struct pair_map routine_recs; /* (set, REC_ID) */
	struct pair_map line_recs;    /* (number of the routine, REC_ID) */
	bool *has_threads;            /* by set */
	bool *has_rows;               /* by set: in a table of the Resource profiler */
	bool quiet;                   /* a first reading: what is wrong is told by the second */
	unsigned ticks;
};

/* A table being read. */
struct aqtime_reader {
	struct aqtime *aq;
	const struct aqtime_table *table;
	struct row_reader *rows;
	int map[AQTIME_MAX_COLUMNS]; /* column of ours -> field of the file, -1 absent */
	size_t column_count;
	struct row row;       /* as read last */
	uint64_t sequence;    /* rows read, from 1 */
	uint32_t set;         /* of the row, INSTANCES and unknown: ISSUE_EVERY_SET */
	int64_t last_inst_id; /* rows of one result set mostly follow each other */
	uint32_t last_set;
	union aqtime_value values[AQTIME_MAX_COLUMNS];
};

/* 1: open; 0: the table is absent; -1: failed. */
int aqtime_open(struct aqtime *aq, enum aqtime_table_id id, struct aqtime_reader *r);
void aqtime_close(struct aqtime_reader *r);

/* The next good row of a wanted set into r->values; bad ones become issues.
 * 1: there is one; 0: end; -1: failed. */
int aqtime_next(struct aqtime_reader *r);

/* Tells an issue about the row at hand, or about another place of the table. */
bool aqtime_reject(struct aqtime_reader *r, enum issue_code code, const char *format, ...)
	ERROR_PRINTF(3, 4);
bool aqtime_issue(struct aqtime *aq, uint32_t set, enum issue_code code, const char *source,
	uint64_t line, uint64_t offset, const char *message);

/* Value of column `name`'s position, by index in the table's list. */
static inline int64_t
aqtime_int(const struct aqtime_reader *r, size_t column)
{
	return r->values[column].integer;
}

/* Objects with their creation call stacks, or errors with theirs. */
enum format_result aqtime_read_facts(struct aqtime *aq, bool errors);

#endif
