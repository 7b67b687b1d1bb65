/* Writes suppressions that hide a finding in later reports. */
#ifndef PROFDEPOT_ANALYSIS_SUPPRESS_WRITE_H
#define PROFDEPOT_ANALYSIS_SUPPRESS_WRITE_H

#include "analysis/suppress.h"

enum {
	SUPPRESS_WRITTEN_FRAMES = 24 /* frames per entry; the limit of older valgrind versions */
};

enum suppress_outcome {
	SUPPRESS_WRITTEN, /* wrote an entry that matches the subject, ready to paste */
	/* wrote only comments, because the syntax cannot express this kind or the entry would hide
	 * too much */
	SUPPRESS_COMMENTED,
	SUPPRESS_NAMELESS /* wrote nothing, because no frame has a name */
};

/* Appends an entry for the subject. `frames` contains the routines of its first stack. `name` is
 * only for people who read the entry. */
enum suppress_outcome suppress_write(struct strbuf *out, enum suppress_syntax syntax,
	const char *name, const struct suppress_subject *s, const struct suppress_routine *frames,
	size_t count);

#endif
