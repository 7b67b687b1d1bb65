/*
 * Sums events by stack and by track. If the filter uses only values of tracks, this file reads the
 * blocks and sums their events in C. Everything else is summed in SQL.
 */
#include "event_sums.h"

#include "base/array.h"
#include "base/pair_map.h"
#include "base/sql_file.h"
#include "base/strbuf.h"
#include "db/connection.h"
#include "event_blocks.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	FEW_STACKS = 1000, /* if more stacks than this are needed, the query fetches all stacks */
	STACK_TEXT_BYTES = 16 * FEW_STACKS,
	TRACKS_MAX = 100 * 1000, /* with more tracks, summing in C is not faster than in SQL */
	ARRAY_MAX_BYTES = 2 * TRACKS_MAX * 24,
};

struct sum {
	int64_t rank, first, inst_id; /* together they give the order of arrival */
	int32_t stack;                /* 0 if there is no stack */
	wide_int value;
	size_t frames, frame_count; /* `frames` is an index in sums.frames */
};

struct sums {
	const struct event_query *query;
	const struct event_filter *filter;
	const struct event_sets *sets;
	struct event_tree *tree;
	bool counted;    /* if true, count the events; if false, sum their weights */
	bool odd_blocks; /* SQL must sum at least one block */
	bool by_track;   /* sum only the events of `tracks` */
	struct pair_map tracks;
	struct pair_map by_stack;
	struct sum *items;
	size_t count, room;
	int64_t *frames;
	size_t frame_count, frame_room;
};

/* --- sums ------------------------------------------------------------------------------------- */

static bool
is_posted(const struct event_sets *s, int64_t inst_id)
{
	for (size_t i = 0; i < s->posted_count; i++)
		if (s->posted[i] == inst_id)
			return true;
	return false;
}

/* Returns the rank of a result set. Sorting by this rank gives the same order as sorting by the rank
 * of event_put_rank. */
static int64_t
rank_of(const struct event_sets *s, int64_t inst_id)
{
	if (!s->posted_count)
		return inst_id;
	if (!s->loaded)
		return 0;
	return is_posted(s, inst_id) ? s->first_posted : inst_id;
}

static void
add(struct sums *g, int64_t inst_id, int64_t id, int32_t stack, wide_int value)
{
	bool added;
	uint32_t i = pair_map_add(&g->by_stack, inst_id, stack, (uint32_t)g->count, &added);

	if (added)
		*ARRAY_ADD(g->items, g->count, g->room) =
			(struct sum){ .rank = rank_of(g->sets, inst_id),
				.first = id,
				.inst_id = inst_id,
				.stack = stack };
	g->items[i].value += value;
	if (id < g->items[i].first)
		g->items[i].first = id;
}

static bool
take_sum(void *self, const struct db_result *row, struct error *err)
{
	wide_int value;

	if (!event_tree_parse_sum(db_result_value(row, 0, 2), &value))
		return error_set(err, ERROR_LIMIT, "a sum has more than 38 digits");
	add(self, event_text_int(db_result_value(row, 0, 0)),
		event_text_int(db_result_value(row, 0, 3)),
		(int32_t)event_text_int(db_result_value(row, 0, 1)), value);
	return true;
}

static bool
take_track(void *self, const struct db_result *row, struct error *err)
{
	struct sums *g = self;

	(void)err;
	pair_map_add(&g->tracks, event_text_int(db_result_value(row, 0, 0)),
		event_text_int(db_result_value(row, 0, 1)), 1, NULL);
	return true;
}

static bool
take_block(void *self, struct event_block *b, struct error *err)
{
	struct sums *g = self;
	int64_t id = b->first_id;
	int64_t track = 0;

	(void)err;
	if (!g->counted && !b->plain)
		g->odd_blocks = true;
	for (size_t i = 0; i < b->count && !g->odd_blocks; i++, id++) {
		int64_t stack = 0;
		int64_t weight = 0;

		(void)event_array_next(&b->stacks, &stack);
		(void)event_array_next(&b->weights, &weight);
		event_block_track(b, i, &track);
		if (g->by_track && pair_map_get(&g->tracks, b->inst_id, track) == PAIR_MAP_NONE)
			continue;
		add(g, b->inst_id, id, (int32_t)stack, g->counted ? 1 : weight);
	}
	return true;
}

/* Uses SQL to sum the events that are not summed yet. sets->storage says whether these events are in
 * rows, in blocks, or in both. */
static bool
read_sums(struct db *db, struct arena *a, struct sums *g, const struct event_sets *sets,
	struct error *err)
{
	struct event_statement s;

	return !sets->storage ||
	       (event_sql_stacks(a, g->query, g->filter, sets, &s, err) &&
		       db_query_each(db, s.sql, s.params, s.param_count, take_sum, g, err));
}

static void
forget(struct sums *g)
{
	pair_map_release(&g->by_stack);
	g->count = 0;
}

static unsigned
parts_of(const struct sums *g)
{
	return EVENT_STACKS | (g->counted ? 0U : EVENT_WEIGHTS) | (g->by_track ? EVENT_TRACKS : 0U);
}

/* Sums the events in blocks; *done is false if SQL must sum them instead. */
static bool
read_blocks(struct db *db, struct arena *a, struct sums *g, bool *done, struct error *err)
{
	const struct event_query *q = g->query;
	struct event_statement tracks;
	bool possible;

	*done = false;
	if (!(g->sets->storage & EVENT_IN_BLOCKS) || q->limit >= 0 ||
		(!g->counted && q->weight != category_first_of(q->category, CATEGORY_ELAPSED)))
		return true;
	if (!event_sql_tracks(a, q, g->filter, g->sets, &tracks, &possible, err))
		return false;
	if (!possible)
		return true;
	g->by_track = tracks.sql != NULL;
	if ((g->by_track && !db_query_each(db, tracks.sql, tracks.params, tracks.param_count,
				    take_track, g, err)) ||
		!event_blocks_each(db, g->sets, parts_of(g), take_block, g, err))
		return false;
	*done = !g->odd_blocks;
	if (!*done)
		forget(g);
	return true;
}

/* --- stacks ----------------------------------------------------------------------------------- */

static bool
take_frames(void *self, const struct db_result *row, struct error *err)
{
	struct sums *g = self;
	uint32_t i = pair_map_get(&g->by_stack, event_binary_int(db_result_value(row, 0, 0)),
		event_binary_int(db_result_value(row, 0, 1)));
	struct event_array ids = event_array_open(db_result_value(row, 0, 2));

	(void)err;
	if (i == PAIR_MAP_NONE)
		return true;
	g->items[i].frames = g->frame_count;
	g->items[i].frame_count = ids.count;
	for (size_t n = 0; n < ids.count; n++) {
		int64_t id = EVENT_TREE_UNKNOWN;

		(void)event_array_next(&ids, &id);
		*ARRAY_ADD(g->frames, g->frame_count, g->frame_room) = id;
	}
	return true;
}

static bool
read_frames(struct db *db, struct sums *g, struct error *err)
{
	struct strbuf numbers;
	bool ok;

	strbuf_init(&numbers, STACK_TEXT_BYTES);
	for (size_t i = 0; g->count <= FEW_STACKS && i < g->count; i++)
		strbuf_printf(&numbers, "%c%d", i ? ',' : '{', (int)g->items[i].stack);
	if (numbers.size)
		strbuf_append_char(&numbers, '}');
	ok = db_query_each_binary(db, sql_file_find("events/event_stacks")->text,
		SQL_VALUES(
			SQL_EVENTS_EVENT_STACKS, [SQL_EVENTS_EVENT_STACKS_INST_IDS] = g->sets->ids,
			[SQL_EVENTS_EVENT_STACKS_STACK_IDS] =
				numbers.size ? strbuf_str(&numbers) : NULL),
		SQL_EVENTS_EVENT_STACKS_PARAMS, take_frames, g, err);
	strbuf_release(&numbers);
	return ok;
}

static bool
take_name(void *self, const struct db_result *row, struct error *err)
{
	struct sums *g = self;

	(void)err;
	event_tree_name(g->tree, event_text_int(db_result_value(row, 0, 0)),
		event_text_int(db_result_value(row, 0, 1)), db_result_value(row, 0, 2));
	return true;
}

static int
by_arrival(const void *a, const void *b)
{
	const struct sum *x = a;
	const struct sum *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->inst_id < y->inst_id ? -1 : x->inst_id > y->inst_id;
}

static bool
build(struct db *db, struct sums *g, struct error *err)
{
	if (g->count == 0)
		return true;
	if (!db_query_each(db, sql_file_find("events/event_routines")->text,
		    SQL_VALUES(SQL_EVENTS_EVENT_ROUTINES, [SQL_EVENTS_EVENT_ROUTINES_INST_IDS] =
								  g->sets->ids),
		    SQL_EVENTS_EVENT_ROUTINES_PARAMS, take_name, g, err) ||
		!read_frames(db, g, err))
		return false;
	qsort(g->items, g->count, sizeof(*g->items), by_arrival);
	for (size_t i = 0; i < g->count; i++) {
		const struct sum *s = &g->items[i];

		if (!event_tree_add(g->tree, s->inst_id, g->frames + s->frames, s->frame_count,
			    s->value, err))
			return false;
	}
	return true;
}

bool
event_sums_read(struct db *db, struct arena *a, const struct event_query *q,
	const struct event_filter *filter, const struct event_sets *sets, struct event_tree *t,
	struct error *err)
{
	struct sums g = { .query = q,
		.filter = filter,
		.sets = sets,
		.tree = t,
		.counted = q->weight == q->category->column_count };
	struct event_sets left = *sets;
	bool summed;
	bool ok;

	ok = read_blocks(db, a, &g, &summed, err);
	if (ok && summed)
		left.storage &= ~(unsigned)EVENT_IN_BLOCKS;
	ok = ok && read_sums(db, a, &g, &left, err) && build(db, &g, err);
	pair_map_release(&g.tracks);
	pair_map_release(&g.by_stack);
	free(g.items);
	free(g.frames);
	return ok;
}

/* --- by track --------------------------------------------------------------------------------- */

struct track_sum {
	int64_t inst_id, track, count, sum;
};

struct tracks {
	bool counted; /* if true, count the events; if false, sum their weights */
	bool failed;  /* SQL must sum the blocks */
	struct pair_map by_track;
	struct track_sum *items;
	size_t count, room;
};

static void
put_track(struct tracks *g, struct track_sum s)
{
	*ARRAY_ADD(g->items, g->count, g->room) = s;
	g->failed = g->failed || g->count >= TRACKS_MAX;
}

/* Adds a weight to the sum in item i. If the sum would exceed 64 bits, first moves the old sum to a new item. */
static void
add_weight(struct tracks *g, size_t i, int64_t weight)
{
	int64_t sum;

	if (__builtin_add_overflow(g->items[i].sum, weight, &sum)) {
		put_track(g, g->items[i]);
		g->items[i].count = 0;
		sum = weight;
	}
	g->items[i].sum = sum;
	g->items[i].count++;
}

static bool
add_to_tracks(void *self, struct event_block *b, struct error *err)
{
	struct tracks *g = self;
	int64_t track = 0;

	(void)err;
	g->failed = g->failed || (!g->counted && !b->plain);
	for (size_t i = 0; i < b->count && !g->failed; i++) {
		int64_t weight = g->counted;
		bool added;
		uint32_t at;

		event_block_track(b, i, &track);
		if (!g->counted)
			(void)event_array_next(&b->weights, &weight);
		at = pair_map_add(&g->by_track, b->inst_id, track, (uint32_t)g->count, &added);
		if (added)
			put_track(g, (struct track_sum){ .inst_id = b->inst_id, .track = track });
		add_weight(g, at, weight);
	}
	return true;
}

/* Returns an SQL array that has one number of each item. `member` selects the number: 0 is inst_id,
 * 1 is track, 2 is count, 3 is sum. */
static const char *
array_of(struct arena *a, const struct tracks *g, size_t member)
{
	struct strbuf b;
	const char *text;

	strbuf_init(&b, ARRAY_MAX_BYTES);
	for (size_t i = 0; i < g->count; i++) {
		const struct track_sum *s = &g->items[i];
		const int64_t members[] = { s->inst_id, s->track, s->count, s->sum };

		strbuf_printf(&b, "%c%" PRId64, i ? ',' : '{', members[member]);
	}
	text = arena_printf(a, "%s}", g->count ? strbuf_str(&b) : "{");
	strbuf_release(&b);
	return text;
}

bool
event_track_sums_read(struct db *db, struct arena *a, const struct event_query *q,
	const struct event_sets *sets, struct event_track_sums *out, bool *known, struct error *err)
{
	struct tracks g = { .counted = q->weight == q->category->column_count };
	unsigned parts = EVENT_TRACKS | (g.counted ? 0U : EVENT_WEIGHTS);
	bool ok;

	*known = false;
	if (!(sets->storage & EVENT_IN_BLOCKS) ||
		(!g.counted && q->weight != category_first_of(q->category, CATEGORY_ELAPSED)) ||
		!event_sql_asks_tracks(a, q, sets))
		return true;
	ok = event_blocks_each(db, sets, parts, add_to_tracks, &g, err);
	*known = ok && !g.failed;
	if (*known)
		*out = (struct event_track_sums){ array_of(a, &g, 0), array_of(a, &g, 1),
			array_of(a, &g, 2), array_of(a, &g, 3) };
	pair_map_release(&g.by_track);
	free(g.items);
	return ok;
}
