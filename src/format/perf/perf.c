/*
 * Reads perf script output. perf_private.h describes the format.
 *
 * The text is read twice. The first pass finds the events and threads, and checks whether samples
 * have times, because metrics and tracks must be emitted before samples. The values of a sample are 1 and its
 * period. A sample of the first event also has a weight in seconds, as in speedscope: half the
 * time since the previous sample of its thread plus half the time until the next sample. If a
 * thread has only one sample, that sample has no weight.
 */
#include "perf_private.h"

#include "format/common/json_members.h"
#include "format/formats.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	PROBE_BITS = 16, /* a low score, because massif's trees also look like samples */
	LOOK_LINES = 2000,
	LOOK_COMM_BYTES = 64, /* generous: the kernel's thread names have up to 15 bytes */
	NAME_MAX_BYTES = PERF_LINE_MAX_BYTES + 64,
};

/* --- frames -------------------------------------------------------------------------- */

static const struct perf_source no_source = { .file = { NULL, 0 } };

static bool
is_kernel(struct text dso)
{
	return dso.data && dso.size > 2 && *dso.data == '[' &&
	       (memcmp(dso.data, "[k", 2) == 0 || memcmp(dso.data, "[g", 2) == 0);
}

/* For a frame without a symbol, sets the DSO and the address in the DSO. Returns false if this
 * address is unknown. */
static bool
place_unknown(const struct perf_file *p, const struct perf_frame *f, struct frame *frame)
{
	int64_t pid = p->header.pid == MODEL_NULL ? p->header.tid : p->header.pid;
	uint64_t base;

	if (f->offset)
		frame_place(frame, f->dso, f->offset, 0);
	else if (perf_map_base(&p->map, pid, f->dso, &base) && f->address > base)
		frame_place(frame, f->dso, f->address, base);
	else
		return false;
	frame->function = TEXT_NULL;
	return true;
}

static bool
push_frame(struct perf_file *p, const struct perf_frame *f, const struct perf_source *source)
{
	bool inlined = source->inlined || text_equal(f->dso, TEXT_LITERAL("inlined"));
	struct frame frame = { .function = f->symbol, .file = source->file, .line = source->line };

	if (inlined)
		frame.code_type = TEXT_LITERAL("inlined");
	else if (f->dso.size)
		frame.module = f->dso;
	if (text_equal(f->symbol, TEXT_LITERAL("[unknown]")) || !f->symbol.size) {
		if (place_unknown(p, f, &frame))
			return stack_push(p->frames, &frame, p->in->err);
		strbuf_reset(&p->name);
		strbuf_append_str(&p->name, "??? (");
		strbuf_append_text(&p->name, f->dso);
		strbuf_append_char(&p->name, ')');
		frame.function = strbuf_text(&p->name);
	}
	if (is_kernel(f->dso))
		frame.code_type = TEXT_LITERAL("kernel");
	return stack_push(p->frames, &frame, p->in->err);
}

static bool
push_held(struct perf_file *p, const struct perf_source *source)
{
	bool held = p->holds;

	p->holds = false;
	return !held || push_frame(p, &p->held, source);
}

/* Adds a frame. If the text has source lines, the frame first waits for its source line. */
static bool
add_frame(struct perf_file *p, const struct perf_frame *frame)
{
	struct text texts;

	if (!p->has_sources)
		return push_frame(p, frame, &no_source);
	if (!push_held(p, &no_source))
		return false;
	strbuf_reset(&p->held_texts);
	strbuf_append_text(&p->held_texts, frame->symbol);
	strbuf_append_text(&p->held_texts, frame->dso);
	texts = strbuf_text(&p->held_texts);
	p->held = *frame;
	p->held.symbol = (struct text){ texts.data, frame->symbol.size };
	p->held.dso = (struct text){ texts.data + frame->symbol.size, frame->dso.size };
	p->holds = true;
	return true;
}

/* --- samples ------------------------------------------------------------------------- */

/* Returns exactly half of d. If d has too many digits, returns d unchanged; times never have that
 * many. */
static struct decimal
half(struct decimal d)
{
	if (d.mantissa % 2 == 0)
		d.mantissa /= 2;
	else if (d.scale < DECIMAL_MAX_SCALE && !__builtin_mul_overflow(d.mantissa, 5, &d.mantissa))
		d.scale++;
	return d;
}

/* Returns the weight of the waiting sample: half the time from the previous to the next sample. If there is no previous
 * or no next sample, the time of the waiting sample is used instead. */
static struct decimal
weight_of(const struct perf_stream *s, struct decimal after)
{
	struct decimal from = s->before.kind == DECIMAL_NULL ? s->at : s->before;
	struct decimal to = after.kind == DECIMAL_NULL ? s->at : after;
	struct decimal between;

	if (s->at.kind == DECIMAL_NULL || !decimal_subtract(to, from, &between) ||
		between.mantissa < 0)
		return decimal_from_int64(0);
	return half(between);
}

/* Emits the waiting sample. `after` is the time of the next sample, or NULL if this is the last
 * sample. */
static bool
emit_waiting(struct perf_file *p, struct perf_stream *s, struct decimal after)
{
	const struct perf_event *e = &p->events[s->event];
	struct decimal values[3];
	struct sample_row row = { .track = s->track,
		.stack = s->stack,
		.at = s->at,
		.metric = e->metric,
		.values = values };
	bool ok;

	if (e->has_weights && s->timed > 1)
		values[row.value_count++] = weight_of(s, after);
	else
		row.metric += e->has_weights;
	/* cppcheck-suppress unreadVariable ; `row` points to this array */
	values[row.value_count++] = decimal_from_int64(1);
	if (e->has_period)
		/* cppcheck-suppress unreadVariable ; `row` points to this array */
		values[row.value_count++] =
			s->period.kind == DECIMAL_NULL ? decimal_from_int64(0) : s->period;
	row.attributes = members_end(&s->attributes);
	ok = emit_sample(p->in, &row);
	strbuf_release(&s->attributes);
	s->waits = false;
	if (s->at.kind != DECIMAL_NULL)
		s->before = s->at;
	return ok;
}

/* Keeps the CPU of a sample and the fields of a tracepoint as attributes. */
static void
keep_attributes(const struct perf_header *h, struct perf_stream *s)
{
	if (h->cpu != MODEL_NULL)
		members_int(&s->attributes, "cpu", h->cpu);
	if (h->rest.size)
		members_text(&s->attributes, "fields", h->rest);
}

/* Checks that times ascend within a thread, because weights require this. */
static bool
check_time(struct perf_file *p, struct perf_stream *s, struct decimal *at)
{
	struct reader *f = p->in;
	static const char message[] = "sample is earlier than the previous sample of its thread";
	struct line here = f->line;
	bool ok;

	if (!s->waits || at->kind == DECIMAL_NULL || s->at.kind == DECIMAL_NULL ||
		decimal_compare(*at, s->at) >= 0)
		return true;
	f->line = p->header_line;
	f->line.text = TEXT_NULL;
	ok = s->event == 0 ? reader_tolerate(f, ISSUE_TIME_BACKWARD, message)
			   : reader_issue(f, ISSUE_TIME_BACKWARD, message);
	f->line = here;
	*at = s->at;
	return ok;
}

static bool
end_sample(struct perf_file *p)
{
	struct perf_stream *s = &p->streams[p->stream];
	struct decimal at = p->header.time;
	stack_number stack;

	if (!p->open)
		return true;
	p->open = false;
	if (!s->track)
		return reader_issue(p->in, ISSUE_LEFT_OUT,
			"sample left out: its event is not among the first %d",
			(int)PERF_MAX_EVENTS);
	if (!push_held(p, &no_source) || !stack_end_reported(p->frames, p->in, &stack) ||
		!check_time(p, s, &at) || (s->waits && !emit_waiting(p, s, at)))
		return false;
	s->waits = true;
	s->at = at;
	s->period = p->header.period;
	s->stack = stack;
	keep_attributes(&p->header, s);
	return true;
}

static bool
begin_sample(struct perf_file *p, const struct perf_header *h)
{
	struct perf_frame frame;

	if (!end_sample(p) || !perf_stream_of(p, h, &p->stream))
		return false;
	p->open = true;
	p->holds = false;
	stack_begin(p->frames);
	p->header = *h;
	p->header_line = p->in->line;
	if (!h->rest.size)
		return true;
	if (perf_parse_frame(h->rest, &frame)) {
		p->header.rest = TEXT_NULL;
		return add_frame(p, &frame);
	}
	/* Copy the fields, because the line is overwritten before the sample ends. */
	strbuf_reset(&p->fields);
	strbuf_append_text(&p->fields, h->rest);
	p->header.rest = strbuf_text(&p->fields);
	return true;
}

/* --- lines --------------------------------------------------------------------------- */

/* Whether the line is a source line without a frame, or a record that is not a sample. */
static bool
is_known(struct text line)
{
	struct text t = text_trim(line);
	size_t at = t.size;

	while (at && char_is_digit(t.data[at - 1]))
		at--;
	if (at < t.size && at && t.data[at - 1] == ':')
		return true;
	return text_find(t, "PERF_RECORD_") != TEXT_NOT_FOUND;
}

static bool
leave_out(struct perf_file *p)
{
	struct reader *f = p->in;
	struct perf_mapping mapping;

	if (!f->line.cut && perf_parse_mapping(f->line.text, &mapping)) {
		perf_map_add(&p->map, &mapping);
		return true;
	}
	if (f->line.cut)
		return reader_issue(f, ISSUE_LEFT_OUT, "line left out: more than %d bytes",
			(int)PERF_LINE_MAX_BYTES);
	if (is_known(f->line.text))
		return reader_issue(
			f, ISSUE_ODD_LEFT_OUT, "line left out: a source line or another record");
	return reader_issue(f, ISSUE_LEFT_OUT, "line left out: neither a sample nor a frame");
}

/* Reads the source line of the previous frame. A second source line belongs to no frame, and is
 * left out. */
static bool
read_source(struct perf_file *p)
{
	struct perf_source source;

	if (!p->holds || p->in->line.cut || !perf_parse_source(p->in->line.text, &source))
		return leave_out(p);
	return push_held(p, &source);
}

static bool
read_line(struct perf_file *p)
{
	struct reader *f = p->in;
	struct perf_header header;
	struct perf_frame frame;

	/* perf ends every line with a line break. Without one, the input is truncated: outer frames
	 * are missing, and the last frame may be incomplete. */
	if (f->line.unended && p->open &&
		!reader_issue(f, ISSUE_REPORT_CUT,
			"input ends inside a sample: its outermost frames are missing"))
		return false;
	if (!reader_check_utf8(f))
		return false;
	switch (perf_classify(f->line.text, p->open, &header, &frame)) {
	case PERF_BLANK:
		return end_sample(p);
	case PERF_COMMENT:
		return true;
	case PERF_HEADER:
		return begin_sample(p, &header);
	case PERF_FRAME:
		return f->line.cut ? leave_out(p) : add_frame(p, &frame);
	case PERF_SOURCE:
		return read_source(p);
	case PERF_OTHER:
		break;
	}
	return leave_out(p);
}

static bool
read_samples(struct perf_file *p)
{
	struct reader *f = p->in;
	bool ok = perf_survey(p) && reader_open_lines(f, PERF_LINE_MAX_BYTES);

	while (reader_line(f, &ok))
		ok = read_line(p);
	ok = ok && end_sample(p);
	for (size_t i = 0; ok && i < p->stream_count; i++)
		if (p->streams[i].waits)
			ok = emit_waiting(p, &p->streams[i], (struct decimal){ 0 });
	return ok;
}

/* --- a member ------------------------------------------------------------------------ */

static bool
read_member(struct reader *r)
{
	struct perf_file p = { .in = r, .frames = frame_dictionary_new(r->sink, r->set) };
	struct pair_map *maps[] = { &p.event_by_name, &p.stream_by_key, &p.thread_by_key };
	bool ok;

	strbuf_init(&p.fields, PERF_LINE_MAX_BYTES + 1);
	strbuf_init(&p.name, NAME_MAX_BYTES);
	strbuf_init(&p.held_texts, PERF_LINE_MAX_BYTES + 1);
	ok = read_samples(&p);
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		pair_map_release(maps[i]);
	strbuf_release(&p.fields);
	strbuf_release(&p.name);
	strbuf_release(&p.held_texts);
	for (size_t i = 0; i < p.stream_count; i++)
		strbuf_release(&p.streams[i].attributes);
	frame_dictionary_free(p.frames);
	free(p.events);
	perf_map_release(&p.map);
	free(p.streams);
	arena_release(&p.arena);
	return ok;
}

/* --- detection ----------------------------------------------------------------------- */

/* Returns whether the text may be a thread's name. Text with a quote is rejected, because lines of
 * JSON may look like headers. */
static bool
is_comm(struct text comm)
{
	return comm.size <= LOOK_COMM_BYTES && (!comm.size || !memchr(comm.data, '"', comm.size));
}

static int
look_at(struct line_reader *head)
{
	struct error ignored = ERROR_INIT;
	struct perf_header h;
	struct perf_frame frame;
	size_t timed = 0;
	size_t headers = 0;
	size_t frames = 0;
	size_t lines = 0;
	struct line line;
	bool inside = false;
	bool more;

	while (lines < LOOK_LINES && line_next(head, &line, &more, &ignored) && more) {
		enum perf_line is = perf_classify(line.text, inside, &h, &frame);

		inside = is == PERF_HEADER || (inside && is != PERF_BLANK);
		if (is == PERF_BLANK || is == PERF_COMMENT)
			continue;
		lines++;
		/* A header with only a name and a number is not sufficient evidence. */
		headers += is == PERF_HEADER && is_comm(h.comm) &&
			   (h.time.kind != DECIMAL_NULL || h.event.size);
		timed += is == PERF_HEADER && h.time.kind != DECIMAL_NULL && h.tid != MODEL_NULL;
		frames += is == PERF_FRAME ||
			  (is == PERF_HEADER && h.rest.size && perf_parse_frame(h.rest, &frame));
	}
	if (!headers || 2 * (headers + frames) < lines || !(timed || frames))
		return 0;
	return PROBE_BITS;
}

static int
look(const struct format_source *source, size_t member)
{
	struct line_reader *head = member_head_lines(source, member);
	int bits = look_at(head);

	line_reader_free(head);
	return bits;
}

static const struct member_kind kind = {
	.noun = "output of perf script", .look = look, .read = read_member, .captioned = true
};

const struct format format_perf = {
	.name = "perf",
	.title = "the output of perf script",
	.profiler = "perf",
	.known_by = "lines COMM PID TIME: EVENT:, each followed by frames",
	.covers = { [COVERAGE_SAMPLES] = COVERAGE_SAMPLED },
	.reads = true,
	.several = true,
	.members = &kind,
};
