/* Spans of other formats as events of a Chrome trace. */
#include "base/array.h"
#include "chrome_write_private.h"

#include <stdlib.h>

enum {
	METRICS_MAX = 4096
};

bool
chrome_write_part(struct chrome_writer *w, enum source_part part, int32_t track,
	const struct sink *members, struct error *err)
{
	w->sink = *members;
	return w->source->emit(w->source, 0, part, track, &w->sink, err);
}

/* The power of ten that converts the unit to microseconds. Values in other units are not
 * converted. */
static int8_t
power_of(struct text unit)
{
	static const struct {
		const char *unit;
		int8_t power;
	} units[] = { { "nanoseconds", -3 }, { "milliseconds", 3 }, { "seconds", 6 } };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (text_equal(unit, text_from(units[i].unit)))
			return units[i].power;
	return 0;
}

bool
chrome_write_metric(struct sink *s, uint32_t set, const struct metric_row *row,
	metric_number *number, struct error *err)
{
	struct chrome_writer *w = (struct chrome_writer *)s;

	(void)set;
	(void)err;
	if (*number < 1 || *number > METRICS_MAX)
		return true;
	ARRAY_RESERVE_ZEROED(w->metrics, w->metric_room, (size_t)*number + 1);
	w->metrics[*number] = power_of(row->unit);
	return true;
}

static int
power(const struct chrome_writer *w, metric_number number)
{
	return number > 0 && (size_t)number < w->metric_room ? w->metrics[number] : 0;
}

/* Writes d * 10^power as a member, without rounding. */
static void
put_time(struct chrome_writer *w, const char *key, struct decimal d, int power)
{
	char digits[DECIMAL_TEXT_BYTES];

	if (d.kind == DECIMAL_TEXT && power && !memchr(d.text.data, 'e', d.text.size)) {
		strbuf_reset(&w->text);
		strbuf_append_text(&w->text, d.text);
		strbuf_printf(&w->text, "e%d", power);
		json_key_raw(&w->json, key, strbuf_text(&w->text));
	} else {
		json_key_raw(&w->json, key, decimal_text(d, power, digits));
	}
}

static void
put_string(struct chrome_writer *w, const char *key, struct text value)
{
	json_key_depot_text(&w->json, key, text_is_null(value) ? TEXT_LITERAL("") : value);
}

/* Writes the track's number as the thread, because an operating system can reuse thread ids. */
static void
put_place(struct chrome_writer *w, const char *ph, int32_t track)
{
	json_key_string(&w->json, "ph", ph);
	json_key_int(&w->json, "pid", 1);
	json_key_int(&w->json, "tid", track);
}

static bool
take_track(struct sink *s, uint32_t set, const struct track_row *row, struct error *err)
{
	struct chrome_writer *w = (struct chrome_writer *)s;
	struct text name = row->name;

	(void)set;
	if (text_is_empty(name))
		name = text_is_empty(row->process_name) ? row->source_id : row->process_name;
	if (text_is_empty(name))
		return true;
	json_begin_object(&w->json);
	json_key_string(&w->json, "name", "thread_name");
	json_key_string(&w->json, "cat", "__metadata");
	put_place(w, "M", row->id);
	json_key_int(&w->json, "ts", 0);
	json_key_object(&w->json, "args");
	put_string(w, "name", name);
	json_end_object(&w->json);
	json_end_object(&w->json);
	return chrome_keep(w, CHROME_AFTER_ALL, err);
}

static bool
take_routine(struct sink *s, uint32_t set, const struct routine_row *row, struct error *err)
{
	struct chrome_writer *w = (struct chrome_writer *)s;

	(void)set;
	(void)err;
	pair_map_add(&w->routine_map, row->rec_id, 0, (uint32_t)w->routine_count, NULL);
	*ARRAY_ADD(w->routines, w->routine_count, w->routine_room) =
		arena_text(&w->arena, row->routine_name);
	return true;
}

static struct text
routine_name(const struct chrome_writer *w, int64_t rec_id)
{
	const uint32_t n = pair_map_get(&w->routine_map, rec_id, 0);

	return n == PAIR_MAP_NONE ? TEXT_NULL : w->routines[n];
}

static void
begin_event(struct chrome_writer *w, struct text name, struct text category)
{
	json_begin_object(&w->json);
	put_string(w, "name", name);
	put_string(w, "cat", category);
}

static bool
take_frame(struct sink *s, uint32_t set, const struct frame_row *row, struct error *err)
{
	struct chrome_writer *w = (struct chrome_writer *)s;
	const int p = power(w, row->metric);
	struct decimal duration;

	(void)set;
	begin_event(w, routine_name(w, row->routine_id), TEXT_LITERAL("frame"));
	put_place(w, "X", row->track);
	put_time(w, "ts", row->start, p);
	if (!decimal_subtract(row->stop, row->start, &duration))
		duration = decimal_from_int64(0);
	put_time(w, "dur", duration, p);
	json_key_object(&w->json, "args");
	json_end_object(&w->json);
	json_end_object(&w->json);
	w->has_spans = true;
	return chrome_keep(w, CHROME_AFTER_ALL, err);
}

static void
put_args(struct chrome_writer *w, const struct span_row *row)
{
	const struct {
		const char *key;
		struct text value;
	} args[] = { { "kind", text_from(row->kind) }, { "id", row->source_id },
		{ "command", row->command }, { "executeType", row->execute_type } };

	json_key_object(&w->json, "args");
	for (size_t i = 0; i < sizeof(args) / sizeof(args[0]); i++)
		if (!text_is_empty(args[i].value))
			put_string(w, args[i].key, args[i].value);
	if (row->errored == 1)
		json_key_bool(&w->json, "errored", true);
	json_end_object(&w->json);
	json_end_object(&w->json);
}

/* Writes a span. A span without an end becomes a begin event; a span without a time is skipped. */
static bool
take_span(struct sink *s, uint32_t set, const struct span_row *row, struct error *err)
{
	struct chrome_writer *w = (struct chrome_writer *)s;
	const bool ended = row->duration.kind != DECIMAL_NULL;
	const int p = power(w, row->metric);
	struct text name = row->name;

	(void)set;
	w->has_spans = true;
	if (row->start.kind == DECIMAL_NULL)
		return true;
	if (text_is_null(name))
		name = text_is_null(row->command) ? routine_name(w, row->routine_id) : row->command;
	begin_event(w, name, text_is_empty(row->category) ? text_from(row->kind) : row->category);
	put_place(w, ended ? "X" : "B", row->track);
	put_time(w, "ts", row->start, p);
	if (ended)
		put_time(w, "dur", row->duration, p);
	put_args(w, row);
	return chrome_keep(w, CHROME_AFTER_ALL, err);
}

bool
chrome_write_others(struct chrome_writer *w, int32_t track, struct error *err)
{
	const struct sink tracks = { .track = take_track };
	const struct sink routines = { .routine = take_routine };
	const struct sink spans = { .span = take_span, .frame = take_frame };

	return chrome_write_part(w, SOURCE_ROUTINES, SOURCE_EVERY_TRACK, &routines, err) &&
	       chrome_write_part(w, SOURCE_TRACKS, SOURCE_EVERY_TRACK, &tracks, err) &&
	       chrome_write_part(w, SOURCE_SPANS, track, &spans, err);
}
