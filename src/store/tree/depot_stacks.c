/* Reads stacks by the routines of their innermost frames. */
#include "store/tree/depot_stacks.h"

#include "base/array.h"
#include "base/number.h"
#include "db/sql_array.h"
#include "store/binary_values.h"
#include "store/id_array_private.h"
#include "store/id_map_private.h"
#include "store/store_private.h"
#include "tree_private.h"

#include <stdlib.h>
#include <string.h>

enum {
	MAX_ARRAY_BYTES = 512 * 1024 * 1024,
	/* With more routines than this, the server needs longer to compare arrays than to send all stacks. */
	MAX_THROUGH = 16
};

struct opened {
	struct depot_stacks shown; /* must be first */
	struct db *db;
	char inst_id[24];
	const int64_t *ids; /* for each name: its routine */
	wide_int *values;   /* for each stack */
	bool *known;        /* for each stack: whether it has a value, which can be 0 */
	size_t value_count, value_room, known_room;
	struct id_map names; /* routine -> first name */
	bool unusable;
};

/* --- routines and values --------------------------------------------------------------------- */

static void
add_value(struct opened *s, size_t stack, wide_int value)
{
	if (value < 0 || stack > STACK_ID_MAX) {
		s->unusable = true;
		return;
	}
	ARRAY_RESERVE_ZEROED(s->values, s->value_room, stack + 1);
	ARRAY_RESERVE_ZEROED(s->known, s->known_room, stack + 1);
	s->value_count = stack >= s->value_count ? stack + 1 : s->value_count;
	s->values[stack] = fixed_add(s->values[stack], value);
	s->known[stack] = true;
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
 * is too large to be stored completely. Sets *lines to whether frames have lines. */
static bool
is_usable(struct db *db, const struct tree_metric *m, bool *lines, struct error *err)
{
	struct db_result *r;
	int64_t nodes;
	bool graph;

	if (!m->closed || !m->name.data || m->family > METRIC_OF_SAMPLES ||
		!tree_stored_size(db, m, &nodes, err) || nodes < CALL_TREE_STORED_NODES)
		return false;
	r = STORE_QUERY(db, "stack_traits", SQL_STORE_STACK_TRAITS,
		err, [SQL_STORE_STACK_TRAITS_INST_ID] = m->inst_id);
	graph = !r || db_result_bool(r, 0, 0);
	*lines = r && db_result_bool(r, 0, 1);
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
	bool lines;

	*out = NULL;
	if (!tree_metric_find(db, a, q->inst_id, q->metric, &m, err))
		return false;
	if (!is_usable(db, &m, &lines, err))
		return !err->code;
	if (!tree_read_routines(db, a, &m, &routines, &ids, err) || !routines)
		return !err->code;
	s = arena_alloc(a, sizeof(*s));
	s->db = db;
	memcpy(s->inst_id, m.inst_id, sizeof(s->inst_id));
	s->ids = ids;
	s->shown.routines = routines;
	s->shown.same = tree_same_names(a, routines);
	s->shown.lines = lines;
	id_map_fill(&s->names, ids, s->shown.same, routines->name_count);
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
	id_map_release(&s->names);
	free(s->values);
	free(s->known);
}

/* --- stacks ---------------------------------------------------------------------------------- */

struct reading {
	const struct opened *s;
	stack_names_fn *each;
	void *self;
	uint32_t *names; /* of the current stack */
	size_t room;
	bool partial; /* a stack was omitted */
};

static bool
refuse(struct error *err)
{
	return error_set(err, ERROR_DATABASE, "the stored costs of the routines are incomplete");
}

static bool
take_stack(void *self, const struct db_result *row, struct error *err)
{
	struct reading *r = self;
	const uint32_t stack = stack_id_of(db_result_value(row, 0, 0));
	struct id_array ids = array_open(db_result_value(row, 0, 1));
	int64_t routine;
	size_t n = 0;

	if (stack >= r->s->value_count || !r->s->known[stack] || !ids.left)
		return true;
	ARRAY_RESERVE(r->names, r->room, ids.left);
	while (array_next(&ids, &routine)) {
		r->names[n] = id_map_get(&r->s->names, routine);
		if (r->names[n++] != PAIR_MAP_NONE)
			continue;
		/* The depot stores no costs of a routine that costs nothing. */
		r->partial = true;
		return r->s->values[stack] == 0 || refuse(err);
	}
	return r->each(
		r->self, &(struct named_stack){ stack, r->names, n, r->s->values[stack] }, err);
}

/* The routines are array literals or NULL; see stack_paths.sql. */
static bool
read_stacks(const struct opened *s, const char *innermost, const char *through,
	stack_names_fn *each, void *self, bool *whole, struct error *err)
{
	struct reading r = { .s = s, .each = each, .self = self };
	bool ok = db_query_each_binary(s->db, store_sql("store/stack_paths"),
		SQL_VALUES(SQL_STORE_STACK_PATHS, [SQL_STORE_STACK_PATHS_INST_ID] = s->inst_id,
			[SQL_STORE_STACK_PATHS_ROUTINE_IDS] = innermost,
			[SQL_STORE_STACK_PATHS_THROUGH_IDS] = through),
		SQL_STORE_STACK_PATHS_PARAMS, take_stack, &r, err);

	free(r.names);
	*whole = !r.partial;
	return ok;
}

/* Appends the routines of the marked names. Returns their number. */
static size_t
put_routines(const struct opened *s, const bool *marked, struct strbuf *ids)
{
	const size_t names = s->shown.routines->name_count;
	size_t count = 0;

	for (size_t i = 0; i < names; i++) {
		if (!marked[s->shown.same[i]])
			continue;
		sql_array_int(ids, s->ids[i]);
		count++;
	}
	sql_array_end(ids);
	return count;
}

bool
depot_stacks_each(const struct depot_stacks *stacks, const bool *through, stack_names_fn *each,
	void *self, bool *whole, struct error *err)
{
	const struct opened *s = (const struct opened *)stacks;
	struct strbuf ids = STRBUF_INIT(MAX_ARRAY_BYTES);
	bool few = through && put_routines(s, through, &ids) <= MAX_THROUGH;
	bool ok = read_stacks(s, NULL, few ? strbuf_str(&ids) : NULL, each, self, whole, err);

	strbuf_release(&ids);
	return ok;
}

struct appending {
	const bool *wanted;
	wide_int *alone;
	struct stacks *out;
};

static bool
append_stack(void *self, const struct named_stack *stack, struct error *err)
{
	struct appending *a = self;
	struct stacks *out = a->out;
	const size_t first = out->frame_count;

	if (stack->value == 0)
		return true;
	if (stack->count == 1 && !a->wanted[stack->names[0]]) {
		a->alone[stack->names[0]] += stack->value;
		return true;
	}
	if (first + stack->count >= STACKS_END - 1)
		return error_set(err, ERROR_LIMIT, "the stacks have too many frames");
	ARRAY_RESERVE(out->frames, out->frame_room, first + stack->count + 1);
	memcpy(out->frames + first, stack->names, stack->count * sizeof(*stack->names));
	out->frame_count += stack->count;
	out->frames[out->frame_count++] = STACKS_END;
	*ARRAY_ADD(out->items, out->count, out->room) =
		(struct weighed_stack){ (uint32_t)first, stack->value };
	return true;
}

bool
depot_stacks_read(
	void *self, const bool *wanted, wide_int *alone, struct stacks *out, struct error *err)
{
	const struct opened *s = self;
	const size_t names = s->shown.routines->name_count;
	struct appending appending = { wanted, alone, out };
	struct strbuf ids = STRBUF_INIT(MAX_ARRAY_BYTES);
	bool whole; /* stacks with the value 0 do not matter */
	bool ok;

	memset(alone, 0, names * sizeof(*alone));
	put_routines(s, wanted, &ids);
	if (ids.failed)
		ok = error_set(err, ERROR_LIMIT, "the call tree has too many routines");
	else
		ok = read_stacks(s, strbuf_str(&ids), NULL, append_stack, &appending, &whole, err);
	strbuf_release(&ids);
	return ok;
}

/* --- names ----------------------------------------------------------------------------------- */

struct marking {
	const struct opened *s;
	bool *marked;
};

static bool
take_routine(void *self, const struct db_result *row, struct error *err)
{
	struct marking *m = self;
	const uint32_t name = id_map_get(&m->s->names, db_result_int64(row, 0, 0, 0));

	(void)err;
	if (name != PAIR_MAP_NONE)
		m->marked[name] = true;
	return true;
}

bool
depot_stacks_mark(
	const struct depot_stacks *stacks, const char *patterns, bool *marked, struct error *err)
{
	struct marking m = { (const struct opened *)stacks, marked };

	return db_query_each(m.s->db, store_sql("store/routines_like"),
		SQL_VALUES(
			SQL_STORE_ROUTINES_LIKE, [SQL_STORE_ROUTINES_LIKE_INST_ID] = m.s->inst_id,
			[SQL_STORE_ROUTINES_LIKE_ROUTINE] = patterns),
		SQL_STORE_ROUTINES_LIKE_PARAMS, take_routine, &m, err);
}
