#include "load_private.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

void
load_dangles(struct load_set *set, int kind, int64_t id, int64_t second)
{
	bool added;
	/* Two keys in one: the kind goes where no 32-bit number reaches. */
	int64_t a = (int64_t)((uint64_t)id ^ (uint64_t)(kind + 1) << 60);
	uint32_t index = pair_map_add(
		&set->dangling_by_key, a, second, (uint32_t)set->dangling_count, &added);

	if (added) {
		set->dangling = array_room(set->dangling, set->dangling_count, &set->dangling_room,
			sizeof(*set->dangling));
		set->dangling[set->dangling_count++] =
			(struct load_dangling){ .kind = kind, .id = id, .second = second };
	}
	set->dangling[index].count++;
}

static bool
is_total(const struct load_total *t, int metric, int64_t class_id, stack_number stack)
{
	return t->metric == metric && t->class_id == class_id && t->stack == stack;
}

static struct load_total *
total_of(struct load_set *set, int metric, int64_t class_id, stack_number stack)
{
	bool added;
	uint32_t index = pair_map_add(
		&set->total_by_key[metric], class_id, stack, (uint32_t)set->total_count, &added);

	if (added) {
		set->totals = array_room(
			set->totals, set->total_count, &set->total_room, sizeof(*set->totals));
		set->totals[set->total_count++] = (struct load_total){
			.metric = metric, .class_id = class_id, .stack = stack
		};
	}
	if (stack)
		set->stacks[stack - 1].total = index;
	return &set->totals[index];
}

void
load_add_total(struct load_set *set, int metric, int64_t class_id, stack_number stack,
	int64_t count, wide_int value)
{
	uint32_t last = stack ? set->stacks[stack - 1].total : 0;
	struct load_total *t;

	/* Nearly always a stack goes where it went before. */
	if (last < set->total_count && is_total(&set->totals[last], metric, class_id, stack))
		t = &set->totals[last];
	else
		t = total_of(set, metric, class_id, stack);
	t->count += count;
	t->value = fixed_add(t->value, value);
}

static void
count_frames(struct load_set *set, enum relation r, stack_number stack, int64_t first_id)
{
	const struct load_stack *st;
	struct load_count *count = &set->counts[r];

	if (!stack)
		return;
	st = &set->stacks[stack - 1];
	count->rows += st->frames;
	count->values += st->routine_sum;
	if (st->private_ids)
		count->ids += st->frame_id_sum;
	else
		count->ids += (wide_int)first_id * st->frames +
			      (wide_int)st->frames * (st->frames - 1) / 2;
}

static void
note_object(struct load_set *set, const struct object_row *row)
{
	uint32_t class = PAIR_MAP_NONE;

	if (row->class_id != MODEL_NULL) {
		class = pair_map_get(&set->class_by_rec, row->class_id, 0);
		if (class == PAIR_MAP_NONE)
			load_dangles(set, DANGLING_CLASS, row->class_id, 0);
	}
	if (class != PAIR_MAP_NONE) {
		set->classes[class].objects += row->block_count;
		set->classes[class].size += wide_from_number(row->size);
	}
	if (row->thread_id != MODEL_NULL) {
		set->thread_rows++;
		set->thread_rec_hits +=
			pair_map_get(&set->thread_by_rec, row->thread_id, 0) != PAIR_MAP_NONE;
		set->thread_id_hits +=
			pair_map_get(&set->thread_by_id, row->thread_id, 0) != PAIR_MAP_NONE;
	}
	if (row->get_number != MODEL_NULL) {
		if (set->get_number == MODEL_NULL)
			set->get_number = row->get_number;
		set->several_gets |= set->get_number != row->get_number;
	}
}

static int64_t
sign_word(struct number n)
{
	return n.null ? 2 : n.negative;
}

static int64_t
magnitude_word(struct number n)
{
	return n.null ? 0 : (int64_t)n.magnitude;
}

static void
put_stack(struct copier *c, stack_number stack, int64_t first_id)
{
	if (stack) {
		copier_int64(c, first_id);
		copier_int32(c, stack);
	} else {
		copier_null(c);
		copier_null(c);
	}
}

bool
load_object(struct sink *s, uint32_t number, const struct object_row *row, struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = load_set_at(s, number);
	struct copier *c = l->copier;
	wide_int size = wide_from_number(row->size);
	struct hash128 stack =
		row->stack ? set->stacks[row->stack - 1].content : (struct hash128){ 0, 0 };
	const int64_t words[] = { REL_OBJECTS, row->id, row->parent_id, row->rec_id, row->class_id,
		row->get_number, row->thread_id, row->block_count, sign_word(row->number),
		magnitude_word(row->number), sign_word(row->address), magnitude_word(row->address),
		sign_word(row->size), magnitude_word(row->size),
		row->stack ? row->stack_first_id : MODEL_NULL, (int64_t)stack.low,
		(int64_t)stack.high };
	const struct text texts[] = { row->leak_kind, row->attributes };

	note_object(set, row);
	load_add_total(set, METRIC_LIVE_SIZE, row->class_id == MODEL_NULL ? -1 : row->class_id,
		row->stack, row->block_count, size);
	hash128_add(&set->outcome.digest, hash128(words, sizeof(words)));
	load_counted(set, REL_OBJECTS, row->id, size);
	count_frames(set, REL_CREATION_FRAMES, row->stack, row->stack_first_id);
	if (row->leak_kind.data || row->attributes.data)
		digest_row(l, set, REL_OBJECTS, &row->id, 1, texts, COUNT(texts));
	if (!load_row(l, set, REL_OBJECTS))
		return true;
	copier_int64(c, row->id);
	copier_int64_or_null(c, row->parent_id);
	copier_int64_or_null(c, row->rec_id);
	copier_int64_or_null(c, row->class_id);
	copier_int64_or_null(c, row->get_number);
	copier_int64_or_null(c, row->thread_id);
	copier_number(c, row->number);
	copier_number(c, row->address);
	copier_number(c, row->size);
	copier_int64(c, row->block_count);
	put_stack(c, row->stack, row->stack_first_id);
	copier_text(c, row->leak_kind);
	copier_text(c, row->attributes);
	return load_row_end(l, err);
}

bool
load_error(struct sink *s, uint32_t number, const struct error_row *row, struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = load_set_at(s, number);
	struct copier *c = l->copier;
	struct hash128 stack =
		row->stack ? set->stacks[row->stack - 1].content : (struct hash128){ 0, 0 };
	const int64_t words[] = { row->id, row->parent_id, row->rec_id, row->number,
		row->error_code, row->kind, row->stack ? row->stack_first_id : MODEL_NULL,
		(int64_t)stack.low, (int64_t)stack.high };
	const struct text texts[] = { row->description, row->name };
	const int64_t seen[] = { row->id, row->count > 1 ? row->count : 1 };

	if (row->parent_id != MODEL_NULL &&
		pair_map_get(&set->thread_by_id, row->parent_id, 0) == PAIR_MAP_NONE)
		load_dangles(set, DANGLING_THREAD, row->parent_id, 0);
	load_add_total(set, METRIC_ERRORS, row->kind == MODEL_NULL ? -1 : row->kind, row->stack,
		seen[1], seen[1]);
	digest_row(l, set, REL_ERRORS, words, COUNT(words), texts, COUNT(texts));
	if (seen[1] > 1 || row->attributes.data)
		digest_row(l, set, REL_ERRORS, seen, COUNT(seen), &row->attributes, 1);
	load_counted(set, REL_ERRORS, row->id, row->error_code == MODEL_NULL ? 0 : row->error_code);
	count_frames(set, REL_ERROR_FRAMES, row->stack, row->stack_first_id);
	if (!load_row(l, set, REL_ERRORS))
		return true;
	for (size_t i = 0; i < 6; i++)
		copier_int64_or_null(c, words[i]);
	copier_text(c, row->description);
	copier_text(c, row->name);
	put_stack(c, row->stack, row->stack_first_id);
	copier_int64(c, seen[1]);
	copier_text(c, row->attributes);
	return load_row_end(l, err);
}
