/*
 * What suppressions are held against: the leaks and errors of a result set, with their stacks.
 * Texts are borrowed.
 */
#ifndef PROFDEPOT_MODEL_SUPPRESS_FACTS_H
#define PROFDEPOT_MODEL_SUPPRESS_FACTS_H

#include "base/text.h"

#include <stdint.h>

/* What one suppression hides. */
struct suppress_use {
	uint64_t records, blocks;
	uint64_t bytes; /* stays at the largest number */
};

/* A routine as a result set names it; NULL or empty: unknown. */
struct suppress_routine {
	struct text symbol; /* mangled */
	struct text name;   /* for people */
	struct text class_name, module, file;
};

struct suppress_frame {
	uint32_t routine; /* into the routines; SUPPRESS_NO_ROUTINE */
	int64_t line;     /* 0: unknown */
};

#define SUPPRESS_NO_ROUTINE UINT32_MAX

/* Innermost frame first. */
struct suppress_stack {
	const struct suppress_frame *frames;
	size_t count;
};

/* A leak or an error, or several that are equal in all of this. */
struct suppress_subject {
	bool is_leak;
	struct text kind;                    /* leak kind; kind word of an error. NULL: not said */
	struct text what;                    /* description of an error */
	const struct suppress_stack *stacks; /* the first decides for valgrind's entries */
	size_t stack_count;
	struct suppress_use weight; /* what is hidden with it */
	int64_t id;                 /* of an error; of leaks their stack, 0: none */
};

/* Of one result set. */
struct suppress_facts {
	const struct suppress_routine *routines;
	size_t routine_count;
	const struct suppress_subject *subjects; /* leaks by stack and kind, then errors by ID */
	size_t subject_count;
};

#endif
