/* Finds where each process ends in a profile of several processes. */
#include "callgrind_private.h"

enum {
	HELD_BYTES = 64 * 1024 /* maximum size of all held lines together */
};

static bool
is_head(struct text line, const char *key, struct text *value)
{
	size_t size = strlen(key);

	if (!text_begins(line, key) || line.size == size || line.data[size] != ':')
		return false;
	*value = text_trim(text_from_at(line, size + 1));
	return true;
}

static void
hold(struct callgrind_documents *d)
{
	const struct line *line = &d->in->line;

	if (!d->held.size) {
		d->held_at = 0;
		d->held_number = line->number;
		d->held_offset = line->offset;
	}
	strbuf_append_text(&d->held, line->text);
	strbuf_append_char(&d->held, '\n');
}

/* Makes the next held line the current line. Returns false if no line is held. */
static bool
take_held(struct callgrind_documents *d)
{
	const char *at;
	const char *end;

	if (d->held_at == d->held.size) {
		strbuf_reset(&d->held);
		d->held_at = 0;
		return false;
	}
	at = d->held.data + d->held_at;
	end = memchr(at, '\n', d->held.size - d->held_at);
	d->in->line = (struct line){ .text = { at, (size_t)(end - at) },
		.number = d->held_number++,
		.offset = d->held_offset + d->held_at };
	d->held_at += d->in->line.text.size + 1;
	return true;
}

/* Whether the line can be between "version:" and "pid:". */
static bool
goes_before_pid(struct text line)
{
	struct text ignored;

	return !line.size || *line.data == '#' || is_head(line, "version", &ignored) ||
	       is_head(line, "creator", &ignored);
}

/* Decides whether the current line can be returned. If not, holds the line back and returns false;
 * the caller must then read another line. */
static bool
sort_line(struct callgrind_documents *d, enum callgrind_next *next)
{
	struct text line = text_trim(d->in->line.text);
	struct text value = TEXT_NULL;
	bool is_pid = is_head(line, "pid", &value);

	*next = CALLGRIND_LINE;
	if (!d->holding && d->pid != MODEL_NULL && is_head(line, "version", &value))
		d->holding = true;
	if (d->holding) {
		hold(d);
		if (d->held.size < HELD_BYTES && goes_before_pid(line))
			return false;
		d->holding = false;
		if (!is_pid || callgrind_integer(value) == d->pid)
			return take_held(d);
		d->pid = callgrind_integer(value);
		*next = CALLGRIND_DOCUMENT;
	} else if (is_pid) {
		d->pid = callgrind_integer(value);
	}
	return true;
}

enum callgrind_next
callgrind_next_line(struct callgrind_documents *d)
{
	enum callgrind_next next = CALLGRIND_END;
	bool more;

	if (take_held(d))
		return CALLGRIND_LINE;
	do {
		if (!reader_next_line(d->in, &more))
			return CALLGRIND_FAILED;
		if (!more) {
			d->holding = false;
			return take_held(d) ? CALLGRIND_LINE : CALLGRIND_END;
		}
		if (d->in->line.cut) {
			reader_refuse(
				d->in, "line of more than %d bytes", (int)CALLGRIND_LINE_MAX_BYTES);
			return CALLGRIND_FAILED;
		}
	} while (!sort_line(d, &next));
	return next;
}
