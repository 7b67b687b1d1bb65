/* Writes result sets as bodies of kernelscope's logger. */
#ifndef PROFDEPOT_FORMAT_KERNELSCOPE_KERNELSCOPE_WRITE_H
#define PROFDEPOT_FORMAT_KERNELSCOPE_KERNELSCOPE_WRITE_H

#include "format/format.h"

/* One array with one body per line, rows in their order; consecutive rows of one host and time share a
 * body. As struct format's write. */
bool kernelscope_write(struct source *source, FILE *out, const struct format_write_options *options,
	struct error *err);

#endif
