/* Functions that all parts of the Chrome reader use: interning of text and routines, reading
 * events again, and the sum of durations. */
#include "base/array.h"
#include "base/fd.h"
#include "chrome_private.h"

#include <math.h>
#include <stdlib.h>

/* The depot's sums have 38 digits, 18 of them after the decimal point. */
#define DURATIONS_MAX 1e20

enum {
	WINDOW_BYTES = 256 * 1024
};

uint32_t
chrome_intern(struct chrome *c, struct text t)
{
	struct chrome_interned *s = &c->strings;
	bool added;
	const uint32_t n = pair_map_add_bytes(&s->map, t.data, t.size, (uint32_t)s->count, &added);

	if (!added)
		return n;
	*ARRAY_ADD(s->texts, s->count, s->room) = arena_text(&c->arena, t);
	return n;
}

bool
chrome_add_routine(struct chrome *c, struct routine_row *row)
{
	row->parent_id = MODEL_NULL;
	return c->in->sink->routine(c->in->sink, c->in->set, row, c->in->err);
}

uint32_t
chrome_routine(struct chrome *c, struct text name, struct text category)
{
	const uint32_t n = chrome_intern(c, text_is_null(name) ? TEXT_LITERAL("") : name);
	const uint32_t k = chrome_intern(c, text_is_null(category) ? TEXT_LITERAL("") : category);
	bool added;
	const uint32_t id =
		pair_map_add(&c->routine_map, n, k, (uint32_t)c->routine_map.count, &added);
	struct routine_row row = blank_routine(id);

	row.routine_name = name;
	row.module_name = category;
	if (added && !chrome_add_routine(c, &row))
		return CHROME_NONE;
	return id;
}

struct decimal
chrome_duration(struct chrome *c, struct decimal d)
{
	const double sum = c->lasted + fabs(decimal_to_double(d));

	if (sum < DURATIONS_MAX) {
		c->lasted = sum;
		return d;
	}
	c->too_long++;
	return (struct decimal){ 0 };
}

/* Most events are read in file order. */
static bool
read_bytes(struct chrome *c, uint64_t offset, char *into, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = fd_pread(c->in->fd, into + done, size - done, offset + done);

		if (n < 0)
			return error_set_errno(c->in->err, ERROR_FILE, "reading an event again");
		if (n == 0)
			return error_set(c->in->err, ERROR_FILE,
				"the file became shorter while it was read");
		done += (size_t)n;
	}
	return true;
}

/* Events are mostly read in file order. */
static bool
fill_window(struct chrome *c, uint64_t offset)
{
	ssize_t n;

	if (!c->window)
		c->window = xmalloc(WINDOW_BYTES);
	n = fd_pread(c->in->fd, c->window, WINDOW_BYTES, offset);
	c->window_size = 0;
	if (n < 0)
		return error_set_errno(c->in->err, ERROR_FILE, "reading an event again");
	c->window_at = offset;
	c->window_size = (size_t)n;
	return true;
}

bool
chrome_bytes_at(struct chrome *c, uint64_t offset, size_t size, struct text *bytes)
{
	char *copy;

	if (size <= WINDOW_BYTES) {
		if (offset < c->window_at || offset + size > c->window_at + c->window_size)
			if (!fill_window(c, offset))
				return false;
		if (offset + size > c->window_at + c->window_size)
			return error_set(c->in->err, ERROR_FILE,
				"the file became shorter while it was read");
		*bytes = (struct text){ c->window + (offset - c->window_at), size };
		return true;
	}
	copy = arena_alloc(&c->scratch, size);
	*bytes = (struct text){ copy, size };
	return read_bytes(c, offset, copy, size);
}

struct json_node *
chrome_event_at(struct chrome *c, uint64_t offset, uint64_t size)
{
	struct json_node *j = NULL;
	struct text bytes = TEXT_NULL;

	if (size <= CHROME_MAX_EVENT_BYTES) {
		if (!chrome_bytes_at(c, offset, (size_t)size, &bytes))
			return NULL;
		j = chrome_json_parse(&c->scratch, bytes, true);
	}
	if (!j)
		reader_issue_at(c->in, ISSUE_EVENT_LARGE, offset,
			"event of %llu bytes left out: the limit is %d bytes, and %d in memory",
			(unsigned long long)size, CHROME_MAX_EVENT_BYTES, CHROME_JSON_MAX_BYTES);
	return j;
}

bool
chrome_keep_event(struct chrome *c, struct strbuf *b, uint64_t offset, uint64_t size,
	struct json_node **event)
{
	struct json_node *j = chrome_event_at(c, offset, size);
	struct strbuf text;

	*event = j;
	if (!j)
		return c->in->err->code != ERROR_NONE
			       ? false
			       : error_set(c->in->err, ERROR_FILE,
					 "the file changed while it was read");
	if (!chrome_json_is_deep(j)) {
		json_tree_keep(b, j);
		return true;
	}
	strbuf_init(&text, CHROME_ATTRIBUTES_MAX_BYTES);
	json_tree_keep(&text, j);
	json_append_text(b, strbuf_text(&text));
	strbuf_release(&text);
	return true;
}
