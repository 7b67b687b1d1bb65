/*
 * Where a command writes: standard output, or a file that appears whole or
 * not at all (written beside its place, renamed at the end).
 */
#ifndef PROFDEPOT_CMD_OUTPUT_FILE_H
#define PROFDEPOT_CMD_OUTPUT_FILE_H

#include "base/error.h"

#include <stdio.h>

struct output_file {
	FILE *stream;
	char *path;      /* NULL: the stream is the caller's */
	char *temporary; /* beside path */
};

/* path NULL or "-": `otherwise`. A FIFO or device is written as it is. */
bool output_file_open(struct output_file *f, const char *path, FILE *otherwise, struct error *err);

/* If `keep` is false, drops what was written. False if writing failed. */
bool output_file_close(struct output_file *f, bool keep, struct error *err);

#endif
