/*
 * Files of profilers that profdepot cannot read, but can after a conversion by another tool. Their
 * first bytes identify them, for the error's hint.
 */
#ifndef PROFDEPOT_FORMAT_FOREIGN_H
#define PROFDEPOT_FORMAT_FOREIGN_H

#include "base/error.h"
#include "format/format.h"

/* Is the input such a file? Then err is ERROR_INPUT, and its hint is the command that converts it. */
bool foreign_refuse(const struct format_source *source, struct error *err);

#endif
