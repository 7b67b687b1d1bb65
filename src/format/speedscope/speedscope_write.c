/* Writes a result set as a speedscope file. Format: see speedscope_private.h. */
#include "base/array.h"
#include "speedscope_private.h"
#include "speedscope_write_private.h"

#include <stdlib.h>

enum {
	METRICS_MAX = 4096
};

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
	ARRAY_RESERVE_ZEROED(w->metrics, w->metric_room, (size_t)*number);
	w->metrics[*number - 1] = (struct written_metric){ .family = row->family,
		.name = arena_text(&w->arena, row->name),
		.unit = arena_text(&w->arena, row->unit) };
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
	*ARRAY_ADD(w->tracks, w->track_count, w->track_room) =
		(struct written_track){ .id = row->id,
			.name = arena_text(&w->arena, row->name),
			.attributes = arena_text(&w->arena, row->attributes),
			.metric = row->metric,
			.start = speedscope_keep(&w->arena, row->start),
			.duration = speedscope_keep(&w->arena, row->duration) };
	return true;
}

static bool
write_set(struct speedscope_writer *w, struct error *err)
{
	const struct sink about = { .metadata = take_metadata, .metric = take_metric };
	const struct sink tracks = { .track = take_track };
	const char *format = w->source->format(w->source, w->set);

	if (!speedscope_part(w, SOURCE_SET, SOURCE_EVERY_TRACK, &about, NULL, err) ||
		!speedscope_part(w, SOURCE_TRACKS, SOURCE_EVERY_TRACK, &tracks, NULL, err))
		return false;
	if (w->options->track && !w->track_count)
		return error_set(err, ERROR_NOT_FOUND, "there is no track %lld",
			(long long)w->options->track);
	if (format && strcmp(format, "speedscope") == 0)
		return speedscope_write_native(w, err);
	return speedscope_write_converted(w, err);
}

bool
speedscope_write(struct source *source, FILE *out, const struct format_write_options *options,
	struct error *err)
{
	struct speedscope_writer w = {
		.source = source, .options = options, .arena = ARENA_INIT, .scratch = ARENA_INIT
	};
	bool ok;

	if (source->set_count != 1)
		return error_set(err, ERROR_USAGE, "a speedscope file holds one result set, not %u",
			source->set_count);
	json_writer_init(&w.json, out, false);
	strbuf_init(&w.text, SIZE_MAX / 2);
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
	arena_release(&w.scratch);
	arena_release(&w.arena);
	return ok;
}
