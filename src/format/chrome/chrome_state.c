/* What the parts of the Chrome reader share: interned text, the events by their place in the
 * file, issues, routines, and the sum of durations. */
#include "base/fd.h"
#include "chrome_private.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

/* The depot's sums have 38 digits, 18 of them decimals. */
#define DURATIONS_MAX 1e20

enum {
	WINDOW_BYTES = 256 * 1024
};

bool
chrome_issue(struct chrome *c, enum issue_code code, uint64_t offset, const char *format, ...)
{
	struct issue issue = { .code = code, .source = c->file, .offset = offset };
	char message[512];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	issue.message = message;
	return c->sink->issue(c->sink, c->set, &issue, c->err);
}

uint32_t
chrome_intern(struct chrome *c, struct text t)
{
	struct chrome_interned *s = &c->strings;
	const struct hash128 h = hash128(t.data, t.size);
	bool added;
	uint32_t n =
		pair_map_add(&s->map, (int64_t)h.low, (int64_t)h.high, (uint32_t)s->count, &added);

	if (!added)
		return n;
	if (s->count == s->room) {
		s->room = s->room ? s->room * 2 : 256;
		s->texts = xrealloc(s->texts, s->room * sizeof(*s->texts));
	}
	s->texts[s->count++] = arena_text(&c->arena, t);
	return n;
}

uint32_t
chrome_routine(struct chrome *c, struct text name, struct text category)
{
	const uint32_t n = chrome_intern(c, text_is_null(name) ? TEXT_LITERAL("") : name);
	const uint32_t k = chrome_intern(c, text_is_null(category) ? TEXT_LITERAL("") : category);
	struct routine_row row = { .parent_id = MODEL_NULL,
		.hit_count = MODEL_NULL,
		.compiler = MODEL_NULL,
		.profile_lines = MODEL_NULL,
		.source_line = MODEL_NULL,
		.token = MODEL_NULL,
		.address = NUMBER_NULL,
		.routine_name = name,
		.module_name = category };
	bool added;
	uint32_t id = pair_map_add(&c->routine_map, n, k, (uint32_t)c->routine_map.count, &added);

	row.id = row.rec_id = id;
	if (added && !c->sink->routine(c->sink, c->set, &row, c->err))
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

static bool
read_bytes(struct chrome *c, uint64_t offset, char *into, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = fd_pread(c->fd, into + done, size - done, offset + done);

		if (n < 0)
			return error_set_errno(c->err, ERROR_FILE, "%s", c->file);
		if (n == 0)
			return error_set(c->err, ERROR_FILE, "%s: became shorter", c->file);
		done += (size_t)n;
	}
	return true;
}

/* Events are asked for mostly in the order of the file. */
static bool
fill_window(struct chrome *c, uint64_t offset)
{
	ssize_t n;

	if (!c->window)
		c->window = xmalloc(WINDOW_BYTES);
	n = fd_pread(c->fd, c->window, WINDOW_BYTES, offset);
	c->window_size = 0;
	if (n < 0)
		return error_set_errno(c->err, ERROR_FILE, "%s", c->file);
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
			return error_set(c->err, ERROR_FILE, "%s: became shorter", c->file);
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
		chrome_issue(c, ISSUE_EVENT_LARGE, offset,
			"an event of %llu bytes was left out: the limit is %d bytes, and %d in memory",
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
		return c->err->code != ERROR_NONE
			       ? false
			       : error_set(c->err, ERROR_FILE, "%s: changed while it was read",
					 c->file);
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
