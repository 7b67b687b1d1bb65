/*
 * The Chrome trace writer: a trace that DevTools opens with the timings that
 * were loaded, events in their order.
 */
#ifndef PROFDEPOT_FORMAT_CHROME_CHROME_WRITE_H
#define PROFDEPOT_FORMAT_CHROME_CHROME_WRITE_H

#include "format/format.h"

/* struct format's write. ERROR_USAGE: the result set holds no trace events. */
bool chrome_write(struct source *source, FILE *out, const struct format_write_options *options,
	struct error *err);

#endif
