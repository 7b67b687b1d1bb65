/* Binary COPY: fills one buffer per relation and decides when to send it. */
#include "copy_private.h"

#include "base/arena.h"

#include <stdlib.h>

/* The header of a binary COPY: signature, flags, no header extension. */
static const uint8_t copy_header[19] = { 'P', 'G', 'C', 'O', 'P', 'Y', '\n', 0xFF, '\r', '\n', 0 };

enum {
	FIRST_BYTES = 16 * 1024,
	SLACK_BYTES = 64 * 1024,
	QUEUE_MIN_BYTES = 128 * 1024, /* the caller itself sends smaller buffers */
	MAX_FIELD_BYTES = 1024 * 1024 * 1024 - 64 * 1024, /* the server has the same limit */
};

struct copier *
copier_new(struct db *db, const struct copy_relation *relations, size_t count)
{
	struct copier *c = xcalloc(1, sizeof(*c));

	c->db = db;
	c->relations = relations;
	c->count = count;
	c->buffers = xcalloc(count, sizeof(*c->buffers));
	c->failure = ERROR_INIT;
	copy_queue_init(&c->queue);
	return c;
}

/* Waits for the queue, so that the connection is free for other statements. */
static void
rest(struct copier *c)
{
	if (!c->queued)
		return;
	copy_queue_wait(c);
	c->queued = false;
	c->db->copier = NULL;
}

static void
copier_drop(struct copier *c)
{
	if (c->queued)
		copy_queue_drop(c);
	rest(c);
}

void
copier_free(struct copier *c)
{
	if (!c)
		return;
	copier_drop(c);
	copy_queue_release(c);
	for (size_t i = 0; i < c->count; i++)
		free(c->buffers[i].data);
	free(c->buffers);
	free(c);
}

void
copier_set_relations(struct copier *c, const struct copy_relation *relations)
{
	c->relations = relations;
}

void
copier_grow(struct copier *c, struct copy_buffer *b, size_t more)
{
	size_t capacity = b->capacity ? b->capacity : FIRST_BYTES;

	while (capacity - b->size < more)
		capacity *= 2;
	c->total_bytes += capacity - b->capacity;
	b->data = xrealloc(b->data, capacity);
	b->capacity = capacity;
}

void
copier_row(struct copier *c, size_t relation)
{
	c->current = &c->buffers[relation];
	if (c->current->size == 0)
		memcpy(copier_room(c, sizeof(copy_header)), copy_header, sizeof(copy_header));
	c->row_start = c->current->size;
	copier_put16(copier_room(c, 2), (uint16_t)c->relations[relation].column_count);
}

void
copier_null(struct copier *c)
{
	copier_put32(copier_room(c, 4), UINT32_MAX);
}

void
copier_int64(struct copier *c, int64_t v)
{
	copier_put64(copier_put32(copier_room(c, 12), 8), (uint64_t)v);
}

void
copier_int64_or_null(struct copier *c, int64_t v)
{
	if (v == INT64_MIN)
		copier_null(c);
	else
		copier_int64(c, v);
}

void
copier_int32(struct copier *c, int32_t v)
{
	copier_put32(copier_put32(copier_room(c, 8), 4), (uint32_t)v);
}

void
copier_int32_or_null(struct copier *c, int32_t v)
{
	if (v)
		copier_int32(c, v);
	else
		copier_null(c);
}

void
copier_flag(struct copier *c, int v)
{
	if (v < 0)
		copier_null(c);
	else
		*copier_put32(copier_room(c, 5), 1) = v > 0;
}

void
copier_timestamp(struct copier *c, int64_t us)
{
	/* PostgreSQL counts from the year 2000, and its range begins in the year -4713. The end of its
	 * range is later than any 64-bit number of Unix microseconds, so only the beginning is checked. */
	static const int64_t epoch = INT64_C(946684800000000);
	static const int64_t first = INT64_C(-211813488000000000);

	if (us == INT64_MIN) {
		copier_null(c);
	} else if (us < first + epoch) {
		if (c->failure.code == ERROR_NONE)
			error_set(&c->failure, ERROR_LIMIT,
				"the time %lld (in microseconds) is outside the server's range",
				(long long)us);
		copier_null(c);
	} else {
		copier_int64(c, us - epoch);
	}
}

void
copier_text(struct copier *c, struct text t)
{
	if (t.size > MAX_FIELD_BYTES && c->failure.code == ERROR_NONE)
		error_set(
			&c->failure, ERROR_LIMIT, "a value of %zu bytes exceeds the limit", t.size);
	if (!t.data || t.size > MAX_FIELD_BYTES) {
		copier_null(c);
		return;
	}
	copier_put32(copier_room(c, 4), (uint32_t)t.size);
	if (t.size)
		memcpy(copier_room(c, t.size), t.data, t.size);
}

static bool
send_now(struct copier *c, size_t relation)
{
	struct copy_buffer *b = &c->buffers[relation];

	rest(c);
	if (c->failure.code != ERROR_NONE || !db_ready(c->db, &c->failure) ||
		!copy_rows(c->db, &c->relations[relation], b->data, b->size, &c->failure))
		return false;
	b->size = 0;
	return true;
}

/* Sends a relation's buffered rows. Rows that were queued earlier are sent first. */
static bool
send_rows(struct copier *c, size_t relation)
{
	if (c->buffers[relation].size < QUEUE_MIN_BYTES || !copy_queue_push(c, relation))
		return send_now(c, relation);
	c->queued = true;
	c->db->copier = c;
	c->db->drop_copier = copier_drop;
	return c->failure.code == ERROR_NONE;
}

static size_t
largest(const struct copier *c)
{
	size_t best = 0;

	for (size_t i = 1; i < c->count; i++)
		if (c->buffers[i].size > c->buffers[best].size)
			best = i;
	return best;
}

static void
drop_buffer(struct copier *c, struct copy_buffer *b)
{
	c->total_bytes -= b->capacity;
	free(b->data);
	*b = (struct copy_buffer){ NULL };
}

static bool
report_failure(const struct copier *c, struct error *err)
{
	if (c->failure.code == ERROR_NONE)
		return true;
	*err = c->failure;
	return false;
}

void
copier_sum(struct copier *c, struct hash128 *sums)
{
	c->sums = sums;
}

bool
copier_row_end(struct copier *c, struct error *err)
{
	if (c->sums)
		hash128_add(&c->sums[c->current - c->buffers],
			hash128(c->current->data + c->row_start, c->current->size - c->row_start));
	/* Send a little early, so that one more row does not double the memory usage. */
	if (c->current->size >= COPY_BUFFER_BYTES - SLACK_BYTES) {
		send_rows(c, (size_t)(c->current - c->buffers));
	} else if (c->total_bytes >= COPY_TOTAL_BYTES) {
		size_t i = largest(c);

		/* Free the buffer, because total_bytes also counts the memory of empty buffers. */
		if (send_rows(c, i))
			drop_buffer(c, &c->buffers[i]);
	}
	return report_failure(c, err);
}

bool
copier_push(struct copier *c, struct error *err)
{
	for (size_t i = 0; i < c->count && c->failure.code == ERROR_NONE; i++)
		if (c->buffers[i].size >= QUEUE_MIN_BYTES)
			send_rows(c, i);
	return report_failure(c, err);
}

bool
copier_settle(struct copier *c, struct error *err)
{
	for (size_t i = 0; i < c->count && c->failure.code == ERROR_NONE; i++)
		if (c->buffers[i].size)
			send_rows(c, i);
	rest(c);
	return report_failure(c, err);
}

bool
copier_rest(struct copier *c, struct error *err)
{
	rest(c);
	return report_failure(c, err);
}
