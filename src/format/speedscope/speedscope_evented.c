/* Reads the events of an evented profile, which open and close calls. Calls become frames of the
 * track. */
#include "base/array.h"
#include "speedscope_private.h"

#include <inttypes.h>
#include <stdlib.h>

/* One event. f->item collects the members whose values have the wrong type, as in `{"at":"5"`. */
struct event {
	char type; /* O or C; 0 if absent or neither */
	bool has_frame, has_at;
	enum speedscope_value frame_value, at_value;
	int64_t frame;
	struct decimal at;
	uint64_t offset;
	uint64_t index;
};

static bool
read_event_type(struct speedscope_file *f, struct event *e)
{
	struct text value;
	enum speedscope_value v = speedscope_read_text(f, &value);

	if (v == SPEEDSCOPE_FAILED)
		return false;
	e->type = 0;
	if (v == SPEEDSCOPE_GOOD && value.size == 1 &&
		(value.data[0] == 'O' || value.data[0] == 'C')) {
		e->type = value.data[0];
		return true;
	}
	if (v == SPEEDSCOPE_GOOD) {
		strbuf_reset(&f->scratch);
		json_append_depot_text(&f->scratch, value);
	}
	speedscope_item_member(f, TEXT_LITERAL("type"));
	return true;
}

static bool
read_event_member(struct speedscope_file *f, struct event *e, struct text key)
{
	enum speedscope_value v = SPEEDSCOPE_FAILED;

	if (text_equal(key, TEXT_LITERAL("type")))
		return read_event_type(f, e);
	arena_reset(&f->frame_arena);
	key = arena_text(&f->frame_arena, key);
	if (text_equal(key, TEXT_LITERAL("at"))) {
		e->has_at = true;
		v = e->at_value = speedscope_read_number(f, &e->at);
	} else if (text_equal(key, TEXT_LITERAL("frame"))) {
		e->has_frame = true;
		v = e->frame_value = speedscope_read_frame(f, &e->frame);
	} else if (speedscope_read_raw(f)) {
		v = SPEEDSCOPE_ODD;
	}
	if (v > SPEEDSCOPE_GOOD)
		speedscope_item_member(f, key);
	return v != SPEEDSCOPE_FAILED;
}

/* Skips `"name":` at p and the blanks after the colon. Returns NULL if p is not at `"name":`. */
static const char *
scan_key(const char *p, const char *name)
{
	if (*p++ != '"')
		return NULL;
	while (*name)
		if (*p++ != *name++)
			return NULL;
	if (*p++ != '"' || *p++ != ':')
		return NULL;
	while (*p == ' ')
		p++;
	return p;
}

/* Reads one of the three members of an event in the buffer. */
static const char *
scan_member(struct speedscope_file *f, struct event *e, const char *p)
{
	if (p[0] != '"')
		return NULL;
	if (p[1] == 't' && (p = scan_key(p, "type"))) {
		if (e->type || p[0] != '"' || (p[1] != 'O' && p[1] != 'C') || p[2] != '"')
			return NULL;
		e->type = p[1];
		return p + 3;
	}
	if (p && p[1] == 'f' && (p = scan_key(p, "frame"))) {
		if (e->has_frame)
			return NULL;
		e->has_frame = true;
		return speedscope_scan_index(p, f->frame_count, &e->frame);
	}
	if (p && p[1] == 'a' && (p = scan_key(p, "at"))) {
		if (e->has_at)
			return NULL;
		e->has_at = true;
		return json_scan_decimal(p, &e->at);
	}
	return NULL;
}

/* Reads an event that is complete in the buffer and has the usual form. Its members may be in any
 * order. */
static bool
scan_event(struct speedscope_file *f, struct event *e)
{
	const char *begin = json_window(f->json).data;
	const char *p = begin;

	if (*p++ != '{')
		return false;
	for (int i = 0; i < 3; i++) {
		if (i && *p++ != ',')
			return false;
		while (*p == ' ')
			p++;
		p = scan_member(f, e, p);
		if (!p)
			return false;
	}
	if (*p != '}')
		return false;
	e->frame_value = e->at_value = SPEEDSCOPE_GOOD;
	json_take(f->json, (size_t)(p + 1 - begin));
	return true;
}

static bool
read_event(struct speedscope_file *f, struct event *e)
{
	const struct event fresh = { .index = f->events++, .offset = json_offset(f->json) };
	struct text key;

	*e = fresh;
	strbuf_reset(&f->item);
	if (scan_event(f, e))
		return true;
	*e = fresh;
	if (!speedscope_enter(f, JSON_OBJECT, "event", (int64_t)e->index))
		return false;
	while (json_more_keys(f->json, &key, f->in->err))
		if (!read_event_member(f, e, key))
			return false;
	return f->in->err->code == ERROR_NONE;
}

/* --- the order of times -------------------------------------------------------------- */

static void
set_last(struct speedscope_file *f, struct decimal at)
{
	f->has_last = true;
	f->last = at;
	if (at.kind == DECIMAL_TEXT) {
		strbuf_reset(&f->last_text);
		strbuf_append_text(&f->last_text, at.text);
		f->last.text = strbuf_text(&f->last_text);
	}
}

static int
compare_times(const struct decimal *a, const struct decimal *b)
{
	if (a->kind == DECIMAL_COMPACT && b->kind == DECIMAL_COMPACT && a->scale == b->scale)
		return a->mantissa < b->mantissa ? -1 : a->mantissa > b->mantissa;
	return decimal_compare(*a, *b);
}

/* Whether clocks or rounding can cause a step back of this size. The limit is one unit, or a hundredth
 * of the time since the start. */
static bool
is_small_step(const struct speedscope_file *f, double step)
{
	double passed = decimal_to_double(f->last) - decimal_to_double(f->head.start);

	return step <= 1 || step * 100 <= passed;
}

/* Handles an event whose time is before f->last. speedscope computes with doubles relative to the
 * start. A step back that vanishes in this computation is reported, but accepted. */
static bool
step_back(struct speedscope_file *f, struct event *e)
{
	double start = decimal_to_double(f->head.start);
	double last = decimal_to_double(f->last) - start;
	double at = decimal_to_double(e->at) - start;
	bool ok;

	if (at >= last)
		ok = reader_issue_at(f->in, ISSUE_TIME_BACKWARD, e->offset,
			"event %" PRIu64 " is earlier than the previous event, but the "
			"difference is too small for a double",
			e->index);
	else if (f->in->lenient && !is_small_step(f, last - at))
		ok = reader_refuse_at(f->in, e->offset,
			"event %" PRIu64 " is earlier than the previous event or the start, by %g",
			e->index, last - at);
	else
		ok = reader_tolerate_at(f->in, ISSUE_TIME_BACKWARD, e->offset,
			"event %" PRIu64 " is earlier than the previous event or the start, by %g",
			e->index, last - at);
	e->at = f->last;
	return ok;
}

/* Corrects the time of the event so that it is not before the previous event. */
static bool
check_time(struct speedscope_file *f, struct event *e)
{
	bool ok = true;

	if (!f->has_last && !f->head.start.kind && e->at.kind)
		f->head.start = speedscope_keep(&f->arena, e->at);
	if (!f->has_last && f->head.start.kind)
		set_last(f, f->head.start);
	if (!e->has_at) /* speedscope accepts this, too, but computes NaN for all later times. */
		ok = reader_issue_at(f->in, ISSUE_ODD_VALUE, e->offset,
			"event %" PRIu64 " has no time: the previous time is used", e->index);
	else if (e->at_value == SPEEDSCOPE_BAD)
		ok = reader_tolerate_at(f->in, ISSUE_ODD_VALUE, e->offset,
			"event %" PRIu64 " has a time that is not a number", e->index);
	else if (e->at_value == SPEEDSCOPE_NULL)
		ok = reader_issue_at(f->in, ISSUE_ODD_VALUE, e->offset,
			"event %" PRIu64 " has the time null, read as 0", e->index);
	if (!ok)
		return false;
	if (!e->has_at || e->at_value == SPEEDSCOPE_BAD)
		e->at = f->has_last ? f->last : decimal_from_int64(0);
	else if (e->at_value == SPEEDSCOPE_NULL)
		e->at = decimal_from_int64(0);
	if (f->has_last && compare_times(&e->at, &f->last) < 0 && !step_back(f, e))
		return false;
	set_last(f, e->at);
	return true;
}

/* --- calls --------------------------------------------------------------------------- */

static bool
open_call(struct speedscope_file *f, const struct event *e, uint32_t frame)
{
	struct speedscope_call *c;
	path_number above = f->call_count ? f->calls[f->call_count - 1].path : 0;

	if (f->call_count == STACK_MAX_FRAMES) {
		reader_refuse_at(f->in, e->offset, "event %" PRIu64 " opens more than %d calls",
			e->index, STACK_MAX_FRAMES);
		f->in->err->code = ERROR_LIMIT;
		return false;
	}
	ARRAY_RESERVE(f->calls, f->call_room, f->call_count + 1);
	c = &f->calls[f->call_count];
	*c = (struct speedscope_call){ .frame = frame, .id = f->next_id };
	if (!emit_path(f->in, above, frame, &c->path))
		return false;
	speedscope_time_set(&c->start, e->at);
	if (f->begins.newest)
		nest_begins_add(&f->begins, frame, (uint32_t)f->call_count);
	f->next_id++;
	f->call_count++;
	return true;
}

static bool
close_top(struct speedscope_file *f, struct decimal stop)
{
	struct speedscope_call *c = &f->calls[--f->call_count];
	const struct frame_row row = { .id = c->id,
		.parent_id = f->call_count ? f->calls[f->call_count - 1].id : MODEL_NULL,
		.track = (int32_t)f->profile + 1,
		.metric = f->metric,
		.routine_id = c->frame,
		.path = c->path,
		.start = c->start.d,
		.stop = stop };
	bool ok = emit_frame(f->in, &row);

	if (f->begins.newest)
		nest_begins_end(&f->begins, NEST_NONE);
	free(c->start.own);
	return ok;
}

/* Finds the innermost open call of the frame. The index of open calls is built on the first use,
 * because only a damaged profile needs it. */
static uint32_t
find_call(struct speedscope_file *f, uint32_t frame)
{
	if (!f->begins.newest) {
		nest_begins_init(&f->begins, f->frame_count);
		for (size_t i = 0; i < f->call_count; i++)
			nest_begins_add(&f->begins, f->calls[i].frame, (uint32_t)i);
	}
	return nest_begins_find(&f->begins, frame);
}

static bool
close_call(struct speedscope_file *f, const struct event *e, uint32_t frame)
{
	uint32_t call;

	if (f->call_count && f->calls[f->call_count - 1].frame == frame)
		return close_top(f, e->at);
	call = find_call(f, frame);
	if (!f->call_count)
		return reader_tolerate_at(f->in, ISSUE_LEFT_OUT, e->offset,
			"event %" PRIu64 " closes frame %" PRIu32 " but no frame is open", e->index,
			frame);
	if (call == NEST_NONE)
		return reader_tolerate_at(f->in, ISSUE_LEFT_OUT, e->offset,
			"event %" PRIu64 " closes frame %" PRIu32
			", which is not open; frame %" PRIu32 " is innermost",
			e->index, frame, f->calls[f->call_count - 1].frame);
	if (!reader_tolerate_at(f->in, ISSUE_CROSSING, e->offset,
		    "event %" PRIu64 " closes frame %" PRIu32 " while frame %" PRIu32
		    " is innermost",
		    e->index, frame, f->calls[f->call_count - 1].frame))
		return false;
	while (f->call_count > call)
		if (!close_top(f, e->at))
			return false;
	return true;
}

/* --- events -------------------------------------------------------------------------- */

static bool
keep_odd_event(struct speedscope_file *f, const struct event *e, enum speedscope_mark mark)
{
	strbuf_append_str(&f->item, f->item.size ? "}" : "{}");
	return speedscope_odd_item(f, &f->p_events, e->index, strbuf_text(&f->item), mark);
}

/* Keeps an event whose type is neither O nor C. speedscope ignores such events, but an export must
 * restore them. */
static bool
skip_event(struct speedscope_file *f, struct event *e)
{
	char digits[DECIMAL_TEXT_BYTES];

	if (e->has_frame && e->frame_value == SPEEDSCOPE_GOOD) {
		speedscope_set_scratch_int(f, e->frame);
		speedscope_item_member(f, TEXT_LITERAL("frame"));
	}
	if (e->has_at && e->at_value == SPEEDSCOPE_GOOD) {
		speedscope_set_scratch(f, decimal_text(e->at, 0, digits));
		speedscope_item_member(f, TEXT_LITERAL("at"));
	}
	return reader_issue_at(f->in, ISSUE_UNKNOWN_EVENT, e->offset,
		       "event %" PRIu64 " is neither O nor C", e->index) &&
	       keep_odd_event(f, e, SPEEDSCOPE_NO_SPAN);
}

static bool
bad_frame(struct speedscope_file *f, const struct event *e)
{
	if (e->has_frame && e->frame >= 0)
		return reader_tolerate_at(f->in, ISSUE_LEFT_OUT, e->offset,
			"event %" PRIu64 " names frame %" PRId64 ", but there are %" PRIu32,
			e->index, e->frame, f->frame_count);
	return reader_tolerate_at(f->in, ISSUE_LEFT_OUT, e->offset, "event %" PRIu64 " %s",
		e->index, e->has_frame ? "has no frame index" : "has no frame");
}

static bool
take_event(struct speedscope_file *f, struct event *e)
{
	uint32_t frame;

	if (!e->type)
		return skip_event(f, e);
	if (!e->has_frame || e->frame_value >= SPEEDSCOPE_NULL)
		return bad_frame(f, e);
	frame = (uint32_t)e->frame;
	if (f->canonical && f->canonical[frame] != frame) {
		if (e->frame_value == SPEEDSCOPE_GOOD) {
			speedscope_set_scratch_int(f, frame);
			speedscope_item_member(f, TEXT_LITERAL("frame"));
		}
		frame = f->canonical[frame];
	}
	if ((f->item.size || !e->has_at) &&
		!keep_odd_event(f, e, e->has_at ? SPEEDSCOPE_PLAIN : SPEEDSCOPE_NO_TIME))
		return false;
	if (!check_time(f, e))
		return false;
	return e->type == 'O' ? open_call(f, e, frame) : close_call(f, e, frame);
}

bool
speedscope_read_events(struct speedscope_file *f)
{
	struct event e;

	if (!speedscope_enter(f, JSON_ARRAY, "\"events\"", -1))
		return false;
	nest_begins_release(&f->begins);
	while (json_more_items(f->json, f->in->err)) {
		if (!read_event(f, &e) || !take_event(f, &e))
			return false;
		reader_tick(f->in, json_offset(f->json));
	}
	return f->in->err->code == ERROR_NONE;
}

bool
speedscope_end_evented(struct speedscope_file *f, struct decimal *total)
{
	struct decimal stop = f->last;

	*total = (struct decimal){ 0 };
	if (f->call_count) {
		if (!reader_tolerate_at(f->in, ISSUE_UNCLOSED, json_offset(f->json),
			    "%zu %s not closed; the innermost has frame %" PRIu32, f->call_count,
			    by_count(f->call_count, "call is", "calls are"),
			    f->calls[f->call_count - 1].frame))
			return false;
		if (f->head.end.kind && decimal_compare(f->head.end, stop) > 0)
			stop = f->head.end;
	}
	while (f->call_count)
		if (!close_top(f, stop))
			return false;
	if (f->has_last)
		*total = speedscope_difference(&f->arena, stop,
			f->head.start.kind ? f->head.start : decimal_from_int64(0));
	return true;
}
