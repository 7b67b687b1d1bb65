/*
 * The copier's inside: buffers (copy.c) and the way to the server
 * (copy_send.c).
 */
#ifndef PROFDEPOT_SRC_DB_COPY_PRIVATE_H
#define PROFDEPOT_SRC_DB_COPY_PRIVATE_H

#include "db/copy.h"
#include "db_private.h"

struct copy_buffer {
	uint8_t *data; /* header, rows; NULL before the first row */
	size_t size;
	size_t capacity;
};

struct copier {
	struct db *db;
	const struct copy_relation *relations;
	size_t count;
	struct copy_buffer *buffers;
	struct copy_buffer *current; /* of the row in hand */
	size_t total_bytes;          /* capacity of all buffers */
	bool sending;                /* a COPY's bytes are on their way */
	unsigned ticks;
	int64_t sent_bytes;
	struct error failure; /* the first one sticks */
};

/* At least `more` bytes behind the buffer's end. */
void copier_grow(struct copier *c, struct copy_buffer *b, size_t more);

/* Room for `more` bytes at the end of the row in hand. */
static inline uint8_t *
copier_room(struct copier *c, size_t more)
{
	struct copy_buffer *b = c->current;
	uint8_t *p;

	if (b->capacity - b->size < more)
		copier_grow(c, b, more);
	p = b->data + b->size;
	b->size += more;
	return p;
}

static inline uint8_t *
copier_put16(uint8_t *p, uint16_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
	return p + 2;
}

static inline uint8_t *
copier_put32(uint8_t *p, uint32_t v)
{
	return copier_put16(copier_put16(p, (uint16_t)(v >> 16)), (uint16_t)v);
}

static inline uint8_t *
copier_put64(uint8_t *p, uint64_t v)
{
	return copier_put32(copier_put32(p, (uint32_t)(v >> 32)), (uint32_t)v);
}

/* Hands the relation's rows to libpq, after the COPY before it has ended. */
bool copier_send(struct copier *c, size_t relation);

/* Pushes what the socket takes without waiting. */
void copier_pump(struct copier *c);

/* Waits until the COPY that runs has ended. */
bool copier_wait(struct copier *c);

#endif
