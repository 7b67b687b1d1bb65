/* Writes suppressions that hide a finding the next time. */
#ifndef PROFDEPOT_ANALYSIS_SUPPRESS_WRITE_H
#define PROFDEPOT_ANALYSIS_SUPPRESS_WRITE_H

#include "analysis/suppress.h"

enum {
	SUPPRESS_WRITTEN_FRAMES = 24 /* of a stack; older valgrinds accept no more */
};

enum suppress_outcome {
	SUPPRESS_WRITTEN, /* an entry that matches the subject, ready to paste */
	/* comments instead: the syntax has no entry for this kind, or the entry would hide too much
	 * and is left to the reader */
	SUPPRESS_COMMENTED,
	SUPPRESS_NAMELESS /* nothing: no frame has a name */
};

/* Appends lines for the subject. `frames` are the routines of its first stack, `name` is for
 * people. */
enum suppress_outcome suppress_write(struct strbuf *out, enum suppress_syntax syntax,
	const char *name, const struct suppress_subject *s, const struct suppress_routine *frames,
	size_t count);

#endif
