/* A window over the XML file. */
#include "valgrind_input.h"

#include "base/fd.h"

#include <stdlib.h>

enum {
	WINDOW_BYTES = 256 * 1024,
	CHUNK_BYTES = 16 * 1024,
	SEQUENCE_BYTES = 4, /* the longest UTF-8 character */
	REPAIRED = 0x7F,
};

void
valgrind_input_init(struct vg_input *in, struct reader *reader)
{
	*in = (struct vg_input){
		.reader = reader, .data = xmalloc(WINDOW_BYTES), .repaired_at = UINT64_MAX
	};
}

/* Empties the window. The next read begins at the offset. */
static void
empty(struct vg_input *in, uint64_t offset)
{
	in->base = offset;
	in->at = in->size = in->clean = 0;
	in->ended = false;
}

struct text
valgrind_input_window(const struct vg_input *in)
{
	return (struct text){ in->data + in->at, in->clean - in->at };
}

uint64_t
valgrind_input_offset(const struct vg_input *in)
{
	return in->base + in->at;
}

/* The length of the first character, or 0 if it is invalid in XML. */
static size_t
good_character(const unsigned char *s, size_t size)
{
	size_t n = s[0] < 0xC0 ? 1 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;

	if (s[0] < 0x80)
		return s[0] >= 0x20 || s[0] == '\t' || s[0] == '\n' || s[0] == '\r';
	if (n > size || text_utf8_prefix((const char *)s, n) != n)
		return 0;
	/* U+FFFE and U+FFFF are invalid. */
	return n == 3 && s[0] == 0xEF && s[1] == 0xBF && s[2] >= 0xBE ? 0 : n;
}

/* Checks data[clean .. size), except for a last character that may be incomplete. */
static void
make_clean(struct vg_input *in)
{
	if (!in->repair) {
		in->clean = in->size;
		return;
	}
	while (in->clean < in->size) {
		size_t left = in->size - in->clean;
		unsigned char *s = (unsigned char *)in->data + in->clean;
		size_t n;

		if (left < SEQUENCE_BYTES && !in->ended && *s >= 0x80)
			break;
		n = good_character(s, left);
		if (n) {
			in->clean += n;
			continue;
		}
		*s = REPAIRED;
		if (in->base + in->clean >= in->repaired_upto) {
			in->repaired_upto = in->base + in->clean + 1;
			if (in->repaired++ == 0)
				in->repaired_at = in->repaired_upto - 1;
		}
		in->clean++;
	}
}

void
valgrind_input_repair(struct vg_input *in)
{
	in->repair = true;
	empty(in, valgrind_input_offset(in));
}

bool
valgrind_input_is_bad(struct vg_input *in, uint64_t offset)
{
	unsigned char s[SEQUENCE_BYTES];
	ssize_t n = fd_pread(in->reader->fd, s, sizeof(s), offset);

	return n > 0 && good_character(s, (size_t)n) == 0;
}

bool
valgrind_input_more(struct vg_input *in, bool *more)
{
	size_t before = in->clean - in->at;
	ssize_t n;

	*more = false;
	if (in->at) {
		memmove(in->data, in->data + in->at, in->size - in->at);
		in->base += in->at;
		in->size -= in->at;
		in->clean -= in->at;
		in->at = 0;
	}
	while (!in->ended && !*more && in->size < WINDOW_BYTES) {
		n = fd_pread(in->reader->fd, in->data + in->size, WINDOW_BYTES - in->size,
			in->base + in->size);
		if (n < 0)
			return error_set_errno(in->reader->err, ERROR_FILE, "%s: cannot be read",
				in->reader->name);
		in->ended = n == 0;
		in->size += (size_t)n;
		make_clean(in);
		*more = in->clean > before;
	}
	return true;
}

void
valgrind_input_seek(struct vg_input *in, uint64_t offset)
{
	if (offset >= in->base && offset <= in->base + in->clean) {
		in->at = (size_t)(offset - in->base);
		return;
	}
	empty(in, offset);
}

/* Returns the index of the next mark in the window. If the window has no mark, returns the index at
 * which the search must continue. */
static size_t
find_in_window(const struct vg_input *in, enum vg_mark *mark)
{
	const char *end = in->data + in->clean;
	const char *s = in->data + in->at;

	while ((s = memchr(s, '<', (size_t)(end - s)))) {
		/* The window may end inside the mark. */
		if (end - s < VG_MARK_BYTES && !in->ended)
			return (size_t)(s - in->data);
		*mark = valgrind_mark(s, (size_t)(end - s));
		if (*mark != VG_MARK_NONE)
			return (size_t)(s - in->data);
		s++;
	}
	return in->clean;
}

bool
valgrind_input_find(struct vg_input *in, uint64_t from, enum vg_mark *mark, uint64_t *offset)
{
	bool more = true;

	valgrind_input_seek(in, from);
	*mark = VG_MARK_NONE;
	while (more) {
		in->at = find_in_window(in, mark);
		if (*mark != VG_MARK_NONE)
			break;
		if (!valgrind_input_more(in, &more))
			return false;
		if (!more && in->ended)
			in->at = find_in_window(in, mark);
	}
	*offset = valgrind_input_offset(in);
	return true;
}

bool
valgrind_input_blank(struct vg_input *in, uint64_t from, uint64_t to)
{
	char block[CHUNK_BYTES];

	while (from < to) {
		size_t n = to - from < sizeof(block) ? (size_t)(to - from) : sizeof(block);
		ssize_t got = fd_pread(in->reader->fd, block, n, from);

		if (got <= 0)
			return true;
		for (ssize_t i = 0; i < got; i++)
			if (block[i] && !strchr(" \t\r\n\xEF\xBB\xBF", block[i]))
				return false;
		from += (uint64_t)got;
	}
	return true;
}

uint64_t
valgrind_input_line(struct vg_input *in, uint64_t offset)
{
	char block[CHUNK_BYTES];

	if (offset < in->line_upto) {
		in->line = 0;
		in->line_upto = 0;
	}
	while (in->line_upto < offset) {
		uint64_t left = offset - in->line_upto;
		ssize_t n = fd_pread(in->reader->fd, block,
			left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES, in->line_upto);

		if (n <= 0)
			break;
		for (const char *s = block; (s = memchr(s, '\n', (size_t)(block + n - s))); s++)
			in->line++;
		in->line_upto += (uint64_t)n;
	}
	return in->line + 1;
}
