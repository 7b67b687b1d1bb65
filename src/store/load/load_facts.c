/* Objects and errors. */
#include "load_private.h"
#include "store/columns.h"

static void
count_frames(struct load_set *set, enum relation r, stack_number stack, int64_t first_id)
{
	const struct load_stack *st;
	const struct load_stack_sums *sums;
	struct load_count *count = &set->counts[r];

	if (!stack)
		return;
	st = &set->stacks[stack - 1];
	sums = st->sums ? &set->stack_sums.items[st->sums - 1] : NULL;
	count->rows += st->frames;
	count->values += sums ? sums->routines : st->routine_sum;
	if (st->private_ids)
		count->ids += sums ? sums->frame_ids : 0;
	else
		count->ids += (wide_int)first_id * st->frames +
			      (wide_int)st->frames * ((wide_int)st->frames - 1) / 2;
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

static bool
sum_exceeded(
	const struct load_set *set, int metric, const char *what, int64_t id, struct error *err)
{
	if (set->sums[metric].count > INT64_MAX)
		return error_set(err, ERROR_LIMIT,
			"%s %lld: the counts up to this %s add up to more than 2^63-1", what,
			(long long)id, what);
	return error_set(err, ERROR_LIMIT,
		"%s %lld: the sizes up to this %s add up to more than 10^20", what, (long long)id,
		what);
}

bool
load_object(struct sink *s, uint32_t number, const struct object_row *given, struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = load_set_at(s, number);
	struct object_row row = *given;
	wide_int size = wide_from_number(row.size);

	if (!row.stack)
		row.stack_first_id = MODEL_NULL;
	if (!load_add_total(set,
		    &(struct load_total_key){ METRIC_LIVE_SIZE,
			    row.class_id == MODEL_NULL ? -1 : row.class_id, row.stack,
			    load_finding_name(l, set, row.leak_kind), !row.size.null },
		    row.block_count, size))
		return sum_exceeded(set, METRIC_LIVE_SIZE, "object", row.id, err);
	set->outcome.objects += row.block_count;
	note_object(set, &row);
	load_counted(set, REL_OBJECTS, row.id, size);
	count_frames(set, REL_CREATION_FRAMES, row.stack, row.stack_first_id);
	object_row_digest(&set->digest, REL_OBJECTS, &row, load_stack_content(set, row.stack));
	if (load_row(l, set, REL_OBJECTS))
		object_row_put(l->copier, &row);
	return load_row_end(l, err);
}

bool
load_error(struct sink *s, uint32_t number, const struct error_row *given, struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = load_set_at(s, number);
	struct error_row row = *given;

	if (!row.stack)
		row.stack_first_id = MODEL_NULL;
	if (row.count < 1)
		row.count = 1;
	if (row.parent_id != MODEL_NULL &&
		pair_map_get(&set->thread_by_id, row.parent_id, 0) == PAIR_MAP_NONE)
		load_dangles(set, DANGLING_THREAD, row.parent_id, 0);
	if (!load_add_total(set,
		    &(struct load_total_key){ METRIC_ERRORS, row.kind == MODEL_NULL ? -1 : row.kind,
			    row.stack, 0, false },
		    row.count, row.count))
		return sum_exceeded(set, METRIC_ERRORS, "error", row.id, err);
	load_note_error(l, set, &row);
	set->outcome.errors += row.count;
	load_counted(set, REL_ERRORS, row.id, int64_or_zero(row.error_code));
	count_frames(set, REL_ERROR_FRAMES, row.stack, row.stack_first_id);
	error_row_digest(&set->digest, REL_ERRORS, &row, load_stack_content(set, row.stack));
	if (load_row(l, set, REL_ERRORS))
		error_row_put(l->copier, &row);
	return load_row_end(l, err);
}

static bool
has_thread(const struct pair_map *threads, int64_t id)
{
	return pair_map_get(threads, id, 0) != PAIR_MAP_NONE;
}

bool
load_further_stack(
	struct sink *s, uint32_t number, const struct further_stack_row *row, struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = load_set_at(s, number);

	if (row->position < 1 || row->position > INT32_MAX)
		return error_set(err, ERROR_INTERNAL, "invalid further stack number %lld",
			(long long)row->position);
	if (row->owner == OWNER_THREAD && !has_thread(&set->thread_by_id, row->owner_id))
		load_dangles(set, DANGLING_THREAD, row->owner_id, 0);
	if (row->thread_id != MODEL_NULL && !has_thread(&set->thread_by_rec, row->thread_id))
		load_dangles(set, DANGLING_THREAD, row->thread_id, 0);
	further_stack_row_digest(
		&set->digest, DIGEST_FURTHER_STACKS, row, load_stack_content(set, row->stack));
	load_counted(set, REL_FURTHER_STACKS, row->owner_id, row->position);
	if (load_row(l, set, REL_FURTHER_STACKS))
		further_stack_row_put(l->copier, row);
	return load_row_end(l, err);
}

bool
load_suppression(
	struct sink *s, uint32_t number, const struct suppression_row *row, struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = load_set_at(s, number);

	suppression_row_digest(&set->digest, DIGEST_SUPPRESSIONS, row);
	load_counted(set, REL_SUPPRESSIONS, row->id, int64_or_zero(row->count));
	if (load_row(l, set, REL_SUPPRESSIONS))
		suppression_row_put(l->copier, row);
	return load_row_end(l, err);
}

bool
load_graph(struct sink *s, uint32_t number, const struct graph_row *row, struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = load_set_at(s, number);

	if (row->metric < 1 || (size_t)row->metric - 1 + row->value_count > set->metric_count)
		return error_set(
			err, ERROR_INTERNAL, "a call graph names a metric that does not exist");
	graph_row_digest(&set->digest, DIGEST_GRAPH, row);
	for (size_t i = 0; i < row->value_count; i++) {
		int64_t value[] = { row->id, (int64_t)i, 0, 0 };

		digest_decimal(row->values[i], value + 2);
		digest_row(&set->digest, DIGEST_GRAPH, value, sizeof(value) / sizeof(value[0]),
			NULL, 0);
	}
	load_counted(set, REL_CALL_GRAPH, row->id, row->routine_id);
	if (load_row(l, set, REL_CALL_GRAPH))
		graph_row_put(l->copier, row);
	return load_row_end(l, err);
}
