/* The facts: stacks, objects, errors, samples, spans and the costs of call graphs. */
#include "checking_sink_private.h"

static void
check_routine(const struct checked_set *t, int64_t rec_id)
{
	MUST(rec_id == MODEL_NULL || pair_map_get(&t->routines, rec_id, 0) != PAIR_MAP_NONE);
}

static void
name_track(struct checked_set *t, int32_t track)
{
	MUST(track > 0);
	pair_map_add(&t->tracks_named, track, 0, 0, NULL);
}

static bool
tell_stack(struct sink *s, uint32_t set, const struct stack_row *row, stack_number *number,
	struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;
	struct checked_set *t = checking_facts_set(s, set);

	MUST(row->count >= 1 && row->count <= STACK_MAX_FRAMES);
	for (size_t i = 0; i < row->count; i++)
		check_routine(t, row->routine_ids[i]);
	checking_add(c, row->routine_ids, row->count * sizeof(*row->routine_ids));
	*number = ++t->stacks;
	return checking_begin(s, err);
}

static void
check_stack(const struct checked_set *t, stack_number stack)
{
	MUST(stack >= 0 && stack <= t->stacks);
}

static bool
tell_object(struct sink *s, uint32_t set, const struct object_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;
	struct checked_set *t = checking_facts_set(s, set);

	check_stack(t, row->stack);
	pair_map_add(&t->owners[OWNER_OBJECT], row->id, 0, 0, NULL);
	checking_text(c, row->leak_kind);
	checking_json_object(c, row->attributes);
	checking_add_int(c, row->id);
	c->records++;
	return checking_begin(s, err);
}

static bool
tell_error(struct sink *s, uint32_t set, const struct error_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;
	struct checked_set *t = checking_facts_set(s, set);

	check_stack(t, row->stack);
	pair_map_add(&t->owners[OWNER_ERROR], row->id, 0, 0, NULL);
	checking_text(c, row->name);
	checking_text(c, row->description);
	MUST(row->count >= 0);
	checking_json_object(c, row->attributes);
	c->records++;
	return checking_begin(s, err);
}

/* Positions must ascend from 1, and the owner must have been emitted before. */
static bool
tell_further_stack(
	struct sink *s, uint32_t set, const struct further_stack_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;
	struct checked_set *t = checking_set(s, set);
	bool added;

	MUST((unsigned)row->owner < STACK_OWNERS);
	MUST(pair_map_get(&t->owners[row->owner], row->owner_id, 0) != PAIR_MAP_NONE);
	MUST(row->position >= 1 && row->role.size > 0);
	MUST(row->position == 1 || pair_map_get(&t->owners[row->owner], row->owner_id,
					   row->position - 1) != PAIR_MAP_NONE);
	pair_map_add(&t->owners[row->owner], row->owner_id, row->position, 0, &added);
	MUST(added);
	check_stack(t, row->stack);
	checking_text(c, row->role);
	checking_text(c, row->description);
	return checking_begin(s, err);
}

static void
check_values(struct checking_sink *c, const struct checked_set *t, metric_number metric,
	const struct decimal *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		metric_number number = metric + (metric_number)i;

		MUST(number >= 1 && (size_t)number <= t->metric_count);
		if (t->metrics[number - 1].family != METRIC_OF_GAUGES)
			checking_metric(t, number, METRIC_OF_SAMPLES);
		checking_decimal(c, values[i], false);
	}
}

static bool
tell_graph(struct sink *s, uint32_t set, const struct graph_row *row, struct error *err)
{
	static const char *const kinds[] = { "self", "call", "jump", "conditional jump" };
	struct checking_sink *c = (struct checking_sink *)s;
	struct checked_set *t = checking_facts_set(s, set);

	MUST(row->id == ++t->graph_rows);
	MUST(text_among(text_from(row->kind), kinds, sizeof(kinds) / sizeof(kinds[0])) <
		sizeof(kinds) / sizeof(kinds[0]));
	check_routine(t, row->routine_id);
	check_routine(t, row->target_id);
	checking_text(c, row->source_file);
	checking_decimal(c, row->count, true);
	checking_decimal(c, row->followed, true);
	check_values(c, t, row->metric, row->values, row->value_count);
	return checking_begin(s, err);
}

static bool
tell_sample(struct sink *s, uint32_t set, const struct sample_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;
	struct checked_set *t = checking_facts_set(s, set);

	name_track(t, row->track);
	check_stack(t, row->stack);
	MUST(row->value_count >= 1);
	checking_decimal(c, row->at, true);
	check_values(c, t, row->metric, row->values, row->value_count);
	checking_json_object(c, row->attributes);
	c->records++;
	return checking_begin(s, err);
}

static bool
tell_path(struct sink *s, uint32_t set, path_number parent, int64_t routine_id, path_number *number,
	struct error *err)
{
	struct checked_set *t = checking_facts_set(s, set);

	MUST(parent <= t->paths);
	check_routine(t, routine_id);
	checking_add_int((struct checking_sink *)s, (int64_t)parent);
	*number = ++t->paths;
	return checking_begin(s, err);
}

static void
check_span_id(struct checked_set *t, int64_t id, int64_t parent_id)
{
	bool added;

	pair_map_add(&t->spans, id, 0, 0, &added);
	MUST(added);
	MUST(parent_id != id);
	if (parent_id != MODEL_NULL)
		pair_map_add(&t->parents, parent_id, 0, 0, NULL);
}

static bool
tell_span(struct sink *s, uint32_t set, const struct span_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;
	struct checked_set *t = checking_facts_set(s, set);
	const struct text texts[] = { row->name, row->source_id, row->category, row->execute_type,
		row->command };

	name_track(t, row->track);
	check_span_id(t, row->id, row->parent_id);
	MUST(row->kind && *row->kind);
	MUST(row->path <= t->paths && row->errored >= -1 && row->errored <= 1);
	if (row->metric)
		checking_metric(t, row->metric, METRIC_OF_SPANS);
	check_routine(t, row->routine_id);
	check_stack(t, row->stack);
	checking_texts(c, texts, sizeof(texts) / sizeof(texts[0]));
	checking_decimal(c, row->start, true);
	checking_decimal(c, row->duration, true);
	checking_decimal(c, row->first_fetch, true);
	checking_json_object(c, row->attributes);
	return checking_begin(s, err);
}

static bool
tell_frame(struct sink *s, uint32_t set, const struct frame_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;
	struct checked_set *t = checking_facts_set(s, set);

	name_track(t, row->track);
	check_span_id(t, row->id, row->parent_id);
	MUST(row->id >= 1);
	MUST(row->parent_id == MODEL_NULL || (row->parent_id >= 1 && row->parent_id < row->id));
	t->frame_count++;
	if (row->id > t->frame_max)
		t->frame_max = row->id;
	checking_metric(t, row->metric, METRIC_OF_SPANS);
	check_routine(t, row->routine_id);
	MUST(row->path <= t->paths);
	checking_decimal(c, row->start, false);
	checking_decimal(c, row->stop, false);
	MUST(decimal_compare(row->start, row->stop) <= 0);
	return checking_begin(s, err);
}

void
checking_facts_init(struct sink *s)
{
	s->stack = tell_stack;
	s->object = tell_object;
	s->error = tell_error;
	s->further_stack = tell_further_stack;
	s->graph = tell_graph;
	s->sample = tell_sample;
	s->path = tell_path;
	s->span = tell_span;
	s->frame = tell_frame;
}
