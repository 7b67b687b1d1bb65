/* The dictionaries (routines, lines, threads and classes), and RELATIONS. */
#include "load_private.h"
#include "store/columns.h"

#include "base/array.h"

/* Keeps the names, because line identities are computed from them. Therefore memory grows with the
 * dictionary. */
static uint32_t
keep_routine(struct load *l, struct load_set *set, const struct routine_row *row)
{
	struct load_routine *r;

	r = ARRAY_ADD(set->routines, set->routine_count, set->routine_room);
	*r = (struct load_routine){ .rec_id = row->rec_id, .source_line = row->source_line };
	load_name_routine(l, set, row, r);
	return (uint32_t)(set->routine_count - 1);
}

bool
load_routine(struct sink *s, uint32_t number, const struct routine_row *row, struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = load_set_at(s, number);
	uint32_t index = keep_routine(l, set, row);

	pair_map_add(&set->routine_by_id, row->id, 0, index, NULL);
	if (row->rec_id != MODEL_NULL)
		pair_map_add(&set->routine_by_rec, row->rec_id, 0, index, NULL);
	routine_row_digest(&set->digest, REL_META_ROUTINES, row);
	load_counted(set, REL_META_ROUTINES, row->id, int64_or_zero(row->source_line));
	if (load_row(l, set, REL_META_ROUTINES))
		routine_row_put(l->copier, row);
	return load_row_end(l, err);
}

/* The function is called for every frame, mostly with consecutive numbers, so it looks up small
 * numbers in an array. Numbers that would leave more than three quarters of the array unused are only
 * in the map. */
uint32_t
load_routine_index(struct load_set *set, int64_t rec_id)
{
	uint32_t index;

	if (rec_id >= 0 && (size_t)rec_id < set->routine_at_room && set->routine_at[rec_id])
		return set->routine_at[rec_id] - 1;
	index = pair_map_get(&set->routine_by_rec, rec_id, 0);
	if (index == PAIR_MAP_NONE || rec_id < 0 || (size_t)rec_id / 4 > set->routine_count)
		return index;
	ARRAY_RESERVE_ZEROED(set->routine_at, set->routine_at_room, (size_t)rec_id + 1);
	set->routine_at[rec_id] = index + 1;
	return index;
}

/* Adds the line to r->line_at, an array in which lines are found quickly. The array can be used if lines
 * are numbered from 0, which is the usual case. */
static void
note_line(struct load *l, struct load_routine *r, int64_t rec_id, uint32_t index)
{
	uint32_t room = r->line_room ? r->line_room * 2 : 4;
	uint32_t *grown;

	r->line_count++;
	if (rec_id < 0 || rec_id >= room || rec_id / 4 > r->line_count)
		return;
	if (rec_id >= r->line_room) {
		grown = arena_alloc_array(l->arena, room, sizeof(*grown));
		memset(grown, 0, room * sizeof(*grown));
		if (r->line_room)
			memcpy(grown, r->line_at, r->line_room * sizeof(*grown));
		r->line_at = grown;
		r->line_room = room;
	}
	r->line_at[rec_id] = index + 1;
}

bool
load_line(struct sink *s, uint32_t number, const struct line_row *row, struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = load_set_at(s, number);
	uint32_t routine = pair_map_get(&set->routine_by_id, row->parent_id, 0);

	if (routine != PAIR_MAP_NONE && row->rec_id != MODEL_NULL) {
		struct load_line *line;

		line = ARRAY_ADD(set->lines, set->line_count, set->line_room);
		line->source_line = row->source_line;
		if (row->source_line == MODEL_NULL)
			memcpy(line->lines, set->routines[routine].lines, IDENTITY_BYTES);
		else
			load_name_line(l, &set->routines[routine], row->source_line, line->lines);
		note_line(l, &set->routines[routine], row->rec_id,
			pair_map_add(&set->line_by_key, routine, row->rec_id,
				(uint32_t)(set->line_count - 1), NULL));
	}
	line_row_digest(&set->digest, REL_META_LINES, row);
	load_counted(set, REL_META_LINES, row->id, int64_or_zero(row->source_line));
	if (load_row(l, set, REL_META_LINES))
		line_row_put(l->copier, row);
	return load_row_end(l, err);
}

bool
load_thread(struct sink *s, uint32_t number, const struct thread_row *row, struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = load_set_at(s, number);

	pair_map_add(&set->thread_by_id, row->id, 0, 0, NULL);
	if (row->rec_id != MODEL_NULL)
		pair_map_add(&set->thread_by_rec, row->rec_id, 0, 0, NULL);
	thread_row_digest(&set->digest, REL_THREADS, row);
	load_counted(set, REL_THREADS, row->id, int64_or_zero(row->size));
	if (load_row(l, set, REL_THREADS))
		thread_row_put(l->copier, row);
	return load_row_end(l, err);
}

/* Finds the class with this REC_ID, or adds it if it is new. */
static struct load_class *
class_of(struct load *l, struct load_set *set, int64_t rec_id, struct text name)
{
	bool added;
	uint32_t index =
		pair_map_add(&set->class_by_rec, rec_id, 0, (uint32_t)set->class_count, &added);

	if (added) {
		*ARRAY_ADD(set->classes, set->class_count, set->class_room) =
			(struct load_class){ .rec_id = rec_id, .name = arena_text(l->arena, name) };
	} else {
		set->classes_repeated |= !text_equal(name, set->classes[index].name);
	}
	return &set->classes[index];
}

struct text
load_class_name(const struct load_set *set, int64_t rec_id)
{
	uint32_t index = pair_map_get(&set->class_by_rec, rec_id, 0);

	return index == PAIR_MAP_NONE ? TEXT_NULL : set->classes[index].name;
}

bool
load_class_meta(struct sink *s, uint32_t number, const struct class_row *row, struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = load_set_at(s, number);

	if (row->rec_id != MODEL_NULL) {
		struct load_class *class = class_of(l, set, row->rec_id, row->class_name);

		set->classes_repeated |= class->has_meta;
		class->has_meta = true;
	}
	class_row_digest(&set->digest, REL_META_CLASSES, row);
	load_counted(set, REL_META_CLASSES, row->id, 0);
	if (load_row(l, set, REL_META_CLASSES))
		class_row_put(l->copier, row);
	return load_row_end(l, err);
}

bool
load_class_data(
	struct sink *s, uint32_t number, const struct class_data_row *row, struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = load_set_at(s, number);

	if (row->rec_id != MODEL_NULL) {
		struct load_class *class = class_of(l, set, row->rec_id, row->class_name);

		class->has_counters = true;
		class->live_count = row->live_count;
		class->live_size = row->live_size;
	}
	class_data_row_digest(&set->digest, REL_CLASSES, row);
	load_counted(set, REL_CLASSES, row->id, wide_from_number(row->live_size));
	if (load_row(l, set, REL_CLASSES))
		class_data_row_put(l->copier, row);
	return load_row_end(l, err);
}

/* RELATIONS describes the schema, not the run. The digest omits it, so that an export without
 * RELATIONS is recognised as the same content. */
bool
load_relation(struct sink *s, uint32_t number, const struct relation_row *row, struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = load_set_at(s, number);

	load_counted(set, REL_RELATIONS, row->id, 0);
	if (load_row(l, set, REL_RELATIONS))
		relation_row_put(l->copier, row);
	return load_row_end(l, err);
}
