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

/* Hands the relation's rows to libpq, after the COPY before it has ended. */
bool copier_send(struct copier *c, size_t relation);

/* Pushes what the socket takes without waiting. */
void copier_pump(struct copier *c);

/* Waits until the COPY that runs has ended. */
bool copier_wait(struct copier *c);

#endif
