/* Leaks and errors of a result set with their stacks, in memory. */
#include "base/array.h"
#include "base/pair_map.h"
#include "id_array_private.h"
#include "store/suppressions.h"
#include "store_private.h"

#include <stdlib.h>

/* The arrays are not in the arena, because they grow. */
struct facts {
	struct arena *arena;
	struct suppress_routine *routines;
	int64_t *own_lines; /* first lines of the routines */
	size_t routine_count, routine_capacity, own_line_capacity;
	struct pair_map by_rec_id;   /* routine -> index in routines */
	struct pair_map by_line;     /* routine, line -> index in lines */
	struct pair_map by_stack_id; /* stack_id -> index in stacks */
	int64_t *lines;
	size_t line_count, line_capacity;
	struct suppress_stack *stacks;
	size_t stack_count, stack_capacity;
	struct suppress_subject *subjects;
	size_t count, capacity;
	size_t next_error; /* index of the current error while further stacks are read */
};

static bool
take_routine(void *self, const struct db_result *row, struct error *err)
{
	struct facts *f = self;
	struct suppress_routine *r;
	bool added;

	(void)err;
	pair_map_add(&f->by_rec_id, db_result_int64(row, 0, 0, 0), 0, (uint32_t)f->routine_count,
		&added);
	if (!added)
		return true;
	ARRAY_RESERVE(f->routines, f->routine_capacity, f->routine_count + 1);
	ARRAY_RESERVE(f->own_lines, f->own_line_capacity, f->routine_count + 1);
	r = &f->routines[f->routine_count];
	*r = (struct suppress_routine){ .symbol = arena_text(f->arena, db_result_value(row, 0, 1)),
		.name = arena_text(f->arena, db_result_value(row, 0, 2)),
		.class_name = arena_text(f->arena, db_result_value(row, 0, 3)),
		.module = arena_text(f->arena, db_result_value(row, 0, 4)),
		.file = arena_text(f->arena, db_result_value(row, 0, 5)) };
	f->own_lines[f->routine_count++] = db_result_int64(row, 0, 6, 0);
	return true;
}

static bool
take_line(void *self, const struct db_result *row, struct error *err)
{
	struct facts *f = self;

	(void)err;
	pair_map_add(&f->by_line, db_result_int64(row, 0, 0, 0), db_result_int64(row, 0, 1, 0),
		(uint32_t)f->line_count, NULL);
	*ARRAY_ADD(f->lines, f->line_count, f->line_capacity) = db_result_int64(row, 0, 2, 0);
	return true;
}

static struct suppress_frame
frame_of(const struct facts *f, int64_t routine_id, int64_t line_id)
{
	uint32_t routine = pair_map_get(&f->by_rec_id, routine_id, 0);
	uint32_t line = pair_map_get(&f->by_line, routine_id, line_id);

	if (routine == PAIR_MAP_NONE)
		return (struct suppress_frame){ SUPPRESS_NO_ROUTINE, 0 };
	return (struct suppress_frame){ routine,
		line == PAIR_MAP_NONE ? f->own_lines[routine] : f->lines[line] };
}

/* Columns in binary: stack_id, routine_ids, line_ids. */
static bool
take_stack(void *self, const struct db_result *row, struct error *err)
{
	struct facts *f = self;
	struct id_array routines = array_open(db_result_value(row, 0, 1));
	struct text lines_value = db_result_value(row, 0, 2);
	struct id_array lines = { NULL, NULL, 0 };
	struct suppress_frame *frames = arena_alloc_array(f->arena, routines.left, sizeof(*frames));
	int64_t routine, line;
	size_t n = 0;

	(void)err;
	if (!text_is_null(lines_value))
		lines = array_open(lines_value);
	while (array_next(&routines, &routine)) {
		line = CALL_TREE_UNKNOWN;
		array_next(&lines, &line);
		frames[n++] = frame_of(f, routine, line);
	}
	pair_map_add(&f->by_stack_id, stack_id_of(db_result_value(row, 0, 0)), 0,
		(uint32_t)f->stack_count, NULL);
	*ARRAY_ADD(f->stacks, f->stack_count, f->stack_capacity) =
		(struct suppress_stack){ frames, n };
	return true;
}

static const struct suppress_stack *
find_stack(const struct facts *f, int64_t stack_id)
{
	uint32_t i = pair_map_get(&f->by_stack_id, stack_id, 0);

	return i == PAIR_MAP_NONE ? NULL : &f->stacks[i];
}

static struct suppress_subject *
add_subject(struct facts *f, int64_t stack_id)
{
	struct suppress_subject *s = ARRAY_ADD(f->subjects, f->count, f->capacity);

	*s = (struct suppress_subject){ .stacks = find_stack(f, stack_id) };
	s->stack_count = s->stacks ? 1 : 0;
	return s;
}

static bool
take_leak(void *self, const struct db_result *row, struct error *err)
{
	struct facts *f = self;
	int64_t stack_id = db_result_int64(row, 0, 0, 0);
	struct suppress_subject *s = add_subject(f, stack_id);

	(void)err;
	s->is_leak = true;
	s->id = stack_id;
	s->kind = arena_text(f->arena, db_result_value(row, 0, 1));
	s->weight = (struct suppress_use){ (uint64_t)db_result_int64(row, 0, 2, 0),
		(uint64_t)db_result_int64(row, 0, 3, 0), (uint64_t)db_result_int64(row, 0, 4, 0) };
	return true;
}

static bool
take_error(void *self, const struct db_result *row, struct error *err)
{
	struct facts *f = self;
	struct suppress_subject *s = add_subject(f, db_result_int64(row, 0, 1, 0));

	(void)err;
	s->id = db_result_int64(row, 0, 0, 0);
	s->kind = arena_text(f->arena, db_result_value(row, 0, 2));
	s->what = arena_text(f->arena, db_result_value(row, 0, 3));
	s->weight = (struct suppress_use){ 1, (uint64_t)db_result_int64(row, 0, 4, 0), 0 };
	return true;
}

/* Appends a further stack to the subject's array of stacks, which is in the arena. */
static void
append_stack(struct facts *f, struct suppress_subject *s, const struct suppress_stack *stack)
{
	struct suppress_stack *all = arena_alloc_array(f->arena, s->stack_count + 2, sizeof(*all));

	/* If an error has no first stack, the first item stays empty. */
	if (s->stack_count)
		memcpy(all, s->stacks, s->stack_count * sizeof(*all));
	else
		s->stack_count = 1;
	all[s->stack_count++] = *stack;
	s->stacks = all;
}

/* Errors and further stacks are both sorted by the error's ID. */
static bool
take_further(void *self, const struct db_result *row, struct error *err)
{
	struct facts *f = self;
	int64_t owner = db_result_int64(row, 0, 0, 0);
	const struct suppress_stack *stack = find_stack(f, db_result_int64(row, 0, 1, 0));

	(void)err;
	while (f->next_error < f->count &&
		(f->subjects[f->next_error].is_leak || f->subjects[f->next_error].id < owner))
		f->next_error++;
	if (stack && f->next_error < f->count && f->subjects[f->next_error].id == owner)
		append_stack(f, &f->subjects[f->next_error], stack);
	return true;
}

static bool
read_all(struct facts *f, struct db *db, int64_t inst_id, bool lines, struct error *err)
{
	return store_each(db, "store/suppress_routines", inst_id, take_routine, f, err) &&
	       (!lines || store_each(db, "store/routine_lines", inst_id, take_line, f, err)) &&
	       store_each_binary(db, "store/suppress_stacks", inst_id, take_stack, f, err) &&
	       store_each(db, "store/suppress_leaks", inst_id, take_leak, f, err) &&
	       store_each(db, "store/suppress_errors", inst_id, take_error, f, err) &&
	       store_each(db, "store/suppress_further", inst_id, take_further, f, err);
}

bool
suppress_facts_read(struct db *db, struct arena *a, int64_t inst_id, bool lines,
	struct suppress_facts *facts, struct error *err)
{
	struct facts f = { .arena = a };
	bool ok;

	ok = read_all(&f, db, inst_id, lines, err);
	if (ok) {
		*facts = (struct suppress_facts){ .routine_count = f.routine_count,
			.subject_count = f.count };
		facts->routines =
			arena_copy_array(a, f.routines, f.routine_count, sizeof(*f.routines));
		for (size_t i = 0; i < f.count; i++)
			if (f.subjects[i].stack_count == 1)
				f.subjects[i].stacks = arena_copy_array(
					a, f.subjects[i].stacks, 1, sizeof(*f.stacks));
		facts->subjects = arena_copy_array(a, f.subjects, f.count, sizeof(*f.subjects));
	}
	pair_map_release(&f.by_rec_id);
	pair_map_release(&f.by_line);
	pair_map_release(&f.by_stack_id);
	free(f.routines);
	free(f.own_lines);
	free(f.lines);
	free(f.stacks);
	free(f.subjects);
	return ok;
}
