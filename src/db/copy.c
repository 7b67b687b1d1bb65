#include "copy_private.h"

#include "base/arena.h"

#include <stdlib.h>

/* Signature, flags, no header extension. */
static const uint8_t copy_header[19] = { 'P', 'G', 'C', 'O', 'P', 'Y', '\n', 0xFF, '\r', '\n', 0 };

enum {
	FIRST_BYTES = 16 * 1024,
	SLACK_BYTES = 64 * 1024,
	PUMP_EVERY = 64,                                  /* rows between two looks at the socket */
	MAX_FIELD_BYTES = 1024 * 1024 * 1024 - 64 * 1024, /* the server's own limit */
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
	return c;
}

void
copier_free(struct copier *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->count; i++)
		free(c->buffers[i].data);
	free(c->buffers);
	free(c);
}

static void
grow(struct copier *c, struct copy_buffer *b, size_t more)
{
	size_t capacity = b->capacity ? b->capacity : FIRST_BYTES;

	while (capacity - b->size < more)
		capacity *= 2;
	c->total_bytes += capacity - b->capacity;
	b->data = xrealloc(b->data, capacity);
	b->capacity = capacity;
}

/* Room for `more` bytes at the end of the row in hand. */
static inline uint8_t *
room(struct copier *c, size_t more)
{
	struct copy_buffer *b = c->current;
	uint8_t *p;

	if (b->capacity - b->size < more)
		grow(c, b, more);
	p = b->data + b->size;
	b->size += more;
	return p;
}

static inline uint8_t *
put16(uint8_t *p, uint16_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
	return p + 2;
}

static inline uint8_t *
put32(uint8_t *p, uint32_t v)
{
	return put16(put16(p, (uint16_t)(v >> 16)), (uint16_t)v);
}

static inline uint8_t *
put64(uint8_t *p, uint64_t v)
{
	return put32(put32(p, (uint32_t)(v >> 32)), (uint32_t)v);
}

void
copier_row(struct copier *c, size_t relation)
{
	c->current = &c->buffers[relation];
	if (c->current->size == 0)
		memcpy(room(c, sizeof(copy_header)), copy_header, sizeof(copy_header));
	put16(room(c, 2), (uint16_t)c->relations[relation].column_count);
}

void
copier_null(struct copier *c)
{
	put32(room(c, 4), UINT32_MAX);
}

void
copier_int64(struct copier *c, int64_t v)
{
	put64(put32(room(c, 12), 8), (uint64_t)v);
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
	put32(put32(room(c, 8), 4), (uint32_t)v);
}

void
copier_bytes(struct copier *c, const void *data, size_t size)
{
	if (size > MAX_FIELD_BYTES) {
		if (c->failure.code == ERROR_NONE)
			error_set(&c->failure, ERROR_LIMIT, "a value of %zu bytes passes the limit",
				size);
		copier_null(c);
		return;
	}
	put32(room(c, 4), (uint32_t)size);
	if (size)
		memcpy(room(c, size), data, size);
}

void
copier_text(struct copier *c, struct text t)
{
	if (!t.data)
		copier_null(c);
	else
		copier_bytes(c, t.data, t.size);
}

/* PostgreSQL's numeric: base-10000 digits, weight of the first, sign. */
static void
put_numeric(struct copier *c, const uint16_t *digits, int count, bool negative)
{
	size_t size = 8 + 2 * (size_t)count;
	uint8_t *p = put32(room(c, 4 + size), (uint32_t)size);

	p = put16(p, (uint16_t)count);
	p = put16(p, (uint16_t)(count ? count - 1 : 0));
	p = put16(p, negative ? 0x4000 : 0);
	p = put16(p, 0);
	while (count)
		p = put16(p, digits[--count]);
}

void
copier_number(struct copier *c, struct number n)
{
	uint16_t digits[5]; /* lowest first */
	int count = 0;

	if (n.null) {
		copier_null(c);
		return;
	}
	for (uint64_t v = n.magnitude; v; v /= 10000)
		digits[count++] = (uint16_t)(v % 10000);
	put_numeric(c, digits, count, n.negative);
}

void
copier_wide(struct copier *c, uint64_t high, uint64_t low)
{
	__extension__ typedef unsigned __int128 wide;
	bool negative = high >> 63;
	wide v = (wide)high << 64 | low;
	uint16_t digits[10];
	int count = 0;

	if (negative)
		v = 0 - v;
	for (; v; v /= 10000)
		digits[count++] = (uint16_t)(v % 10000);
	put_numeric(c, digits, count, negative);
}

void
copier_int64_array(struct copier *c, const int64_t *items, size_t count)
{
	enum {
		INT8_OID = 20,
		HEADER = 20
	};
	bool nulls = false;
	size_t size = HEADER;
	uint8_t *p;

	if (!items) {
		copier_null(c);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		nulls |= items[i] == INT64_MIN;
		size += items[i] == INT64_MIN ? 4 : 12;
	}
	p = put32(room(c, 4 + size), (uint32_t)size);
	p = put32(p, 1); /* dimensions */
	p = put32(p, nulls);
	p = put32(p, INT8_OID);
	p = put32(p, (uint32_t)count);
	p = put32(p, 1); /* lower bound */
	for (size_t i = 0; i < count; i++) {
		if (items[i] == INT64_MIN)
			p = put32(p, UINT32_MAX);
		else
			p = put64(put32(p, 8), (uint64_t)items[i]);
	}
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
told(const struct copier *c, struct error *err)
{
	if (c->failure.code == ERROR_NONE)
		return true;
	*err = c->failure;
	return false;
}

bool
copier_row_end(struct copier *c, struct error *err)
{
	/* A little early: one more row shall not double the memory. */
	if (c->current->size >= COPY_BUFFER_BYTES - SLACK_BYTES) {
		copier_send(c, (size_t)(c->current - c->buffers));
	} else if (c->total_bytes >= COPY_TOTAL_BYTES) {
		size_t i = largest(c);

		/* Its memory goes too, or the total would never shrink. */
		if (copier_send(c, i))
			drop_buffer(c, &c->buffers[i]);
	} else if (c->sending && ++c->ticks % PUMP_EVERY == 0) {
		copier_pump(c);
	}
	return told(c, err);
}

bool
copier_settle(struct copier *c, struct error *err)
{
	for (size_t i = 0; i < c->count && c->failure.code == ERROR_NONE; i++)
		if (c->buffers[i].size)
			copier_send(c, i);
	copier_wait(c);
	return told(c, err);
}

int64_t
copier_sent_bytes(const struct copier *c)
{
	return c->sent_bytes;
}
