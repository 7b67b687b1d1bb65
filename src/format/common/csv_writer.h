/*
 * A CSV file that is written through a buffer.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_CSV_WRITER_H
#define PROFDEPOT_FORMAT_COMMON_CSV_WRITER_H

#include "base/error.h"
#include "base/text.h"

#include <stdint.h>

enum {
	CSV_WRITER_BUFFER_BYTES = 256 * 1024
};

struct csv_writer {
	int fd;
	const char *name; /* for messages */
	char *buffer;
	size_t used;
	int64_t bytes; /* written to the file */
	int failed;    /* errno of the first failed write, or 0 */
};

/* The writer closes the descriptor; name is borrowed. */
void csv_writer_init(struct csv_writer *w, int fd, const char *name);

void csv_write_row(struct csv_writer *w, const struct text *fields, size_t count);

/* Flushes to the disk and closes. ERROR_FILE with the first failure since csv_writer_init. The writer
 * is released in any case. */
bool csv_writer_finish(struct csv_writer *w, struct error *err);

#endif
