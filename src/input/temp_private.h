/*
 * Unnamed temporary files.
 */
#ifndef PROFDEPOT_INPUT_TEMP_PRIVATE_H
#define PROFDEPOT_INPUT_TEMP_PRIVATE_H

#include "base/error.h"

#include <stddef.h>

/* Creates a file in TMPDIR or, if TMPDIR is not set, in /var/tmp, which usually has room for whole
 * exports. The file is unlinked immediately, so it disappears with its descriptor, even after a crash.
 * -1 on ERROR_FILE. */
int temp_open(struct error *err);

/* Writes data at the descriptor's offset. ERROR_DISK: this thread's budget (base/disk_budget.h) does not suffice. The message of ERROR_FILE names the folder; if the disk
 * is full, a hint says what to do. */
bool temp_write(int fd, const void *data, size_t size, struct error *err);

#endif
