#include "base/array.h"
#include "speedscope_private.h"
#include "speedscope_write_private.h"

#include <stdlib.h>

/* One entry of a track's odd events, samples or weights. */
struct odd_entry {
	int64_t index;
	struct text raw;
	enum speedscope_mark mark;
};

struct odd_list {
	struct odd_entry *entries;
	size_t count, room;
	size_t next;
};

/* What a track's attributes say beside its columns. */
struct native_track {
	bool silent[SPEEDSCOPE_KEY_COUNT]; /* absent, or among the members */
	struct text members;               /* JSON object, NULL: none */
	struct odd_list events, samples, weights;
};

/* A call that is open while the events are written. */
struct open_call {
	int64_t id;
	uint32_t frame;
	struct speedscope_time stop;
};

struct native_events {
	struct native_track *track;
	struct open_call *open;
	size_t count, room;
	int64_t index; /* of the next event */
};

struct native_samples {
	struct odd_list *odd;
	int64_t index;
};

/* --- attributes ----------------------------------------------------------------------- */

static struct json_reader *
open_json(struct text t)
{
	const struct json_options options = { .source = "attributes" };

	return json_reader_new_memory(t.data, t.size, 0, &options);
}

/* Calls each for the members of a JSON object; the value is to be read there. */
typedef bool member_fn(void *self, struct json_reader *r, struct text key, struct error *err);

static bool
each_member(struct json_reader *r, member_fn *each, void *self, struct error *err)
{
	struct text key;
	bool more;

	if (!json_enter(r, err))
		return false;
	for (;;) {
		if (!json_next_key(r, &key, &more, err))
			return false;
		if (!more)
			return true;
		if (!each(self, r, key, err))
			return false;
	}
}

static bool
each_member_of(struct text t, member_fn *each, void *self, struct error *err)
{
	struct json_reader *r = open_json(t);
	bool ok = each_member(r, each, self, err);

	json_reader_free(r);
	return ok;
}

static bool
write_member(void *self, struct json_reader *r, struct text key, struct error *err)
{
	struct speedscope_writer *w = self;
	struct text raw;

	json_depot_key(&w->json, key);
	if (!json_read_raw(r, 0, &raw, err))
		return false;
	json_raw(&w->json, raw);
	return true;
}

struct found_part {
	struct arena *arena;
	const char *name;
	struct text raw;
};

static bool
find_part(void *self, struct json_reader *r, struct text key, struct error *err)
{
	struct found_part *p = self;
	struct text raw;

	if (!text_equal(key, text_from(p->name)))
		return json_skip(r, err);
	if (!json_read_raw(r, 0, &raw, err))
		return false;
	p->raw = arena_text(p->arena, raw);
	return true;
}

/* A member of the attributes of the result set; TEXT_NULL: not there. */
static bool
part_of(struct speedscope_writer *w, const char *name, struct text *part, struct error *err)
{
	struct found_part p = { .arena = &w->arena, .name = name, .raw = TEXT_NULL };

	if (w->attributes.data && !each_member_of(w->attributes, find_part, &p, err))
		return false;
	*part = p.raw;
	return true;
}

/* --- frames ------------------------------------------------------------------------------ */

static bool
write_frame(struct sink *s, uint32_t set, const struct routine_row *row, struct error *err)
{
	struct speedscope_writer *w = (struct speedscope_writer *)s;
	struct text name = row->symbol_moniker.data ? row->symbol_moniker : row->routine_name;

	(void)set;
	pair_map_add(&w->frame_of, row->rec_id, 0, w->frame_count++, NULL);
	json_begin_object(&w->json);
	if (name.data) {
		json_key_depot_text(&w->json, "name", name);
	}
	if (row->source_file.data) {
		json_key_depot_text(&w->json, "file", row->source_file);
	}
	if (row->source_line != MODEL_NULL) {
		json_key_int(&w->json, "line", row->source_line);
	}
	if (row->attributes.data && !each_member_of(row->attributes, write_member, w, err))
		return false;
	json_end_object(&w->json);
	return true;
}

static bool
write_shared(struct speedscope_writer *w, struct error *err)
{
	const struct sink members = { .routine = write_frame };
	struct text more;

	if (!part_of(w, "shared", &more, err))
		return false;
	json_key_object(&w->json, "shared");
	json_key_array(&w->json, "frames");
	if (!speedscope_part(w, SOURCE_ROUTINES, SOURCE_EVERY_TRACK, &members, NULL, err))
		return false;
	json_end_array(&w->json);
	if (more.data && !each_member_of(more, write_member, w, err))
		return false;
	json_end_object(&w->json);
	return true;
}

/* --- a track's attributes ------------------------------------------------------------------ */

struct track_parser {
	struct speedscope_writer *writer;
	struct native_track *track;
};

static void
be_silent(struct native_track *t, struct text key)
{
	for (unsigned k = 0; k < SPEEDSCOPE_KEY_COUNT; k++)
		if (text_equal(key, text_from(speedscope_keys[k])))
			t->silent[k] = true;
}

static bool
silence_member(void *self, struct json_reader *r, struct text key, struct error *err)
{
	be_silent(self, key);
	return json_skip(r, err);
}

static bool
read_absent(struct json_reader *r, struct native_track *t, struct error *err)
{
	struct text key;
	bool more;

	if (!json_enter(r, err))
		return false;
	for (;;) {
		if (!json_next_item(r, &more, err))
			return false;
		if (!more)
			return true;
		if (!json_read_string(r, &key, err))
			return false;
		be_silent(t, key);
	}
}

/* [index, raw] or [index, raw, mark] */
static bool
read_entry(struct json_reader *r, struct arena *a, struct odd_entry *e, struct error *err)
{
	struct text raw;
	int64_t mark;
	bool more;
	bool ok;

	*e = (struct odd_entry){ 0 };
	if (!json_enter(r, err) || !json_next_item(r, &more, err) ||
		!json_read_int64(r, &e->index, &ok, err) || !json_next_item(r, &more, err) ||
		!json_read_raw(r, 0, &raw, err))
		return false;
	e->raw = arena_text(a, raw);
	if (!json_next_item(r, &more, err))
		return false;
	if (!more)
		return true;
	if (!json_read_int64(r, &mark, &ok, err))
		return false;
	e->mark = mark == SPEEDSCOPE_NO_TIME ? SPEEDSCOPE_NO_TIME : SPEEDSCOPE_NO_SPAN;
	return json_next_item(r, &more, err);
}

static bool
read_list(struct json_reader *r, struct arena *a, struct odd_list *list, struct error *err)
{
	bool more;

	if (!json_enter(r, err))
		return false;
	for (;;) {
		if (!json_next_item(r, &more, err))
			return false;
		if (!more)
			return true;
		ARRAY_RESERVE(list->entries, list->room, list->count + 1);
		if (!read_entry(r, a, &list->entries[list->count], err))
			return false;
		list->count++;
	}
}

static bool
read_track_part(void *self, struct json_reader *r, struct text key, struct error *err)
{
	struct track_parser *p = self;
	struct arena *a = &p->writer->arena;
	struct text raw;

	if (text_equal(key, TEXT_LITERAL("absent")))
		return read_absent(r, p->track, err);
	if (text_equal(key, TEXT_LITERAL("events")))
		return read_list(r, a, &p->track->events, err);
	if (text_equal(key, TEXT_LITERAL("samples")))
		return read_list(r, a, &p->track->samples, err);
	if (text_equal(key, TEXT_LITERAL("weights")))
		return read_list(r, a, &p->track->weights, err);
	if (!text_equal(key, TEXT_LITERAL("members")))
		return json_skip(r, err);
	if (!json_read_raw(r, 0, &raw, err))
		return false;
	p->track->members = arena_text(a, raw);
	return each_member_of(p->track->members, silence_member, p->track, err);
}

/* --- events ------------------------------------------------------------------------------------
 */

struct event_parts {
	struct speedscope_writer *writer;
	bool type, frame, at; /* among the odd members */
};

static bool
note_event_member(void *self, struct json_reader *r, struct text key, struct error *err)
{
	struct event_parts *p = self;

	p->type = p->type || text_equal(key, TEXT_LITERAL("type"));
	p->frame = p->frame || text_equal(key, TEXT_LITERAL("frame"));
	p->at = p->at || text_equal(key, TEXT_LITERAL("at"));
	return json_skip(r, err);
}

static const struct odd_entry *
odd_at(struct odd_list *list, int64_t index)
{
	while (list->next < list->count && list->entries[list->next].index < index)
		list->next++;
	if (list->next == list->count || list->entries[list->next].index != index)
		return NULL;
	return &list->entries[list->next];
}

static void
write_extra_events(struct speedscope_writer *w, struct native_events *e)
{
	const struct odd_entry *odd;

	while ((odd = odd_at(&e->track->events, e->index)) && odd->mark == SPEEDSCOPE_NO_SPAN) {
		json_raw(&w->json, odd->raw);
		e->index++;
	}
}

static bool
write_event(struct speedscope_writer *w, struct native_events *e, char type, uint32_t frame,
	struct decimal at, struct error *err)
{
	struct event_parts odd = { .writer = w };
	const struct odd_entry *entry;

	write_extra_events(w, e);
	entry = odd_at(&e->track->events, e->index++);
	if (entry && !each_member_of(entry->raw, note_event_member, &odd, err))
		return false;
	if (entry && entry->mark == SPEEDSCOPE_NO_TIME)
		odd.at = true;
	json_begin_object(&w->json);
	if (!odd.type) {
		json_key_text(&w->json, "type", (struct text){ &type, 1 });
	}
	if (!odd.frame) {
		json_key_int(&w->json, "frame", frame);
	}
	if (!odd.at) {
		json_key(&w->json, "at");
		speedscope_put_decimal(w, at);
	}
	if (entry && !each_member_of(entry->raw, write_member, w, err))
		return false;
	json_end_object(&w->json);
	return true;
}

static bool
close_innermost(struct speedscope_writer *w, struct native_events *e, struct error *err)
{
	struct open_call *c = &e->open[--e->count];
	bool ok = write_event(w, e, 'C', c->frame, c->stop.d, err);

	free(c->stop.own);
	return ok;
}

static bool
take_call(struct sink *s, uint32_t set, const struct frame_row *row, struct error *err)
{
	struct speedscope_writer *w = (struct speedscope_writer *)s;
	struct native_events *e = w->work;
	struct open_call *c;

	(void)set;
	while (e->count && e->open[e->count - 1].id != row->parent_id)
		if (!close_innermost(w, e, err))
			return false;
	c = ARRAY_ADD(e->open, e->count, e->room);
	*c = (struct open_call){ .id = row->id, .frame = speedscope_frame_of(w, row->routine_id) };
	speedscope_time_set(&c->stop, row->stop);
	return write_event(w, e, 'O', c->frame, row->start, err);
}

static bool
write_events(struct speedscope_writer *w, const struct written_track *track,
	struct native_track *native, struct error *err)
{
	const struct sink members = { .frame = take_call };
	struct native_events e = { .track = native };
	bool ok;

	json_key_array(&w->json, "events");
	ok = speedscope_part(w, SOURCE_SPANS, track->id, &members, &e, err);
	while (ok && e.count)
		ok = close_innermost(w, &e, err);
	write_extra_events(w, &e);
	json_end_array(&w->json);
	while (e.count)
		free(e.open[--e.count].stop.own);
	free(e.open);
	return ok;
}

/* --- samples -------------------------------------------------------------------------------------
 */

static bool
take_sample_stack(struct sink *s, uint32_t set, const struct sample_row *row, struct error *err)
{
	struct speedscope_writer *w = (struct speedscope_writer *)s;
	struct native_samples *n = w->work;
	const struct odd_entry *odd = odd_at(n->odd, n->index++);

	(void)set;
	(void)err;
	if (odd)
		json_raw(&w->json, odd->raw);
	else
		speedscope_put_stack(w, row->stack);
	return true;
}

static bool
take_sample_weight(struct sink *s, uint32_t set, const struct sample_row *row, struct error *err)
{
	struct speedscope_writer *w = (struct speedscope_writer *)s;
	struct native_samples *n = w->work;
	const struct odd_entry *odd = odd_at(n->odd, n->index++);

	(void)set;
	(void)err;
	if (odd)
		json_raw(&w->json, odd->raw);
	else
		speedscope_put_decimal(
			w, row->value_count ? row->values[0] : (struct decimal){ 0 });
	return true;
}

static bool
write_samples(struct speedscope_writer *w, const struct written_track *track,
	struct native_track *native, struct error *err)
{
	const struct sink stacks = { .sample = take_sample_stack };
	const struct sink weights = { .sample = take_sample_weight };
	struct native_samples n = { .odd = &native->samples };

	if (!w->stacks.count && !speedscope_read_stacks(w, err))
		return false;
	json_key_array(&w->json, "samples");
	if (!speedscope_part(w, SOURCE_SAMPLES, track->id, &stacks, &n, err))
		return false;
	json_end_array(&w->json);
	n = (struct native_samples){ .odd = &native->weights };
	json_key_array(&w->json, "weights");
	if (!speedscope_part(w, SOURCE_SAMPLES, track->id, &weights, &n, err))
		return false;
	json_end_array(&w->json);
	return true;
}

/* --- profiles
 * -------------------------------------------------------------------------------------- */

static void
write_head(struct speedscope_writer *w, const struct written_track *track,
	const struct written_metric *metric, const struct native_track *native)
{
	struct decimal end = track->start;

	if (!native->silent[SPEEDSCOPE_KEY_TYPE]) {
		json_key_string(&w->json, "type",
			metric->family == METRIC_OF_SPANS ? "evented" : "sampled");
	}
	if (!native->silent[SPEEDSCOPE_KEY_NAME]) {
		json_key_depot_text(&w->json, "name", track->name);
	}
	if (!native->silent[SPEEDSCOPE_KEY_UNIT]) {
		json_key_text(&w->json, "unit", metric->unit);
	}
	if (!native->silent[SPEEDSCOPE_KEY_START]) {
		json_key(&w->json, "startValue");
		speedscope_put_decimal(w, track->start);
	}
	if (!native->silent[SPEEDSCOPE_KEY_END]) {
		decimal_add(track->start, track->duration, &end);
		json_key(&w->json, "endValue");
		speedscope_put_decimal(w, end);
	}
}

static bool
write_profile(struct speedscope_writer *w, const struct written_track *track, struct error *err)
{
	const struct written_metric *metric = speedscope_metric(w, track->metric);
	struct native_track native = { 0 };
	struct track_parser parser = { w, &native };
	bool ok = true;

	if (!metric || !speedscope_wants(w, metric->name))
		return true;
	if (track->attributes.data)
		ok = each_member_of(track->attributes, read_track_part, &parser, err);
	if (ok) {
		json_begin_object(&w->json);
		write_head(w, track, metric, &native);
		if (native.members.data)
			ok = each_member_of(native.members, write_member, w, err);
	}
	if (ok)
		ok = metric->family == METRIC_OF_SPANS ? write_events(w, track, &native, err)
						       : write_samples(w, track, &native, err);
	if (ok)
		json_end_object(&w->json);
	free(native.events.entries);
	free(native.samples.entries);
	free(native.weights.entries);
	return ok;
}

bool
speedscope_write_native(struct speedscope_writer *w, struct error *err)
{
	struct text members;

	if (!part_of(w, "members", &members, err))
		return false;
	json_begin_object(&w->json);
	if (members.data && !each_member_of(members, write_member, w, err))
		return false;
	if (!write_shared(w, err))
		return false;
	json_key_array(&w->json, "profiles");
	for (size_t i = 0; i < w->track_count; i++)
		if (!write_profile(w, &w->tracks[i], err))
			return false;
	json_end_array(&w->json);
	json_end_object(&w->json);
	return true;
}
