/* A queue of bytes in memory and in a temporary file. */
#include "input/spool.h"

#include "base/arena.h"
#include "base/fd.h"
#include "base/memory_pool.h"
#include "temp_private.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	DEFAULT_BYTES = 8 * 1024 * 1024,
	ADOPTED_BYTES = 64 * 1024,
	FIRST_BYTES = 4096 /* size of a new buffer; not counted in a pool */
};

struct spool {
	struct memory_pool *pool; /* may be NULL */
	char *buffer;             /* allocated on the first use, grows up to `memory` */
	size_t memory, room;
	size_t fill; /* bytes of the buffer in use */
	size_t at;   /* bytes of the buffer already read */
	int fd;      /* holds the bytes before the buffer; -1 if there are none */
	uint64_t size, in_file, file_left;
	uint64_t max; /* limit of `size`; 0: none */
	bool reading;
};

struct spool *
spool_new(size_t memory_bytes)
{
	struct spool *s = xcalloc(1, sizeof(*s));

	s->memory = memory_bytes ? memory_bytes : DEFAULT_BYTES;
	s->fd = -1;
	return s;
}

struct spool *
spool_adopt(int fd, uint64_t size)
{
	struct spool *s = spool_new(ADOPTED_BYTES);

	s->fd = fd;
	s->size = s->in_file = size;
	return s;
}

void
spool_limit(struct spool *s, uint64_t max_bytes)
{
	s->max = max_bytes;
}

void
spool_share(struct spool *s, struct memory_pool *p)
{
	assert(!s->buffer);
	s->pool = p;
}

/* Makes the buffer larger. Returns false if it has its full size, or if the pool has no room for it. */
static bool
grow(struct spool *s, size_t room)
{
	if (room > s->memory)
		room = s->memory;
	if (room <= s->room)
		return false;
	if (s->pool && room > FIRST_BYTES) {
		const size_t counted = s->room > FIRST_BYTES ? s->room : FIRST_BYTES;

		if (!memory_pool_take_buffer(s->pool, (int64_t)(room - counted)))
			return false;
	}
	s->buffer = xrealloc(s->buffer, room);
	s->room = room;
	return true;
}

void
spool_free(struct spool *s)
{
	if (!s)
		return;
	if (s->pool && s->room > FIRST_BYTES)
		memory_pool_end_buffer(s->pool, (int64_t)(s->room - FIRST_BYTES));
	if (s->fd >= 0)
		close(s->fd);
	free(s->buffer);
	free(s);
}

void
spool_reset(struct spool *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	s->fill = s->at = 0;
	s->size = s->in_file = s->file_left = 0;
	s->reading = false;
}

static bool
flush(struct spool *s, struct error *err)
{
	if (s->fd < 0 && (s->fd = temp_open(err)) < 0)
		return false;
	if (!temp_write(s->fd, s->buffer, s->fill, err))
		return false;
	s->in_file += s->fill;
	s->fill = 0;
	return true;
}

bool
spool_write(struct spool *s, const void *data, size_t size, struct error *err)
{
	assert(!s->reading);
	if (s->max && size > s->max - s->size)
		return error_set(
			err, ERROR_LIMIT, "more than %llu bytes", (unsigned long long)s->max);
	s->size += size;
	while (size) {
		size_t n;

		if (s->fill == s->room && !grow(s, s->room ? s->room * 2 : FIRST_BYTES) &&
			!flush(s, err))
			return false;
		n = size < s->room - s->fill ? size : s->room - s->fill;
		memcpy(s->buffer + s->fill, data, n);
		data = (const char *)data + n;
		s->fill += n;
		size -= n;
	}
	return true;
}

uint64_t
spool_size(const struct spool *s)
{
	return s->size;
}

bool
spool_rewind(struct spool *s, struct error *err)
{
	s->reading = true;
	s->at = 0;
	if (s->fd < 0)
		return true;
	/* If there is a file, write all bytes to it and use the buffer for reading. */
	if (s->in_file < s->size && !flush(s, err))
		return false;
	if (lseek(s->fd, 0, SEEK_SET) != 0)
		return error_set_errno(err, ERROR_FILE, "cannot read a temporary file");
	s->file_left = s->size;
	s->fill = 0;
	return true;
}

int
spool_file(struct spool *s, struct error *err)
{
	if (s->in_file < s->size || s->fd < 0) {
		if (!flush(s, err))
			return -1;
	}
	return spool_rewind(s, err) ? s->fd : -1;
}

static bool
refill(struct spool *s, struct error *err)
{
	ssize_t n;

	if (!s->buffer && !grow(s, s->memory))
		grow(s, FIRST_BYTES);
	n = fd_read(s->fd, s->buffer, s->room);
	if (n < 0)
		return error_set_errno(err, ERROR_FILE, "cannot read a temporary file");
	if (n == 0)
		return error_set(err, ERROR_FILE, "a temporary file is truncated");
	s->at = 0;
	s->fill = (size_t)n;
	s->file_left -= (uint64_t)n;
	return true;
}

bool
spool_read(struct spool *s, void *data, size_t size, struct error *err)
{
	assert(s->reading);
	while (size) {
		size_t n = s->fill - s->at;

		if (n == 0) {
			assert(s->fd >= 0);
			if (!refill(s, err))
				return false;
			continue;
		}
		n = size < n ? size : n;
		memcpy(data, s->buffer + s->at, n);
		data = (char *)data + n;
		s->at += n;
		size -= n;
	}
	return true;
}
