/*
 * Reads logs that contain reports of several formats. At first, only the reader of one format reads the log. If
 * another format recognises a report among the lines, the log is read again as a mixed log. First, each reader
 * reports where its result sets begin. Then all sets are begun in the order of their lines, and each reader reads
 * the log again. No reader sees the lines of another format's report.
 */
#include "base/array.h"
#include "format/formats.h"
#include "input/bundle/bundle.h"
#include "log_watch.h"

#include <stdlib.h>

/* A result set of a mixed log. */
struct mixed_set {
	unsigned format; /* the bit of its format */
	uint64_t line;   /* the line on which it begins */
	struct set_row row;
	uint32_t number; /* the set's number in the sink */
	bool wanted, begun;
};

struct mixed {
	struct sink sink; /* must be first: callbacks cast the sink to struct mixed */
	struct sink *to;  /* NULL in the first pass, which finds the sets */
	const struct format *first;
	unsigned plan;          /* the formats of the log */
	unsigned format;        /* the format of the reader that is running */
	struct mixed_set *sets; /* sorted by line after all have been found */
	size_t count, room;
	size_t owner;       /* number of sets that begin on the current line or before it */
	uint64_t sanitizer; /* the last line on which a sanitizer's report began */
	const struct format *reading;
};

/* --- the sink between the readers and the load ----------------------------------------------- */

#define FORWARD(name, type) \
	static bool forward_##name( \
		struct sink *s, uint32_t set, const type *row, struct error *err) \
	{ \
		struct sink *to = ((struct mixed *)s)->to; \
		return !to || to->name(to, set, row, err); \
	}

FORWARD(routine, struct routine_row)
FORWARD(line, struct line_row)
FORWARD(thread, struct thread_row)
FORWARD(class_meta, struct class_row)
FORWARD(class_data, struct class_data_row)
FORWARD(relation, struct relation_row)
FORWARD(object, struct object_row)
FORWARD(error, struct error_row)
FORWARD(further_stack, struct further_stack_row)
FORWARD(suppression, struct suppression_row)
FORWARD(track, struct track_row)
FORWARD(sample, struct sample_row)
FORWARD(span, struct span_row)
FORWARD(frame, struct frame_row)
FORWARD(graph, struct graph_row)
FORWARD(issue, struct issue)

static bool
forward_stack(struct sink *s, uint32_t set, const struct stack_row *row, stack_number *number,
	struct error *err)
{
	struct sink *to = ((struct mixed *)s)->to;

	*number = 0;
	return !to || to->stack(to, set, row, number, err);
}

static bool
forward_metric(struct sink *s, uint32_t set, const struct metric_row *row, metric_number *number,
	struct error *err)
{
	struct sink *to = ((struct mixed *)s)->to;

	*number = 0;
	return !to || to->metric(to, set, row, number, err);
}

static bool
forward_path(struct sink *s, uint32_t set, path_number parent, int64_t routine_id,
	path_number *number, struct error *err)
{
	struct sink *to = ((struct mixed *)s)->to;

	*number = 0;
	return !to || to->path(to, set, parent, routine_id, number, err);
}

static bool
forward_metadata(
	struct sink *s, uint32_t set, const char *key, struct text value, struct error *err)
{
	struct sink *to = ((struct mixed *)s)->to;

	return !to || to->metadata(to, set, key, value, err);
}

static void
forward_drop(struct sink *s, uint32_t set)
{
	struct sink *to = ((struct mixed *)s)->to;

	if (to)
		to->drop(to, set);
}

static bool
forward_complete(struct sink *s, uint32_t set, struct error *err)
{
	struct sink *to = ((struct mixed *)s)->to;

	return !to || !to->complete || to->complete(to, set, err);
}

/* Does nothing, because the sink must end only after the last reader. */
static bool
mixed_end(struct sink *s, struct error *err)
{
	(void)s;
	(void)err;
	return true;
}

/* Emits, as metadata, the properties of a set's format. The load itself stores those of the first format. */
static bool
state_format(struct mixed *m, uint32_t set, struct error *err)
{
	const struct format *f = m->reading;
	char key[32], value[200];

	if (f == m->first)
		return true;
	for (int i = 0; i < COVERAGE_WHATS; i++) {
		snprintf(key, sizeof(key), "looked_for:%s",
			coverage_what_name((enum coverage_what)i));
		if (f->covers[i] == COVERAGE_NONE)
			snprintf(value, sizeof(value), "none %s files do not hold them", f->name);
		else
			snprintf(value, sizeof(value), "%s the format",
				coverage_degree_name(f->covers[i]));
		if (!m->to->metadata(m->to, set, key, text_from(value), err))
			return false;
	}
	return m->to->metadata(m->to, set, "format", text_from(f->name), err);
}

static struct mixed_set *
find_set(struct mixed *m, uint64_t line)
{
	size_t i = m->owner;

	/* The last set of a format can begin at the end of the log. */
	while (i < m->count && m->sets[i].line <= line)
		i++;
	for (; i && m->sets[i - 1].line >= line; i--)
		if (m->sets[i - 1].line == line && m->sets[i - 1].format == m->format &&
			!m->sets[i - 1].begun)
			return &m->sets[i - 1];
	return NULL;
}

static bool
mixed_set(struct sink *s, const struct set_row *row, uint32_t *set, bool *wanted, struct error *err)
{
	struct mixed *m = (struct mixed *)s;
	struct mixed_set *found;

	if (!m->to) {
		*set = (uint32_t)m->count;
		*wanted = false;
		*ARRAY_ADD(m->sets, m->count, m->room) =
			(struct mixed_set){ .format = m->format, .line = row->line, .row = *row };
		return true;
	}
	found = find_set(m, row->line);
	if (found) {
		found->begun = true;
		*set = found->number;
		*wanted = found->wanted;
	} else if (!m->to->set(m->to, row, set, wanted, err)) {
		return false;
	}
	return !*wanted || state_format(m, *set, err);
}

static void
mixed_init(struct mixed *m, const struct format *first)
{
	*m = (struct mixed){ .first = first };
	m->sink = (struct sink){
		.set = mixed_set,
		.routine = forward_routine,
		.line = forward_line,
		.thread = forward_thread,
		.class_meta = forward_class_meta,
		.class_data = forward_class_data,
		.relation = forward_relation,
		.stack = forward_stack,
		.object = forward_object,
		.error = forward_error,
		.further_stack = forward_further_stack,
		.suppression = forward_suppression,
		.metric = forward_metric,
		.track = forward_track,
		.sample = forward_sample,
		.path = forward_path,
		.span = forward_span,
		.frame = forward_frame,
		.graph = forward_graph,
		.issue = forward_issue,
		.metadata = forward_metadata,
		.drop = forward_drop,
		.complete = forward_complete,
		.end = mixed_end,
	};
}

/* --- lines ------------------------------------------------------------------------------------------ */

/* Passes every line to the reader until another format is found. */
static enum log_line
watch_line(void *self, uint64_t number, struct text line)
{
	struct log_watch *w = self;

	(void)number;
	log_watch_line(w, line);
	return log_watch_found(w) ? LOG_LINE_STOP : LOG_LINE_READ;
}

static enum log_line
watch_on(void *self, uint64_t number, struct text line)
{
	(void)number;
	log_watch_line(self, line);
	return LOG_LINE_READ;
}

/* Decides whether the current reader sees the line. Valgrind marks each of its lines, so its lines can be between the
 * lines of any other report. The sanitizers' reader sees all lines without valgrind's mark, because it finds the lines
 * of its reports in any log, and all its reports are one set. For the other readers, a line belongs to the last report
 * that began before it; valgrind's reports do not count. A line that may begin a report of a format is never hidden
 * from the reader of that format. */
static enum log_line
own_line(void *self, uint64_t number, struct text line)
{
	struct mixed *m = self;
	unsigned valgrind = log_format_bit(&format_valgrind);
	unsigned sanitizer = log_format_bit(&format_sanitizer);
	uint64_t since = 0;
	size_t i;

	while (m->owner < m->count && m->sets[m->owner].line <= number)
		m->owner++;
	if (m->format == valgrind)
		return LOG_LINE_READ;
	if (m->plan & valgrind && log_is_valgrind(line))
		return LOG_LINE_SKIP;
	if (m->format == sanitizer)
		return LOG_LINE_READ;
	if (m->plan & sanitizer && log_is_sanitizer(line))
		m->sanitizer = number;
	i = m->owner;
	while (i && m->sets[i - 1].format & (valgrind | sanitizer))
		i--;
	if (i)
		since = m->sets[i - 1].line;
	if (m->sanitizer <= since && (!i || m->sets[i - 1].format == m->format))
		return LOG_LINE_READ;
	return log_begins_report(m->reading, line) ? LOG_LINE_READ : LOG_LINE_SKIP;
}

/* --- reading ------------------------------------------------------------------------------------- */

/* Runs the readers of the formats in turn. A reader that finds no report is removed from *plan. */
static bool
run_readers(struct mixed *m, struct format_source *source, unsigned *plan, struct error *err)
{
	for (size_t i = 0; formats[i]; i++) {
		m->reading = formats[i];
		m->format = log_format_bit(formats[i]);
		m->owner = 0;
		m->sanitizer = 0;
		if (!(*plan & m->format) ||
			format_read_alone(formats[i], source, &m->sink, err) == FORMAT_DONE)
			continue;
		if (err->code != ERROR_INPUT || m->to)
			return false;
		error_clear(err);
		*plan &= ~m->format;
	}
	return true;
}

static int
compare_sets(const void *a, const void *b)
{
	const struct mixed_set *x = a;
	const struct mixed_set *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->format > y->format) - (x->format < y->format);
}

/* Finds the result sets, and the lines on which they begin. If the log contains reports of further formats,
 * adds these formats to *plan. */
static bool
find_sets(struct mixed *m, struct format_source *source, unsigned *plan, struct error *err)
{
	struct log_watch *w = log_watch_new(*plan);
	unsigned others;
	bool ok;

	source->log_line = watch_on;
	source->log_self = w;
	ok = run_readers(m, source, plan, err);
	source->log_line = NULL;
	source->log_self = NULL;
	others = log_watch_found(w);
	log_watch_free(w);
	if (!ok || !run_readers(m, source, &others, err))
		return false;
	*plan |= others;
	if (m->count)
		qsort(m->sets, m->count, sizeof(*m->sets), compare_sets);
	return m->count ||
	       error_set(err, ERROR_INPUT, "%s: no complete report in it", source->path);
}

static bool
begin_sets(struct mixed *m, struct error *err)
{
	for (size_t i = 0; i < m->count; i++) {
		struct mixed_set *s = &m->sets[i];

		if (!m->to->set(m->to, &s->row, &s->number, &s->wanted, err))
			return false;
	}
	return true;
}

static enum format_result
read_mixed(
	const struct format *f, struct format_source *source, struct sink *sink, struct error *err)
{
	struct mixed m;
	bool ok;

	mixed_init(&m, f);
	ok = find_sets(&m, source, &source->plan, err);
	m.to = sink;
	m.plan = source->plan;
	source->log_line = own_line;
	source->log_self = &m;
	ok = ok && begin_sets(&m, err) && run_readers(&m, source, &source->plan, err);
	source->log_line = NULL;
	source->log_self = NULL;
	for (size_t i = 0; ok && i < m.count; i++)
		if (!m.sets[i].begun)
			sink->drop(sink, m.sets[i].number);
	ok = ok && sink->end(sink, err);
	free(m.sets);
	return ok ? FORMAT_DONE : FORMAT_FAILED;
}

/* Reads the log as a log of the format `f`, unless a report of another format is found. */
static enum format_result
read_watched(
	const struct format *f, struct format_source *source, struct sink *sink, struct error *err)
{
	struct log_watch *w = log_watch_new(log_format_bit(f));
	enum format_result result;
	unsigned found;

	source->log_line = watch_line;
	source->log_self = w;
	result = format_read_alone(f, source, sink, err);
	source->log_line = NULL;
	found = log_watch_found(w);
	log_watch_free(w);
	if (result == FORMAT_AGAIN && found)
		source->plan = found | log_format_bit(f);
	return result;
}

enum format_result
format_read(
	const struct format *f, struct format_source *source, struct sink *sink, struct error *err)
{
	if (!f->lines || source->options.named || bundle_count(source->bundle) != 1)
		return format_read_alone(f, source, sink, err);
	return source->plan ? read_mixed(f, source, sink, err) : read_watched(f, source, sink, err);
}
