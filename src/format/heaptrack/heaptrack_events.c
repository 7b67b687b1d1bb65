/*
 * Reads a recording. Nearly all lines are allocations and releases. There can be hundreds of
 * millions of them, a few bytes each, so they are read directly from the buffer.
 */
#include "base/fd.h"
#include "heaptrack_private.h"

#include <stdlib.h>

enum {
	BUFFER_BYTES = 1024 * 1024, /* size of the buffer, and maximum length of a line */
	EVENT_MAX_DIGITS = 8,
	NO_DIGIT = 16,
};

static bool
grow(struct heaptrack *h, uint64_t size)
{
	if (size > INT64_MAX ||
		__builtin_add_overflow(h->live_bytes, (int64_t)size, &h->live_bytes))
		return reader_refuse(h->in, "more than 2^63 bytes are allocated");
	if (h->live_bytes > h->peak_bytes) {
		h->peak_bytes = h->live_bytes;
		h->peak_ms = h->now_ms;
		h->epoch++;
	}
	return true;
}

/* Records how many blocks of `info` were live at the last peak, if there was a new peak since the last call. Call it
 * before info->live changes. */
static inline void
keep_peak(const struct heaptrack *h, struct heaptrack_info *info)
{
	if (info->epoch != h->epoch) {
		info->epoch = h->epoch;
		info->peak_live = info->live;
	}
}

bool
heaptrack_allocate(struct heaptrack *h, uint64_t number)
{
	struct heaptrack_info *info = &h->infos[number];

	h->last = number;
	h->allocations++;
	keep_peak(h, info);
	info->live++;
	info->allocations++;
	return grow(h, info->size);
}

bool
heaptrack_release(struct heaptrack *h, uint64_t number)
{
	struct heaptrack_info *info = &h->infos[number];
	bool temporary = h->last == number;

	h->last = 0;
	if (!info->live)
		return reader_issue(
			h->in, ISSUE_LEFT_OUT, "release left out: nothing is allocated");
	keep_peak(h, info);
	info->live--;
	info->temporary += temporary;
	h->live_bytes -= (int64_t)info->size;
	return true;
}

static inline unsigned
digit(char c)
{
	if (char_is_digit(c))
		return (unsigned)(c - '0');
	return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : NO_DIGIT;
}

/* Reads the line "+ NUMBER" or "- NUMBER" at p, in which NUMBER is the number of an existing info.
 * Returns the beginning of the next line, or NULL if p is at any other line. */
static inline const char *
read_event(const struct heaptrack *h, const char *p, uint64_t *number)
{
	const char *q = p + 2;
	uint64_t value = 0;
	unsigned d;

	while ((d = digit(*q)) != NO_DIGIT) {
		value = value << 4 | d;
		q++;
	}
	if (*q != '\n' || q == p + 2 || q > p + 2 + EVENT_MAX_DIGITS || value >= h->info_count)
		return NULL;
	*number = value;
	return q + 1;
}

/* Reads complete lines; the byte before `end` must be a line feed. */
static bool
read_lines(struct heaptrack *h, const char *p, const char *end, heaptrack_line_reader *read_line)
{
	while (p < end) {
		const char *next = NULL;
		uint64_t number;

		h->in->line.number++;
		if ((*p == '+' || *p == '-') && p[1] == ' ' && !h->raw)
			next = read_event(h, p, &number);
		if (next) {
			if (*p == '+' ? !heaptrack_allocate(h, number)
				      : !heaptrack_release(h, number))
				return false;
		} else {
			next = memchr(p, '\n', (size_t)(end - p));
			h->in->line.text = (struct text){ p, (size_t)(next - p) };
			if (!read_line(h))
				return false;
			h->in->line.text = TEXT_NULL;
			next++;
		}
		h->in->line.offset += (uint64_t)(next - p);
		p = next;
	}
	return true;
}

/* The number of bytes up to and including the last line feed. */
static size_t
whole_lines(const char *buffer, size_t size)
{
	while (size && buffer[size - 1] != '\n')
		size--;
	return size;
}

static bool
read_some(struct heaptrack *h, char *buffer, size_t *have, bool *end)
{
	ssize_t n = fd_read(h->in->fd, buffer + *have, BUFFER_BYTES - *have);

	if (n < 0)
		return error_set_errno(h->in->err, ERROR_FILE, "%s: cannot be read", h->in->name);
	*have += (size_t)n;
	*end = n == 0;
	return true;
}

/* Skips a last line without a line feed, because it may end inside a number. */
static bool
leave_out_rest(struct heaptrack *h, struct text rest)
{
	if (!rest.size || rest.data[0] == '#')
		return true;
	h->in->line.number++;
	h->in->line.text = rest;
	if (!reader_issue(h->in, ISSUE_LEFT_OUT, "line left out: the file ends inside it"))
		return false;
	h->in->line.text = TEXT_NULL;
	return true;
}

static bool
read_buffers(struct heaptrack *h, char *buffer, heaptrack_line_reader *read_line)
{
	size_t have = 0;
	bool end = false;

	while (!end) {
		size_t whole;

		if (!read_some(h, buffer, &have, &end))
			return false;
		whole = whole_lines(buffer, have);
		if (!whole && have == BUFFER_BYTES) {
			h->in->line.number++;
			return reader_refuse(h->in, "a line has more than %d bytes", BUFFER_BYTES);
		}
		if (!read_lines(h, buffer, buffer + whole, read_line))
			return false;
		have -= whole;
		memmove(buffer, buffer + whole, have);
		reader_progress(h->in, h->in->line.offset);
	}
	return leave_out_rest(h, (struct text){ buffer, have });
}

bool
heaptrack_read(struct heaptrack *h, heaptrack_line_reader *read_line)
{
	char *buffer = xmalloc(BUFFER_BYTES);
	bool ok = read_buffers(h, buffer, read_line);

	free(buffer);
	return ok;
}
