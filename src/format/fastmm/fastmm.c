/*
 * Reads the logs of FastMM4 and FastMM5; see fastmm_private.h. Each report is a result set. It consists of
 * the entries up to and including a summary. Lines with different prefixes belong to different reports.
 */
#include "fastmm_private.h"
#include "format/common/log_reader.h"
#include "format/formats.h"

enum {
	LINES_AFTER_HEAD = 6,
	LINE_MAX_BYTES = 64 * 1024,
	MAX_SETS = 100000, /* limit per file */
};

struct fm_state {
	struct fm_report report;
	bool joins;         /* whether `head` contains a line */
	struct strbuf head; /* the first half of a wrapped head */
};

static void
init(struct fm_state *s)
{
	struct fm_report *r = &s->report;

	strbuf_init(&r->entry.text, FM_TEXT_MAX_BYTES);
	strbuf_init(&r->entry.line_text, FM_TEXT_MAX_BYTES);
	strbuf_init(&r->names, FM_TEXT_MAX_BYTES);
	strbuf_init(&r->clean, FM_TEXT_MAX_BYTES);
	strbuf_init(&s->head, LINE_MAX_BYTES);
}

static void
fm_release(void *state)
{
	struct fm_state *s = state;
	struct fm_report *r = &s->report;

	if (r->open)
		log_report_release(&r->out);
	strbuf_release(&r->entry.text);
	strbuf_release(&r->entry.line_text);
	strbuf_release(&r->names);
	strbuf_release(&r->clean);
	strbuf_release(&s->head);
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
take_head(struct fm_report *r, struct reader *in, int version, const char *time, bool wrapped)
{
	if (!end_entry(r, false))
		return false;
	/* If a program moved from FastMM4 to FastMM5, one log has reports of both versions. */
	if (r->open && r->version != version && !fastmm_report_end(r))
		return false;
	if (!r->open) {
		if (!fastmm_report_begin(r, in, version))
			return false;
		if (r->out.set >= MAX_SETS)
			return reader_refuse(in, "more than %d reports", (int)MAX_SETS);
	}
	log_report_use(&r->out);
	begin_entry(r, in, time);
	if (!wrapped || r->wrapped)
		return true;
	r->wrapped = true;
	return !r->out.wanted ||
	       reader_issue(in, ISSUE_RECORD_BROKEN, "the log's lines are wrapped");
}

static bool
fm_line(void *state, struct reader *in, struct text line)
{
	struct fm_state *s = state;
	struct fm_report *r = &s->report;
	char time[FM_TIME_BYTES];
	int version;
	bool cut;

	if (!s->head.max)
		init(s);
	if (s->joins) {
		s->joins = false;
		strbuf_append_char(&s->head, ' ');
		strbuf_append_text(&s->head, line);
		if (fastmm_head(strbuf_text(&s->head), &version, time, &cut) && !cut)
			return take_head(r, in, version, time, true);
	}
	if (line.size && line.data[0] == '-' && fastmm_head(line, &version, time, &cut)) {
		if (!cut)
			return take_head(r, in, version, time, false);
		strbuf_reset(&s->head);
		strbuf_append_text(&s->head, line);
		s->joins = true;
		return true;
	}
	if (!r->open || !r->entry.open)
		return true;
	log_report_use(&r->out);
	return fastmm_entry_line(r, line, in->line.unended);
}

static bool
fm_end(void *state, struct reader *in)
{
	struct fm_state *s = state;

	if (s->joins && in->set != ISSUE_EVERY_SET && in->wanted &&
		!reader_issue(in, ISSUE_REPORT_CUT, "the log ends inside the head of an entry"))
		return false;
	return end_entry(&s->report, true) && fastmm_report_end(&s->report);
}

/* --- recognition --------------------------------------------------------------------------------- */

static size_t
fm_mark(struct text line)
{
	char time[FM_TIME_BYTES];
	size_t at = text_find(line, "--------");
	int version;
	bool cut;

	return at != TEXT_NOT_FOUND && fastmm_head(text_from_at(line, at), &version, time, &cut)
		       ? at
		       : TEXT_NOT_FOUND;
}

/* A log is recognised by a head, if one of these follows: a sentence about FastMM, the size of a leak, or a stack.
 * *after is the number of further lines that can contain one of them. */
static bool
fm_look(unsigned *after, struct text line)
{
	if (fm_mark(line) != TEXT_NOT_FOUND) {
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

static const struct log_kind log_kind = {
	.noun = "FastMM report",
	.looked_for = "lines such as \"----2026/11/23 1:11:17----\"",
	.state_bytes = sizeof(struct fm_state),
	.mark = fm_mark,
	.line = fm_line,
	.end = fm_end,
	.release = fm_release,
	.look = fm_look,
};

LOG_MEMBERS(log_kind, "log of FastMM")

const struct format format_fastmm = {
	.name = "fastmm",
	.title = "logs of FastMM4 and FastMM5, in any language",
	.profiler = "FastMM",
	.known_by =
		"lines such as \"----2026/11/23 1:11:17----\" with a leak or an error after them",
	.covers = { [COVERAGE_LEAKS] = COVERAGE_UNKNOWN, [COVERAGE_ERRORS] = COVERAGE_FULL },
	.reads = true,
	.several = true,
	.members = &log_members,
	.lines = &log_lines,
};
