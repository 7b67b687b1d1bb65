/*
 * Binary COPY into several relations over one connection.
 *
 * Each relation has a buffer, allocated on its first row. Each full buffer is sent by a separate
 * COPY, so one transaction can contain rows of all relations. The copier's thread waits for the
 * server while the caller produces more rows. After the first row, do not use the connection for
 * anything else until copier_settle.
 *
 * The functions that write columns return no status: the next copier_row_end or copier_settle
 * reports the first failure.
 */
#ifndef PROFDEPOT_DB_COPY_H
#define PROFDEPOT_DB_COPY_H

#include "base/decimal.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/number.h"
#include "base/text.h"

#include <stdint.h>

struct db;
struct copier;

struct copy_relation {
	const char *name;    /* name in schema profdepot */
	const char *columns; /* comma-separated, as in COPY */
	int16_t column_count;
};

enum {
	COPY_BUFFER_BYTES = 1024 * 1024, /* a buffer is sent when it reaches this size */
	/* If all buffers together exceed this size, the largest buffer is sent. */
	COPY_TOTAL_BYTES = 32 * 1024 * 1024,
};

/* Borrows db and relations. */
struct copier *copier_new(struct db *db, const struct copy_relation *relations, size_t count);
void copier_free(struct copier *c);

/* Replaces the relations by others with the same columns, which are borrowed, too. Rows that have not been sent go to
 * the new relations. No COPY may be running, see copier_rest. */
void copier_set_relations(struct copier *c, const struct copy_relation *relations);

/* Begins a row of relation number `relation`; the caller then writes each column in order. */
void copier_row(struct copier *c, size_t relation);

void copier_null(struct copier *c);
void copier_int64(struct copier *c, int64_t v);
/* Writes INT64_MIN as NULL. */
void copier_int64_or_null(struct copier *c, int64_t v);
void copier_int32(struct copier *c, int32_t v);
/* Writes 0 as NULL. */
void copier_int32_or_null(struct copier *c, int32_t v);
void copier_text(struct copier *c, struct text t);
/* These write a numeric without a fraction. */
void copier_number(struct copier *c, struct number n);
void copier_wide(struct copier *c, wide_int v);
/* v is 0, 1, or -1 for NULL. */
void copier_flag(struct copier *c, int v);
/* Writes an exact numeric with the decimal's scale. */
void copier_decimal(struct copier *c, struct decimal d);
/* Writes a fixed-point value (decimal_to_fixed) as a numeric without trailing zeros. */
void copier_fixed(struct copier *c, wide_int v);
/* Writes Unix microseconds as a timestamptz; INT64_MIN is NULL. */
void copier_timestamp(struct copier *c, int64_t us);
/* These write integer[], boolean[] and numeric[]. If items is NULL, the array is NULL. */
void copier_int32_array(struct copier *c, const int32_t *items, size_t count);
void copier_bool_array(struct copier *c, const bool *items, size_t count);
void copier_decimal_array(struct copier *c, const struct decimal *items, size_t count);
/* Writes numeric[]; each element is written as copier_fixed would write it. */
void copier_fixed_array(struct copier *c, const wide_int *items, size_t count);
/* Writes bigint[], in which INT64_MIN is a NULL element. If items is NULL, the array is NULL. */
void copier_int64_array(struct copier *c, const int64_t *items, size_t count);

/* Writes numeric[] of integers. An element that is not known is NULL. */
void copier_wide_array(struct copier *c, const wide_int *items, const bool *known, size_t count);
/* These write text[] and uuid[] without NULL elements. A uuid has 16 bytes. */
void copier_text_array(struct copier *c, const struct text *items, size_t count);
void copier_uuid_array(struct copier *c, const uint8_t *items, size_t count);

bool copier_row_end(struct copier *c, struct error *err);

/* After this call, the copier adds a hash of each row to sums[relation]. If `sums` is NULL, it stops adding hashes. */
void copier_sum(struct copier *c, struct hash128 *sums);

/* Adds to *sum a hash of each row that a query returns. A copier adds the same hashes if it copies these rows (see
 * copier_sum). The query is a "SELECT ..." without parameters that returns the copied columns. The sum does not depend
 * on the order of the rows. */
bool copy_sum_rows(struct db *db, const char *select, struct hash128 *sum, struct error *err);

/* Passes large buffers to the copier's thread, so that the server receives them while the caller computes.
 * Waits until the queue has space. If no thread can be started, waits for the server instead. */
bool copier_push(struct copier *c, struct error *err);

/* Sends all buffers and waits for the server. The connection is then free for other statements. */
bool copier_settle(struct copier *c, struct error *err);

/* Waits for the server without sending more buffers. The connection is then free for other
 * statements until the next row. */
bool copier_rest(struct copier *c, struct error *err);

#endif
