/*
 * Temporary files without a name.
 */
#ifndef PROFDEPOT_INPUT_TEMP_PRIVATE_H
#define PROFDEPOT_INPUT_TEMP_PRIVATE_H

#include "base/error.h"

#include <stddef.h>

/* A file in TMPDIR, otherwise /var/tmp (which has room for whole exports). It is unlinked at once,
 * so it disappears with its descriptor however the process ends. -1 on ERROR_FILE. */
int temp_open(struct error *err);

/* Writes data at the descriptor's offset. ERROR_FILE names the folder and, if the disk is full,
 * what to do. */
bool temp_write(int fd, const void *data, size_t size, struct error *err);

#endif
