/* The JSON reader's input: buffer, failures, raw text, blanks, and values that continue beyond the buffer. */
#include "base/arena.h"
#include "base/fd.h"
#include "json_private.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

enum {
	/* small enough for the CPU cache to hold this buffer and the kernel's copy */
	BUFFER_BYTES = 64 * 1024,
	DEFAULT_DEPTH = 100000,
	MIN_STRING_BYTES = 16, /* the fast paths rely on this minimum */
	DEFAULT_STRING_BYTES = 256 * 1024 * 1024,
	LOOK_BACK_BYTES = 4096,
};

static struct json_reader *
reader_new(const struct json_options *o, size_t capacity)
{
	struct json_reader *r = xcalloc(1, sizeof(*r));

	r->o = *o;
	r->max_string = o->max_string_bytes ? o->max_string_bytes : DEFAULT_STRING_BYTES;
	if (r->max_string < MIN_STRING_BYTES)
		r->max_string = MIN_STRING_BYTES;
	r->max_depth = o->max_depth ? o->max_depth : DEFAULT_DEPTH;
	if (!r->o.source)
		r->o.source = "JSON";
	r->look_ahead = json_tolerates(r, JSON_UNCLOSED);
	r->state = JSON_AT_VALUE;
	r->capacity = capacity;
	r->buffer = xmalloc(r->capacity + JSON_PAD);
	memset(r->buffer, 0, JSON_PAD);
	r->p = r->end = r->safe = r->swift = r->buffer;
	r->bias = o->first_offset - (uint64_t)(uintptr_t)r->buffer;
	r->keys = o->duplicate_keys ? json_keys_new(r->max_string) : NULL;
	strbuf_init(&r->scratch, r->max_string);
	r->fd = -1;
	return r;
}

struct json_reader *
json_reader_new_fd(int fd, const struct json_options *o)
{
	struct json_reader *r = reader_new(o, BUFFER_BYTES);

	r->fd = fd;
	return r;
}

/* The buffer's size: at most the size of the input, but enough for every call of json_need. */
static size_t
memory_capacity(size_t size, size_t chunk)
{
	size_t wanted = chunk && chunk < size ? chunk : size;

	if (wanted > BUFFER_BYTES)
		return BUFFER_BYTES;
	return wanted > JSON_PAD ? wanted : JSON_PAD;
}

struct json_reader *
json_reader_new_memory(const void *data, size_t size, size_t chunk, const struct json_options *o)
{
	struct json_reader *r = reader_new(o, memory_capacity(size, chunk));

	r->memory = data;
	r->memory_left = size;
	r->chunk = chunk ? chunk : SIZE_MAX;
	return r;
}

void
json_reader_free(struct json_reader *r)
{
	if (!r)
		return;
	json_keys_free(r->keys);
	strbuf_release(&r->scratch);
	strbuf_release(&r->raw);
	free(r->outer_kinds);
	free(r->buffer);
	free(r);
}

void
json_reader_use_portable(struct json_reader *r)
{
	r->portable = true;
	r->swift = r->buffer;
}

uint64_t
json_offset(const struct json_reader *r)
{
	return json_offset_in(r, r->p);
}

uint64_t
json_value_offset(const struct json_reader *r)
{
	return r->value_offset;
}

/* --- raw text --- */

uint64_t
json_raw_size(const struct json_reader *r)
{
	return r->raw.size + (uint64_t)(r->p - r->record);
}

void
json_raw_flush(struct json_reader *r, const char *at, const char *next)
{
	strbuf_append(&r->raw, r->record, (size_t)(at - r->record));
	r->record = next;
}

void
json_raw_cut(struct json_reader *r, const char *next, const char *more)
{
	json_raw_flush(r, r->p, next);
	if (r->raw.failed)
		return;
	r->raw.size = (size_t)r->raw_good;
	strbuf_append_str(&r->raw, more);
}

/* --- filling the buffer --- */

/* Makes room after `end` by dropping the bytes before p. If an unread token fills the buffer, the
 * buffer grows. */
static void
make_room(struct json_reader *r)
{
	size_t left = (size_t)(r->end - r->p);
	uint64_t offset = json_offset(r);

	if (r->record) {
		json_raw_flush(r, r->p, r->p);
		r->record = r->buffer;
	}
	memmove(r->buffer, r->p, left);
	if (left == r->capacity) {
		bool recording = r->record != NULL;

		r->capacity *= 2;
		r->buffer = xrealloc(r->buffer, r->capacity + JSON_PAD);
		r->record = recording ? r->buffer : NULL;
	}
	r->p = r->buffer;
	r->end = r->buffer + left;
	r->bias = offset - (uint64_t)(uintptr_t)r->buffer;
}

/* Reads up to `room` bytes. Returns 0 at the end, -1 if reading fails. */
static ssize_t
take(struct json_reader *r, char *out, size_t room)
{
	size_t n = room < r->chunk ? room : r->chunk;

	if (r->fd < 0) {
		n = n < r->memory_left ? n : r->memory_left;
		if (n)
			memcpy(out, r->memory, n);
		r->memory += n;
		r->memory_left -= n;
		return (ssize_t)n;
	}
	return fd_read(r->fd, out, room);
}

/*
 * Finds a quote without a backslash before it. Such a quote begins or ends a string, so no scalar
 * that begins before the quote continues after it.
 */
static void
find_safe(struct json_reader *r)
{
	const char *p = r->end;
	const char *limit = p - r->buffer > LOOK_BACK_BYTES ? p - LOOK_BACK_BYTES : r->buffer;

	r->safe = r->buffer;
	while (--p > limit) {
		if (*p == '"' && p[-1] != '\\') {
			r->safe = p;
			return;
		}
	}
}

bool
json_fill(struct json_reader *r)
{
	size_t size;
	ssize_t got;

	if (r->eof)
		return false;
	make_room(r);
	size = (size_t)(r->end - r->buffer);
	got = take(r, r->buffer + size, r->capacity - size);
	if (got < 0) {
		error_set_errno(&r->error, ERROR_FILE, "%s: cannot read", r->o.source);
		r->failed = true;
		got = 0;
	}
	size += (size_t)got;
	memset(r->buffer + size, 0, JSON_PAD);
	r->end = r->buffer + size;
	r->eof = got == 0;
	r->safe = r->end;
	if (r->look_ahead)
		find_safe(r);
	r->swift = r->portable || r->keys ? r->buffer : r->safe;
	return got > 0;
}

bool
json_need(struct json_reader *r, size_t n)
{
	while ((size_t)(r->end - r->p) < n)
		if (!json_fill(r))
			return false;
	return true;
}

bool
json_ended(struct json_reader *r)
{
	return r->p == r->end && !json_need(r, 1);
}

static bool
fail_again(const struct json_reader *r, struct error *err)
{
	*err = r->error;
	return false;
}

/* Empties the buffer, so that every later call finds no data and fails here. */
static bool
stop(struct json_reader *r, struct error *err)
{
	uint64_t offset = json_offset(r);

	r->failed = true;
	r->eof = true;
	r->record = NULL;
	r->p = r->end = r->safe = r->swift = r->buffer;
	r->bias = offset - (uint64_t)(uintptr_t)r->buffer;
	r->buffer[0] = '\0';
	return fail_again(r, err);
}

ERROR_PRINTF(5, 0)
static bool
fail(struct json_reader *r, enum error_code code, uint64_t offset, struct error *err,
	const char *format, va_list arguments)
{
	char what[512];

	if (r->failed)
		return stop(r, err);
	vsnprintf(what, sizeof(what), format, arguments);
	error_set(&r->error, code, "%s: offset %" PRIu64 ": %s", r->o.source, offset, what);
	return stop(r, err);
}

bool
json_fail_at(struct json_reader *r, const char *at, struct error *err, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fail(r, ERROR_INPUT, json_offset_in(r, at), err, format, arguments);
	va_end(arguments);
	return false;
}

bool
json_fail_at_offset(
	struct json_reader *r, uint64_t offset, struct error *err, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fail(r, ERROR_INPUT, offset, err, format, arguments);
	va_end(arguments);
	return false;
}

bool
json_fail_limit(struct json_reader *r, struct error *err, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fail(r, ERROR_LIMIT, r->value_offset, err, format, arguments);
	va_end(arguments);
	return false;
}

bool
json_fail_depth(struct json_reader *r, struct error *err)
{
	if (r->failed)
		return stop(r, err);
	json_fail_limit(r, err, "containers nested more than %zu deep", r->max_depth);
	error_hint(&r->error, "nothing was loaded; --max-depth N raises the limit");
	return fail_again(r, err);
}

bool
json_fail_string(struct json_reader *r, struct error *err)
{
	if (r->failed)
		return stop(r, err);
	json_fail_limit(r, err, "a string of more than %zu bytes", r->max_string);
	error_hint(&r->error, "nothing was loaded; a closing quote may be missing at that offset");
	return fail_again(r, err);
}

static const char *
found(const struct json_reader *r, char out[32])
{
	unsigned char c = (unsigned char)*r->p;

	if (r->p == r->end)
		return "the end of the input";
	if (c > 0x20 && c < 0x7F)
		snprintf(out, 32, "'%c'", c);
	else
		snprintf(out, 32, "byte 0x%02X", c);
	return out;
}

bool
json_fail_wanted(struct json_reader *r, struct error *err, const char *wanted)
{
	char buffer[32];

	if (r->failed)
		return stop(r, err);
	return json_fail_at(r, r->p, err, "expected %s, found %s", wanted, found(r, buffer));
}

bool
json_tolerates(const struct json_reader *r, enum json_deviation what)
{
	return (r->o.tolerate >> what & 1) != 0;
}

void
json_deviate(struct json_reader *r, enum json_deviation what, const char *at)
{
	if (r->o.deviation)
		r->o.deviation(r->o.self, what, json_offset_in(r, at));
}

/* At the start of the input, skips a UTF-8 BOM and detects UTF-16. */
static bool
begin(struct json_reader *r, struct error *err)
{
	const unsigned char *p;

	r->started = true;
	json_need(r, 3);
	p = (const unsigned char *)r->p;
	if (p[0] == 0xEF && p[1] == 0xBB && p[2] == 0xBF) {
		r->p += 3;
		return true;
	}
	if ((p[0] == 0xFE && p[1] == 0xFF) || (p[0] == 0xFF && p[1] == 0xFE)) {
		json_fail_at(r, r->p, err, "the input is UTF-16, but JSON must be UTF-8");
		return error_hint(err, "convert it first: iconv -f UTF-16 -t UTF-8");
	}
	return true;
}

bool
json_pass_blanks(struct json_reader *r, struct error *err)
{
	bool first = !r->started;

	if (first && !begin(r, err))
		return false;
	do
		r->p = json_scan_blanks(r->p, r->portable);
	while (r->p == r->end && json_fill(r));
	if (first)
		r->first_offset = json_offset(r);
	return r->failed ? fail_again(r, err) : true;
}

/* --- cut values --- */

static bool
string_in_buffer(const struct json_reader *r, const char *p)
{
	for (;; p++) {
		p = json_scan_plain(p, r->portable);
		if (*p == '"')
			return true;
		if (p >= r->end)
			return false;
		if (*p == '\\')
			p++; /* if nothing follows, this skips a NUL, and the next NUL ends the scan */
	}
}

/* Returns false if the buffer ends within the word. Text that is not the word counts as complete;
 * reading it later reports the error. */
static bool
word_in_buffer(const struct json_reader *r, const char *p, struct text word)
{
	size_t size = (size_t)(r->end - p);

	return size >= word.size || memcmp(p, word.data, size) != 0;
}

bool
json_whole_in_buffer(const struct json_reader *r, const char *p)
{
	switch (*p) {
	case '\0':
		return p != r->end;
	case '"':
		return string_in_buffer(r, p + 1);
	case 't':
		return word_in_buffer(r, p, TEXT_LITERAL("true"));
	case 'f':
		return word_in_buffer(r, p, TEXT_LITERAL("false"));
	case 'n':
		return word_in_buffer(r, p, TEXT_LITERAL("null"));
	default:
		/* A word that reaches the buffer's end may continue. */
		while (json_is_word(*p))
			p++;
		return p < r->end;
	}
}

bool
json_is_whole(struct json_reader *r)
{
	while (!json_whole_in_buffer(r, r->p)) {
		size_t looked = (size_t)(r->end - r->p);

		/* Each search starts again at the beginning of the value. To keep the work linear,
		 * double the number of bytes before the next search. */
		if (looked > r->max_string)
			break;
		while (!r->eof && (size_t)(r->end - r->p) < 2 * looked + 1)
			json_fill(r);
		if ((size_t)(r->end - r->p) == looked)
			return r->failed;
	}
	return true;
}
