/* Reads event bodies. */
#include "format/kernelscope/event_bodies.h"

#include "base/hash.h"
#include "base/pair_map.h"
#include "base/strbuf.h"
#include "format/kernelscope/event_time.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

enum {
	NAMES_MAX = 1000, /* maximum number of unknown names to report */
	NAME_SHOWN_BYTES = 80,
	HOST_MAX_BYTES = 64 * 1024,
	TICK_ROWS = 4096,
};

/* --- walking bodies --------------------------------------------------------------------------- */

/* Iterates over the bodies of all documents. */
struct walk {
	struct json_reader *r;
	bool in_array;
};

/* Moves to the next body. Sets *more to false after the last one. */
static bool
next_body(struct walk *w, bool *more, enum json_type *type, struct error *err)
{
	bool end;

	for (;;) {
		if (w->in_array) {
			if (!json_next_item(w->r, &w->in_array, err))
				return false;
			if (w->in_array) {
				*more = true;
				return json_peek(w->r, type, err);
			}
		}
		if (!json_at_end(w->r, &end, err))
			return false;
		*more = !end;
		if (end)
			return true;
		if (!json_peek(w->r, type, err))
			return false;
		if (*type != JSON_ARRAY)
			return true;
		if (!json_enter(w->r, err))
			return false;
		w->in_array = true;
	}
}

/* --- the look ahead --------------------------------------------------------------------------- */

struct head {
	struct event_batch batch; /* its texts are in the buffers below */
	struct strbuf hostname, time;
	enum json_type hostname_type, time_type; /* JSON_END if absent */
	unsigned members;                        /* number of hosts and times so far */
	bool open;                               /* whether the rest of the body is unread */
};

static void
head_init(struct head *h)
{
	*h = (struct head){ .hostname_type = JSON_END };
	strbuf_init(&h->hostname, HOST_MAX_BYTES);
	strbuf_init(&h->time, HOST_MAX_BYTES);
}

static void
head_release(struct head *h)
{
	strbuf_release(&h->hostname);
	strbuf_release(&h->time);
}

/* Reads the next value, and sets *type to its type. Copies the value into b if it is a string. If
 * `may_be_number` is true, also copies the text of a number. Any other value makes b empty. */
static bool
read_head_value(struct json_reader *r, bool may_be_number, enum json_type *type, struct strbuf *b,
	struct error *err)
{
	struct text t;

	if (!json_peek(r, type, err))
		return false;
	strbuf_reset(b);
	if (*type == JSON_STRING                        ? !json_read_string(r, &t, err)
		: *type == JSON_NUMBER && may_be_number ? !json_read_number(r, &t, err)
							: (t = TEXT_NULL, !json_skip(r, err)))
		return false;
	strbuf_append_text(b, t);
	if (b->failed)
		return error_set(err, ERROR_LIMIT,
			"offset %" PRIu64 ": hostname or time of more than %d bytes",
			json_value_offset(r), (int)HOST_MAX_BYTES);
	return true;
}

static bool
read_head_member(
	struct head *h, struct json_reader *r, struct text key, bool *mine, struct error *err)
{
	bool time = text_equal(key, text_from("time"));

	*mine = time || text_equal(key, text_from("hostname"));
	if (!*mine)
		return true;
	h->members++;
	return time ? read_head_value(r, true, &h->time_type, &h->time, err)
		    : read_head_value(r, false, &h->hostname_type, &h->hostname, err);
}

static bool
has_both(const struct head *h)
{
	return h->hostname_type == JSON_STRING &&
	       (h->time_type == JSON_STRING || h->time_type == JSON_NUMBER);
}

/* A survey in progress. */
struct surveyor {
	struct event_survey *survey;
	const struct category_list *categories;
	struct arena *arena;
};

static bool
survey_member(struct surveyor *v, struct json_reader *r, struct text key, struct error *err)
{
	const struct category *c = category_find(v->categories, key);
	char name[NAME_SHOWN_BYTES];
	struct text shown = { name, (size_t)text_precision(key, sizeof(name)) };
	enum json_type type;

	memcpy(name, key.data, shown.size);
	if (!json_peek(r, &type, err))
		return false;
	if (type == JSON_ARRAY && c)
		v->survey->used[c - v->categories->items] = true;
	else if (type == JSON_ARRAY && !v->survey->unknown.data)
		v->survey->unknown = arena_text(v->arena, shown);
	return json_skip(r, err);
}

/* Reads host and time. Passes the other members to `v`, or skips them if `v` is NULL. */
static bool
read_head(struct head *h, bool hasty, struct surveyor *v, struct json_reader *r, struct error *err)
{
	struct text key;
	bool mine;

	h->hostname_type = h->time_type = JSON_END;
	h->members = 0;
	h->open = false;
	if (!json_enter(r, err))
		return false;
	while (!h->open && json_more_keys(r, &key, err)) {
		if (!read_head_member(h, r, key, &mine, err) ||
			(!mine && !(v ? survey_member(v, r, key, err) : json_skip(r, err))))
			return false;
		h->open = hasty && has_both(h);
	}
	h->batch = (struct event_batch){ .hostname = strbuf_text(&h->hostname),
		.time = strbuf_text(&h->time),
		.time_is_number = h->time_type == JSON_NUMBER };
	event_batch_settle(&h->batch);
	return !err->code;
}

/* Skips the rest of the body. Call it before reading the next body. */
static bool
leave_head(struct head *h, struct json_reader *r, struct error *err)
{
	struct text key;

	if (!h->open)
		return true;
	h->open = false;
	while (json_more_keys(r, &key, err))
		if (!json_skip(r, err))
			return false;
	return !err->code;
}

/* --- the survey ------------------------------------------------------------------------------- */

static bool
survey_body(struct surveyor *v, struct json_reader *r, struct head *h, struct error *err)
{
	struct event_survey *s = v->survey;

	if (!read_head(h, false, v, r, err))
		return false;
	s->bodies++;
	if (has_both(h) && !s->hostname.data) {
		s->hostname = arena_text(v->arena, h->batch.hostname);
		s->time = arena_text(v->arena, h->batch.time);
	} else if (has_both(h) && !text_equal(s->hostname, h->batch.hostname)) {
		s->several_hosts = true;
	}
	return true;
}

bool
event_bodies_survey(struct json_reader *r, const struct category_list *categories, struct arena *a,
	struct event_survey *survey, struct error *err)
{
	struct surveyor v = { survey, categories, a };
	struct walk w = { .r = r };
	struct head h;
	enum json_type type;
	bool more;
	bool ok;

	head_init(&h);
	while ((ok = next_body(&w, &more, &type, err)) && more) {
		ok = type == JSON_OBJECT ? survey_body(&v, r, &h, err) : json_skip(r, err);
		if (!ok)
			break;
	}
	head_release(&h);
	return ok;
}

/* --- rows ------------------------------------------------------------------------------------- */

struct reading {
	struct event_bodies *b;
	struct json_reader *r;
	struct error *err;
	struct head head;
	struct arena row; /* holds the texts of one row */
	struct event_value values[CATEGORY_COLUMNS_MAX];
	size_t order
		[CATEGORY_COLUMNS_MAX]; /* columns of the previous row, in the order of its keys */
	struct pair_map reported;       /* unknown names that have been reported */
	unsigned rows;
	unsigned members; /* number of hosts and times of the body so far */
};

/* Emits an issue. If `raw` is true, the issue contains the bytes from `from` to the reader's
 * offset. */
ERROR_PRINTF(5, 6)
static bool
report(struct reading *g, enum issue_code code, uint64_t from, bool raw, const char *format, ...)
{
	char message[256];
	struct issue issue = { .code = code, .source = g->b->source, .offset = from };
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	message[text_utf8_prefix(message, strlen(message))] = '\0';
	issue.message = message;
	if (raw && g->b->raw)
		issue.raw = g->b->raw(g->b->self, from, json_offset(g->r));
	return g->b->sink->issue(g->b->sink, g->b->set, &issue, g->err);
}

/* Returns whether the unknown name must be reported. Each name is reported only once per
 * category. */
static bool
is_first(struct reading *g, struct text category, struct text name)
{
	struct hash128 h = hash128(name.data, name.size);
	struct hash128 c = hash128(category.data, category.size);
	bool first = false;

	if (g->reported.count < NAMES_MAX)
		pair_map_add(&g->reported, (int64_t)(h.low ^ c.low), (int64_t)(h.high ^ c.high), 0,
			&first);
	return first;
}

static bool
skip_column(struct reading *g, const struct category *c, struct text key)
{
	uint64_t from = json_value_offset(g->r);

	if (is_first(g, c->name, key) &&
		!report(g, ISSUE_UNKNOWN_COLUMN, from, false,
			"%.*s has no column \"%.*s\": it was left out", (int)c->name.size,
			c->name.data, text_precision(key, 80), key.data))
		return false;
	return json_skip(g->r, g->err);
}

/* Returns whether the text is an integer. Senders may write an integer as a string, such as "123". */
static bool
is_integer(struct text t, int64_t *v)
{
	struct number n;

	return !memchr(t.data, ',', t.size) && number_parse(t, &n) == NUMBER_OK &&
	       number_to_int64(n, v);
}

static bool
read_value(struct reading *g, enum category_type column, struct event_value *v)
{
	enum json_type type;
	bool whole = category_type_is_whole(column);
	bool ok;

	if (!json_peek(g->r, &type, g->err))
		return false;
	if (type == JSON_STRING) {
		if (!json_read_string(g->r, &v->text, g->err))
			return false;
		v->kind = whole && is_integer(v->text, &v->integer) ? EVENT_INT : EVENT_TEXT;
		v->text = arena_text(&g->row, v->text);
		return true;
	}
	v->kind = EVENT_WRONG;
	v->text = text_from(json_type_name(type));
	if (type != JSON_NUMBER || !whole)
		return json_skip(g->r, g->err);
	if (!json_read_int64(g->r, &v->integer, &ok, g->err))
		return false;
	if (ok)
		v->kind = EVENT_INT;
	return true;
}

/* Finds the column with this key. `place` is the position of the key in its row. First tries the column at this
 * position of the previous row, because nearly all rows have their keys in the same order. */
static size_t
find_column(struct reading *g, const struct category *c, size_t place, struct text key)
{
	size_t i;

	if (place >= CATEGORY_COLUMNS_MAX)
		return category_column_find(c, key);
	i = g->order[place];
	if (i >= c->column_count || !text_equal(c->columns[i].name, key))
		g->order[place] = i = category_column_find(c, key);
	return i;
}

static bool
read_columns(struct reading *g, const struct category *c)
{
	struct text key;
	size_t place = 0;

	for (size_t i = 0; i < c->column_count; i++)
		g->values[i].kind = EVENT_MISSING;
	if (!json_enter(g->r, g->err))
		return false;
	while (json_more_keys(g->r, &key, g->err)) {
		size_t i = find_column(g, c, place++, key);

		if (i < c->column_count ? !read_value(g, c->columns[i].type, &g->values[i])
					: !skip_column(g, c, key))
			return false;
	}
	return !g->err->code;
}

static bool
take_row(struct reading *g, const struct category *c, struct event_rejection *why)
{
	struct event_fact fact;

	if (!g->b->fact)
		return event_rows_add(g->b->rows, c, &g->head.batch, g->values, why, g->err);
	return event_rows_judge(g->b->rows, c, &g->head.batch, g->values, why, &fact, g->err) &&
	       (why->rejected || g->b->fact(g->b->self, &fact, g->err));
}

static bool
read_row(struct reading *g, const struct category *c)
{
	struct event_rejection why;
	enum json_type type;
	uint64_t from;

	arena_reset(&g->row);
	if (!json_peek(g->r, &type, g->err))
		return false;
	from = json_offset(g->r);
	if (type != JSON_OBJECT)
		return json_skip(g->r, g->err) &&
		       report(g, ISSUE_WRONG_TYPE, from, true, "%.*s: a row is %s, not an object",
			       (int)c->name.size, c->name.data, json_type_name(type));
	if (!read_columns(g, c) || !take_row(g, c, &why))
		return false;
	if (why.rejected && !report(g, why.code, from, true, "%s", why.message))
		return false;
	if (g->b->tick && g->rows++ % TICK_ROWS == 0)
		g->b->tick(g->b->self, json_offset(g->r));
	return true;
}

static bool
read_rows(struct reading *g, const struct category *c)
{
	if (!json_enter(g->r, g->err))
		return false;
	while (json_more_items(g->r, g->err))
		if (!read_row(g, c))
			return false;
	return !g->err->code;
}

/* Skips a member that is not a host, a time or a category. */
static bool
skip_member(struct reading *g, struct text key, enum json_type type)
{
	uint64_t from = json_value_offset(g->r);

	if (is_first(g, TEXT_NULL, key) &&
		!report(g, type == JSON_ARRAY ? ISSUE_UNKNOWN_CATEGORY : ISSUE_UNKNOWN_COLUMN, from,
			false,
			type == JSON_ARRAY ? "no category \"%.*s\": its events were left out"
					   : "\"%.*s\" is not a category: it was left out",
			text_precision(key, 80), key.data))
		return false;
	return json_skip(g->r, g->err);
}

static bool
read_member(struct reading *g, struct text key)
{
	const struct category *c = category_find(g->b->categories, key);
	struct text name = arena_text(&g->row, key);
	enum json_type type;
	uint64_t from;

	if (text_equal(name, text_from("hostname")) || text_equal(name, text_from("time"))) {
		if (++g->members <= g->head.members)
			return json_skip(g->r, g->err);
		g->b->repeated = true;
		return error_set(
			g->err, ERROR_INPUT, "\"%.*s\" is repeated", (int)name.size, name.data);
	}
	if (!json_peek(g->r, &type, g->err))
		return false;
	if (!c)
		return skip_member(g, name, type);
	if (type == JSON_ARRAY)
		return read_rows(g, c);
	from = json_offset(g->r);
	if (!json_skip(g->r, g->err))
		return false;
	return report(g, ISSUE_WRONG_TYPE, from, true, "%.*s is %s, not an array of rows",
		(int)c->name.size, c->name.data, json_type_name(type));
}

/* The description of the error in the body's host or time; NULL if both are valid. */
static const char *
head_fault(const struct head *h, enum issue_code *code)
{
	bool host = h->hostname_type == JSON_STRING;
	enum json_type type = host ? h->time_type : h->hostname_type;

	*code = type == JSON_END ? ISSUE_MISSING_VALUE : ISSUE_WRONG_TYPE;
	if (!host)
		return type == JSON_END ? "hostname is missing" : "hostname is not a string";
	if (type == JSON_STRING || type == JSON_NUMBER)
		return NULL;
	return type == JSON_END ? "time is missing" : "time is not a string";
}

/* Reports the body's time if it is invalid. The rows of the body then have no time, and keep the
 * text as an attribute. */
static bool
doubt_time(struct reading *g)
{
	const struct event_batch *batch = &g->head.batch;

	if (batch->at.kind != DECIMAL_NULL)
		return true;
	/* A valid time may follow in the rest of the body and replace this one. */
	if (g->head.open) {
		g->b->repeated = true;
		return error_set(g->err, ERROR_INPUT, "an invalid time");
	}
	return report(g, ISSUE_ODD_VALUE, json_offset(g->r), false,
		"\"%.*s\" is not a time such as 2026-01-31 17:00:00.5: the body's events keep it as text",
		text_precision(batch->time, 80), batch->time.data);
}

static bool
read_body(struct reading *g, struct json_reader *ahead)
{
	enum issue_code code;
	const char *fault;
	struct text key;

	g->members = 0;
	if (!read_head(&g->head, g->b->hasty, NULL, ahead, g->err))
		return false;
	fault = head_fault(&g->head, &code);
	if (fault) {
		uint64_t from = json_offset(g->r);

		return json_skip(g->r, g->err) &&
		       report(g, code, from, true, "%s: the body was left out", fault);
	}
	if (!doubt_time(g) || !json_enter(g->r, g->err))
		return false;
	while (json_more_keys(g->r, &key, g->err))
		if (!read_member(g, key))
			return false;
	return !g->err->code;
}

/* Skips a body that is not an object. */
static bool
skip_body(struct reading *g, struct json_reader *ahead, enum json_type type)
{
	uint64_t from = json_offset(g->r);

	return json_skip(ahead, g->err) && json_skip(g->r, g->err) &&
	       report(g, ISSUE_WRONG_TYPE, from, true, "a body is %s, not an object",
		       json_type_name(type));
}

bool
event_bodies_read(
	struct event_bodies *b, struct json_reader *ahead, struct json_reader *r, struct error *err)
{
	struct reading g = { .b = b, .r = r, .err = err, .row = ARENA_INIT };
	struct walk first = { .r = ahead };
	struct walk second = { .r = r };
	enum json_type type;
	bool more;
	bool ok;

	head_init(&g.head);
	while ((ok = next_body(&second, &more, &type, err)) && more) {
		ok = leave_head(&g.head, ahead, err) && next_body(&first, &more, &type, err);
		if (!ok)
			break;
		arena_reset(&g.row);
		ok = type == JSON_OBJECT ? read_body(&g, ahead) : skip_body(&g, ahead, type);
		if (!ok)
			break;
	}
	pair_map_release(&g.reported);
	arena_release(&g.row);
	head_release(&g.head);
	return ok;
}
