/*
 * A batch of posted events. It contains each host, track and stack once, and rows refer to them by
 * number. Workers create batches in parallel, so the writer only has to copy the rows.
 */
#include "live_private.h"

#include "base/array.h"

#include <stdlib.h>

static const uint32_t no_stack = UINT32_MAX;

/* The events that belong to one result set. */
struct batch_group {
	struct event_shape shape;
	struct text host;
	struct live_set *set; /* set by live_batch_open */
	metric_number metric;
};

struct batch_track {
	uint32_t group;
	struct text process;
	int64_t thread_id;
	int32_t id; /* the track's number in the result set */
};

struct batch_stack {
	uint32_t group;
	struct hash128 hash;
	struct text text;
	stack_number id; /* the stack's number in the result set */
};

struct batch_row {
	uint32_t track, stack;
	int64_t value;
	struct decimal at;
	struct text attributes;
};

struct live_batch {
	struct arena arena; /* contains the texts */
	struct batch_group *groups;
	size_t group_count, group_room;
	struct batch_track *tracks;
	size_t track_count, track_room;
	struct batch_stack *stacks;
	size_t stack_count, stack_room;
	struct batch_row *rows;
	size_t row_count, row_room;
	struct pair_map track_by_key, stack_by_hash;
	uint32_t last_group;
};

struct live_batch *
live_batch_new(void)
{
	struct live_batch *b = xcalloc(1, sizeof(*b));

	b->arena = ARENA_INIT;
	return b;
}

void
live_batch_free(struct live_batch *b)
{
	if (!b)
		return;
	pair_map_release(&b->track_by_key);
	pair_map_release(&b->stack_by_hash);
	free(b->groups);
	free(b->tracks);
	free(b->stacks);
	free(b->rows);
	arena_release(&b->arena);
	free(b);
}

size_t
live_batch_rows(const struct live_batch *b)
{
	return b->row_count;
}

static bool
is_group(const struct batch_group *g, const struct event_fact *f)
{
	return text_equal(g->host, f->host) && text_equal(g->shape.category, f->shape->category);
}

static uint32_t
find_group(struct live_batch *b, const struct event_fact *f)
{
	struct batch_group *g;

	if (b->last_group < b->group_count && is_group(&b->groups[b->last_group], f))
		return b->last_group;
	for (uint32_t i = 0; i < b->group_count; i++)
		if (is_group(&b->groups[i], f))
			return b->last_group = i;
	g = ARRAY_ADD(b->groups, b->group_count, b->group_room);
	*g = (struct batch_group){ .shape = *f->shape, .host = arena_text(&b->arena, f->host) };
	g->shape.category = arena_text(&b->arena, f->shape->category);
	g->shape.track_attributes = arena_text(&b->arena, f->shape->track_attributes);
	g->shape.metric.name = arena_text(&b->arena, f->shape->metric.name);
	g->shape.metric.unit = arena_text(&b->arena, f->shape->metric.unit);
	g->shape.metric.title = arena_text(&b->arena, f->shape->metric.title);
	return b->last_group = (uint32_t)(b->group_count - 1);
}

static uint32_t
find_track(struct live_batch *b, const struct event_fact *f, uint32_t group)
{
	struct hash128 h = live_text_hash(f->process);
	/* The key is the hash of the name plus the track's other properties. */
	uint64_t other = (uint64_t)f->thread_id * UINT64_C(0x9E3779B97F4A7C15) + group +
			 ((uint64_t)(f->process.data != NULL) << 40);
	bool added;
	uint32_t i = pair_map_add(&b->track_by_key, (int64_t)h.low, (int64_t)(h.high + other),
		(uint32_t)b->track_count, &added);

	if (!added)
		return i;
	*ARRAY_ADD(b->tracks, b->track_count, b->track_room) =
		(struct batch_track){ group, arena_text(&b->arena, f->process), f->thread_id, 0 };
	return i;
}

static uint32_t
find_stack(struct live_batch *b, const struct event_fact *f, uint32_t group)
{
	struct hash128 h;
	bool added;
	uint32_t i;

	if (!f->stack.data)
		return no_stack;
	h = live_text_hash(f->stack);
	i = pair_map_add(&b->stack_by_hash, (int64_t)h.low, (int64_t)(h.high + group),
		(uint32_t)b->stack_count, &added);
	if (!added)
		return i;
	*ARRAY_ADD(b->stacks, b->stack_count, b->stack_room) =
		(struct batch_stack){ group, h, arena_text(&b->arena, f->stack), 0 };
	return i;
}

bool
live_batch_event(struct live_batch *b, const struct event_fact *f, struct error *err)
{
	uint32_t group = find_group(b, f);
	struct batch_row *row;

	if (b->row_count >= INT32_MAX)
		return error_set(err, ERROR_LIMIT, "too many events in a batch");
	row = ARRAY_ADD(b->rows, b->row_count, b->row_room);
	*row = (struct batch_row){
		.track = find_track(b, f, group),
		.stack = find_stack(b, f, group),
		.value = f->value,
		.at = f->at,
		.attributes = arena_text(&b->arena, f->attributes),
	};
	if (f->at.kind == DECIMAL_TEXT)
		row->at.text = arena_text(&b->arena, f->at.text);
	return true;
}

bool
live_batch_open(struct live *l, struct live_batch *b, struct error *err)
{
	for (size_t i = 0; i < b->group_count; i++) {
		struct batch_group *g = &b->groups[i];
		const struct live_source source = { "kernelscope", "kernelscope", g->host,
			g->shape.category };

		g->set = live_open(l, &source, err);
		if (!g->set)
			return false;
	}
	return true;
}

size_t
live_batch_sets(const struct live_batch *b)
{
	return b->group_count;
}

int64_t
live_batch_inst_id(const struct live_batch *b, size_t i)
{
	return b->groups[i].set->inst_id;
}

static bool
number_tracks(struct live *l, struct live_batch *b, struct error *err)
{
	for (size_t i = 0; i < b->group_count; i++)
		if (!live_metric(l, b->groups[i].set, &b->groups[i].shape.metric,
			    &b->groups[i].metric, err))
			return false;
	for (size_t i = 0; i < b->track_count; i++) {
		struct batch_track *t = &b->tracks[i];
		const struct batch_group *g = &b->groups[t->group];
		const struct track_row row = {
			.kind = "process",
			.category = g->shape.category,
			.host = g->host,
			.name = t->process,
			.process_name = t->process,
			.process_id = MODEL_NULL,
			.thread_id = t->thread_id,
			.metric = g->metric,
			.started_us = MODEL_NULL,
			.attributes = g->shape.track_attributes,
		};

		if (!live_track(l, g->set, &row, &t->id, err))
			return false;
	}
	return true;
}

static bool
number_stacks(struct live *l, struct live_batch *b, struct error *err)
{
	for (size_t i = 0; i < b->stack_count; i++) {
		struct batch_stack *s = &b->stacks[i];

		if (!live_stack_text(l, b->groups[s->group].set, s->text, s->hash, &s->id, err))
			return false;
	}
	return true;
}

bool
live_batch_write(struct live *l, struct live_batch *b, struct error *err)
{
	if (!number_tracks(l, b, err) || !number_stacks(l, b, err))
		return false;
	for (size_t i = 0; i < b->row_count; i++) {
		const struct batch_row *r = &b->rows[i];
		const struct batch_track *t = &b->tracks[r->track];
		const struct decimal value = decimal_from_int64(r->value);
		const struct sample_row row = {
			.track = t->id,
			.stack = r->stack == no_stack ? 0 : b->stacks[r->stack].id,
			.at = r->at,
			.values = &value,
			.value_count = 1,
			.attributes = r->attributes,
		};

		if (!live_sample(l, b->groups[t->group].set, &row, err))
			return false;
	}
	return true;
}
