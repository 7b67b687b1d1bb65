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
	struct text name; /* NULL: none */
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
	/* Of a detector's group: definite, indirect, possible, reachable, direct (told apart
	 * from indirect only), or NULL. Sizes of a result set's rows add up: no byte is in two. */
	struct text leak_kind;
	struct text attributes; /* JSON object, what has no column; NULL: none */
};

struct error_row {
	int64_t id, parent_id, rec_id; /* parent_id: ID of the thread */
	int64_t number;                /* # of the error */
	int64_t error_code, kind;      /* kind: 1 error, 2 warning */
	struct text description, name;
	stack_number stack;
	int64_t stack_first_id;
	int64_t count;          /* times it was seen; 0: the format does not count, once */
	struct text attributes; /* JSON object, what has no column; NULL: none */
};

enum stack_owner {
	OWNER_OBJECT,
	OWNER_ERROR,
	OWNER_THREAD, /* where it was created */
	STACK_OWNERS
};
const char *stack_owner_name(enum stack_owner owner); /* object, error, thread */

/*
 * A further stack of an error, an object or a thread that was told, beside its
 * first. role: freed_at, allocated_at, origin, conflicting_access, lock_first,
 * lock_later, thread_start, opened_at, closed_at, other.
 */
struct further_stack_row {
	enum stack_owner owner;
	int64_t owner_id; /* its ID */
	int64_t position; /* from 1 within the owner */
	struct text role;
	struct text description; /* in the tool's words; NULL: none */
	int64_t thread_id;       /* rec_id of the thread; MODEL_NULL: not said */
	stack_number stack;      /* 0: the tool had none */
};

/* A suppression that the tool itself applied, or that the file brings along. */
struct suppression_row {
	int64_t id; /* dense from 1 */
	struct text name;
	struct text syntax;  /* valgrind, lsan */
	struct text kind;    /* Memcheck:Leak, leak ...; NULL: not said */
	struct text pattern; /* as written, lines parted by LF; NULL: the tool told its name only */
	struct text file;    /* where it stands; NULL: not said */
	int64_t count;       /* matches; MODEL_NULL: not said */
	int64_t bytes, blocks; /* suppressed; MODEL_NULL: not said */
};

#endif
