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
	return text_table_add(&c->strings, &c->arena, t);
}

uint32_t
chrome_intern_value(struct chrome *c, const struct json_node *j)
{
	struct strbuf b;
	uint32_t n;

	if (!j || json_tree_is(j, JSON_STRING))
		return chrome_intern(c, chrome_json_js_text(&c->scratch, j));
	/* Strings contain no NUL, because NULs are escaped. A NUL at the front marks a value of another type. */
	strbuf_init(&b, 2 * (size_t)CHROME_MAX_EVENT_BYTES);
	strbuf_append_char(&b, '\0');
	if (json_tree_is_container(j)) /* in JavaScript, an object equals only itself */
		strbuf_printf(&b, "%llu.%llu ", (unsigned long long)c->events,
			(unsigned long long)j->offset);
	strbuf_append_text(&b, chrome_json_js_text(&c->scratch, j));
	n = chrome_intern(c, strbuf_text(&b));
	strbuf_release(&b);
	return n;
}

uint32_t
chrome_routine(
	struct chrome *c, const struct text *key, size_t count, const struct routine_row *row)
{
	struct routine_row emitted = *row;
	uint32_t number;
	bool added;

	if (!routine_number(c->frames, key, count, &number, &added, c->in->err))
		return CHROME_NONE;
	emitted.id = emitted.rec_id = number;
	emitted.parent_id = MODEL_NULL;
	if (added && !c->in->sink->routine(c->in->sink, c->in->set, &emitted, c->in->err))
		return CHROME_NONE;
	return number;
}

uint32_t
chrome_span_routine(struct chrome *c, struct text name, struct text category)
{
	const struct text key[] = { name, category };
	struct routine_row row = blank_routine(0);

	row.routine_name = name;
	row.module_name = category;
	return chrome_routine(c, key, 2, &row);
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

/* Reads a large window at the offset, because the event that is read next usually comes soon after
 * this one in the file. */
static bool
fill_window(struct chrome *c, uint64_t offset, size_t size)
{
	const size_t wanted = size > WINDOW_BYTES ? size : WINDOW_BYTES;
	ssize_t n;

	ARRAY_RESERVE(c->window, c->window_room, wanted);
	c->window_at = offset;
	c->window_size = 0;
	do {
		n = fd_pread(c->in->fd, c->window + c->window_size, wanted - c->window_size,
			offset + c->window_size);
		if (n < 0)
			return error_set_errno(c->in->err, ERROR_FILE, "reading an event again");
		c->window_size += (size_t)n;
	} while (n > 0 && c->window_size < size);
	return c->window_size >= size ||
	       error_set(c->in->err, ERROR_FILE, "the file became shorter while it was read");
}

bool
chrome_bytes_at(struct chrome *c, uint64_t offset, size_t size, struct text *bytes)
{
	if ((offset < c->window_at || offset + size > c->window_at + c->window_size) &&
		!fill_window(c, offset, size))
		return false;
	*bytes = (struct text){ c->window + (offset - c->window_at), size };
	return true;
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
			"event of %llu bytes left out: the limits are %d bytes in the file and %d bytes "
			"in memory",
			(unsigned long long)size, CHROME_MAX_EVENT_BYTES, CHROME_JSON_MAX_BYTES);
	return j;
}

bool
chrome_take_event(struct chrome *c, const struct chrome_head *h, chrome_taker *take)
{
	const struct json_node *event = chrome_event_at(c, h->offset, h->size);
	const bool ok = event ? take(c, h, event) : c->in->err->code == ERROR_NONE;

	arena_reset(&c->scratch);
	return ok;
}

bool
chrome_limit(struct chrome *c, int max, const char *noun)
{
	error_set(c->in->err, ERROR_LIMIT, "more than %d %s", max, noun);
	return error_hint(c->in->err,
		"nothing was loaded; record less, or load the user timings without --events all");
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
