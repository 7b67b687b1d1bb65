/* Counts and sums the events in blocks by track. */
#include "event_track_sums.h"

#include "base/array.h"
#include "base/pair_map.h"
#include "base/strbuf.h"
#include "event_blocks.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	TRACKS_MAX = 100 * 1000, /* with more, SQL is as fast */
	ARRAY_MAX_BYTES = 2 * TRACKS_MAX * 24,
};

struct sum {
	int64_t inst_id, track, count, sum;
};

struct sums {
	bool counted; /* events, not their weights */
	bool failed;  /* SQL must do it */
	struct pair_map by_track;
	struct sum *items;
	size_t count, room;
};

static void
put(struct sums *g, struct sum s)
{
	*ARRAY_ADD(g->items, g->count, g->room) = s;
	g->failed = g->failed || g->count >= TRACKS_MAX;
}

/* A sum that exceeds 64 bits continues in a further item. */
static void
add(struct sums *g, size_t i, int64_t weight)
{
	int64_t sum;

	if (__builtin_add_overflow(g->items[i].sum, weight, &sum)) {
		put(g, g->items[i]);
		g->items[i].count = 0;
		sum = weight;
	}
	g->items[i].sum = sum;
	g->items[i].count++;
}

static bool
take_block(void *self, struct event_block *b, struct error *err)
{
	struct sums *g = self;
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
			put(g, (struct sum){ .inst_id = b->inst_id, .track = track });
		add(g, at, weight);
	}
	return true;
}

/* One member of all items as an array in SQL's syntax. */
static const char *
array_of(struct arena *a, const struct sums *g, size_t member)
{
	struct strbuf b;
	const char *text;

	strbuf_init(&b, ARRAY_MAX_BYTES);
	for (size_t i = 0; i < g->count; i++) {
		const struct sum *s = &g->items[i];
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
	struct sums g = { .counted = q->weight == q->category->column_count };
	unsigned parts = EVENT_TRACKS | (g.counted ? 0U : EVENT_WEIGHTS);
	bool ok;

	*known = false;
	if (!(sets->storage & EVENT_IN_BLOCKS) ||
		(!g.counted && q->weight != category_first_of(q->category, CATEGORY_ELAPSED)) ||
		!event_sql_asks_tracks(a, q, sets))
		return true;
	pair_map_init(&g.by_track);
	ok = event_blocks_each(db, sets, parts, take_block, &g, err);
	*known = ok && !g.failed;
	if (*known)
		*out = (struct event_track_sums){ array_of(a, &g, 0), array_of(a, &g, 1),
			array_of(a, &g, 2), array_of(a, &g, 3) };
	pair_map_release(&g.by_track);
	free(g.items);
	return ok;
}
