/*
 * Suppressions as text: what is found, in a form that hides it the next time.
 */
#ifndef PROFDEPOT_ANALYSIS_SUPPRESS_WRITE_H
#define PROFDEPOT_ANALYSIS_SUPPRESS_WRITE_H

#include "analysis/suppress.h"

enum {
	SUPPRESS_WRITTEN_FRAMES = 24 /* of a stack; older valgrinds take no more */
};

/* An entry that matches the subject, ready to paste; `frames` are routines of its first stack.
 * false: nothing can be said of it in that syntax (it has no name in any frame). */
bool suppress_write(struct strbuf *out, enum suppress_syntax syntax, const char *name,
	const struct suppress_subject *s, const struct suppress_routine *frames, size_t count);

#endif
