/* Reading text line by line; see input/line_reader.h. */
#include "input/line_reader.h"

#include "base/arena.h"
#include "base/array.h"
#include "base/depot_text.h"
#include "base/fd.h"
#include "base/strbuf.h"
#include "line_encoding.h"

#include <errno.h>
#include <iconv.h>
#include <stdlib.h>

enum {
	READ_BYTES = 60 * 1024, /* a buffer of 64 KB also has room for the beginning of a line */
	RAW_BYTES = 32 * 1024,  /* bytes of UTF-16 per read */
	DEFAULT_MAX_LINE_BYTES = 1024 * 1024,
	MIN_MAX_LINE_BYTES = 16,
	TICK_BYTES = 1024 * 1024,
};

/* Two bytes of UTF-16 become at most three bytes of UTF-8, and a surrogate can be pending. */
_Static_assert(RAW_BYTES / 2 * 3 + 3 <= READ_BYTES, "decoded text fits");

#define NO_CODE_PAGE ((iconv_t)-1)

struct line_reader {
	struct line_options o;
	size_t max_line;
	int fd; /* -1 for memory */
	const char *memory;
	size_t memory_size, memory_at, chunk;
	enum line_encoding encoding;
	unsigned char *raw; /* bytes read ahead: UTF-16 not yet decoded, or bytes after it */
	size_t raw_size, raw_room;
	uint16_t high; /* a surrogate whose other half is still missing, or 0 */
	char *buffer;  /* text not yet returned: buffer[start..end) */
	size_t capacity, start, end;
	uint64_t offset; /* offset of buffer[start] */
	/* Where the encoding changes next: the index in the buffer and the offset in the input of
	 * the first byte after the change. The index is SIZE_MAX if the buffer contains no change
	 * after buffer[start]. */
	size_t change_at;
	uint64_t change_offset;
	iconv_t code_page;
	uint64_t consumed;
	uint64_t next_tick;
	uint64_t number;
	struct strbuf head;  /* start of a line whose rest was skipped */
	struct strbuf clean; /* a line that had to be changed */
	struct line last;
	bool wide;      /* in a log: buffer[start] comes from UTF-16 */
	bool next_wide; /* buffer[change_at] comes from UTF-16 */
	bool eof;
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
	r->change_at = SIZE_MAX;
	r->code_page = NO_CODE_PAGE;
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
	if (r->code_page != NO_CODE_PAGE)
		iconv_close(r->code_page);
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

/* Keeps bytes that were read ahead. */
static void
keep_raw(struct line_reader *r, const void *data, size_t size)
{
	ARRAY_RESERVE(r->raw, r->raw_room, size > RAW_BYTES ? size : RAW_BYTES);
	if (size)
		memmove(r->raw, data, size);
	r->raw_size = size;
}

/* Notes that the text after buffer[end] has another encoding; `left` bytes of it were already read. */
static void
change_encoding(struct line_reader *r, enum line_encoding to, size_t left)
{
	r->encoding = to;
	r->next_wide = to != ENCODING_BYTES;
	r->change_at = r->end;
	r->change_offset = r->consumed - left;
}

/* Decodes up to READ_BYTES of text after buffer[end]. */
static bool
read_utf16(struct line_reader *r, struct error *err)
{
	size_t got = 0;
	size_t whole, certain;
	char *out = r->buffer + r->end;
	size_t made = 0;

	if (r->raw_size < RAW_BYTES &&
		!read_bytes(r, r->raw + r->raw_size, RAW_BYTES - r->raw_size, &got, err))
		return false;
	r->raw_size += got;
	whole = (r->raw_size < RAW_BYTES ? r->raw_size : RAW_BYTES) & ~(size_t)1;
	certain = whole;
	if (r->o.log)
		encoding_find_bytes(r->raw, whole, !got, &certain);
	for (size_t i = 0; i < certain; i += 2) {
		unsigned low = r->raw[r->encoding == ENCODING_UTF16LE ? i : i + 1];
		unsigned high = r->raw[r->encoding == ENCODING_UTF16LE ? i + 1 : i];

		made += utf16_decode(&r->high, (uint16_t)(high << 8 | low), out + made);
	}
	r->end += made;
	if (certain < whole && encoding_find_bytes(r->raw, whole, !got, &certain) < whole) {
		r->high = 0;
		change_encoding(r, ENCODING_BYTES, r->raw_size - certain);
	} else if (!got && certain == whole && r->raw_size - whole < 2) {
		/* If the input ends within a character, U+FFFD replaces the character. */
		if (r->high || r->raw_size > whole)
			r->end += utf8_encode(0xFFFD, r->buffer + r->end);
		r->high = 0;
		r->raw_size = 0;
		r->eof = true;
		return true;
	}
	keep_raw(r, r->raw + certain, r->raw_size - certain);
	return true;
}

/* Appends bytes that were read ahead, or reads more. */
static bool
append_bytes(struct line_reader *r, struct error *err)
{
	size_t got;

	ARRAY_RESERVE(r->buffer, r->capacity, r->end + READ_BYTES + 1);
	if (r->raw_size) {
		got = r->raw_size < READ_BYTES ? r->raw_size : READ_BYTES;
		memcpy(r->buffer + r->end, r->raw, got);
		keep_raw(r, r->raw + got, r->raw_size - got);
	} else if (!read_bytes(r, r->buffer + r->end, READ_BYTES, &got, err)) {
		return false;
	}
	r->end += got;
	r->eof = got == 0;
	return true;
}

/* Changes to UTF-16, which begins at buffer[at]. */
static void
begin_utf16(struct line_reader *r, size_t at, enum line_encoding encoding)
{
	const char *mark = encoding == ENCODING_UTF16LE ? "\xFF\xFE" : "\xFE\xFF";
	struct strbuf ahead = STRBUF_INIT(SIZE_MAX / 2);
	size_t from = memcmp(r->buffer + at, mark, 2) == 0 ? at + 2 : at;

	strbuf_append(&ahead, r->buffer + from, r->end - from);
	strbuf_append(&ahead, r->raw, r->raw_size);
	r->end = at;
	r->eof = false; /* the bytes that were read ahead must still be decoded */
	change_encoding(r, encoding, ahead.size);
	keep_raw(r, ahead.data, ahead.size);
	strbuf_release(&ahead);
}

/* Reads bytes of a log up to the place where UTF-16 begins. */
static bool
read_log_bytes(struct line_reader *r, struct error *err)
{
	/* The change may have begun in the last bytes, which contain no zero yet. */
	const size_t from = r->end > r->start + 3 ? r->end - 3 : r->start;
	enum line_encoding found;
	size_t at;

	do {
		if (!append_bytes(r, err))
			return false;
		at = encoding_find_utf16(r->buffer + from, r->end - from, r->eof, &found);
	} while (found == ENCODING_UNKNOWN);
	if (found != ENCODING_BYTES)
		begin_utf16(r, from + at, found);
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
	r->encoding = ENCODING_BYTES;
	if (r->end >= 3 && memcmp(r->buffer, "\xEF\xBB\xBF", 3) == 0) {
		r->start = r->offset = 3;
	} else if (r->end >= 2 && (memcmp(r->buffer, "\xFF\xFE", 2) == 0 ||
					  memcmp(r->buffer, "\xFE\xFF", 2) == 0)) {
		r->encoding = r->buffer[0] == '\xFF' ? ENCODING_UTF16LE : ENCODING_UTF16BE;
		keep_raw(r, r->buffer + 2, r->end - 2);
		r->end = 0;
		r->eof = false; /* the bytes must still be decoded */
		r->offset = 2;
		r->wide = r->o.log;
	}
	return r->encoding != ENCODING_BYTES || !r->o.log || r->eof || read_log_bytes(r, err);
}

/* Reads more text after r->end. The buffer grows to the length of the longest line, plus READ_BYTES. */
static bool
fill(struct line_reader *r, struct error *err)
{
	if (r->start) {
		memmove(r->buffer, r->buffer + r->start, r->end - r->start);
		r->end -= r->start;
		if (r->change_at != SIZE_MAX)
			r->change_at -= r->start;
		r->start = 0;
	}
	ARRAY_RESERVE(r->buffer, r->capacity, r->end + READ_BYTES + 1);
	if (r->encoding == ENCODING_UNKNOWN)
		return look_for_mark(r, err);
	if (r->encoding != ENCODING_BYTES)
		return read_utf16(r, err);
	return r->o.log ? read_log_bytes(r, err) : append_bytes(r, err);
}

/* --- lines ---------------------------------------------------------------------------- */

/* Appends the bytes of `data` up to the first one that is invalid in the code page. Returns their number. */
static size_t
append_code_page(struct line_reader *r, const char *data, size_t size)
{
	char *in = (char *)(uintptr_t)data;
	size_t left = size;
	size_t room = size * 4;
	char *begin = strbuf_reserve(&r->clean, room);
	char *out = begin;

	if (!begin || r->code_page == NO_CODE_PAGE)
		return 0;
	iconv(r->code_page, NULL, NULL, NULL, NULL);
	iconv(r->code_page, &in, &left, &out, &room);
	r->clean.size += (size_t)(out - begin);
	return size - left;
}

/* Appends text that contains neither U+0000 nor U+001A. */
static void
append_clean(struct line_reader *r, const char *data, size_t size, bool *bad)
{
	size_t at = text_utf8_prefix(data, size) < size ? append_code_page(r, data, size) : 0;

	while (at < size) {
		size_t good = text_utf8_prefix(data + at, size - at);

		strbuf_append(&r->clean, data + at, good);
		at += good;
		if (at < size) {
			strbuf_append_str(&r->clean, "\xEF\xBF\xBD");
			*bad = true;
			at++;
		}
	}
}

struct text
line_clean(struct line_reader *r, struct text t, bool *bad)
{
	size_t from = 0;

	if (text_is_empty(t))
		return t;
	if (text_utf8_prefix(t.data, t.size) == t.size && !memchr(t.data, 0, t.size) &&
		!memchr(t.data, DEPOT_TEXT_ESCAPE, t.size))
		return t;
	strbuf_reset(&r->clean);
	for (size_t i = 0; i < t.size; i++) {
		if (t.data[i] != 0 && t.data[i] != DEPOT_TEXT_ESCAPE)
			continue;
		append_clean(r, t.data + from, i - from, bad);
		depot_text_append_unit(&r->clean, (uint16_t)t.data[i]);
		from = i + 1;
	}
	append_clean(r, t.data + from, t.size - from, bad);
	return strbuf_text(&r->clean);
}

bool
line_set_code_page(struct line_reader *r, const char *name)
{
	iconv_t code_page = iconv_open("UTF-8", name);

	if (code_page == NO_CODE_PAGE)
		return false;
	if (r->code_page != NO_CODE_PAGE)
		iconv_close(r->code_page);
	r->code_page = code_page;
	return true;
}

/* Moves to the text `size` bytes after buffer[start]. */
static void
advance(struct line_reader *r, size_t size)
{
	size_t from = r->start;

	r->start += size;
	if (r->start >= r->change_at) {
		from = r->change_at;
		r->offset = r->change_offset;
		r->wide = r->next_wide;
		r->change_at = SIZE_MAX;
	}
	size = r->start - from;
	r->offset += r->wide ? encoding_utf16_bytes(r->buffer + from, size) : size;
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
		advance(r, size + (lf != NULL));
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
		/* fill removed the last bytes, because they turned out to be UTF-16. */
		if (looked > r->end - r->start)
			looked = r->end - r->start;
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

static bool
scan_mark(struct text *t)
{
	bool found = text_begins(*t, "\xEF\xBB\xBF");

	if (found)
		*t = text_from_at(*t, 3);
	return found;
}

/* Returns the line of `size` bytes at r->start. */
static bool
take_line(struct line_reader *r, size_t size, bool ended, struct error *err)
{
	struct line *l = &r->last;
	char *data = r->buffer + r->start;
	size_t kept = size;
	bool wide;

	advance(r, 0);
	wide = r->wide;
	*l = (struct line){ .number = ++r->number, .offset = r->offset };
	if (kept && ended && data[kept - 1] == '\r')
		kept--;
	/* A file has CR CR LF if its line ends were converted twice. */
	while (r->o.log && kept && data[kept - 1] == '\r')
		kept--;
	if (kept > r->max_line) {
		size_t fits = cut_at(data, r->max_line);

		l->cut = kept - fits;
		kept = fits;
	}
	advance(r, size + ended);
	if (!ended && !r->eof) {
		strbuf_reset(&r->head);
		strbuf_append(&r->head, data, kept);
		if (!pass_rest(r, &l->cut, &ended, err))
			return false;
		data = r->head.data;
	}
	l->unended = !ended;
	data[kept] = '\0';
	l->text = (struct text){ data, kept };
	/* Each program that appends to a log may write a byte order mark first. */
	if (r->o.log && scan_mark(&l->text))
		l->offset += wide ? 2 : 3;
	if (!r->o.log)
		l->text = line_clean(r, l->text, &l->bad_utf8);
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
