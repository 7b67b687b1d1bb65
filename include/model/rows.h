/*
 * The rows of AQTime's relations that a reader emits to a sink.
 *
 * The sink borrows the texts of a row during the call. IDs are taken from the input. Readers of formats
 * without IDs number the rows from 0, with id == rec_id.
 */
#ifndef PROFDEPOT_MODEL_ROWS_H
#define PROFDEPOT_MODEL_ROWS_H

#include "base/number.h"
#include "base/text.h"

#include <stdint.h>

/* SQL NULL in an int64_t of a row. No producer writes this number. */
#define MODEL_NULL INT64_MIN

enum {
	STACK_MAX_FRAMES = 65536,   /* frames per stack; a longer stack is reported as an issue */
	LABEL_KEY_MAX_BYTES = 1000, /* limited because the key is part of an index */
};

struct set_row {
	int64_t source_inst_id; /* the exporter's number; MODEL_NULL if unknown */
	struct text caption;
	/* These three are columns of AQTime's INSTANCES. */
	struct text counter_description, counter_frequency, counter_name;
	/* The file that contains the set, if the input is a folder or archive. It serves as the name
	 * of a set without a caption, and is not part of the content digest. */
	struct text file;
	uint64_t line; /* line of the log where the set begins, from 1; 0 without a log */
};

struct routine_row {
	int64_t id, parent_id, rec_id;
	int64_t hit_count, compiler, profile_lines, source_line, token;
	struct number address;
	struct text analysis_result, class_name, code_type, module_name, name_space;
	struct text routine_name, source_file, symbol_moniker, unit_name;
	struct text attributes; /* JSON object with values that have no column; NULL if empty */
};

struct line_row {
	int64_t id, rec_id, source_line;
	int64_t parent_id; /* ID of the routine */
};

struct thread_row {
	int64_t id, parent_id, rec_id, size, os_thread_id;
	struct text name; /* NULL if unknown */
};

/* A class: a row of META_CLASSES_DATA. */
struct class_row {
	int64_t id, parent_id, rec_id;
	struct text class_name, module_name, symbol_moniker;
};

/* The counters of a class: numbers of objects, and sizes in bytes. */
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
	/* rec_id of the line within the routine; NULL if there are no lines */
	const int64_t *line_ids;
	const int64_t *hit_counts; /* NULL if the format has no hit counts */
	const int64_t *frame_ids;  /* NULL if consecutive from the owner's stack_first_id */
	const int64_t *rec_ids;    /* NULL if they are 0..count-1 */
};

/* A stack's number within its result set, assigned by the sink; 0 means no stack. */
typedef int32_t stack_number;

struct object_row {
	int64_t id, parent_id, rec_id;
	struct number number;  /* creation number */
	struct number address; /* address or handle */
	struct number size;    /* bytes */
	int64_t class_id;      /* rec_id of the class */
	int64_t get_number;    /* Get # */
	int64_t thread_id;     /* rec_id of the thread */
	int64_t block_count;   /* 1, or the number of blocks in a group */
	stack_number stack;
	int64_t stack_first_id; /* ID of the innermost frame; MODEL_NULL if there is no stack */
	/* A detector's group: definite, indirect, possible, reachable, or direct (for detectors that
	 * distinguish only direct and indirect leaks). Otherwise NULL. No byte is counted in two
	 * rows of a result set. */
	struct text leak_kind;
	struct text attributes; /* JSON object with values that have no column; NULL if empty */
};

struct error_row {
	int64_t id, parent_id, rec_id; /* parent_id: ID of the thread */
	int64_t number;                /* error number */
	int64_t error_code, kind;      /* kind: 1 error, 2 warning */
	struct text description, name;
	stack_number stack;
	int64_t stack_first_id;
	/* number of occurrences; 0 if the format does not count them: the error then counts once */
	int64_t count;
	struct text attributes; /* JSON object with values that have no column; NULL if empty */
};

enum stack_owner {
	OWNER_OBJECT,
	OWNER_ERROR,
	OWNER_THREAD, /* its stack shows where the thread was created */
	STACK_OWNERS
};
const char *stack_owner_name(enum stack_owner owner); /* object, error, thread */

/*
 * A further stack of an error, object or thread, in addition to the first one. Its role is freed_at,
 * allocated_at, origin, conflicting_access, lock_first, lock_later, thread_start, opened_at, closed_at
 * or other.
 */
struct further_stack_row {
	enum stack_owner owner;
	int64_t owner_id; /* the owner's ID */
	int64_t position; /* numbered from 1 within the owner */
	struct text role;
	struct text description; /* in the tool's words; NULL if absent */
	int64_t thread_id;       /* rec_id of the thread; MODEL_NULL if unknown */
	stack_number stack;      /* 0 if the tool had no stack */
};

/* A suppression that the tool applied, or that the input file contains. */
struct suppression_row {
	int64_t id; /* consecutive from 1 */
	struct text name;
	struct text syntax;    /* valgrind, lsan */
	struct text kind;      /* Memcheck:Leak, leak ...; NULL if unknown */
	struct text pattern;   /* lines separated by LF; NULL if only the name is known */
	struct text file;      /* file that defines it; NULL if unknown */
	int64_t count;         /* number of matches; MODEL_NULL if unknown */
	int64_t bytes, blocks; /* suppressed amounts; MODEL_NULL if unknown */
};

#endif
