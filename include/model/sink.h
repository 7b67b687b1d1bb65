/*
 * The sink: what a format reader tells, row by row, and knows no table.
 *
 * Grammar: set+ (metadata, dictionary rows: routine, line, thread, class, class_data,
 * relation)* then (stack | object | error)*, issues anywhere, then one end.
 * Rows of several result sets may alternate; each carries its set's number.
 * A frame's routine and line, an object's class and thread must be told
 * before the stack or object that names them, when they exist at all.
 *
 * Every text is borrowed for the call only. IDs are as exported; a format
 * that has none numbers densely from 0, with id == rec_id.
 * A call returns false when the load must stop; err tells why.
 */
#ifndef PROFDEPOT_MODEL_SINK_H
#define PROFDEPOT_MODEL_SINK_H

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "model/issue.h"

#include <stdint.h>

/* Stands for the SQL NULL in an int64_t of the rows below: no producer's
 * number reaches it. */
#define MODEL_NULL INT64_MIN

enum {
	STACK_MAX_FRAMES = 65536,   /* of one stack; what passes it becomes an issue */
	LABEL_KEY_MAX_BYTES = 1000, /* an index holds the key */
};

struct set_row {
	int64_t source_inst_id; /* the exporter's number, MODEL_NULL when it has none */
	struct text caption;
	struct text counter_description; /* AQTime's INSTANCES columns, as exported */
	struct text counter_frequency;
	struct text counter_name;
};

struct routine_row {
	int64_t id, parent_id, rec_id;
	int64_t hit_count, compiler, profile_lines, source_line, token;
	struct number address;
	struct text analysis_result, class_name, code_type, module_name, name_space;
	struct text routine_name, source_file, symbol_moniker, unit_name;
};

struct line_row {
	int64_t id, rec_id, source_line;
	int64_t parent_id; /* ID of the routine */
};

struct thread_row {
	int64_t id, parent_id, rec_id, size, os_thread_id;
};

/* A class as META_CLASSES_DATA names it. */
struct class_row {
	int64_t id, parent_id, rec_id;
	struct text class_name, module_name, symbol_moniker;
};

/* A class's counters; counts in objects, sizes in bytes. */
struct class_data_row {
	int64_t id, parent_id, rec_id;
	struct text class_name, module_name;
	struct number live_count, live_size, peak_created, peak_size, total_created, total_size;
};

struct relation_row {
	int64_t id;
	struct text child_table, parent_table;
};

/* A call stack, innermost frame first; count >= 1. Elements may be MODEL_NULL. */
struct stack_row {
	size_t count;
	const int64_t *routine_ids; /* rec_id of the routine */
	const int64_t *line_ids;    /* rec_id of the line within the routine; NULL: none has one */
	const int64_t *hit_counts;  /* NULL: the format has none */
	const int64_t *frame_ids;   /* NULL when consecutive from the owner's stack_first_id */
	const int64_t *rec_ids;     /* NULL when 0..n-1 */
};

/* Number of a stack within its result set, given by the sink; 0: no stack. */
typedef int32_t stack_number;

struct object_row {
	int64_t id, parent_id, rec_id;
	struct number number;  /* # of the creation */
	struct number address; /* or handle */
	struct number size;    /* bytes */
	int64_t class_id;      /* rec_id of the class */
	int64_t get_number;    /* Get # */
	int64_t thread_id;     /* rec_id of the thread */
	int64_t block_count;   /* 1, or the blocks of a group */
	stack_number stack;
	int64_t stack_first_id; /* ID of the innermost frame; MODEL_NULL without stack */
};

struct error_row {
	int64_t id, parent_id, rec_id; /* parent_id: ID of the thread */
	int64_t number;                /* # of the error */
	int64_t error_code, kind;      /* kind: 1 error, 2 warning */
	struct text description, name;
	stack_number stack;
	int64_t stack_first_id;
};

struct sink {
	/* *set: the number to use in rows. *wanted false: the result set is
	 * known, its rows need not be told. */
	bool (*set)(struct sink *s, const struct set_row *row, uint32_t *set, bool *wanted,
		struct error *err);
	bool (*routine)(
		struct sink *s, uint32_t set, const struct routine_row *row, struct error *err);
	bool (*line)(struct sink *s, uint32_t set, const struct line_row *row, struct error *err);
	bool (*thread)(
		struct sink *s, uint32_t set, const struct thread_row *row, struct error *err);
	bool (*class_meta)(
		struct sink *s, uint32_t set, const struct class_row *row, struct error *err);
	bool (*class_data)(
		struct sink *s, uint32_t set, const struct class_data_row *row, struct error *err);
	bool (*relation)(
		struct sink *s, uint32_t set, const struct relation_row *row, struct error *err);
	/* Interns the stack: equal ones get the same number. */
	bool (*stack)(struct sink *s, uint32_t set, const struct stack_row *row,
		stack_number *number, struct error *err);
	bool (*object)(
		struct sink *s, uint32_t set, const struct object_row *row, struct error *err);
	bool (*error)(struct sink *s, uint32_t set, const struct error_row *row, struct error *err);
	/* ISSUE_EVERY_SET: about the whole input. */
	bool (*issue)(struct sink *s, uint32_t set, const struct issue *issue, struct error *err);
	/* What an export of ours says of the set: "caption", "application",
	 * "app_version", "host", "tool", or "label:KEY". */
	bool (*metadata)(struct sink *s, uint32_t set, const char *key, struct text value,
		struct error *err);
	/* The set is no result of this format after all (another profiler's in
	 * the same database): nothing was told of it, nothing is kept. */
	void (*drop)(struct sink *s, uint32_t set);
	/* All rows were told. */
	bool (*end)(struct sink *s, struct error *err);
};

#define ISSUE_EVERY_SET UINT32_MAX

#endif
