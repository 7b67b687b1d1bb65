#include "speedscope_private.h"
#include "speedscope_write_private.h"

#include "format/formats.h"

#include <stdlib.h>

enum {
	METRICS_MAX = 4096
};

/* --- the parts that every result set has --------------------------------------------- */

bool
speedscope_tell(struct speedscope_writer *w, enum source_part part, int32_t track,
	const struct sink *members, void *work, struct error *err)
{
	bool ok;

	w->sink = *members;
	w->work = work;
	ok = w->source->emit(w->source, w->set, part, track, &w->sink, err);
	w->work = NULL;
	return ok;
}

static bool
take_metadata(struct sink *s, uint32_t set, const char *key, struct text value, struct error *err)
{
	struct speedscope_writer *w = (struct speedscope_writer *)s;

	(void)set;
	(void)err;
	if (strcmp(key, "caption") == 0)
		w->caption = arena_text(&w->arena, value);
	if (strcmp(key, "attributes") == 0)
		w->attributes = arena_text(&w->arena, value);
	return true;
}

static bool
take_metric(struct sink *s, uint32_t set, const struct metric_row *row, metric_number *number,
	struct error *err)
{
	struct speedscope_writer *w = (struct speedscope_writer *)s;

	(void)set;
	(void)err;
	if (*number < 1 || *number > METRICS_MAX)
		return true;
	if ((size_t)*number > w->metric_room) {
		size_t room = (size_t)*number * 2;

		w->metrics = xrealloc(w->metrics, room * sizeof(*w->metrics));
		memset(w->metrics + w->metric_room, 0,
			(room - w->metric_room) * sizeof(*w->metrics));
		w->metric_room = room;
	}
	w->metrics[*number - 1] = (struct written_metric){ .family = row->family,
		.name = arena_text(&w->arena, row->name),
		.unit = arena_text(&w->arena, row->unit),
		.title = arena_text(&w->arena, row->title) };
	if ((size_t)*number > w->metric_count)
		w->metric_count = (size_t)*number;
	return true;
}

static bool
take_track(struct sink *s, uint32_t set, const struct track_row *row, struct error *err)
{
	struct speedscope_writer *w = (struct speedscope_writer *)s;

	(void)set;
	(void)err;
	if (w->options->track && w->options->track != row->id)
		return true;
	if (w->track_count == w->track_room) {
		w->track_room = w->track_room ? w->track_room * 2 : 16;
		w->tracks = xrealloc(w->tracks, w->track_room * sizeof(*w->tracks));
	}
	w->tracks[w->track_count++] = (struct written_track){ .id = row->id,
		.name = arena_text(&w->arena, row->name),
		.attributes = arena_text(&w->arena, row->attributes),
		.metric = row->metric,
		.start = speedscope_keep(&w->arena, row->start),
		.duration = speedscope_keep(&w->arena, row->duration) };
	return true;
}

const struct written_metric *
speedscope_metric(const struct speedscope_writer *w, metric_number number)
{
	if (number < 1 || (size_t)number > w->metric_count || !w->metrics[number - 1].name.data)
		return NULL;
	return &w->metrics[number - 1];
}

bool
speedscope_wants(const struct speedscope_writer *w, struct text metric)
{
	return !w->options->metric || text_equal(metric, text_from(w->options->metric));
}

/* --- frames and stacks ---------------------------------------------------------------- */

uint32_t
speedscope_frame_of(struct speedscope_writer *w, int64_t routine_id)
{
	uint32_t frame = pair_map_get(&w->frame_of, routine_id, 0);

	return frame == PAIR_MAP_NONE ? w->unknown_frame : frame;
}

static void
stack_room(struct written_stacks *t, size_t number, size_t frames)
{
	if (t->used + frames > t->room) {
		t->room = (t->used + frames) * 2;
		t->frames = xrealloc(t->frames, t->room * sizeof(*t->frames));
	}
	if (number + 2 > t->begin_room) {
		t->begin_room = (number + 2) * 2;
		t->begins = xrealloc(t->begins, t->begin_room * sizeof(*t->begins));
	}
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

	return speedscope_tell(w, SOURCE_STACKS, SOURCE_EVERY_TRACK, &members, NULL, err);
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

/* --- a file ------------------------------------------------------------------------------ */

static bool
write_set(struct speedscope_writer *w, struct error *err)
{
	const struct sink about = { .metadata = take_metadata, .metric = take_metric };
	const struct sink tracks = { .track = take_track };
	const char *format = w->source->format(w->source, w->set);

	if (!speedscope_tell(w, SOURCE_SET, SOURCE_EVERY_TRACK, &about, NULL, err) ||
		!speedscope_tell(w, SOURCE_TRACKS, SOURCE_EVERY_TRACK, &tracks, NULL, err))
		return false;
	if (w->options->track && !w->track_count)
		return error_set(err, ERROR_NOT_FOUND, "there is no track %lld",
			(long long)w->options->track);
	if (format && strcmp(format, format_speedscope.name) == 0)
		return speedscope_write_native(w, err);
	return speedscope_write_converted(w, err);
}

bool
speedscope_write(struct source *source, FILE *out, const struct format_write_options *options,
	struct error *err)
{
	struct speedscope_writer w = { .source = source, .options = options, .arena = ARENA_INIT };
	bool ok;

	if (source->set_count != 1)
		return error_set(err, ERROR_USAGE, "a speedscope file holds one result set, not %u",
			source->set_count);
	json_writer_init(&w.json, out, false);
	strbuf_init(&w.text, SIZE_MAX / 2);
	pair_map_init(&w.frame_of);
	pair_map_init(&w.frame_by_name);
	ok = write_set(&w, err);
	if (ok)
		fputc('\n', out);
	free(w.metrics);
	free(w.tracks);
	free(w.frames);
	free(w.stacks.frames);
	free(w.stacks.begins);
	pair_map_release(&w.frame_of);
	pair_map_release(&w.frame_by_name);
	strbuf_release(&w.text);
	arena_release(&w.arena);
	return ok;
}
