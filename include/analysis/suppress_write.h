/*
 * Suppressions as text: what is found, in a form that hides it the next time.
 */
#ifndef PROFDEPOT_ANALYSIS_SUPPRESS_WRITE_H
#define PROFDEPOT_ANALYSIS_SUPPRESS_WRITE_H

#include "analysis/suppress.h"

enum {
	SUPPRESS_WRITTEN_FRAMES = 24 /* of a stack; older valgrinds take no more */
};

enum suppress_outcome {
	SUPPRESS_WRITTEN,   /* an entry that matches the subject, ready to paste */
	SUPPRESS_COMMENTED, /* comments that say why there is none: that syntax has none of its
			     * kind, or it would hide too much and is left to the reader */
	SUPPRESS_NAMELESS   /* nothing: it has no name in any frame */
};

/* Appends lines for the subject; `frames` are routines of its first stack, `name` is for people. */
enum suppress_outcome suppress_write(struct strbuf *out, enum suppress_syntax syntax,
	const char *name, const struct suppress_subject *s, const struct suppress_routine *frames,
	size_t count);

#endif
