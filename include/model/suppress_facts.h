/*
 * The leaks and errors of a result set with their stacks, in the form that suppression matching
 * needs. Texts are borrowed.
 */
#ifndef PROFDEPOT_MODEL_SUPPRESS_FACTS_H
#define PROFDEPOT_MODEL_SUPPRESS_FACTS_H

#include "base/text.h"

#include <stdint.h>

/* The total that one suppression hides. */
struct suppress_use {
	uint64_t records, blocks;
	uint64_t bytes; /* saturates */
};

static inline void
suppress_use_add(struct suppress_use *sum, const struct suppress_use *more)
{
	sum->records += more->records;
	sum->blocks += more->blocks;
	sum->bytes = more->bytes > UINT64_MAX - sum->bytes ? UINT64_MAX : sum->bytes + more->bytes;
}

/* A routine of a result set, with its names. Fields are NULL or empty if unknown. */
struct suppress_routine {
	struct text symbol; /* mangled */
	struct text name;   /* for display */
	struct text class_name, module, file;
};

struct suppress_frame {
	uint32_t routine; /* index of the routine, or SUPPRESS_NO_ROUTINE */
	int64_t line;     /* 0 if unknown */
};

#define SUPPRESS_NO_ROUTINE UINT32_MAX

/* Innermost frame first. */
struct suppress_stack {
	const struct suppress_frame *frames;
	size_t count;
};

/* A leak or an error, or several leaks or errors with equal members. */
struct suppress_subject {
	bool is_leak;
	/* leak kind, or an error's kind word; NULL if unknown */
	struct text kind;
	struct text what;                    /* description of an error */
	const struct suppress_stack *stacks; /* valgrind suppressions match only the first stack */
	size_t stack_count;
	struct suppress_use weight; /* the amount that a matching suppression hides */
	int64_t id;                 /* error ID; for a leak, its stack number or 0 */
};

/* The leaks and errors of one result set. */
struct suppress_facts {
	const struct suppress_routine *routines;
	size_t routine_count;
	const struct suppress_subject *subjects; /* leaks by stack and kind, then errors by ID */
	size_t subject_count;
};

#endif
