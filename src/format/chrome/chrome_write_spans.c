#include "base/json_string.h"
#include "chrome_json.h"
#include "chrome_write_private.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	METRICS_MAX = 4096
};

bool
chrome_write_tell(struct chrome_writer *w, enum source_part part, int32_t track,
	const struct sink *members, struct error *err)
{
	w->sink = *members;
	return w->source->emit(w->source, 0, part, track, &w->sink, err);
}

/* From the unit to microseconds; other units are written as they are. */
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
	if ((size_t)*number >= w->metric_room) {
		const size_t room = (size_t)*number + 16;

		w->metrics = xrealloc(w->metrics, room);
		memset(w->metrics + w->metric_room, 0, room - w->metric_room);
		w->metric_room = room;
	}
	w->metrics[*number] = power_of(row->unit);
	return true;
}

static int
power(const struct chrome_writer *w, metric_number number)
{
	return number > 0 && (size_t)number < w->metric_room ? w->metrics[number] : 0;
}

/* d * 10^power, exact. */
static void
append_time(struct strbuf *b, struct decimal d, int power)
{
	char digits[DECIMAL_MAX_SCALE + 32];
	const uint64_t size = d.mantissa < 0 ? 0 - (uint64_t)d.mantissa : (uint64_t)d.mantissa;
	int scale = (int)d.scale - power;
	int whole;

	if (d.kind != DECIMAL_COMPACT) {
		strbuf_append_text(b, d.kind == DECIMAL_TEXT ? d.text : TEXT_LITERAL("0"));
		if (d.kind == DECIMAL_TEXT && power && !memchr(d.text.data, 'e', d.text.size))
			strbuf_printf(b, "e%d", power);
		return;
	}
	whole = snprintf(digits, sizeof(digits), "%0*" PRIu64, scale > 0 ? scale + 1 : 1, size) -
		(scale > 0 ? scale : 0);
	if (d.mantissa < 0)
		strbuf_append_char(b, '-');
	strbuf_append(b, digits, (size_t)whole);
	for (; scale < 0 && size; scale++)
		strbuf_append_char(b, '0');
	if (scale > 0)
		strbuf_printf(b, ".%s", digits + whole);
}

static void
append_string(struct strbuf *b, const char *key, struct text value)
{
	strbuf_printf(b, "\"%s\":", key);
	json_append_depot_text(b, text_is_null(value) ? TEXT_LITERAL("") : value);
}

/* The track's number is the thread: threads of an operating system may repeat. */
static void
append_place(struct strbuf *b, const char *ph, int32_t track)
{
	strbuf_printf(b, ",\"ph\":\"%s\",\"pid\":1,\"tid\":%" PRId32, ph, track);
}

static bool
take_track(struct sink *s, uint32_t set, const struct track_row *row, struct error *err)
{
	struct chrome_writer *w = (struct chrome_writer *)s;
	struct strbuf *b = &w->text;
	struct text name = row->name;

	(void)set;
	if (text_is_empty(name))
		name = text_is_empty(row->process_name) ? row->source_id : row->process_name;
	if (text_is_empty(name))
		return true;
	strbuf_reset(b);
	strbuf_append_str(b, "{\"name\":\"thread_name\",\"cat\":\"__metadata\"");
	append_place(b, "M", row->id);
	strbuf_append_str(b, ",\"ts\":0,\"args\":{");
	append_string(b, "name", name);
	strbuf_append_str(b, "}}");
	return chrome_write_keep(w, INT64_MAX, err);
}

static bool
take_routine(struct sink *s, uint32_t set, const struct routine_row *row, struct error *err)
{
	struct chrome_writer *w = (struct chrome_writer *)s;

	(void)set;
	(void)err;
	if (w->routine_count == w->routine_room) {
		w->routine_room = w->routine_room ? w->routine_room * 2 : 256;
		w->routines = xrealloc(w->routines, w->routine_room * sizeof(*w->routines));
	}
	pair_map_add(&w->routine_map, row->rec_id, 0, (uint32_t)w->routine_count, NULL);
	w->routines[w->routine_count++] = arena_text(&w->arena, row->routine_name);
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
	strbuf_reset(&w->text);
	strbuf_append_char(&w->text, '{');
	append_string(&w->text, "name", name);
	strbuf_append_char(&w->text, ',');
	append_string(&w->text, "cat", category);
}

static bool
take_frame(struct sink *s, uint32_t set, const struct frame_row *row, struct error *err)
{
	struct chrome_writer *w = (struct chrome_writer *)s;
	const int p = power(w, row->metric);
	struct decimal duration;

	(void)set;
	begin_event(w, routine_name(w, row->routine_id), TEXT_LITERAL("frame"));
	append_place(&w->text, "X", row->track);
	strbuf_append_str(&w->text, ",\"ts\":");
	append_time(&w->text, row->start, p);
	if (!decimal_subtract(row->stop, row->start, &duration))
		duration = decimal_from_int64(0);
	strbuf_append_str(&w->text, ",\"dur\":");
	append_time(&w->text, duration, p);
	strbuf_append_str(&w->text, ",\"args\":{}}");
	w->has_spans = true;
	return chrome_write_keep(w, INT64_MAX, err);
}

static void
append_args(struct chrome_writer *w, const struct span_row *row)
{
	const struct {
		const char *key;
		struct text value;
	} args[] = { { "kind", text_from(row->kind) }, { "id", row->source_id },
		{ "command", row->command }, { "executeType", row->execute_type } };
	struct strbuf *b = &w->text;
	const char *comma = "";

	strbuf_append_str(b, ",\"args\":{");
	for (size_t i = 0; i < sizeof(args) / sizeof(args[0]); i++) {
		if (text_is_empty(args[i].value))
			continue;
		strbuf_append_str(b, comma);
		append_string(b, args[i].key, args[i].value);
		comma = ",";
	}
	if (row->errored == 1)
		strbuf_printf(b, "%s\"errored\":true", comma);
	strbuf_append_str(b, "}}");
}

/* What began and has no known end is a begin; what has no time is left out. */
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
	append_place(&w->text, ended ? "X" : "B", row->track);
	strbuf_append_str(&w->text, ",\"ts\":");
	append_time(&w->text, row->start, p);
	if (ended) {
		strbuf_append_str(&w->text, ",\"dur\":");
		append_time(&w->text, row->duration, p);
	}
	append_args(w, row);
	return chrome_write_keep(w, INT64_MAX, err);
}

bool
chrome_write_others(struct chrome_writer *w, int32_t track, struct error *err)
{
	const struct sink tracks = { .track = take_track };
	const struct sink routines = { .routine = take_routine };
	const struct sink spans = { .span = take_span, .frame = take_frame };

	return chrome_write_tell(w, SOURCE_ROUTINES, SOURCE_EVERY_TRACK, &routines, err) &&
	       chrome_write_tell(w, SOURCE_TRACKS, SOURCE_EVERY_TRACK, &tracks, err) &&
	       chrome_write_tell(w, SOURCE_SPANS, track, &spans, err);
}
