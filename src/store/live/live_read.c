/* Reads the dictionaries of an open set from the depot. */
#include "live_private.h"
#include "store/id_array_private.h"
#include "store/store_private.h"

#include "base/array.h"
#include "store/result_sets.h"

struct reading {
	struct live *live;
	struct live_set *set;
};

/* Makes sure that *next is higher than `number`, which may have been assigned by another process. */
static void
raise(int64_t *next, int64_t number)
{
	if (number >= *next && number < INT32_MAX)
		*next = number + 1;
}

static bool
add_routine(void *self, const struct db_result *row, struct error *err)
{
	struct reading *g = self;
	const struct load_routine r = { .module = db_result_value(row, 0, 1),
		.class_name = db_result_value(row, 0, 2),
		.routine = db_result_value(row, 0, 3),
		.file = db_result_value(row, 0, 4) };
	int64_t rec_id = db_result_int64(row, 0, 0, -1);
	struct hash128 h = live_routine_key(g->live, &r, db_result_value(row, 0, 5));

	(void)err;
	raise(&g->set->next_routine, db_result_int64(row, 0, 6, -1));
	raise(&g->set->next_routine, rec_id);
	if (rec_id < 0 || rec_id >= INT32_MAX)
		return true;
	pair_map_add(&g->set->routines, (int64_t)h.low, (int64_t)h.high, (uint32_t)rec_id, NULL);
	live_keep_routine(g->live, g->set, rec_id, &r, db_result_int64(row, 0, 7, MODEL_NULL));
	return true;
}

static bool
add_line(void *self, const struct db_result *row, struct error *err)
{
	struct reading *g = self;
	int64_t rec_id = db_result_int64(row, 0, 0, -1);

	(void)err;
	raise(&g->set->next_line, db_result_int64(row, 0, 3, -1));
	raise(&g->set->next_line, rec_id);
	if (rec_id >= 0 && rec_id < INT32_MAX)
		pair_map_add(&g->set->lines, db_result_int64(row, 0, 1, -1),
			db_result_int64(row, 0, 2, MODEL_NULL), (uint32_t)rec_id, NULL);
	return true;
}

/* Reads an array into l->ids, from index `at`. Returns the number of elements. */
static size_t
read_ids(struct live *l, struct text t, size_t at)
{
	struct id_array a = array_open(t);
	size_t count = 0;
	int64_t id;

	while (t.data && array_next(&a, &id)) {
		ARRAY_RESERVE(l->ids, l->id_room, at + count + 1);
		l->ids[at + count++] = id == CALL_TREE_UNKNOWN ? MODEL_NULL : id;
	}
	return count;
}

static bool
add_stack(void *self, const struct db_result *row, struct error *err)
{
	struct reading *g = self;
	struct text number = db_result_value(row, 0, 0);
	size_t count = read_ids(g->live, db_result_value(row, 0, 1), 0);
	size_t lines = read_ids(g->live, db_result_value(row, 0, 2), count);
	const struct stack_row s = { .count = count,
		.routine_ids = g->live->ids,
		.line_ids = lines == count && count ? g->live->ids + count : NULL };
	struct hash128 h;
	uint32_t id;

	(void)err;
	if (number.size != 8 || (lines && lines != count))
		return true;
	id = get_u32(number.data + 4);
	if (id >= (uint32_t)g->set->next_stack && id < INT32_MAX)
		g->set->next_stack = (int32_t)id + 1;
	h = live_stack_key(g->live, &s);
	if (count)
		pair_map_add(&g->set->stacks, (int64_t)h.low, (int64_t)h.high, id, NULL);
	return true;
}

static bool
add_track(void *self, const struct db_result *row, struct error *err)
{
	struct reading *g = self;
	bool is_process = text_equal(db_result_value(row, 0, 1), TEXT_LITERAL("process"));
	int64_t id = db_result_int64(row, 0, 0, 0);
	struct hash128 h = is_process
				   ? live_track_key(g->live, db_result_value(row, 0, 2),
					     db_result_value(row, 0, 3), db_result_value(row, 0, 4),
					     db_result_int64(row, 0, 5, MODEL_NULL))
				   : live_text_hash(db_result_value(row, 0, 6));

	(void)err;
	if (id >= g->set->next_track && id < INT32_MAX)
		g->set->next_track = (int32_t)id + 1;
	pair_map_add(is_process ? &g->set->tracks : &g->set->profiles, (int64_t)h.low,
		(int64_t)h.high, (uint32_t)id, NULL);
	return true;
}

/* An open set numbers its metrics from 1 without gaps. */
static bool
add_metric(void *self, const struct db_result *row, struct error *err)
{
	struct reading *g = self;
	struct live_set *set = g->set;
	int64_t number = db_result_int64(row, 0, 0, 0);

	set->last_sample = db_result_int64(row, 0, 2, 0);
	if (set->last_sample > g->live->last_sample)
		g->live->last_sample = set->last_sample;
	set->last_span = db_result_int64(row, 0, 3, 0);
	if (number == 0)
		return true;
	if (number != set->metric_count + 1 || number > LIVE_METRICS_MAX)
		return error_set(err, ERROR_INPUT,
			"result set %lld was changed: its metrics are "
			"not numbered from 1",
			(long long)set->inst_id);
	set->metrics[set->metric_count++] = arena_text(&set->arena, db_result_value(row, 0, 1));
	return true;
}

static bool
read_counts(struct live *l, struct live_set *set, struct error *err)
{
	struct db_result *r = result_sets_open_counts(l->db, &set->inst_id, 1, err);

	if (r && db_result_rows(r)) {
		set->sample_count = db_result_int64(r, 0, 4, 0);
		set->span_count = db_result_int64(r, 0, 5, 0);
	}
	return db_done(r);
}

bool
live_set_read(struct live *l, struct live_set *set, struct error *err)
{
	struct reading g = { l, set };
	int64_t inst_id = set->inst_id;

	return read_counts(l, set, err) &&
	       store_each(l->db, "store/live_metrics", inst_id, add_metric, &g, err) &&
	       store_each(l->db, "store/live_routines", inst_id, add_routine, &g, err) &&
	       store_each(l->db, "store/live_lines", inst_id, add_line, &g, err) &&
	       store_each_binary(l->db, "store/live_stacks", inst_id, add_stack, &g, err) &&
	       store_each(l->db, "store/live_tracks", inst_id, add_track, &g, err);
}
