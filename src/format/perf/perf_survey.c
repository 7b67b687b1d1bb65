/* The first pass over perf script output: events, threads, times. */
#include "perf_private.h"

#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SAMPLES_SUFFIX "_samples"

/* Whether the header belongs to a record other than a sample: "COMM PID TIME: PERF_RECORD_MMAP2 ...". */
static bool
is_record(const struct perf_header *h)
{
	return text_begins(h->event, "PERF_RECORD_") || text_begins(h->rest, "PERF_RECORD_");
}

enum perf_line
perf_classify(struct text line, bool inside, struct perf_header *header, struct perf_frame *frame)
{
	struct text t = text_trim(line);
	struct perf_source ignored;
	bool indented = t.size && t.data != line.data;

	if (!t.size)
		return PERF_BLANK;
	if (*t.data == '#')
		return PERF_COMMENT;
	/* A frame begins with a tab. The header of a sample without a call chain may be indented,
	 * too. */
	if (*line.data != '\t' && perf_parse_header(t, header))
		return is_record(header) ? PERF_OTHER : PERF_HEADER;
	if (inside && indented && *line.data != '\t' && perf_parse_source(t, &ignored))
		return PERF_SOURCE;
	if (inside && indented && perf_parse_frame(t, frame))
		return PERF_FRAME;
	if (!indented && !inside && perf_parse_bare_header(t, header))
		return PERF_HEADER;
	return PERF_OTHER;
}

static uint32_t
find_event(struct perf_file *p, struct text name)
{
	uint32_t number = (uint32_t)p->event_count;
	bool added;

	number = pair_map_add_bytes(&p->event_by_name, name.data, name.size, number, &added);
	if (added)
		*ARRAY_ADD(p->events, p->event_count, p->event_room) =
			(struct perf_event){ .name = arena_text(&p->arena, name) };
	return number;
}

static struct hash128
key_of(const struct perf_header *h)
{
	struct hash128 comm = hash128_seeded(h->comm.data, h->comm.size, process_seed());
	const int64_t words[] = { (int64_t)comm.low, (int64_t)comm.high, h->pid, h->tid };

	return hash128_seeded(words, sizeof(words), process_seed());
}

static bool
add_stream(struct perf_file *p, const struct perf_header *h, uint32_t event, struct hash128 key)
{
	struct perf_stream *s;
	bool added;

	if (p->stream_count == PERF_MAX_STREAMS)
		return error_set(p->in->err, ERROR_LIMIT, "%s: more than %d threads and events",
			p->in->name, (int)PERF_MAX_STREAMS);
	s = ARRAY_ADD(p->streams, p->stream_count, p->stream_room);
	*s = (struct perf_stream){ .pid = h->pid,
		.tid = h->tid,
		.event = event,
		.attributes = STRBUF_INIT(PERF_ATTRIBUTES_MAX_BYTES) };
	s->comm = arena_text(&p->arena, h->comm);
	s->thread = 1 + (int64_t)pair_map_add(&p->thread_by_key, (int64_t)key.low,
				(int64_t)key.high, (uint32_t)p->thread_by_key.count, &added);
	return true;
}

bool
perf_stream_of(struct perf_file *p, const struct perf_header *h, uint32_t *stream)
{
	struct hash128 key = key_of(h);
	uint32_t event = find_event(p, h->event);
	bool added;

	*stream = pair_map_add(&p->stream_by_key, (int64_t)(key.low ^ event), (int64_t)key.high,
		(uint32_t)p->stream_count, &added);
	return !added || add_stream(p, h, event, key);
}

static bool
note_header(struct perf_file *p, const struct perf_header *h)
{
	struct perf_event *e;
	struct perf_stream *s;
	uint32_t stream;

	if (!perf_stream_of(p, h, &stream))
		return false;
	s = &p->streams[stream];
	e = &p->events[s->event];
	p->header_count++;
	e->has_period = e->has_period || h->period.kind != DECIMAL_NULL;
	if (h->time.kind == DECIMAL_NULL)
		return true;
	if (!s->timed++)
		s->first = h->time;
	s->last = h->time;
	e->has_weights = e->has_weights || s->timed > 1;
	return true;
}

static bool
read_headers(struct perf_file *p)
{
	struct reader *f = p->in;
	bool inside = false;
	bool ok = reader_open_lines(f, PERF_LINE_MAX_BYTES);

	while (reader_line(f, &ok)) {
		struct perf_header h;
		struct perf_frame ignored;
		enum perf_line is;

		/* Most lines are frames, which this pass does not need. */
		if (inside && f->line.text.size && *f->line.text.data == '\t')
			continue;
		is = perf_classify(f->line.text, inside, &h, &ignored);
		ok = is != PERF_HEADER || note_header(p, &h);
		p->has_sources = p->has_sources || is == PERF_SOURCE;
		inside = is == PERF_HEADER || (inside && is != PERF_BLANK);
	}
	f->line = (struct line){ .text = TEXT_NULL };
	if (!ok || p->header_count)
		return ok;
	return error_set(f->err, ERROR_INPUT, "%s: no perf script sample in it", f->name);
}

/* Whether the metric `name` counts the samples of the event whose metric is `other`. */
static bool
is_samples_of(const char *name, const char *other)
{
	size_t n = strlen(other);

	return strncmp(name, other, n) == 0 && strcmp(name + n, SAMPLES_SUFFIX) == 0;
}

static bool
is_taken(const struct perf_file *p, size_t event, const char *name)
{
	if (!*name || strcmp(name, "seconds") == 0 || strcmp(name, "samples") == 0)
		return true;
	for (size_t i = 0; i < event; i++) {
		const char *other = p->events[i].metric_name;

		if (strcmp(name, other) == 0 || is_samples_of(name, other) ||
			is_samples_of(other, name))
			return true;
	}
	return false;
}

/* Names the event's metric after the event. If an earlier event has a metric with this name,
 * appends the event's number. */
static void
name_event(struct perf_file *p, size_t number)
{
	struct perf_event *e = &p->events[number];
	size_t room = sizeof(e->metric_name);
	size_t size;

	metric_name(e->name, e->metric_name, room - 32);
	size = strlen(e->metric_name);
	for (size_t i = number + 1; is_taken(p, number, e->metric_name); i++)
		snprintf(e->metric_name + size, room - size, "_event%zu", i);
}

static bool
add_metric(struct perf_file *p, const char *name, const char *unit, struct text title,
	metric_number *first)
{
	const struct metric_row row = { .family = METRIC_OF_SAMPLES,
		.name = text_from(name),
		.unit = text_from(unit),
		.title = title };
	metric_number number;

	if (!emit_metric(p->in, &row, &number))
		return false;
	if (!*first)
		*first = number;
	return true;
}

/* Adds the metrics of an event. If the samples of the first event have times, the first metric is the
 * time between samples, as in speedscope. Otherwise, the first metric is the number of samples. */
static bool
add_event(struct perf_file *p, size_t number)
{
	struct perf_event *e = &p->events[number];
	char samples[PERF_METRIC_NAME_BYTES + sizeof(SAMPLES_SUFFIX)];
	char title[PERF_METRIC_NAME_BYTES * 2];

	e->has_weights = e->has_weights && number == 0;
	name_event(p, number);
	snprintf(samples, sizeof(samples), "%s%s", number ? e->metric_name : "",
		number ? SAMPLES_SUFFIX : "samples");
	snprintf(title, sizeof(title), "%.*s%s", text_precision(e->name, PERF_METRIC_NAME_BYTES),
		e->name.size ? e->name.data : "", e->name.size ? " samples" : "samples");
	return (!e->has_weights || add_metric(p, "seconds", "seconds",
					   TEXT_LITERAL("Time between samples"), &e->metric)) &&
	       add_metric(p, samples, "none", text_from(title), &e->metric) &&
	       (!e->has_period || add_metric(p, e->metric_name, "none", e->name, &e->metric));
}

static bool
add_threads(struct perf_file *p)
{
	int64_t last = 0;

	for (size_t i = 0; i < p->stream_count; i++) {
		const struct perf_stream *s = &p->streams[i];
		const struct thread_row row = { .id = s->thread,
			.parent_id = -1,
			.rec_id = s->thread,
			.size = MODEL_NULL,
			.os_thread_id = s->tid,
			.name = s->comm };

		if (s->thread <= last)
			continue;
		last = s->thread;
		if (!emit_thread(p->in, &row))
			return false;
	}
	return true;
}

static void
name_track(struct perf_file *p, const struct perf_stream *s)
{
	struct text event = p->events[s->event].name;

	strbuf_reset(&p->name);
	strbuf_append_text(&p->name, s->comm);
	/* Append the pid, as speedscope does. Leave out 0, which is the pid of kernel threads. */
	if (s->pid > 0)
		strbuf_printf(&p->name, " pid: %" PRId64, s->pid);
	if (s->tid > 0)
		strbuf_printf(&p->name, " tid: %" PRId64, s->tid);
	if (s->event && event.size)
		strbuf_printf(&p->name, " (%.*s)", (int)event.size, event.data);
}

static bool
add_tracks(struct perf_file *p)
{
	int32_t count = 0;

	for (size_t i = 0; i < p->stream_count; i++) {
		struct perf_stream *s = &p->streams[i];
		const struct perf_event *e = &p->events[s->event];
		bool weighed = e->has_weights && s->timed > 1;
		struct track_row row = { .id = count + 1,
			.kind = "thread",
			.process_name = s->comm,
			.process_id = s->pid,
			.thread_id = s->tid,
			.metric = e->metric + (e->has_weights && !weighed),
			.started_us = MODEL_NULL };

		if (!e->metric)
			continue;
		s->track = ++count;
		name_track(p, s);
		row.name = strbuf_text(&p->name);
		if (weighed) {
			row.start = s->first;
			if (!decimal_subtract(s->last, s->first, &row.duration) ||
				row.duration.mantissa < 0)
				row.duration = (struct decimal){ 0 };
		}
		if (!emit_track(p->in, &row))
			return false;
	}
	return true;
}

bool
perf_survey(struct perf_file *p)
{
	if (!read_headers(p))
		return false;
	for (size_t i = 0; i < p->event_count && i < PERF_MAX_EVENTS; i++)
		if (!add_event(p, i))
			return false;
	return add_threads(p) && add_tracks(p);
}
