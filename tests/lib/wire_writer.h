/*
 * Writes protocol buffer messages field by field, as test and benchmark inputs.
 */
#ifndef PROFDEPOT_TESTS_WIRE_WRITER_H
#define PROFDEPOT_TESTS_WIRE_WRITER_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct wire_buffer {
	uint8_t *data;
	size_t size, room;
};

static inline void
wire_raw(struct wire_buffer *b, const void *data, size_t size)
{
	if (b->size + size > b->room) {
		b->room = (b->size + size) * 2;
		b->data = realloc(b->data, b->room);
		if (!b->data)
			abort();
	}
	if (size)
		memcpy(b->data + b->size, data, size);
	b->size += size;
}

static inline void
wire_number(struct wire_buffer *b, uint64_t v)
{
	uint8_t bytes[10];
	size_t n = 0;

	for (; v > 0x7F; v >>= 7)
		bytes[n++] = (uint8_t)(v | 0x80);
	bytes[n++] = (uint8_t)v;
	wire_raw(b, bytes, n);
}

/* Writes a number field. */
static inline void
wire_varint(struct wire_buffer *b, uint32_t field, uint64_t v)
{
	wire_number(b, (uint64_t)field << 3);
	wire_number(b, v);
}

/* Writes a string or message field. */
static inline void
wire_bytes(struct wire_buffer *b, uint32_t field, const void *data, size_t size)
{
	wire_number(b, (uint64_t)field << 3 | 2);
	wire_number(b, size);
	wire_raw(b, data, size);
}

/* Writes a field that contains the message, and clears the message. */
static inline void
wire_message(struct wire_buffer *b, uint32_t field, struct wire_buffer *message)
{
	wire_bytes(b, field, message->data, message->size);
	message->size = 0;
}

/* Writes a field of packed numbers. */
static inline void
wire_packed(struct wire_buffer *b, uint32_t field, const int64_t *values, size_t count)
{
	struct wire_buffer packed = { 0 };

	for (size_t i = 0; i < count; i++)
		wire_number(&packed, (uint64_t)values[i]);
	wire_message(b, field, &packed);
	free(packed.data);
}

#endif
