/*
 * Binary COPY into several relations over one connection.
 *
 * Each relation has a buffer, made on its first row; a full one is sent as a
 * COPY of its own, so that rows of all relations interleave in one
 * transaction. Sending does not wait for the server: a thread of the copier's
 * does while the caller makes further rows. After the first row the
 * connection must not be used for anything else until copier_settle.
 *
 * Puts return nothing: the first failure sticks and is told by the next
 * copier_row_end or copier_settle.
 */
#ifndef PROFDEPOT_DB_COPY_H
#define PROFDEPOT_DB_COPY_H

#include "base/decimal.h"
#include "base/error.h"
#include "base/number.h"
#include "base/text.h"

#include <stdint.h>

struct db;
struct copier;

struct copy_relation {
	const char *name;    /* in schema profdepot */
	const char *columns; /* the list between the brackets of COPY */
	int16_t column_count;
};

enum {
	COPY_BUFFER_BYTES = 1024 * 1024,     /* a relation's buffer is sent at this size */
	COPY_TOTAL_BYTES = 32 * 1024 * 1024, /* of all buffers; then the largest is sent */
};

/* Borrows everything. */
struct copier *copier_new(struct db *db, const struct copy_relation *relations, size_t count);
void copier_free(struct copier *c);

/* Begins a row of relation number `relation`; then one put a column. */
void copier_row(struct copier *c, size_t relation);

void copier_null(struct copier *c);
void copier_int64(struct copier *c, int64_t v);
/* INT64_MIN is NULL. */
void copier_int64_or_null(struct copier *c, int64_t v);
void copier_int32(struct copier *c, int32_t v);
/* 0 is NULL. */
void copier_int32_or_null(struct copier *c, int32_t v);
void copier_text(struct copier *c, struct text t);
void copier_bytes(struct copier *c, const void *data, size_t size);
/* numeric with no fraction. */
void copier_number(struct copier *c, struct number n);
/* numeric from 128 bits in two's complement. */
void copier_wide(struct copier *c, uint64_t high, uint64_t low);
void copier_bool(struct copier *c, bool v);
/* 0, 1, or -1 for NULL. */
void copier_flag(struct copier *c, int v);
/* numeric, exact, with the decimal's scale. */
void copier_decimal(struct copier *c, struct decimal d);
/* numeric from decimal_to_fixed's unit, trailing zeros dropped. */
void copier_fixed(struct copier *c, wide_int v);
/* timestamptz from Unix microseconds; INT64_MIN is NULL. */
void copier_timestamp(struct copier *c, int64_t us);
/* integer[], boolean[] and numeric[]; items == NULL is the NULL array. */
void copier_int32_array(struct copier *c, const int32_t *items, size_t count);
void copier_bool_array(struct copier *c, const bool *items, size_t count);
void copier_decimal_array(struct copier *c, const struct decimal *items, size_t count);
/* As copier_fixed. */
void copier_fixed_array(struct copier *c, const wide_int *items, size_t count);
/* bigint[]; INT64_MIN elements are NULL; items == NULL is the NULL array. */
void copier_int64_array(struct copier *c, const int64_t *items, size_t count);

bool copier_row_end(struct copier *c, struct error *err);

/* Lets the server take what is buffered while the caller computes, where it is enough for the
 * thread; waits for room in its queue, and for the server where no thread can be started. */
bool copier_push(struct copier *c, struct error *err);

/* Sends all that is buffered and waits until the server took it; then the
 * connection is free for other statements. */
bool copier_settle(struct copier *c, struct error *err);

/* Waits until the server took what was sent, and sends no more of what is buffered: the
 * connection is free for other statements until the next row. */
bool copier_rest(struct copier *c, struct error *err);

/* Bytes sent so far. */
int64_t copier_sent_bytes(const struct copier *c);

#endif
