/* Reads stacks by the routines of their innermost frames. */
#include "store/tree/depot_stacks.h"

#include "base/array.h"
#include "base/number.h"
#include "base/pair_map.h"
#include "db/sql_array.h"
#include "store/binary_values.h"
#include "store/id_array_private.h"
#include "store/store_private.h"
#include "tree_private.h"

#include <stdlib.h>
#include <string.h>

enum {
	MAX_STACK_ID = 64 * 1024 * 1024, /* the loader numbers stacks from 1 */
	MAX_ARRAY_BYTES = 512 * 1024 * 1024
};

struct opened {
	struct depot_stacks shown; /* must be first */
	struct db *db;
	char inst_id[24];
	const int64_t *ids; /* for each name: its routine */
	wide_int *values;   /* for each stack */
	size_t value_count, value_room;
	/* Routine -> name. The array is used if the numbers of the routines are dense. */
	struct pair_map map;
	uint32_t *by_number; /* 1 + name, or 0 */
	int64_t first, last;
	bool unusable;
};

static uint32_t
stack_id_of(const struct db_result *row)
{
	struct text stack = db_result_value(row, 0, 0);

	return stack.size == 4 ? get_u32(stack.data) : 0;
}

/* --- routines and values --------------------------------------------------------------------- */

static void
map_routines(struct opened *s, struct arena *a, size_t count)
{
	s->first = INT64_MAX;
	s->last = INT64_MIN;
	for (size_t i = 0; i < count; i++) {
		s->first = s->ids[i] < s->first ? s->ids[i] : s->first;
		s->last = s->ids[i] > s->last ? s->ids[i] : s->last;
	}
	if (count && (uint64_t)s->last - (uint64_t)s->first < 4 * (uint64_t)count)
		s->by_number = arena_alloc_array(
			a, (size_t)(s->last - s->first) + 1, sizeof(*s->by_number));
	for (size_t i = 0; i < count; i++) {
		const uint32_t name = s->shown.same[i];

		if (s->by_number)
			s->by_number[s->ids[i] - s->first] = name + 1;
		else
			pair_map_add(&s->map, s->ids[i], 0, name, NULL);
	}
}

static inline uint32_t
name_of(const struct opened *s, int64_t routine)
{
	if (!s->by_number)
		return pair_map_get(&s->map, routine, 0);
	if (routine < s->first || routine > s->last)
		return PAIR_MAP_NONE;
	return s->by_number[routine - s->first] - 1; /* 0 - 1 is PAIR_MAP_NONE */
}

static void
add_value(struct opened *s, size_t stack, wide_int value)
{
	if (value < 0 || stack > MAX_STACK_ID) {
		s->unusable = true;
		return;
	}
	ARRAY_RESERVE_ZEROED(s->values, s->value_room, stack + 1);
	s->value_count = stack >= s->value_count ? stack + 1 : s->value_count;
	s->values[stack] = fixed_add(s->values[stack], value);
}

static bool
take_values(void *self, const struct db_result *row, struct error *err)
{
	struct text stacks = db_result_value(row, 0, 0);
	struct text values = db_result_value(row, 0, 1);

	(void)err;
	for (size_t i = 0; i < stacks.size / 4; i++)
		add_value(
			self, get_u32(stacks.data + i * 4), tree_fixed(binary_next_word(&values)));
	return true;
}

static bool
read_values(struct opened *s, struct arena *a, const struct tree_metric *m, struct error *err)
{
	return db_query_each_binary(s->db, store_sql("store/stack_values"),
		SQL_VALUES(SQL_STORE_STACK_VALUES, [SQL_STORE_STACK_VALUES_INST_ID] = m->inst_id,
			[SQL_STORE_STACK_VALUES_METRIC] =
				arena_strndup(a, m->name.data, m->name.size),
			[SQL_STORE_STACK_VALUES_OBJECTS] =
				m->family == METRIC_OF_OBJECTS ? "t" : "f"),
		SQL_STORE_STACK_VALUES_PARAMS, take_values, s, err);
}

/* Returns whether the metric is a sum of stacks whose routines have these sums as their stored costs, and whose tree
 * is too large to be stored completely. */
static bool
is_usable(struct db *db, const struct tree_metric *m, struct error *err)
{
	struct db_result *r;
	int64_t nodes;
	bool graph;

	if (!m->closed || !m->name.data || m->family > METRIC_OF_SAMPLES ||
		!tree_stored_size(db, m, &nodes, err) || nodes < CALL_TREE_STORED_NODES)
		return false;
	r = STORE_QUERY(db, "has_call_graph", SQL_STORE_HAS_CALL_GRAPH,
		err, [SQL_STORE_HAS_CALL_GRAPH_INST_ID] = m->inst_id);
	graph = !r || db_result_bool(r, 0, 0);
	db_result_free(r);
	return !graph;
}

bool
depot_stacks_open(struct db *db, struct arena *a, const struct tree_question *q,
	struct depot_stacks **out, struct error *err)
{
	struct opened *s;
	struct tree_metric m;
	struct tree *routines;
	int64_t *ids;

	*out = NULL;
	if (!tree_metric_find(db, a, q->inst_id, q->metric, &m, err))
		return false;
	if (!is_usable(db, &m, err))
		return !err->code;
	if (!tree_read_routines(db, a, &m, &routines, &ids, err) || !routines)
		return !err->code;
	s = arena_alloc(a, sizeof(*s));
	s->db = db;
	memcpy(s->inst_id, m.inst_id, sizeof(s->inst_id));
	s->ids = ids;
	s->shown.routines = routines;
	s->shown.same = tree_same_names(a, routines);
	map_routines(s, a, routines->name_count);
	*out = &s->shown;
	if (read_values(s, a, &m, err) && !s->unusable)
		return true;
	depot_stacks_close(*out);
	*out = NULL;
	return !err->code;
}

void
depot_stacks_close(struct depot_stacks *stacks)
{
	struct opened *s = (struct opened *)stacks;

	if (!s)
		return;
	pair_map_release(&s->map);
	free(s->values);
}

/* --- stacks ---------------------------------------------------------------------------------- */

struct reading {
	const struct opened *s;
	const bool *wanted;
	wide_int *alone;
	struct stacks *out;
};

static bool
refuse(struct error *err)
{
	return error_set(err, ERROR_DATABASE, "the stored costs of the routines are incomplete");
}

static bool
take_stack(void *self, const struct db_result *row, struct error *err)
{
	const struct reading *r = self;
	const uint32_t stack = stack_id_of(row);
	const wide_int value = stack < r->s->value_count ? r->s->values[stack] : 0;
	struct id_array ids = array_open(db_result_value(row, 0, 1));
	struct stacks *out = r->out;
	const size_t first = out->frame_count;
	const bool single = ids.left == 1;
	int64_t routine;

	if (value == 0 || !ids.left)
		return true;
	if (first + ids.left >= STACKS_END - 1)
		return error_set(err, ERROR_LIMIT, "the stacks have too many frames");
	ARRAY_RESERVE(out->frames, out->frame_room, first + ids.left + 1);
	while (array_next(&ids, &routine)) {
		const uint32_t name = name_of(r->s, routine);

		if (name == PAIR_MAP_NONE)
			return refuse(err);
		out->frames[out->frame_count++] = name;
	}
	if (single && !r->wanted[out->frames[first]]) {
		r->alone[out->frames[first]] += value;
		out->frame_count = first;
		return true;
	}
	out->frames[out->frame_count++] = STACKS_END;
	*ARRAY_ADD(out->items, out->count, out->room) =
		(struct weighed_stack){ (uint32_t)first, value };
	return true;
}

bool
depot_stacks_read(
	void *self, const bool *wanted, wide_int *alone, struct stacks *out, struct error *err)
{
	const struct opened *s = self;
	const size_t names = s->shown.routines->name_count;
	struct reading r = { s, wanted, alone, out };
	struct strbuf ids = STRBUF_INIT(MAX_ARRAY_BYTES);
	bool ok;

	memset(alone, 0, names * sizeof(*alone));
	for (size_t i = 0; i < names; i++)
		if (wanted[s->shown.same[i]])
			sql_array_int(&ids, s->ids[i]);
	sql_array_end(&ids);
	if (ids.failed)
		ok = error_set(err, ERROR_LIMIT, "the call tree has too many routines");
	else
		ok = db_query_each_binary(s->db, store_sql("store/stack_paths"),
			SQL_VALUES(
				SQL_STORE_STACK_PATHS, [SQL_STORE_STACK_PATHS_INST_ID] = s->inst_id,
				[SQL_STORE_STACK_PATHS_ROUTINE_IDS] = strbuf_str(&ids)),
			SQL_STORE_STACK_PATHS_PARAMS, take_stack, &r, err);
	strbuf_release(&ids);
	return ok;
}
