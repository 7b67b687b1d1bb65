/* Writing CSV: RFC 4180, with LF, an empty field for NULL, and "NULL" in quotes. */
#include "csv_writer.h"

#include "base/arena.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

void
csv_writer_init(struct csv_writer *w, int fd, const char *name)
{
	*w = (struct csv_writer){ .fd = fd, .name = name };
	w->buffer = xmalloc(CSV_WRITER_BUFFER_BYTES);
}

static void
write_out(struct csv_writer *w, const char *data, size_t size)
{
	while (size && !w->failed) {
		ssize_t n = write(w->fd, data, size);

		if (n < 0) {
			if (errno != EINTR)
				w->failed = errno;
			continue;
		}
		data += n;
		size -= (size_t)n;
		w->bytes += n;
	}
}

static void
flush(struct csv_writer *w)
{
	write_out(w, w->buffer, w->used);
	w->used = 0;
}

static void
put(struct csv_writer *w, const char *data, size_t size)
{
	if (size > CSV_WRITER_BUFFER_BYTES - w->used)
		flush(w);
	if (size > CSV_WRITER_BUFFER_BYTES) {
		write_out(w, data, size);
		return;
	}
	memcpy(w->buffer + w->used, data, size);
	w->used += size;
}

static bool
needs_quotes(struct text t)
{
	if (t.size == 0 || char_is_blank(t.data[0]) || char_is_blank(t.data[t.size - 1]))
		return true;
	for (size_t i = 0; i < t.size; i++) {
		char c = t.data[i];

		if (c == ',' || c == '"' || c == '\n' || c == '\r')
			return true;
	}
	return text_equal_nocase(t, TEXT_LITERAL("NULL"));
}

static void
put_quoted(struct csv_writer *w, struct text t)
{
	const char *end = t.data + t.size;
	const char *s = t.data;

	put(w, "\"", 1);
	while (s < end) {
		const char *quote = memchr(s, '"', (size_t)(end - s));
		size_t size = quote ? (size_t)(quote - s) + 1 : (size_t)(end - s);

		put(w, s, size);
		if (quote)
			put(w, "\"", 1);
		s += size;
	}
	put(w, "\"", 1);
}

void
csv_write_row(struct csv_writer *w, const struct text *fields, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct text t = fields[i];

		if (i)
			put(w, ",", 1);
		if (text_is_null(t))
			continue;
		if (needs_quotes(t))
			put_quoted(w, t);
		else
			put(w, t.data, t.size);
	}
	put(w, "\n", 1);
}

bool
csv_writer_finish(struct csv_writer *w, struct error *err)
{
	flush(w);
	if (!w->failed && fsync(w->fd) != 0 && errno != EINVAL)
		w->failed = errno;
	if (close(w->fd) != 0 && !w->failed)
		w->failed = errno;
	free(w->buffer);
	if (!w->failed)
		return true;
	errno = w->failed;
	return error_set_errno(err, ERROR_FILE, "%s", w->name);
}
