/* Writes result sets as bodies for kernelscope's logger. */
#ifndef PROFDEPOT_FORMAT_KERNELSCOPE_KERNELSCOPE_WRITE_H
#define PROFDEPOT_FORMAT_KERNELSCOPE_KERNELSCOPE_WRITE_H

#include "format/format.h"

/* Writes an array with one body per line. The rows keep their order; consecutive rows with the same
 * host and time share a body. See `write` in struct format. */
bool kernelscope_write(struct source *source, FILE *out, const struct format_write_options *options,
	struct error *err);

#endif
