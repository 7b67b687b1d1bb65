/* Reading text line by line; see input/line_reader.h. */
#include "input/line_reader.h"

#include "base/arena.h"
#include "base/array.h"
#include "base/depot_text.h"
#include "base/fd.h"
#include "base/strbuf.h"

#include <stdlib.h>

enum {
	READ_BYTES = 64 * 1024,
	RAW_BYTES = 32 * 1024, /* bytes of UTF-16 that are read at once */
	DEFAULT_MAX_LINE_BYTES = 1024 * 1024,
	MIN_MAX_LINE_BYTES = 16,
	TICK_BYTES = 1024 * 1024,
};

/* Two bytes of UTF-16 become at most three bytes, and a surrogate can be pending. */
_Static_assert(RAW_BYTES / 2 * 3 + 3 <= READ_BYTES, "decoded text fits");

enum encoding {
	UNKNOWN,
	UTF8,
	UTF16LE,
	UTF16BE
};

struct line_reader {
	struct line_options o;
	size_t max_line;
	int fd; /* -1 for memory */
	const char *memory;
	size_t memory_size, memory_at, chunk;
	enum encoding encoding;
	unsigned char *raw; /* UTF-16 not yet decoded */
	size_t raw_size;
	uint16_t high; /* a surrogate whose other half is still missing, or 0 */
	char *buffer;  /* text not yet returned: buffer[start..end) */
	size_t capacity, start, end;
	bool eof;
	uint64_t offset; /* offset of buffer[start] */
	uint64_t consumed;
	uint64_t next_tick;
	uint64_t number;
	struct strbuf head;  /* start of a line whose rest was skipped */
	struct strbuf clean; /* a line that had to be changed */
	struct line last;
	bool again;
};

static struct line_reader *
reader_new(const struct line_options *options)
{
	struct line_reader *r = xcalloc(1, sizeof(*r));

	if (options)
		r->o = *options;
	if (!r->o.source)
		r->o.source = "text";
	r->max_line = r->o.max_line_bytes ? r->o.max_line_bytes : DEFAULT_MAX_LINE_BYTES;
	if (r->max_line < MIN_MAX_LINE_BYTES)
		r->max_line = MIN_MAX_LINE_BYTES;
	r->fd = -1;
	r->buffer = array_reserve(NULL, &r->capacity, READ_BYTES + 1, 1);
	strbuf_init(&r->head, r->max_line + 1);
	/* One byte can become three bytes (U+FFFD) or five bytes (an escape). */
	strbuf_init(&r->clean, r->max_line * DEPOT_TEXT_ESCAPE_BYTES + 1);
	return r;
}

struct line_reader *
line_reader_new_fd(int fd, const struct line_options *options)
{
	struct line_reader *r = reader_new(options);

	r->fd = fd;
	return r;
}

struct line_reader *
line_reader_new_memory(
	const void *data, size_t size, size_t chunk, const struct line_options *options)
{
	struct line_reader *r = reader_new(options);

	r->memory = data;
	r->memory_size = size;
	r->chunk = chunk ? chunk : size;
	return r;
}

void
line_reader_free(struct line_reader *r)
{
	if (!r)
		return;
	strbuf_release(&r->head);
	strbuf_release(&r->clean);
	free(r->raw);
	free(r->buffer);
	free(r);
}

/* --- bytes ---------------------------------------------------------------------------- */

/* Reads raw bytes; *got is 0 at the end. */
static bool
read_bytes(struct line_reader *r, void *out, size_t room, size_t *got, struct error *err)
{
	ssize_t n;

	if (r->fd < 0) {
		size_t left = r->memory_size - r->memory_at;

		*got = left < r->chunk ? left : r->chunk;
		if (*got > room)
			*got = room;
		if (*got)
			memcpy(out, r->memory + r->memory_at, *got);
		r->memory_at += *got;
	} else {
		n = fd_read(r->fd, out, room);
		if (n < 0)
			return error_set_errno(err, ERROR_FILE, "%s: cannot be read", r->o.source);
		*got = (size_t)n;
	}
	r->consumed += *got;
	if (r->o.tick && r->consumed >= r->next_tick) {
		r->o.tick(r->o.tick_self, r->consumed);
		r->next_tick = r->consumed + TICK_BYTES;
	}
	return true;
}

/* Decodes up to READ_BYTES of text, for which `out` has room. */
static bool
read_utf16(struct line_reader *r, char *out, size_t *made, struct error *err)
{
	size_t got;
	size_t whole;

	*made = 0;
	if (!read_bytes(r, r->raw + r->raw_size, RAW_BYTES - r->raw_size, &got, err))
		return false;
	r->raw_size += got;
	whole = r->raw_size & ~(size_t)1;
	for (size_t i = 0; i < whole; i += 2) {
		unsigned low = r->raw[r->encoding == UTF16LE ? i : i + 1];
		unsigned high = r->raw[r->encoding == UTF16LE ? i + 1 : i];

		*made += utf16_decode(&r->high, (uint16_t)(high << 8 | low), out + *made);
	}
	if (!got) {
		/* If the input ends within a character, U+FFFD replaces the character. */
		if (r->high || r->raw_size > whole)
			*made += utf8_encode(0xFFFD, out + *made);
		r->high = 0;
		r->raw_size = 0;
		r->eof = true;
		return true;
	}
	r->raw[0] = r->raw[r->raw_size - 1];
	r->raw_size -= whole;
	return true;
}

/* Detects the encoding from the first bytes. */
static bool
look_for_mark(struct line_reader *r, struct error *err)
{
	size_t got;

	while (r->end < 3 && !r->eof) {
		if (!read_bytes(r, r->buffer + r->end, 3 - r->end, &got, err))
			return false;
		r->end += got;
		r->eof = got == 0;
	}
	r->encoding = UTF8;
	if (r->end >= 3 && memcmp(r->buffer, "\xEF\xBB\xBF", 3) == 0) {
		r->start = r->offset = 3;
	} else if (r->end >= 2 && (memcmp(r->buffer, "\xFF\xFE", 2) == 0 ||
					  memcmp(r->buffer, "\xFE\xFF", 2) == 0)) {
		r->encoding = r->buffer[0] == '\xFF' ? UTF16LE : UTF16BE;
		r->raw = xmalloc(RAW_BYTES);
		r->raw_size = r->end - 2;
		if (r->raw_size)
			r->raw[0] = (unsigned char)r->buffer[2];
		r->end = 0;
		r->eof = false; /* the decoded text has not ended */
		r->offset = 2;
	}
	return true;
}

/* Reads more text after r->end. The buffer grows to the length of the longest line, plus READ_BYTES. */
static bool
fill(struct line_reader *r, struct error *err)
{
	size_t got;

	if (r->start) {
		memmove(r->buffer, r->buffer + r->start, r->end - r->start);
		r->end -= r->start;
		r->start = 0;
	}
	ARRAY_RESERVE(r->buffer, r->capacity, r->end + READ_BYTES + 1);
	if (r->encoding == UNKNOWN)
		return look_for_mark(r, err);
	if (r->encoding != UTF8) {
		if (!read_utf16(r, r->buffer + r->end, &got, err))
			return false;
	} else {
		if (!read_bytes(r, r->buffer + r->end, READ_BYTES, &got, err))
			return false;
		r->eof = got == 0;
	}
	r->end += got;
	return true;
}

/* --- lines ---------------------------------------------------------------------------- */

/* Replaces bytes that the depot cannot store. */
static struct text
cleaned(struct line_reader *r, struct text t, bool *bad)
{
	size_t at = 0;

	if (text_utf8_prefix(t.data, t.size) == t.size && !memchr(t.data, 0, t.size) &&
		!memchr(t.data, DEPOT_TEXT_ESCAPE, t.size))
		return t;
	strbuf_reset(&r->clean);
	while (at < t.size) {
		size_t good = text_utf8_prefix(t.data + at, t.size - at);

		for (size_t end = at + good; at < end; at++)
			if (t.data[at] == 0 || t.data[at] == DEPOT_TEXT_ESCAPE)
				depot_text_append_unit(&r->clean, (uint16_t)t.data[at]);
			else
				strbuf_append_char(&r->clean, t.data[at]);
		if (at < t.size) {
			strbuf_append_str(&r->clean, "\xEF\xBF\xBD");
			*bad = true;
			at++;
		}
	}
	return strbuf_text(&r->clean);
}

/* Skips the rest of a line that exceeds the limit. */
static bool
pass_rest(struct line_reader *r, uint64_t *passed, bool *ended, struct error *err)
{
	for (;;) {
		size_t size = r->end - r->start;
		char *lf = memchr(r->buffer + r->start, '\n', size);

		if (lf)
			size = (size_t)(lf - r->buffer) - r->start;
		*passed += size;
		r->offset += size + (lf != NULL);
		r->start += size + (lf != NULL);
		*ended = lf != NULL;
		if (lf || r->eof)
			return true;
		if (!fill(r, err))
			return false;
	}
}

/* Sets *size to the size of the line at r->start without its LF. If no LF is found, *size exceeds
 * the limit or includes all the remaining bytes. */
static bool
find_end(struct line_reader *r, size_t *size, bool *ended, struct error *err)
{
	size_t looked = 0;

	*ended = false;
	for (;;) {
		char *from = r->buffer + r->start + looked;
		char *lf = memchr(from, '\n', r->end - r->start - looked);

		if (lf) {
			*size = (size_t)(lf - r->buffer) - r->start;
			*ended = true;
			return true;
		}
		looked = r->end - r->start;
		/* The first byte beyond the limit may be the CR at the line's end. */
		if (r->eof || looked > r->max_line + 1) {
			*size = looked;
			return true;
		}
		if (!fill(r, err))
			return false;
	}
}

/* The limit, reduced so that it does not split a character. */
static size_t
cut_at(const char *data, size_t max)
{
	size_t at = max;

	while (max - at < 4 && at && ((unsigned char)data[at] & 0xC0) == 0x80)
		at--;
	return max - at < 4 ? at : max;
}

/* Returns the line of `size` bytes at r->start. */
static bool
take_line(struct line_reader *r, size_t size, bool ended, struct error *err)
{
	struct line *l = &r->last;
	char *data = r->buffer + r->start;
	size_t kept = size;

	*l = (struct line){ .number = ++r->number, .offset = r->offset };
	if (kept && ended && data[kept - 1] == '\r')
		kept--;
	if (kept > r->max_line) {
		size_t fits = cut_at(data, r->max_line);

		l->cut = kept - fits;
		kept = fits;
	}
	r->start += size + ended;
	r->offset += size + ended;
	if (!ended && !r->eof) {
		strbuf_reset(&r->head);
		strbuf_append(&r->head, data, kept);
		if (!pass_rest(r, &l->cut, &ended, err))
			return false;
		data = r->head.data;
	}
	l->unended = !ended;
	data[kept] = '\0';
	l->text = cleaned(r, (struct text){ data, kept }, &l->bad_utf8);
	return true;
}

bool
line_next(struct line_reader *r, struct line *line, bool *more, struct error *err)
{
	size_t size;
	bool ended;

	*more = true;
	if (!r->again) {
		if (!find_end(r, &size, &ended, err))
			return false;
		if (!size && !ended) {
			*more = false;
			return true;
		}
		if (!take_line(r, size, ended, err))
			return false;
	}
	r->again = false;
	*line = r->last;
	return true;
}

void
line_again(struct line_reader *r)
{
	r->again = true;
}
