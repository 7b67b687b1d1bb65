/*
 * Reads the fields of a protocol buffers message from a file, one after another. Format:
 * protobuf.dev, "Encoding".
 */
#ifndef PROFDEPOT_FORMAT_PPROF_WIRE_READER_H
#define PROFDEPOT_FORMAT_PPROF_WIRE_READER_H

#include "base/error.h"

#include <stdint.h>

enum wire_type {
	WIRE_VARINT = 0,
	WIRE_FIXED64 = 1,
	WIRE_BYTES = 2,
	WIRE_GROUP = 3,
	WIRE_GROUP_END = 4,
	WIRE_FIXED32 = 5,
};

struct wire_field {
	uint32_t number;
	enum wire_type type;
	uint64_t value;  /* a varint or fixed-size number */
	uint64_t size;   /* number of the field's bytes */
	uint64_t offset; /* the tag's offset in the file */
	uint64_t start;  /* the offset of the field's bytes */
};

struct wire_reader;

/* The reader begins at offset 0 of the descriptor, which the caller closes. `size` is the size of the
 * file in bytes. `name` is borrowed for messages. */
struct wire_reader *wire_reader_new(int fd, uint64_t size, const char *name);
void wire_reader_free(struct wire_reader *r);

/* Skips the bytes of the previous field and reads the next field. *more is false at the end. Fails
 * with ERROR_INPUT if the field is invalid, or longer than the rest of the file; the message names
 * the offset. */
bool wire_next(struct wire_reader *r, struct wire_field *f, bool *more, struct error *err);

/* Sets *bytes to the bytes of the field that wire_next has just read. They are valid until the next
 * call. Fails with ERROR_LIMIT if there are more than `max` bytes. */
bool wire_take(struct wire_reader *r, const struct wire_field *f, uint64_t max,
	const uint8_t **bytes, struct error *err);

uint64_t wire_offset(const struct wire_reader *r);

/* Whether the message is well formed. If not, *at is the offset of the error and *what describes
 * it. */
bool wire_check(const uint8_t *bytes, size_t size, size_t *at, const char **what);

#endif
