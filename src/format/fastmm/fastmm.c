/*
 * Reads the logs of FastMM4 and FastMM5; see fastmm_private.h. Each report is a result set: the entries up
 * to and including a summary. Lines with different prefixes belong to different reports.
 */
#include "fastmm_private.h"
#include "format/formats.h"

#include <stdlib.h>

enum {
	LINES_AFTER_HEAD = 6,
	LOOK_BITS = 8 * 24,
	LINE_MAX_BYTES = 64 * 1024,
	MAX_SETS = 100000, /* limit per file */
};

struct fm_log {
	struct reader *in;
	struct log_prefixes prefixes;
	struct fm_report *reports[LOG_PREFIXES + 1]; /* by prefix number; NULL without entries */
	size_t sets;
	bool joins;         /* whether `head` contains a line */
	struct strbuf head; /* the first half of a wrapped head */
};

static struct fm_report *
report_new(void)
{
	struct fm_report *r = xcalloc(1, sizeof(*r));

	strbuf_init(&r->entry.text, FM_TEXT_MAX_BYTES);
	strbuf_init(&r->entry.line_text, FM_TEXT_MAX_BYTES);
	strbuf_init(&r->names, FM_TEXT_MAX_BYTES);
	strbuf_init(&r->clean, FM_TEXT_MAX_BYTES);
	return r;
}

static void
report_free(struct fm_report *r)
{
	if (r->open)
		log_report_release(&r->out);
	strbuf_release(&r->entry.text);
	strbuf_release(&r->entry.line_text);
	strbuf_release(&r->names);
	strbuf_release(&r->clean);
	free(r);
}

static void
begin_entry(struct fm_report *r, struct reader *in, const char *time)
{
	struct fm_entry *e = &r->entry;
	struct strbuf text = e->text;
	struct strbuf line_text = e->line_text;

	*e = (struct fm_entry){ .text = text, .line_text = line_text, .open = true };
	strbuf_reset(&e->text);
	strbuf_reset(&e->line_text);
	e->line = in->line.number;
	e->offset = in->line.offset;
	snprintf(e->time, sizeof(e->time), "%s", time);
	snprintf(r->last_time, sizeof(r->last_time), "%s", time);
	if (!r->first_time[0])
		snprintf(r->first_time, sizeof(r->first_time), "%s", time);
}

/* Ends the report's entry, and the report if the entry was its summary. */
static bool
end_entry(struct fm_report *r, bool last)
{
	bool ends;

	if (!r->open)
		return true;
	log_report_use(&r->out);
	return fastmm_entry_end(r, last, &ends) && (!ends || fastmm_report_end(r));
}

static bool
take_head(struct fm_log *l, unsigned prefix, int version, const char *time, bool wrapped)
{
	struct fm_report *r = l->reports[prefix];

	if (!r)
		r = l->reports[prefix] = report_new();
	if (!end_entry(r, false))
		return false;
	/* If a program moved from FastMM4 to FastMM5, one log has reports of both versions. */
	if (r->open && r->version != version && !fastmm_report_end(r))
		return false;
	if (!r->open) {
		if (l->sets++ == MAX_SETS)
			return reader_refuse(l->in, "more than %d reports", (int)MAX_SETS);
		if (!fastmm_report_begin(r, l->in, version))
			return false;
	}
	log_report_use(&r->out);
	begin_entry(r, l->in, time);
	if (!wrapped || r->wrapped)
		return true;
	r->wrapped = true;
	return !r->out.wanted ||
	       reader_issue(l->in, ISSUE_RECORD_BROKEN, "the log's lines are wrapped");
}

/* Finds a head after other text in the line, and adds that text as a prefix. */
static bool
find_prefixed_head(struct fm_log *l, struct text line, unsigned *prefix, struct text *content)
{
	char time[FM_TIME_BYTES];
	size_t at = text_find(line, "--------");
	int version;
	bool cut;

	if (at == TEXT_NOT_FOUND || !at)
		return false;
	*content = text_from_at(line, at);
	if (!fastmm_head(*content, &version, time, &cut))
		return false;
	if (!log_prefix_add(&l->prefixes, text_up_to(line, at)))
		return false;
	*prefix = l->prefixes.count;
	return true;
}

static bool
take_content(struct fm_log *l, unsigned prefix, struct text line)
{
	struct fm_report *r = l->reports[prefix];
	char time[FM_TIME_BYTES];
	int version;
	bool cut;

	if (l->joins) {
		l->joins = false;
		strbuf_append_char(&l->head, ' ');
		strbuf_append_text(&l->head, line);
		if (fastmm_head(strbuf_text(&l->head), &version, time, &cut) && !cut)
			return take_head(l, prefix, version, time, true);
	}
	if (line.size && line.data[0] == '-' && fastmm_head(line, &version, time, &cut)) {
		if (!cut)
			return take_head(l, prefix, version, time, false);
		strbuf_reset(&l->head);
		strbuf_append_text(&l->head, line);
		l->joins = true;
		return true;
	}
	if (!r || !r->open || !r->entry.open)
		return true;
	log_report_use(&r->out);
	return fastmm_entry_line(r, line, l->in->line.unended);
}

static bool
take_line(struct fm_log *l)
{
	struct text line = l->in->line.text;
	struct text content = line;
	unsigned prefix = l->prefixes.count ? log_prefix_strip(&l->prefixes, line, &content) : 0;

	if (!prefix && (!line.size || line.data[0] != '-'))
		find_prefixed_head(l, line, &prefix, &content);
	return take_content(l, prefix, content);
}

static bool
check_found(struct fm_log *l)
{
	if (l->sets)
		return true;
	l->in->line.number = 0;
	reader_refuse(l->in, "no FastMM report in it");
	return error_hint(l->in->err, "looked for lines such as \"----2026/11/23 1:11:17----\"");
}

static bool
read_member(struct reader *r)
{
	struct fm_log *l = xcalloc(1, sizeof(*l));
	bool ok;

	l->in = r;
	strbuf_init(&l->head, LINE_MAX_BYTES);
	ok = reader_open_log(r, LINE_MAX_BYTES);
	if (ok)
		line_set_code_page(r->lines,
			r->source->options.encoding ? r->source->options.encoding : "CP1252");
	while (reader_line(r, &ok))
		ok = take_line(l);
	if (ok && l->joins && l->sets && r->wanted)
		ok = reader_issue(r, ISSUE_REPORT_CUT, "the log ends inside the head of an entry");
	for (size_t i = 0; i <= LOG_PREFIXES; i++) {
		struct fm_report *report = l->reports[i];

		if (!report)
			continue;
		ok = ok && end_entry(report, true) && fastmm_report_end(report);
		report_free(report);
	}
	ok = ok && check_found(l);
	strbuf_release(&l->head);
	log_prefixes_release(&l->prefixes);
	free(l);
	return ok;
}

/* --- recognition --------------------------------------------------------------------------------- */

static void *
begin_looking(const void *kind)
{
	(void)kind;
	return xcalloc(1, sizeof(unsigned));
}

/* A log is recognised by a head that is followed by a sentence about FastMM, a leak's size, or a
 * stack. The state is the number of lines in which this text may still follow. */
static bool
look_at_line(void *state, struct text line)
{
	unsigned *after = state;
	char time[FM_TIME_BYTES];
	size_t at = text_find(line, "--------");
	int version;
	bool cut;

	if (at != TEXT_NOT_FOUND && fastmm_head(text_from_at(line, at), &version, time, &cut)) {
		*after = LINES_AFTER_HEAD;
		return false;
	}
	if (!*after)
		return false;
	(*after)--;
	return line.size > 4 && (text_find(line, "FastMM") != TEXT_NOT_FOUND ||
					text_find(line, ": ") != TEXT_NOT_FOUND ||
					text_find(line, "block") != TEXT_NOT_FOUND);
}

static const struct format_lines line_look = { NULL, begin_looking, look_at_line, free };

static int
look(const struct format_source *source, size_t member)
{
	const struct line_options options = { .log = true };
	struct text head = bundle_head(source->bundle, member);
	struct line_reader *lines = line_reader_new_memory(head.data, head.size, 0, &options);
	struct error err = ERROR_INIT;
	struct line line;
	unsigned after = 0;
	bool more = true;
	bool found = false;

	while (!found && line_next(lines, &line, &more, &err) && more)
		found = look_at_line(&after, line.text);
	line_reader_free(lines);
	return found ? LOOK_BITS : 0;
}

static const struct member_kind kind = {
	.noun = "log of FastMM", .look = look, .read = read_member, .own_sets = true
};

const struct format format_fastmm = {
	.name = "fastmm",
	.title = "logs of FastMM4 and FastMM5, in any language",
	.profiler = "FastMM",
	.known_by =
		"lines such as \"----2026/11/23 1:11:17----\" with a leak or an error after them",
	.covers = { [COVERAGE_LEAKS] = COVERAGE_UNKNOWN, [COVERAGE_ERRORS] = COVERAGE_FULL },
	.reads = true,
	.several = true,
	.members = &kind,
	.lines = &line_look,
};
