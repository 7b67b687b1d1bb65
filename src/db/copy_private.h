/* Shared by the copier's files: copy.c (buffers), copy_queue.c (the queue of buffers that wait
 * for the server) and copy_send.c (sends them). */
#ifndef PROFDEPOT_SRC_DB_COPY_PRIVATE_H
#define PROFDEPOT_SRC_DB_COPY_PRIVATE_H

#include "db/copy.h"
#include "db_private.h"

#include <pthread.h>

struct copy_buffer {
	uint8_t *data; /* header and rows; NULL before the first row */
	size_t size;
	size_t capacity;
};

enum {
	COPY_QUEUE_LENGTH = 32,
	COPY_QUEUE_BYTES = 4 * COPY_BUFFER_BYTES,
};

struct copy_job {
	size_t relation;
	struct copy_buffer buffer;
};

struct copy_queue {
	pthread_t thread; /* started when the first buffer is full */
	bool started;
	struct memory_budget *budget; /* the budgets of the caller's thread; may be NULL */
	struct disk_budget *disk;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	/* The mutex guards the following members. */
	struct copy_job jobs[COPY_QUEUE_LENGTH]; /* the first job is being sent */
	size_t count;
	size_t bytes; /* total capacity of all jobs */
	struct copy_buffer spare;
	struct error failure; /* if set, nothing more is sent */
	bool stopping;
};

struct copier {
	struct db *db;
	const struct copy_relation *relations;
	size_t count;
	struct copy_buffer *buffers;
	struct copy_buffer *current; /* buffer of the row being written */
	size_t row_start;            /* offset of that row in its buffer */
	struct hash128 *sums;        /* [relation]; NULL if the caller needs no sums */
	size_t total_bytes;          /* total capacity of all buffers */
	bool queued;                 /* whether the queue uses the connection */
	struct copy_queue queue;
	struct error failure; /* only the first failure is kept */
};

/* Makes room for at least `more` bytes at the buffer's end. */
void copier_grow(struct copier *c, struct copy_buffer *b, size_t more);

/* Extends the row being written by `more` bytes, and returns their address. */
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

/* Runs one COPY to its end. Meanwhile no other thread may use the connection. */
bool copy_rows(struct db *db, const struct copy_relation *r, const uint8_t *data, size_t size,
	struct error *failure);

/* Only the thread that owns the copier may call the functions of copy_queue.c. copy_queue_push
 * moves a relation's buffer to the queue; it returns false if the queue's thread cannot be
 * started. */
bool copy_queue_push(struct copier *c, size_t relation);
/* Waits until all buffers are sent; a failure is stored in the copier. */
void copy_queue_wait(struct copier *c);
/* Like copy_queue_wait, but drops the buffers whose sending has not begun. */
void copy_queue_drop(struct copier *c);
void copy_queue_init(struct copy_queue *q);
/* Call it after copy_queue_wait or copy_queue_drop, when the queue is empty. */
void copy_queue_release(struct copier *c);

#endif
