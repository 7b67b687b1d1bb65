/* A sink that writes an input to an open set, and maps the input's numbers to the set's. */
#include "live_private.h"
#include "store/columns.h"

#include "base/array.h"

#include <stdlib.h>

enum {
	SKIPPED = 0 /* replaces the track number of a skipped track */
};

struct live_sink {
	struct sink sink; /* must be first: callbacks cast the sink to this struct */
	struct live *live;
	struct live_set *set;
	/* These map numbers in the input to numbers in the set. */
	struct pair_map routines, tracks;
	struct pair_map skipped; /* key: hash of the profile's Id */
	struct pair_map
		lines; /* key: the routine's number in the set and the line's number in the input */
	int64_t *ids;
	size_t id_room;
	int64_t span_base;
};

static bool
refuse(struct error *err)
{
	return error_set(err, ERROR_INPUT, "only samples and spans go into an open result set");
}

static bool
begin(struct sink *s, const struct set_row *row, uint32_t *set, bool *wanted, struct error *err)
{
	(void)s;
	(void)row;
	(void)err;
	*set = 0;
	*wanted = true;
	return true;
}

static bool
metric(struct sink *s, uint32_t set, const struct metric_row *row, metric_number *number,
	struct error *err)
{
	struct live_sink *k = (struct live_sink *)s;

	(void)set;
	return live_metric(k->live, k->set, row, number, err);
}

static bool
routine(struct sink *s, uint32_t set, const struct routine_row *row, struct error *err)
{
	struct live_sink *k = (struct live_sink *)s;
	int64_t id;

	(void)set;
	if (!live_routine(k->live, k->set, row, &id, err))
		return false;
	pair_map_add(&k->routines, row->rec_id, 0, (uint32_t)id, NULL);
	return true;
}

/* Returns MODEL_NULL for a number that is absent or unknown. */
static int64_t
mapped(const struct pair_map *m, int64_t a, int64_t b)
{
	uint32_t id = a == MODEL_NULL ? PAIR_MAP_NONE : pair_map_get(m, a, b);

	return id == PAIR_MAP_NONE ? MODEL_NULL : id;
}

static bool
line(struct sink *s, uint32_t set, const struct line_row *row, struct error *err)
{
	struct live_sink *k = (struct live_sink *)s;
	int64_t owner = mapped(&k->routines, row->parent_id, 0);
	int64_t id;

	(void)set;
	if (owner == MODEL_NULL)
		return refuse(err);
	if (!live_line(k->live, k->set, owner, row->source_line, &id, err))
		return false;
	pair_map_add(&k->lines, owner, row->rec_id, (uint32_t)id, NULL);
	return true;
}

static bool
stack(struct sink *s, uint32_t set, const struct stack_row *row, stack_number *number,
	struct error *err)
{
	struct live_sink *k = (struct live_sink *)s;
	struct stack_row mine = { .count = row->count };

	(void)set;
	ARRAY_RESERVE(k->ids, k->id_room, 2 * row->count);
	for (size_t i = 0; i < row->count; i++) {
		k->ids[i] = mapped(&k->routines, row->routine_ids[i], 0);
		if (k->ids[i] == MODEL_NULL || row->frame_ids)
			return refuse(err);
		if (row->line_ids)
			k->ids[row->count + i] = mapped(&k->lines, k->ids[i], row->line_ids[i]);
	}
	mine.routine_ids = k->ids;
	mine.line_ids = row->line_ids ? k->ids + row->count : NULL;
	return live_stack(k->live, k->set, &mine, number, err);
}

void
live_sink_skip(struct sink *s, struct text profile_id)
{
	struct live_sink *k = (struct live_sink *)s;
	struct hash128 h = live_text_hash(profile_id);

	pair_map_add(&k->skipped, (int64_t)h.low, (int64_t)h.high, 0, NULL);
}

static bool
is_skipped(const struct live_sink *k, struct text id)
{
	struct hash128 h = live_text_hash(id);

	return id.data &&
	       pair_map_get(&k->skipped, (int64_t)h.low, (int64_t)h.high) != PAIR_MAP_NONE;
}

static bool
track(struct sink *s, uint32_t set, const struct track_row *row, struct error *err)
{
	struct live_sink *k = (struct live_sink *)s;
	int32_t id;

	(void)set;
	if (is_skipped(k, row->source_id)) {
		pair_map_add(&k->tracks, row->id, 0, SKIPPED, NULL);
		return true;
	}
	if (!live_track(k->live, k->set, row, &id, err))
		return false;
	pair_map_add(&k->tracks, row->id, 0, (uint32_t)id, NULL);
	return true;
}

static bool
sample(struct sink *s, uint32_t set, const struct sample_row *row, struct error *err)
{
	struct live_sink *k = (struct live_sink *)s;
	struct sample_row mine = *row;
	int64_t id = mapped(&k->tracks, row->track, 0);

	(void)set;
	if (id == MODEL_NULL)
		return refuse(err);
	mine.track = (int32_t)id;
	return live_sample(k->live, k->set, &mine, err);
}

static bool
path(struct sink *s, uint32_t set, path_number parent, int64_t routine_id, path_number *number,
	struct error *err)
{
	(void)s;
	(void)set;
	(void)parent;
	(void)routine_id;
	(void)err;
	*number = 0;
	return true;
}

static bool
span(struct sink *s, uint32_t set, const struct span_row *row, struct error *err)
{
	struct live_sink *k = (struct live_sink *)s;
	struct span_row mine = *row;
	int64_t id = mapped(&k->tracks, row->track, 0);

	(void)set;
	if (id == SKIPPED)
		return true;
	if (id == MODEL_NULL)
		return refuse(err);
	mine.track = (int32_t)id;
	mine.id += k->span_base;
	if (row->parent_id != MODEL_NULL)
		mine.parent_id += k->span_base;
	mine.routine_id = mapped(&k->routines, row->routine_id, 0);
	if (mine.id > k->set->last_span)
		k->set->last_span = mine.id;
	k->set->rows_since++;
	k->set->span_count++;
	live_row(k->live, k->set, REL_SPAN_ROWS);
	span_row_put(k->live->copier, &mine);
	return copier_row_end(k->live->copier, err);
}

static bool
issue(struct sink *s, uint32_t set, const struct issue *i, struct error *err)
{
	(void)s;
	(void)set;
	(void)i;
	(void)err;
	return true;
}

static bool
metadata(struct sink *s, uint32_t set, const char *key, struct text value, struct error *err)
{
	(void)s;
	(void)set;
	(void)key;
	(void)value;
	(void)err;
	return true;
}

static bool
end(struct sink *s, struct error *err)
{
	(void)s;
	(void)err;
	return true;
}

static bool
refuse_object(struct sink *s, uint32_t set, const struct object_row *row, struct error *err)
{
	(void)s;
	(void)set;
	(void)row;
	return refuse(err);
}

static bool
refuse_error(struct sink *s, uint32_t set, const struct error_row *row, struct error *err)
{
	(void)s;
	(void)set;
	(void)row;
	return refuse(err);
}

static bool
refuse_frame(struct sink *s, uint32_t set, const struct frame_row *row, struct error *err)
{
	(void)s;
	(void)set;
	(void)row;
	return refuse(err);
}

struct sink *
live_sink_new(struct live *l, struct live_set *set)
{
	struct live_sink *k = xcalloc(1, sizeof(*k));

	k->live = l;
	k->set = set;
	k->span_base = set->last_span;
	k->sink = (struct sink){
		.set = begin,
		.metric = metric,
		.routine = routine,
		.line = line,
		.stack = stack,
		.track = track,
		.sample = sample,
		.path = path,
		.span = span,
		.issue = issue,
		.metadata = metadata,
		.end = end,
		.object = refuse_object,
		.error = refuse_error,
		.frame = refuse_frame,
	};
	return &k->sink;
}

void
live_sink_free(struct sink *s)
{
	struct live_sink *k = (struct live_sink *)s;

	if (!s)
		return;
	pair_map_release(&k->routines);
	pair_map_release(&k->tracks);
	pair_map_release(&k->lines);
	pair_map_release(&k->skipped);
	free(k->ids);
	free(k);
}

bool
live_add_client_timing(struct live *l, struct live_set *set, int32_t track,
	const struct live_client_timing *t, struct error *err)
{
	const struct span_row row = {
		.id = ++set->last_span,
		.parent_id = MODEL_NULL,
		.track = track,
		.kind = "client",
		.name = t->name,
		.routine_id = MODEL_NULL,
		.start = t->start,
		.duration = t->duration,
		.errored = -1,
	};

	set->rows_since++;
	set->span_count++;
	live_row(l, set, REL_SPAN_ROWS);
	span_row_put(l->copier, &row);
	return copier_row_end(l->copier, err);
}
