/*
 * The stack dictionary. A stack is identified by two hashes of its arrays. The arrays of a new stack
 * are written but not kept, so memory grows only with the number of distinct stacks. One hash has 128
 * bits and is part of the digest. The other one has 64 bits and also covers a random seed, so that no
 * input can cause collisions.
 */
#include "load_private.h"
#include "store/rows.h"

#include "base/array.h"
#include "model/table.h"

#include <inttypes.h>

static void
append_array(struct strbuf *b, const int64_t *items, size_t count)
{
	int64_t present = items != NULL;

	strbuf_append(b, &present, sizeof(present));
	if (items)
		strbuf_append(b, items, count * sizeof(*items));
}

/* Writes the bytes that will be hashed: seed, relation, count, arrays. */
static void
lay_out(struct load *l, const struct stack_row *row)
{
	const int64_t head[] = { (int64_t)l->seed, REL_STACKS, (int64_t)row->count };

	strbuf_reset(&l->scratch);
	strbuf_append(&l->scratch, head, sizeof(head));
	append_array(&l->scratch, row->routine_ids, row->count);
	append_array(&l->scratch, row->line_ids, row->count);
	append_array(&l->scratch, row->hit_counts, row->count);
	append_array(&l->scratch, row->frame_ids, row->count);
	append_array(&l->scratch, row->rec_ids, row->count);
}

/* Sets the identities of an unknown routine to SHA-256 over empty names, as SQL does. */
static const struct load_routine *
unknown_routine(struct load *l, struct load_routine *r)
{
	memset(r, 0, sizeof(*r));
	frame_identity(l->sha, r, r->names);
	line_identity(l->sha, r, MODEL_NULL, r->lines);
	return r;
}

static uint32_t
line_index(const struct load_set *set, uint32_t routine, int64_t rec_id)
{
	const struct load_routine *r = &set->routines[routine];

	if (rec_id >= 0 && rec_id < r->line_room && r->line_at[rec_id])
		return r->line_at[rec_id] - 1;
	return pair_map_get(&set->line_by_key, routine, rec_id);
}

/* Finds a frame's routine and line. Counts those that are missing. Returns the routine, or NULL. */
static const struct load_routine *
find_frame(struct load_set *set, int64_t routine_id, int64_t line_id, uint32_t *line)
{
	uint32_t index =
		routine_id == MODEL_NULL ? PAIR_MAP_NONE : load_routine_index(set, routine_id);

	*line = PAIR_MAP_NONE;
	if (index == PAIR_MAP_NONE) {
		if (routine_id != MODEL_NULL)
			load_dangles(set, DANGLING_ROUTINE, routine_id, 0);
		return NULL;
	}
	if (line_id != MODEL_NULL) {
		*line = line_index(set, index, line_id);
		if (*line == PAIR_MAP_NONE && line_id >= 0) /* AQTime writes -1 for no line */
			load_dangles(set, DANGLING_LINE, routine_id, line_id);
	}
	return &set->routines[index];
}

static int64_t
line_id_at(const struct stack_row *row, size_t i)
{
	return row->line_ids ? row->line_ids[i] : MODEL_NULL;
}

/* Computes a frame's two identities. */
static void
frame_of(struct load *l, struct load_set *set, int64_t routine_id, int64_t line_id,
	uint8_t names[IDENTITY_BYTES], uint8_t lines[IDENTITY_BYTES])
{
	struct load_routine unknown;
	uint32_t line;
	const struct load_routine *r = find_frame(set, routine_id, line_id, &line);

	if (!r)
		r = unknown_routine(l, &unknown);
	memcpy(names, r->names, IDENTITY_BYTES);
	memcpy(lines, line != PAIR_MAP_NONE ? set->lines[line].lines : r->lines, IDENTITY_BYTES);
}

static void
identities(struct load *l, struct load_set *set, const struct stack_row *row,
	uint8_t names[SHA256_BYTES], uint8_t lines[SHA256_BYTES])
{
	size_t half = row->count * IDENTITY_BYTES;
	uint8_t *frames;

	strbuf_reset(&l->scratch);
	frames = (uint8_t *)strbuf_reserve(&l->scratch, 2 * half);
	for (size_t i = 0; i < row->count; i++)
		frame_of(l, set, row->routine_ids[i], line_id_at(row, i),
			frames + i * IDENTITY_BYTES, frames + half + i * IDENTITY_BYTES);
	sha256_update(l->sha, frames, half);
	sha256_finish(l->sha, names);
	sha256_update(l->sha, frames + half, half);
	sha256_finish(l->sha, lines);
}

/* Returns what the routine contributes to the identities of findings. */
static const struct finding_frame *
finding_frame(struct load *l, struct load_set *set, int64_t routine_id)
{
	static const struct finding_frame unknown = { .owner = FRAME_SYSTEM };
	uint32_t index =
		routine_id == MODEL_NULL ? PAIR_MAP_NONE : load_routine_index(set, routine_id);

	return index == PAIR_MAP_NONE ? &unknown : load_routine_finding(l, &set->routines[index]);
}

static int64_t
frame_line(struct load_set *set, uint32_t routine, int64_t line_id)
{
	uint32_t line = line_id == MODEL_NULL ? PAIR_MAP_NONE : line_index(set, routine, line_id);

	return line != PAIR_MAP_NONE ? set->lines[line].source_line
				     : set->routines[routine].source_line;
}

/* Stores the routine and line of the stack's own frame for the sightings. */
static void
remember_own(struct load_set *set, const struct stack_row *row, size_t place, struct load_stack *st)
{
	int64_t id = place < row->count ? row->routine_ids[place] : MODEL_NULL;
	uint32_t index = id == MODEL_NULL ? PAIR_MAP_NONE : load_routine_index(set, id);
	int64_t line;

	if (index == PAIR_MAP_NONE)
		return;
	line = frame_line(set, index, line_id_at(row, place));
	st->own_routine = index + 1;
	st->own_line = line > 0 && line <= INT32_MAX ? (int32_t)line : 0;
}

/* Finds the own frames of the stack, and computes one identity from all of them. Returns the position of the first own
 * frame, counted from 1; 0 if there is no own frame. */
static int32_t
find_own(struct load *l, struct load_set *set, const struct stack_row *row, struct load_stack *st)
{
	size_t place;

	ARRAY_RESERVE(l->frames_of_stack, l->frames_room, row->count);
	for (size_t i = 0; i < row->count; i++)
		l->frames_of_stack[i] = finding_frame(l, set, row->routine_ids[i]);
	st->named = finding_own_identity(l->sha, l->frames_of_stack, row->count, st->own);
	if (!st->named)
		finding_module_identity(l->sha, l->frames_of_stack, row->count, st->own);
	place = finding_own_place(l->frames_of_stack, row->count);
	remember_own(set, row, place, st);
	return place < row->count ? (int32_t)place + 1 : 0;
}

/* Sums the routine IDs and frame IDs. The load adds these sums to the counts that "profdepot
 * verify" checks. */
static void
sum_ids(struct load_set *set, const struct stack_row *row, struct load_stack *st)
{
	struct load_stack_sums sums = { 0 };

	for (size_t i = 0; i < row->count; i++) {
		sums.routines += row->routine_ids[i] == MODEL_NULL ? 0 : row->routine_ids[i];
		if (row->frame_ids)
			sums.frame_ids += row->frame_ids[i];
	}
	st->routine_sum = (int64_t)sums.routines;
	if (!row->frame_ids && st->routine_sum == sums.routines)
		return;
	*ARRAY_ADD(set->stack_sums.items, set->stack_sums.count, set->stack_sums.room) = sums;
	st->sums = (uint32_t)set->stack_sums.count;
}

static void
remember(struct load_set *set, const struct stack_row *row)
{
	struct load_stack *st;

	st = ARRAY_ADD(set->stacks, set->stack_count, set->stack_room);
	*st = (struct load_stack){ .frames = (uint32_t)row->count };
	st->private_ids = row->frame_ids != NULL;
	sum_ids(set, row, st);
	for (size_t i = row->count; set->tree && i-- > 0;)
		st->node = call_tree_child(set->tree, st->node,
			row->routine_ids[i] == MODEL_NULL ? CALL_TREE_UNKNOWN
							  : row->routine_ids[i]);
}

/* A pass without a depot needs no identities; it only counts missing routines and lines. In the usual
 * case, the frame has no line and its routine is in the array, so nothing is missing. */
static void
check_frames(struct load_set *set, const struct stack_row *row)
{
	uint32_t line;

	for (size_t i = 0; i < row->count; i++) {
		const int64_t id = row->routine_ids[i];

		if (row->line_ids || id < 0 || (size_t)id >= set->routine_at_room ||
			!set->routine_at[id])
			find_frame(set, id, line_id_at(row, i), &line);
	}
}

static bool
write_stack(struct load *l, struct load_set *set, const struct stack_row *row, int32_t number,
	struct error *err)
{
	uint8_t names[SHA256_BYTES];
	uint8_t lines[SHA256_BYTES];
	struct load_stack *st = &set->stacks[number - 1];
	int32_t place;

	load_counted(set, REL_STACKS, number, (wide_int)row->count);
	if (load_row(l, set, REL_STACKS)) {
		identities(l, set, row, names, lines);
		memcpy(&st->lines, lines, sizeof(st->lines));
		place = find_own(l, set, row, st);
		stack_put(l->copier, number, names, lines, row, place, st->named ? st->own : NULL);
	} else {
		check_frames(set, row);
	}
	return load_row_end(l, err);
}

bool
load_within_limits(const struct load *l, const struct load_set *set, struct error *err)
{
	const struct limits *max = l->config.limits;

	if (max && l->frames > max->frames)
		return limits_exceeded(max, "frames", err,
			"more than %" PRId64 " frames in distinct stacks", max->frames);
	if (max && set->tree && (int64_t)call_tree_size(set->tree) > max->nodes)
		return limits_exceeded(max, "nodes", err,
			"more than %" PRId64 " nodes in a call tree", max->nodes);
	return true;
}

static bool
add_stack(struct load *l, struct load_set *set, const struct stack_row *row,
	const struct stack_key *key, struct error *err)
{
	if (set->stack_count == INT32_MAX)
		return error_set(err, ERROR_LIMIT, "more than %d distinct call stacks", INT32_MAX);
	stack_index_add(&set->stack_index, key, row->frame_ids);
	remember(set, row);
	l->frames += (int64_t)row->count;
	return load_within_limits(l, set, err) &&
	       write_stack(l, set, row, (int32_t)set->stack_count, err);
}

bool
load_stack(struct sink *s, uint32_t number, const struct stack_row *row, stack_number *out,
	struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = load_set_at(s, number);
	struct stack_key key;
	uint32_t index = STACK_NONE;

	lay_out(l, row);
	key.hash = hash128(l->scratch.data, l->scratch.size).low;
	key.content = hash128(l->scratch.data + sizeof(int64_t), l->scratch.size - sizeof(int64_t));
	/* A stack that stores the IDs of its frames has exactly one owner. Owners with the same frames cannot share
	 * it, because INSERTs through the views change it. */
	if (!row->frame_ids)
		index = stack_index_find(&set->stack_index, &key);
	*out = (stack_number)(index == STACK_NONE ? set->stack_count : index) + 1;
	return index != STACK_NONE || add_stack(l, set, row, &key, err);
}
