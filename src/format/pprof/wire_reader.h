/*
 * The fields of a protocol buffers message, read from a file one after another. Format:
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
	uint64_t value;  /* of a varint or fixed one */
	uint64_t size;   /* of bytes */
	uint64_t offset; /* of its tag in the file */
	uint64_t start;  /* of its bytes */
};

struct wire_reader;

/* Reads the descriptor from offset 0; the caller closes it. size: bytes of the file. name is
 * borrowed for messages. */
struct wire_reader *wire_reader_new(int fd, uint64_t size, const char *name);
void wire_reader_free(struct wire_reader *r);

/* The next field; skips what the caller did not take of the last one. *more false: the end.
 * ERROR_INPUT with the offset, also if bytes would exceed the file. */
bool wire_next(struct wire_reader *r, struct wire_field *f, bool *more, struct error *err);

/* The bytes of the last field, valid until the next call. ERROR_LIMIT beyond max bytes. */
bool wire_take(struct wire_reader *r, const struct wire_field *f, uint64_t max,
	const uint8_t **bytes, struct error *err);

uint64_t wire_offset(const struct wire_reader *r);

/* Is it a well-formed message? If not: *at is where, *what the error. */
bool wire_check(const uint8_t *bytes, size_t size, size_t *at, const char **what);

#endif
