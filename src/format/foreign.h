/*
 * What profilers write and profdepot does not read as it stands, but can once another tool has
 * turned it into something else: known by its first bytes, for the error's hint.
 */
#ifndef PROFDEPOT_FORMAT_FOREIGN_H
#define PROFDEPOT_FORMAT_FOREIGN_H

#include "base/error.h"
#include "format/format.h"

/* Is the input such a file? Then err tells which, ERROR_INPUT, with the command that makes it
 * readable as the hint. */
bool foreign_refuse(const struct format_source *source, struct error *err);

#endif
