/*
 * Rows of AQTime's relations, as a reader tells them to a sink.
 *
 * Every text is borrowed for the call only. IDs are as exported; a format
 * that has none numbers densely from 0, with id == rec_id.
 */
#ifndef PROFDEPOT_MODEL_ROWS_H
#define PROFDEPOT_MODEL_ROWS_H

#include "base/number.h"
#include "base/text.h"

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
	/* Of a folder or archive, the file that the set alone comes from: names a
	 * set without caption. Does not count in the content. NULL: the whole input. */
	struct text file;
};

struct routine_row {
	int64_t id, parent_id, rec_id;
	int64_t hit_count, compiler, profile_lines, source_line, token;
	struct number address;
	struct text analysis_result, class_name, code_type, module_name, name_space;
	struct text routine_name, source_file, symbol_moniker, unit_name;
	struct text attributes; /* JSON object, what has no column; NULL: none */
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

#endif
