#include "base/number.h"
#include "source_private.h"

#include <stdlib.h>

enum {
	STACK_ARRAYS = 5,
};

static const char *
family_names(enum metric_family f)
{
	static const char *const names[] = { "objects", "errors", "samples", "spans" };

	return names[f];
}

bool
source_tell_metric(struct telling *t, struct error *err)
{
	metric_number number = source_int32(t);
	struct metric_row r = { 0 };
	struct text family;

	family = source_text(t);
	for (int f = 0; f < METRIC_FAMILIES; f++)
		if (text_equal(family, text_from(family_names((enum metric_family)f))))
			r.family = (enum metric_family)f;
	r.name = source_text(t);
	r.unit = source_text(t);
	r.title = source_text(t);
	return !t->to->metric || t->to->metric(t->to, t->set, &r, &number, err);
}

bool
source_tell_track(struct telling *t, struct error *err)
{
	struct track_row r = { 0 };

	r.id = source_int32(t);
	r.kind = source_text(t).data;
	r.name = source_text(t);
	r.source_id = source_text(t);
	r.category = source_text(t);
	r.host = source_text(t);
	r.user_name = source_text(t);
	r.process_name = source_text(t);
	r.process_id = source_int64(t);
	r.thread_id = source_int64(t);
	r.metric = source_int32(t);
	r.start = source_decimal(t);
	r.duration = source_decimal(t);
	r.started_us = source_int64(t);
	r.attributes = source_text(t);
	return !t->to->track || t->to->track(t->to, t->set, &r, err);
}

/* Elements of "{1,NULL,3}", none of which has a comma; 0 for NULL. */
static size_t
element_count(struct text array)
{
	size_t n = array.size > 2;

	for (size_t i = 0; i < array.size; i++)
		n += array.data[i] == ',';
	return n;
}

static const char *
next_element(const char *at)
{
	at += strcspn(at, ",}");
	return *at ? at + 1 : at;
}

static void
read_numbers(struct text array, size_t count, int64_t *out)
{
	const char *at = array.data + 1;

	for (size_t i = 0; i < count; i++, at = next_element(at))
		out[i] = *at == 'N' ? MODEL_NULL : strtoll(at, NULL, 10);
}

bool
source_tell_stack(struct telling *t, struct error *err)
{
	stack_number number = source_int32(t);
	struct text arrays[STACK_ARRAYS];
	const int64_t *parts[STACK_ARRAYS] = { NULL };
	struct stack_row r = { 0 };

	for (int i = 0; i < STACK_ARRAYS; i++)
		arrays[i] = source_text(t);
	r.count = element_count(arrays[0]);
	if (r.count * STACK_ARRAYS > t->numbers_room) {
		t->numbers_room = r.count * STACK_ARRAYS;
		t->numbers = xrealloc(t->numbers, t->numbers_room * sizeof(*t->numbers));
	}
	for (size_t i = 0; i < STACK_ARRAYS; i++) {
		if (text_is_null(arrays[i]))
			continue;
		if (element_count(arrays[i]) != r.count)
			return error_set(err, ERROR_DATABASE,
				"the arrays of stack %d have different lengths", (int)number);
		read_numbers(arrays[i], r.count, t->numbers + i * r.count);
		parts[i] = t->numbers + i * r.count;
	}
	r.routine_ids = parts[0];
	r.line_ids = parts[1];
	r.hit_counts = parts[2];
	r.frame_ids = parts[3];
	r.rec_ids = parts[4];
	return !t->to->stack || t->to->stack(t->to, t->set, &r, &number, err);
}

/* Of a block: id, track, metric, stack, at, weight. */
bool
source_tell_plain_sample(struct telling *t, struct error *err)
{
	struct sample_row r = { 0 };
	struct decimal value;

	source_int64(t);
	r.track = source_int32(t);
	r.metric = source_int32(t);
	r.stack = source_int32(t);
	r.at = source_decimal(t);
	value = source_decimal(t);
	r.values = &value;
	r.value_count = 1;
	return !t->to->sample || t->to->sample(t->to, t->set, &r, err);
}

static bool
read_decimals(struct telling *t, struct text array, size_t *count, struct error *err)
{
	const char *at = array.data;

	*count = element_count(array);
	if (*count > t->decimals_room) {
		t->decimals_room = *count;
		t->decimals = xrealloc(t->decimals, *count * sizeof(*t->decimals));
	}
	for (size_t i = 0; i < *count; i++) {
		struct text element;

		at = i ? next_element(at) : at + 1;
		element = (struct text){ at, strcspn(at, ",}") };
		t->decimals[i] = (struct decimal){ 0 };
		if (*at != 'N' && decimal_parse(element, &t->decimals[i]) != DECIMAL_OK)
			return error_set(err, ERROR_DATABASE, "a sample's weight is no number");
	}
	return true;
}

/* As above, with an array of weights and attributes. */
bool
source_tell_sample(struct telling *t, struct error *err)
{
	struct sample_row r = { 0 };

	source_int64(t);
	r.track = source_int32(t);
	r.metric = source_int32(t);
	r.stack = source_int32(t);
	r.at = source_decimal(t);
	if (!read_decimals(t, source_text(t), &r.value_count, err))
		return false;
	r.values = t->decimals;
	r.attributes = source_text(t);
	return !t->to->sample || t->to->sample(t->to, t->set, &r, err);
}

bool
source_tell_frame(struct telling *t, struct error *err)
{
	struct frame_row r = { 0 };

	r.track = source_int32(t);
	r.id = source_int64(t);
	r.metric = source_int32(t);
	r.parent_id = source_int64(t);
	r.routine_id = source_int64(t);
	r.start = source_decimal(t);
	r.stop = source_decimal(t);
	return !t->to->frame || t->to->frame(t->to, t->set, &r, err);
}

bool
source_tell_span(struct telling *t, struct error *err)
{
	struct span_row r = { 0 };

	r.track = source_int32(t);
	r.id = source_int64(t);
	r.metric = source_int32(t);
	r.parent_id = source_int64(t);
	r.routine_id = source_int64(t);
	r.kind = source_text(t).data;
	r.name = source_text(t);
	r.stack = source_int32(t);
	r.start = source_decimal(t);
	r.duration = source_decimal(t);
	r.first_fetch = source_decimal(t);
	r.source_id = source_text(t);
	r.category = source_text(t);
	r.execute_type = source_text(t);
	r.command = source_text(t);
	r.errored = source_flag(t);
	r.attributes = source_text(t);
	return !t->to->span || t->to->span(t->to, t->set, &r, err);
}

static const char *
kind_from(struct text name)
{
	static const char *const kinds[] = { "self", "call", "jump", "conditional jump" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (text_equal(name, text_from(kinds[i])))
			return kinds[i];
	return kinds[0]; /* the table's CHECK lets no other name pass */
}

bool
source_tell_graph(struct telling *t, struct error *err)
{
	struct graph_row r = { 0 };

	r.id = source_int64(t);
	r.kind = kind_from(source_text(t));
	r.routine_id = source_int64(t);
	r.source_file = source_text(t);
	r.line = source_int64(t);
	r.target_id = source_int64(t);
	r.target_line = source_int64(t);
	r.count = source_decimal(t);
	r.followed = source_decimal(t);
	r.metric = source_int32(t);
	if (!read_decimals(t, source_text(t), &r.value_count, err))
		return false;
	r.values = t->decimals;
	return !t->to->graph || t->to->graph(t->to, t->set, &r, err);
}
