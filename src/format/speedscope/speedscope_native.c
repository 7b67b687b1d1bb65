/* Restores a speedscope file that was loaded. Values that no column stores are attributes of the
 * set, its routines and its tracks; speedscope_private.h describes them. */
#include "base/array.h"
#include "input/json/json_tree.h"
#include "speedscope_private.h"
#include "speedscope_write_private.h"

#include <stdlib.h>

/* A track's odd events, samples or weights. Each item is [index, value] or [index, value, mark]; the
 * indexes ascend. */
struct odd_list {
	const struct json_node *next; /* NULL at the end */
	int64_t index;                /* index of the item; INT64_MAX at the end */
};

/* The attributes of a track. */
struct native_track {
	bool silent[SPEEDSCOPE_KEY_COUNT + 1]; /* keys not to write: absent, or in `members` */
	const struct json_node *members;       /* NULL if there are none */
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
	int64_t index; /* index of the next event */
};

/* One pass over the samples of a track, for their stacks or for their weights. */
struct native_samples {
	struct odd_list *odd;
	int64_t index;
	bool stacks;
};

/* --- attributes ---------------------------------------------------------------------- */

/* Parses a row's attributes. *n is NULL if there are no attributes. */
static bool
parse(struct arena *a, struct text attributes, const struct json_node **n, struct error *err)
{
	*n = attributes.data ? json_tree_parse(a, attributes, err) : NULL;
	return *n || !attributes.data;
}

static void
put_node(struct speedscope_writer *w, const struct json_node *n)
{
	strbuf_reset(&w->text);
	json_tree_put(&w->text, n);
	json_raw(&w->json, strbuf_text(&w->text));
}

static void
put_members(struct speedscope_writer *w, const struct json_node *object)
{
	for (const struct json_node *n = object ? object->first : NULL; n; n = n->next) {
		json_depot_key(&w->json, n->key);
		put_node(w, n);
	}
}

static struct odd_list
odd_list_at(const struct json_node *item)
{
	struct odd_list list = { .next = item, .index = INT64_MAX };

	if (!item || !item->first || !item->first->next ||
		!json_tree_int64(item->first, &list.index))
		list = (struct odd_list){ .index = INT64_MAX };
	return list;
}

static struct odd_list
odd_list_of(const struct json_node *attributes, const char *name)
{
	const struct json_node *list = json_tree_get(attributes, name);

	return odd_list_at(list ? list->first : NULL);
}

/* The odd value at the index, or NULL. No call of this function may pass a smaller index than an
 * earlier call. */
static const struct json_node *
odd_at(struct odd_list *list, int64_t index)
{
	while (list->index < index)
		*list = odd_list_at(list->next->next);
	return list->index == index ? list->next->first->next : NULL;
}

static enum speedscope_mark
mark_of(const struct json_node *odd)
{
	int64_t mark = SPEEDSCOPE_PLAIN;

	if (odd && odd->next)
		json_tree_int64(odd->next, &mark);
	return mark == SPEEDSCOPE_NO_TIME || mark == SPEEDSCOPE_NO_SPAN ? (enum speedscope_mark)mark
									: SPEEDSCOPE_PLAIN;
}

/* --- frames -------------------------------------------------------------------------- */

static bool
write_frame(struct sink *s, uint32_t set, const struct routine_row *row, struct error *err)
{
	struct speedscope_writer *w = (struct speedscope_writer *)s;
	struct text name = row->symbol_moniker.data ? row->symbol_moniker : row->routine_name;
	const struct json_node *attributes;

	(void)set;
	arena_reset(&w->scratch);
	if (!parse(&w->scratch, row->attributes, &attributes, err))
		return false;
	pair_map_add(&w->frame_of, row->rec_id, 0, w->frame_count++, NULL);
	json_begin_object(&w->json);
	if (name.data)
		json_key_depot_text(&w->json, "name", name);
	if (row->source_file.data)
		json_key_depot_text(&w->json, "file", row->source_file);
	if (row->source_line != MODEL_NULL)
		json_key_int(&w->json, "line", row->source_line);
	put_members(w, attributes);
	json_end_object(&w->json);
	return true;
}

static bool
write_shared(struct speedscope_writer *w, const struct json_node *attributes, struct error *err)
{
	const struct sink members = { .routine = write_frame };

	json_key_object(&w->json, "shared");
	json_key_array(&w->json, "frames");
	if (!speedscope_part(w, SOURCE_ROUTINES, SOURCE_EVERY_TRACK, &members, NULL, err))
		return false;
	json_end_array(&w->json);
	put_members(w, json_tree_get(attributes, "shared"));
	json_end_object(&w->json);
	return true;
}

/* --- a track's attributes ------------------------------------------------------------ */

static void
silence(struct native_track *t, struct text key)
{
	t->silent[text_among(key, speedscope_keys, SPEEDSCOPE_KEY_COUNT)] = true;
}

static bool
read_track(struct speedscope_writer *w, struct text attributes, struct native_track *t,
	struct error *err)
{
	const struct json_node *a, *absent;

	arena_reset(&w->scratch);
	if (!parse(&w->scratch, attributes, &a, err))
		return false;
	*t = (struct native_track){ .members = json_tree_get(a, "members"),
		.events = odd_list_of(a, "events"),
		.samples = odd_list_of(a, "samples"),
		.weights = odd_list_of(a, "weights") };
	absent = json_tree_get(a, "absent");
	for (const struct json_node *n = absent ? absent->first : NULL; n; n = n->next)
		silence(t, n->text);
	for (const struct json_node *n = t->members ? t->members->first : NULL; n; n = n->next)
		silence(t, n->key);
	return true;
}

/* --- events -------------------------------------------------------------------------- */

static void
write_extra_events(struct speedscope_writer *w, struct native_events *e)
{
	const struct json_node *odd;

	while ((odd = odd_at(&e->track->events, e->index)) && mark_of(odd) == SPEEDSCOPE_NO_SPAN) {
		put_node(w, odd);
		e->index++;
	}
}

static void
write_event(struct speedscope_writer *w, struct native_events *e, char type, uint32_t frame,
	struct decimal at)
{
	const struct json_node *odd;

	write_extra_events(w, e);
	odd = odd_at(&e->track->events, e->index++);
	json_begin_object(&w->json);
	if (!json_tree_get(odd, "type"))
		json_key_text(&w->json, "type", (struct text){ &type, 1 });
	if (!json_tree_get(odd, "frame"))
		json_key_int(&w->json, "frame", frame);
	if (!json_tree_get(odd, "at") && mark_of(odd) != SPEEDSCOPE_NO_TIME) {
		json_key(&w->json, "at");
		speedscope_put_decimal(w, at);
	}
	put_members(w, odd);
	json_end_object(&w->json);
}

static void
close_innermost(struct speedscope_writer *w, struct native_events *e)
{
	struct open_call *c = &e->open[--e->count];

	write_event(w, e, 'C', c->frame, c->stop.d);
	free(c->stop.own);
}

static bool
take_call(struct sink *s, uint32_t set, const struct frame_row *row, struct error *err)
{
	struct speedscope_writer *w = (struct speedscope_writer *)s;
	struct native_events *e = w->work;
	struct open_call *c;

	(void)set;
	(void)err;
	while (e->count && e->open[e->count - 1].id != row->parent_id)
		close_innermost(w, e);
	c = ARRAY_ADD(e->open, e->count, e->room);
	*c = (struct open_call){ .id = row->id, .frame = speedscope_frame_of(w, row->routine_id) };
	speedscope_time_set(&c->stop, row->stop);
	write_event(w, e, 'O', c->frame, row->start);
	return true;
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
		close_innermost(w, &e);
	write_extra_events(w, &e);
	json_end_array(&w->json);
	while (e.count)
		free(e.open[--e.count].stop.own);
	free(e.open);
	return ok;
}

/* --- samples ------------------------------------------------------------------------- */

static bool
take_sample(struct sink *s, uint32_t set, const struct sample_row *row, struct error *err)
{
	struct speedscope_writer *w = (struct speedscope_writer *)s;
	struct native_samples *n = w->work;
	const struct json_node *odd = odd_at(n->odd, n->index++);

	(void)set;
	(void)err;
	if (odd)
		put_node(w, odd);
	else if (n->stacks)
		speedscope_put_stack(w, row->stack);
	else
		speedscope_put_decimal(
			w, row->value_count ? row->values[0] : (struct decimal){ 0 });
	return true;
}

static bool
write_list(struct speedscope_writer *w, const struct written_track *track, const char *key,
	struct native_samples list, struct error *err)
{
	const struct sink members = { .sample = take_sample };

	json_key_array(&w->json, key);
	if (!speedscope_part(w, SOURCE_SAMPLES, track->id, &members, &list, err))
		return false;
	json_end_array(&w->json);
	return true;
}

static bool
write_samples(struct speedscope_writer *w, const struct written_track *track,
	struct native_track *native, struct error *err)
{
	const struct native_samples stacks = { .odd = &native->samples, .stacks = true };
	const struct native_samples weights = { .odd = &native->weights };

	return (w->stacks.count || speedscope_read_stacks(w, err)) &&
	       write_list(w, track, "samples", stacks, err) &&
	       write_list(w, track, "weights", weights, err);
}

/* --- profiles ------------------------------------------------------------------------ */

static void
write_head(struct speedscope_writer *w, const struct written_track *track,
	const struct written_metric *metric, const struct native_track *native)
{
	struct decimal end = track->start;

	if (!native->silent[SPEEDSCOPE_KEY_TYPE])
		json_key_string(&w->json, "type",
			metric->family == METRIC_OF_SPANS ? "evented" : "sampled");
	if (!native->silent[SPEEDSCOPE_KEY_NAME])
		json_key_depot_text(&w->json, "name", track->name);
	if (!native->silent[SPEEDSCOPE_KEY_UNIT])
		json_key_text(&w->json, "unit", metric->unit);
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
	struct native_track native;
	bool ok;

	if (!metric || !speedscope_wants(w, metric->name))
		return true;
	if (!read_track(w, track->attributes, &native, err))
		return false;
	json_begin_object(&w->json);
	write_head(w, track, metric, &native);
	put_members(w, native.members);
	ok = metric->family == METRIC_OF_SPANS ? write_events(w, track, &native, err)
					       : write_samples(w, track, &native, err);
	json_end_object(&w->json);
	return ok;
}

bool
speedscope_write_native(struct speedscope_writer *w, struct error *err)
{
	const struct json_node *attributes;

	if (!parse(&w->arena, w->attributes, &attributes, err))
		return false;
	json_begin_object(&w->json);
	put_members(w, json_tree_get(attributes, "members"));
	if (!write_shared(w, attributes, err))
		return false;
	json_key_array(&w->json, "profiles");
	for (size_t i = 0; i < w->track_count; i++)
		if (!write_profile(w, &w->tracks[i], err))
			return false;
	json_end_array(&w->json);
	json_end_object(&w->json);
	return true;
}
