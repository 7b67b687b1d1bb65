/* Reads protocol buffers; see wire_reader.h. */
#include "wire_reader.h"

#include "base/arena.h"
#include "base/fd.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	BUFFER_BYTES = 256 * 1024,
	VARINT_MAX_BYTES = 10,
	/* a tag and a length */
	HEADER_MAX_BYTES = 2 * VARINT_MAX_BYTES,
};

struct wire_reader {
	int fd;
	const char *name;
	uint8_t *buffer;
	size_t room, size, at;
	uint64_t begin; /* the buffer's offset in the file */
	uint64_t end;   /* the file's size */
	uint64_t pass;  /* number of bytes of the current field that wire_next skips */
};

struct wire_reader *
wire_reader_new(int fd, uint64_t size, const char *name)
{
	struct wire_reader *r = xcalloc(1, sizeof(*r));

	r->fd = fd;
	r->name = name;
	r->end = size;
	r->room = BUFFER_BYTES;
	r->buffer = xmalloc(r->room);
	return r;
}

void
wire_reader_free(struct wire_reader *r)
{
	if (!r)
		return;
	free(r->buffer);
	free(r);
}

uint64_t
wire_offset(const struct wire_reader *r)
{
	return r->begin + r->at;
}

static bool
refuse(const struct wire_reader *r, uint64_t offset, const char *what, struct error *err)
{
	return error_set(err, ERROR_INPUT, "%s: offset %" PRIu64 ": %s", r->name, offset, what);
}

/* Reads until the buffer has at least `bytes` unread bytes, or the rest of the file. */
static bool
need(struct wire_reader *r, size_t bytes, struct error *err)
{
	if (r->size - r->at >= bytes)
		return true;
	memmove(r->buffer, r->buffer + r->at, r->size - r->at);
	r->begin += r->at;
	r->size -= r->at;
	r->at = 0;
	if (bytes > r->room) {
		r->room = bytes;
		r->buffer = xrealloc(r->buffer, r->room);
	}
	while (r->size < bytes) {
		const ssize_t n =
			fd_pread(r->fd, r->buffer + r->size, r->room - r->size, r->begin + r->size);

		if (n < 0)
			return error_set_errno(err, ERROR_FILE, "%s: cannot be read", r->name);
		if (n == 0)
			return true;
		r->size += (size_t)n;
	}
	return true;
}

static void
pass_bytes(struct wire_reader *r, uint64_t bytes)
{
	if (bytes <= r->size - r->at) {
		r->at += (size_t)bytes;
		return;
	}
	r->begin += r->at + bytes;
	r->at = r->size = 0;
}

/* Returns the size of the varint in bytes: 0 if it is incomplete, VARINT_MAX_BYTES + 1 if it is too
 * long. */
static size_t
varint(const uint8_t *bytes, size_t size, uint64_t *value)
{
	*value = 0;
	for (size_t i = 0; i < size && i < VARINT_MAX_BYTES; i++) {
		*value |= (uint64_t)(bytes[i] & 0x7F) << (7 * i);
		if (!(bytes[i] & 0x80))
			return i + 1;
	}
	return size >= VARINT_MAX_BYTES ? VARINT_MAX_BYTES + 1 : 0;
}

static uint64_t
fixed(const uint8_t *bytes, size_t size)
{
	uint64_t value = 0;

	for (size_t i = 0; i < size; i++)
		value |= (uint64_t)bytes[i] << (8 * i);
	return value;
}

/* Reads a tag and its value or length. Returns their size in bytes. On error, returns 0 and
 * sets *what and *at. */
static size_t
header(const uint8_t *bytes, size_t size, struct wire_field *f, size_t *at, const char **what)
{
	uint64_t tag;
	size_t n = varint(bytes, size, &tag);
	size_t more, fixed_size;

	*at = 0;
	*what = n ? "tag of more than 10 bytes" : "bytes end inside the tag of a field";
	if (n == 0 || n > VARINT_MAX_BYTES)
		return 0;
	*what = "invalid tag of a field";
	if (tag >> 3 == 0 || tag >> 3 > 536870911 || (tag & 7) > WIRE_FIXED32)
		return 0;
	f->number = (uint32_t)(tag >> 3);
	f->type = (enum wire_type)(tag & 7);
	f->value = f->size = 0;
	*what = "field of wire type \"group\", which profiles do not have";
	if (f->type == WIRE_GROUP || f->type == WIRE_GROUP_END)
		return 0;
	*at = n;
	if (f->type == WIRE_VARINT || f->type == WIRE_BYTES) {
		more = varint(bytes + n, size - n, f->type == WIRE_BYTES ? &f->size : &f->value);
		*what = more ? "varint of more than 10 bytes" : "bytes end inside a varint";
		return more == 0 || more > VARINT_MAX_BYTES ? 0 : n + more;
	}
	fixed_size = f->type == WIRE_FIXED64 ? 8 : 4;
	*what = "bytes end inside a number";
	if (size - n < fixed_size)
		return 0;
	f->value = fixed(bytes + n, fixed_size);
	return n + fixed_size;
}

bool
wire_next(struct wire_reader *r, struct wire_field *f, bool *more, struct error *err)
{
	const char *what;
	uint64_t left;
	size_t at, n;

	pass_bytes(r, r->pass);
	r->pass = 0;
	if (!need(r, HEADER_MAX_BYTES, err))
		return false;
	*more = r->at < r->size;
	if (!*more)
		return true;
	f->offset = wire_offset(r);
	n = header(r->buffer + r->at, r->size - r->at, f, &at, &what);
	if (!n)
		return refuse(r, f->offset + at, what, err);
	r->at += n;
	f->start = wire_offset(r);
	left = r->end > f->start ? r->end - f->start : 0;
	if (f->type == WIRE_BYTES && f->size > left)
		return error_set(err, ERROR_INPUT,
			"%s: offset %" PRIu64 ": field %" PRIu32 " has %" PRIu64
			" bytes, but the file ends after %" PRIu64,
			r->name, f->offset, f->number, f->size, left);
	r->pass = f->type == WIRE_BYTES ? f->size : 0;
	return true;
}

bool
wire_take(struct wire_reader *r, const struct wire_field *f, uint64_t max, const uint8_t **bytes,
	struct error *err)
{
	if (f->size > max)
		return error_set(err, ERROR_LIMIT,
			"%s: offset %" PRIu64 ": field %" PRIu32 " has %" PRIu64
			" bytes; at most %" PRIu64 " are read",
			r->name, f->offset, f->number, f->size, max);
	if (!need(r, (size_t)f->size, err))
		return false;
	if (r->size - r->at < f->size)
		return refuse(r, f->offset, "the file became shorter while it was read", err);
	*bytes = r->buffer + r->at;
	return true;
}

bool
wire_check(const uint8_t *bytes, size_t size, size_t *at, const char **what)
{
	struct wire_field f = { 0 };
	size_t done = 0;

	while (done < size) {
		const size_t n = header(bytes + done, size - done, &f, at, what);

		*at += done;
		if (!n)
			return false;
		if (f.size > size - done - n) {
			*what = "field exceeds its message";
			return false;
		}
		done += n + (size_t)f.size;
	}
	return true;
}
