/* What a file of perf script holds: events, threads, times. */
#include "perf_private.h"

#include <inttypes.h>
#include <stdio.h>

enum {
	METRIC_NAME_BYTES = 64
};

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
	/* Frames stand behind a tab; headers of samples without chain may be indented, too. */
	if (*line.data != '\t' && perf_parse_header(t, header))
		return PERF_HEADER;
	if (inside && indented && *line.data != '\t' && perf_parse_source(t, &ignored))
		return PERF_SOURCE;
	if (inside && indented && perf_parse_frame(t, frame))
		return PERF_FRAME;
	if (!indented && !inside && perf_parse_bare_header(t, header))
		return PERF_HEADER;
	return PERF_OTHER;
}

/* --- dictionaries -------------------------------------------------------------------- */

static struct perf_event *
find_event(struct perf_file *p, struct text name, uint32_t *number)
{
	struct hash128 key = hash128_seeded(name.data ? name.data : "", name.size, p->seed);
	struct perf_event *e;
	bool added;

	*number = pair_map_add(&p->event_by_name, (int64_t)key.low, (int64_t)key.high,
		(uint32_t)p->event_count, &added);
	if (!added)
		return &p->events[*number];
	/* In powers of two. */
	if ((p->event_count & (p->event_count - 1)) == 0)
		p->events = xrealloc(
			p->events, (p->event_count ? p->event_count * 2 : 1) * sizeof(*p->events));
	e = &p->events[p->event_count++];
	*e = (struct perf_event){ .name = arena_text(&p->arena, name) };
	return e;
}

static struct hash128
key_of(struct perf_file *p, const struct perf_header *h)
{
	struct hash128 comm =
		hash128_seeded(h->comm.data ? h->comm.data : "", h->comm.size, p->seed);
	const int64_t words[] = { (int64_t)comm.low, (int64_t)comm.high, h->pid, h->tid };

	return hash128_seeded(words, sizeof(words), p->seed);
}

static bool
add_stream(struct perf_file *p, const struct perf_header *h, uint32_t event, struct hash128 key)
{
	struct perf_stream *s;
	bool added;

	if (p->stream_count == PERF_MAX_STREAMS)
		return error_set(p->file->err, ERROR_LIMIT, "%s: more than %d threads and events",
			p->file->name, (int)PERF_MAX_STREAMS);
	if (p->stream_count == p->stream_room) {
		p->stream_room = p->stream_room ? p->stream_room * 2 : 16;
		p->streams = xrealloc(p->streams, p->stream_room * sizeof(*p->streams));
	}
	s = &p->streams[p->stream_count++];
	*s = (struct perf_stream){ .pid = h->pid, .tid = h->tid, .event = event };
	s->comm = arena_text(&p->arena, h->comm);
	s->thread = 1 + (int64_t)pair_map_add(&p->thread_by_key, (int64_t)key.low,
				(int64_t)key.high, (uint32_t)p->thread_by_key.count, &added);
	return true;
}

bool
perf_stream_of(struct perf_file *p, const struct perf_header *h, uint32_t *stream)
{
	struct hash128 key = key_of(p, h);
	uint32_t event;
	bool added;

	find_event(p, h->event, &event);
	*stream = pair_map_add(&p->stream_by_key, (int64_t)(key.low ^ event), (int64_t)key.high,
		(uint32_t)p->stream_count, &added);
	return !added || add_stream(p, h, event, key);
}

/* --- the pass ------------------------------------------------------------------------ */

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
	struct text_file *f = p->file;
	bool inside = false;

	if (!text_file_open(f, PERF_LINE_MAX_BYTES))
		return false;
	for (;;) {
		struct perf_header h;
		struct perf_frame ignored;
		enum perf_line is;
		bool more;

		if (!text_file_next(f, &more))
			return false;
		if (!more)
			break;
		/* Nearly all lines are frames, which say nothing here. */
		if (inside && f->line.text.size && *f->line.text.data == '\t')
			continue;
		is = perf_classify(f->line.text, inside, &h, &ignored);
		if (is == PERF_HEADER && !note_header(p, &h))
			return false;
		p->has_sources = p->has_sources || is == PERF_SOURCE;
		inside = is == PERF_HEADER || (inside && is != PERF_BLANK);
	}
	f->line = (struct line){ .text = TEXT_NULL };
	if (p->header_count)
		return true;
	return error_set(f->err, ERROR_INPUT, "%s: no sample of perf script in it", f->name);
}

/* --- what is told -------------------------------------------------------------------- */

static bool
is_taken(const struct perf_file *p, size_t event, const char *name)
{
	char other[METRIC_NAME_BYTES];

	if (strcmp(name, "seconds") == 0 || strcmp(name, "samples") == 0)
		return true;
	for (size_t i = 0; i < event; i++) {
		metric_name(p->events[i].name, other, sizeof(other));
		if (strcmp(name, other) == 0)
			return true;
	}
	return false;
}

static bool
tell_metric(struct perf_file *p, const char *name, const char *unit, struct text title,
	metric_number *first)
{
	const struct metric_row row = { .family = METRIC_OF_SAMPLES,
		.name = text_from(name),
		.unit = text_from(unit),
		.title = title };
	struct text_file *f = p->file;
	metric_number number;

	if (!f->sink->metric(f->sink, f->set, &row, &number, f->err))
		return false;
	if (!*first)
		*first = number;
	return true;
}

/* The first event's own first: its time where it has any, as speedscope weighs
 * samples, else its samples. Of two events whose names become one, the later
 * has its number behind. */
static bool
tell_event(struct perf_file *p, size_t number)
{
	struct perf_event *e = &p->events[number];
	char name[METRIC_NAME_BYTES], samples[METRIC_NAME_BYTES + 32];
	char title[METRIC_NAME_BYTES * 2];

	e->has_weights = e->has_weights && number == 0;
	metric_name(e->name, name, sizeof(name) - 16);
	if (is_taken(p, number, name) || name[0] == '\0')
		snprintf(name + strlen(name), 16, "_event%zu", number + 1);
	snprintf(samples, sizeof(samples), "%s%s", number ? name : "",
		number ? "_samples" : "samples");
	snprintf(title, sizeof(title), "%.*s%s", text_precision(e->name, METRIC_NAME_BYTES),
		e->name.size ? e->name.data : "", e->name.size ? " samples" : "samples");
	return (!e->has_weights || tell_metric(p, "seconds", "seconds",
					   TEXT_LITERAL("Time between samples"), &e->metric)) &&
	       tell_metric(p, samples, "none", text_from(title), &e->metric) &&
	       (!e->has_period || tell_metric(p, name, "none", e->name, &e->metric));
}

static bool
tell_threads(struct perf_file *p)
{
	struct text_file *f = p->file;
	int64_t told = 0;

	for (size_t i = 0; i < p->stream_count; i++) {
		const struct perf_stream *s = &p->streams[i];
		const struct thread_row row = { .id = s->thread,
			.parent_id = -1,
			.rec_id = s->thread,
			.size = MODEL_NULL,
			.os_thread_id = s->tid,
			.name = s->comm };

		if (s->thread <= told)
			continue;
		told = s->thread;
		if (!f->sink->thread(f->sink, f->set, &row, f->err))
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
	/* As speedscope names them: not the kernel's 0. */
	if (s->pid > 0)
		strbuf_printf(&p->name, " pid: %" PRId64, s->pid);
	if (s->tid > 0)
		strbuf_printf(&p->name, " tid: %" PRId64, s->tid);
	if (s->event && event.size)
		strbuf_printf(&p->name, " (%.*s)", (int)event.size, event.data);
}

static bool
tell_tracks(struct perf_file *p)
{
	struct text_file *f = p->file;
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
		if (!f->sink->track(f->sink, f->set, &row, f->err))
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
		if (!tell_event(p, i))
			return false;
	return tell_threads(p) && tell_tracks(p);
}
