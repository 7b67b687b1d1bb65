/* Functions that all speedscope writers use: frames, stacks, numbers and the beginning of a
 * profile. */
#include "base/array.h"
#include "speedscope_private.h"
#include "speedscope_write_private.h"

bool
speedscope_part(struct speedscope_writer *w, enum source_part part, int32_t track,
	const struct sink *members, void *work, struct error *err)
{
	bool ok;

	w->sink = *members;
	w->work = work;
	ok = w->source->emit(w->source, w->set, part, track, &w->sink, err);
	w->work = NULL;
	return ok;
}

const struct written_metric *
speedscope_metric(const struct speedscope_writer *w, metric_number number)
{
	if (number < 1 || (size_t)number > w->metric_room || !w->metrics[number - 1].name.data)
		return NULL;
	return &w->metrics[number - 1];
}

bool
speedscope_wants(const struct speedscope_writer *w, struct text metric)
{
	return !w->options->metric || text_equal(metric, text_from(w->options->metric));
}

uint32_t
speedscope_frame_at(struct speedscope_writer *w, struct text name, struct text file, int64_t line,
	int64_t column)
{
	uint32_t number;
	bool added;

	strbuf_reset(&w->text);
	strbuf_append_text(&w->text, name);
	strbuf_append(&w->text, "\x1f", 1);
	strbuf_append_text(&w->text, file);
	strbuf_printf(&w->text, "\x1f%lld:%lld%c", (long long)line, (long long)column,
		file.data ? 'f' : '-');
	number = pair_map_add_bytes(
		&w->frame_by_name, w->text.data, w->text.size, w->frame_count, &added);
	if (!added)
		return number;
	*ARRAY_ADD(w->frames, w->frame_count, w->frame_room) = (struct written_frame){
		.name = arena_text(&w->arena, name),
		.file = arena_text(&w->arena, file),
		.line = line,
		.column = column,
	};
	return number;
}

uint32_t
speedscope_frame(struct speedscope_writer *w, struct text name)
{
	return speedscope_frame_at(w, name, TEXT_NULL, MODEL_NULL, MODEL_NULL);
}

uint32_t
speedscope_frame_of(struct speedscope_writer *w, int64_t routine_id)
{
	uint32_t frame = pair_map_get(&w->frame_of, routine_id, 0);

	return frame == PAIR_MAP_NONE ? w->unknown_frame : frame;
}

static void
stack_room(struct written_stacks *t, size_t number, size_t frames)
{
	ARRAY_RESERVE(t->frames, t->room, t->used + frames);
	ARRAY_RESERVE(t->begins, t->begin_room, number + 2);
	while (t->count < number + 2)
		t->begins[t->count++] = t->used;
}

static bool
take_stack(struct sink *s, uint32_t set, const struct stack_row *row, stack_number *number,
	struct error *err)
{
	struct speedscope_writer *w = (struct speedscope_writer *)s;
	struct written_stacks *t = &w->stacks;

	(void)set;
	(void)err;
	if (*number < 1)
		return true;
	stack_room(t, (size_t)*number, row->count);
	for (size_t i = row->count; i-- > 0;)
		t->frames[t->used++] = speedscope_frame_of(w, row->routine_ids[i]);
	t->begins[*number + 1] = t->used;
	return true;
}

bool
speedscope_read_stacks(struct speedscope_writer *w, struct error *err)
{
	const struct sink members = { .stack = take_stack };

	return speedscope_part(w, SOURCE_STACKS, SOURCE_EVERY_TRACK, &members, NULL, err);
}

void
speedscope_put_stack(struct speedscope_writer *w, stack_number stack)
{
	const struct written_stacks *t = &w->stacks;

	json_begin_array(&w->json);
	if (stack > 0 && (size_t)stack + 1 < t->count)
		for (size_t i = t->begins[stack]; i < t->begins[stack + 1]; i++)
			json_int(&w->json, t->frames[i]);
	json_end_array(&w->json);
}

void
speedscope_put_decimal(struct speedscope_writer *w, struct decimal d)
{
	char digits[DECIMAL_TEXT_BYTES];

	json_raw(&w->json, decimal_text(d, 0, digits));
}

void
speedscope_put_fixed(struct speedscope_writer *w, wide_int v)
{
	char text[DECIMAL_FIXED_TEXT_MAX];

	fixed_format(v, text);
	json_raw(&w->json, text_from(text));
}

struct text
speedscope_span_label(const struct span_row *row)
{
	const struct text names[] = { row->name, row->category, text_from(row->kind) };
	size_t i = 0;

	while (i < 2 && !names[i].size)
		i++;
	return names[i].size ? names[i] : TEXT_LITERAL("span");
}

void
speedscope_begin_profile(struct speedscope_writer *w, const char *type, struct text name,
	const char *suffix, struct text unit)
{
	const bool known =
		text_among(unit, speedscope_units, SPEEDSCOPE_UNIT_COUNT) < SPEEDSCOPE_UNIT_COUNT;

	json_begin_object(&w->json);
	json_key_string(&w->json, "type", type);
	json_key(&w->json, "name");
	strbuf_reset(&w->text);
	strbuf_append_text(&w->text, name);
	strbuf_append_str(&w->text, suffix);
	json_depot_text(&w->json, strbuf_text(&w->text));
	json_key_text(&w->json, "unit", known ? unit : TEXT_LITERAL("none"));
}

void
speedscope_put_range(struct speedscope_writer *w, wide_int start, wide_int end)
{
	json_key(&w->json, "startValue");
	speedscope_put_fixed(w, start);
	json_key(&w->json, "endValue");
	speedscope_put_fixed(w, end);
}
