/* Declarations of the AQTime reader. Format: the documentation of AQTime 8.81, "Resource Profiler Results -
 * Database Structure". */
#ifndef PROFDEPOT_FORMAT_AQTIME_AQTIME_PRIVATE_H
#define PROFDEPOT_FORMAT_AQTIME_AQTIME_PRIVATE_H

#include "aqtime_tables_private.h"
#include "base/pair_map.h"
#include "format/format.h"

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
	AQTIME_CHECK_CREATION_IDS = 16, /* frame IDs do not ascend: look for repeated ones */
	AQTIME_CHECK_STACK_IDS = 32,
};

/* A result set. */
struct aqtime_set {
	bool wanted;
	bool has_threads;
	bool has_rows; /* whether a table of the Resource profiler has rows of the set */
	int64_t samples;
};

struct aqtime {
	struct format_source *source;
	struct sink *sink;
	struct error *err;
	struct pair_map numbers; /* maps an INST_ID to the set */
	struct aqtime_set *sets;
	size_t set_count, set_room;
	struct pair_map threads;      /* contains (set, ID), to find errors without a thread */
	struct pair_map routines;     /* maps (set, ID) to the routine number, across all sets */
	struct pair_map routine_recs; /* contains (set, REC_ID), to find duplicates */
	struct pair_map line_recs;    /* contains (routine number, REC_ID), to find duplicates */
	struct aqtime_own *own;       /* the reader's state for profdepot's own tables */
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
	uint32_t set;         /* the row's set; ISSUE_EVERY_SET if unknown, or for INSTANCES */
	int64_t last_inst_id; /* the last INST_ID; last_set is its set, cached for the next row */
	uint32_t last_set;
	union aqtime_value values[AQTIME_MAX_COLUMNS];
	struct aqtime_table own; /* the description of a table that is made from a relation */
};

/* Returns AQTIME_ROW, AQTIME_END if the table is absent, or AQTIME_FAILED. */
enum aqtime_step aqtime_open(struct aqtime *aq, enum aqtime_table_id id, struct aqtime_reader *r);
enum aqtime_step aqtime_open_table(
	struct aqtime *aq, const struct aqtime_table *t, struct aqtime_reader *r);
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

/* Calls `each` for each row of a table, and closes the table. `opened` is the result of the function that opened the
 * table. */
bool aqtime_each(struct aqtime_reader *r, enum aqtime_step opened,
	enum aqtime_step (*each)(struct aqtime_reader *r));

/* Reads objects with their creation call stacks, or errors with their call stacks. */
enum format_result aqtime_read_facts(struct aqtime *aq, bool errors);

/* aqtime_refuse.c */
/* The names of a profiler's tables begin with a prefix, such as PERFORMANCE_PROFILER. If the table belongs to
 * another AQTime profiler, returns the length of its prefix; otherwise returns 0. */
size_t aqtime_other_profiler(const char *table);
bool aqtime_refuse(const struct format_source *source, struct error *err);

#endif
