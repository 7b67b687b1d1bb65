/*
 * Reads what FastMM writes about memory in use; see usage_private.h. Each state, snapshot, difference and
 * sequence of samples is a result set.
 */
#include "format/common/log_reader.h"
#include "format/common/text_scan.h"
#include "format/formats.h"
#include "usage_private.h"

#include <stdlib.h>

enum {
	LINES_AFTER_RULER = 12, /* a state's amounts follow its ruler within this many lines */
	LINES_AFTER_TITLE = 8,
	MAX_SETS = 100000, /* per file */
};

/* Lines that may be the beginning of a state. */
struct usage_head {
	unsigned left; /* lines in which the amounts may still follow; 0 if there was no ruler */
	uint64_t line; /* the line of the title, which precedes the ruler */
	unsigned lines;
	bool has_blank; /* a blank line follows the ruler */
	char time[USAGE_TIME_BYTES];
	unsigned amounts;
	int64_t allocated, overhead;
};

struct usage_state {
	struct log_report report;
	bool open;
	enum usage_mode mode;
	bool is_fastmm4;
	bool ended; /* all rows of the state have been read */
	struct usage_head head;
	struct usage_table table;
	struct usage_samples samples;
};

/* --- reports ---------------------------------------------------------------------------------------- */

static bool
end_report(struct usage_state *s)
{
	bool ok;

	if (!s->open)
		return true;
	s->open = false;
	log_report_use(&s->report);
	ok = s->mode == USAGE_SAMPLES
		     ? usage_samples_end(&s->samples, s->report.in, s->table.damaged)
		     : usage_table_emit(&s->table, &s->report, s->mode, s->is_fastmm4);
	log_report_release(&s->report);
	usage_table_release(&s->table);
	return ok;
}

static bool
begin_report(struct usage_state *s, struct reader *in, uint64_t line, enum usage_mode mode,
	const char *time)
{
	if (!end_report(s) || !log_report_begin_at(&s->report, in, line))
		return false;
	if (s->report.set >= MAX_SETS)
		return reader_refuse(in, "more than %d reports", (int)MAX_SETS);
	s->open = true;
	s->ended = false;
	s->mode = mode;
	s->is_fastmm4 = false;
	s->head = (struct usage_head){ 0 };
	snprintf(s->table.time, sizeof(s->table.time), "%s", time);
	return true;
}

static bool
report_broken(struct usage_state *s, enum issue_code code)
{
	s->table.damaged = true;
	return !s->report.wanted ||
	       reader_issue(s->report.in, code, "a row is truncated or wrapped");
}

/* --- the head of a state ------------------------------------------------------------------------------- */

static void
take_time(struct usage_head *h, struct text t)
{
	struct text rest = t;
	int64_t ms;

	if (usage_scan_time(&rest, &ms) && !rest.size)
		snprintf(h->time, sizeof(h->time), "%.*s", (int)t.size, t.data);
}

/* Takes a line after a ruler. Returns true if this line completes the head of a state. */
static bool
head_line(struct usage_head *h, struct text t, int64_t *efficiency)
{
	int64_t *const amounts[] = { &h->allocated, &h->overhead };

	h->left--;
	h->has_blank |= !h->lines++ && !t.size;
	if (h->amounts < 2 && usage_scan_kb(t, 'K', amounts[h->amounts])) {
		h->amounts++;
		return false;
	}
	if (h->amounts == 2 && usage_scan_kb(t, '%', efficiency))
		return true;
	take_time(h, t);
	if (h->amounts)
		*h = (struct usage_head){ 0 };
	return false;
}

static bool
begin_state(struct usage_state *s, struct reader *in, int64_t efficiency)
{
	struct usage_head head = s->head;

	if (!begin_report(s, in, head.line, USAGE_STATE, head.time))
		return false;
	s->is_fastmm4 = !head.time[0] && head.has_blank;
	s->table.allocated_kb = head.allocated;
	s->table.overhead_kb = head.overhead;
	s->table.efficiency = efficiency;
	return true;
}

/* --- lines ---------------------------------------------------------------------------------------------- */

static bool
begins_with_number(struct text t)
{
	scan_char(&t, '-');
	return t.size && char_is_digit(t.data[0]);
}

static bool
take_row(struct usage_state *s, struct text t, bool is_row, const struct usage_row *row)
{
	struct reader *in = s->report.in;

	if (is_row)
		return usage_table_add(&s->table, in, row);
	if (!begins_with_number(t))
		return true;
	return report_broken(s, in->line.unended ? ISSUE_REPORT_CUT : ISSUE_RECORD_BROKEN);
}

/* Handles a line after the head of a state. A blank line ends the rows. The text after it comes from the program. */
static bool
state_line(struct usage_state *s, struct text t)
{
	struct usage_row row;

	s->ended |= !t.size && s->table.count;
	return s->ended || take_row(s, t, usage_scan_state_row(t, &row), &row);
}

static bool
snapshot_line(struct usage_state *s, struct text t)
{
	struct reader *in = s->report.in;
	struct usage_row row;
	/* In a truncated row, the name of the class may be incomplete. */
	bool is_row = !in->line.unended && usage_scan_row(t, s->mode == USAGE_DIFFERENCE, &row);

	if (usage_scan_totals(t, &s->table) || usage_scan_more(t, &s->table.more))
		return true;
	if (!text_begins(t, "*** WARNING:"))
		return take_row(s, t, is_row, &row);
	return !s->report.wanted ||
	       reader_issue(in, ISSUE_TOOL_FAILED, "FastMM warns that the snapshot is incomplete");
}

/* Whether the line is a row of samples, or the beginning of one. Any other line comes from another program. */
static bool
is_sample(const struct usage_state *s, struct text t)
{
	uint64_t index;

	return scan_decimal(&t, &index) &&
	       (scan_char(&t, ',') || (!t.size && s->report.in->line.unended));
}

static bool
take_line(struct usage_state *s, struct text t)
{
	if (!s->open)
		return true;
	log_report_use(&s->report);
	if (s->mode == USAGE_STATE)
		return state_line(s, t);
	if (s->mode != USAGE_SAMPLES)
		return snapshot_line(s, t);
	s->table.damaged |= s->report.in->line.unended;
	return !is_sample(s, t) || usage_samples_row(&s->samples, s->report.in, t);
}

static bool
usage_line(void *state, struct reader *in, struct text content)
{
	struct usage_state *s = state;
	struct text t = text_trim(content);
	char time[USAGE_TIME_BYTES];
	struct text title_time;
	bool is_difference;
	int64_t efficiency;

	if (usage_is_ruler(t)) {
		s->head = (struct usage_head){ .left = LINES_AFTER_RULER,
			.line = in->line.number - (in->line.number > 1) };
		return true;
	}
	if (s->head.left && head_line(&s->head, t, &efficiency))
		return begin_state(s, in, efficiency);
	if (usage_scan_title(t, &is_difference, &title_time)) {
		snprintf(time, sizeof(time), "%.*s", (int)title_time.size,
			title_time.data ? title_time.data : "");
		return begin_report(s, in, in->line.number,
			is_difference ? USAGE_DIFFERENCE : USAGE_SNAPSHOT, time);
	}
	if (usage_is_header(t))
		return begin_report(s, in, in->line.number, USAGE_SAMPLES, "") &&
		       usage_samples_begin(&s->samples, in, t);
	return take_line(s, t);
}

/* Whether the log ends inside the rows of a state. This is so if no blank line follows the rows, and their bytes add
 * up to less than the allocated memory that the state names. */
static bool
is_cut(const struct usage_state *s)
{
	wide_int bytes = 0;

	for (size_t i = 0; i < s->table.count; i++)
		bytes += s->table.rows[i].now.bytes;
	return s->mode == USAGE_STATE && !s->ended && !s->table.damaged &&
	       (!s->table.count || bytes < (wide_int)s->table.allocated_kb * 1024);
}

static bool
usage_end(void *state, struct reader *in)
{
	struct usage_state *s = state;

	if (s->open)
		log_report_use(&s->report);
	if (s->open && is_cut(s) && !report_broken(s, ISSUE_REPORT_CUT))
		return false;
	if ((s->head.amounts || (s->head.left && s->head.time[0])) &&
		!reader_issue(in, ISSUE_REPORT_CUT, "the log ends inside the head of a state"))
		return false;
	return end_report(s);
}

static void
usage_release(void *state)
{
	struct usage_state *s = state;

	if (s->open)
		log_report_release(&s->report);
	usage_table_release(&s->table);
	pair_map_release(&s->samples.tracks);
}

/* --- recognition ------------------------------------------------------------------------------------------ */

static size_t
ruler_at(struct text line)
{
	size_t at = line.size;

	while (at && line.data[at - 1] == '-')
		at--;
	if (!usage_is_ruler(text_from_at(line, at)))
		return TEXT_NOT_FOUND;
	/* Several rulers on one line belong to a snapshot, which has a ruler below each heading. */
	return memchr(line.data, '-', at) && text_ends(text_trim(text_up_to(line, at)), "-")
		       ? TEXT_NOT_FOUND
		       : at;
}

static size_t
usage_mark(struct text line)
{
	static const char *const marks[] = { "FastMM heap snapshot ", "sample_index," };

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		size_t at = text_find(line, marks[i]);

		if (at != TEXT_NOT_FOUND)
			return at;
	}
	return ruler_at(line);
}

/* The bits of *seen say which lines of a report have been seen. The low bits are a number of lines. The next line of
 * the report must follow within that many lines. */
enum {
	SEEN_LINES = 0xFF,
	SEEN_RULER = 0x100,
	SEEN_FIRST = 0x200, /* the first amount */
	SEEN_SECOND = 0x400,
	SEEN_TITLE = 0x800,
	SEEN_HEADER = 0x1000,
};

static bool
look_at_state(unsigned *seen, struct text t)
{
	int64_t value;

	if (usage_scan_kb(t, 'K', &value)) {
		if (*seen & SEEN_SECOND)
			*seen = 0;
		else
			*seen |= *seen & SEEN_FIRST ? SEEN_SECOND : SEEN_FIRST;
		return false;
	}
	if (*seen & SEEN_SECOND)
		return usage_scan_kb(t, '%', &value);
	if (*seen & SEEN_FIRST)
		*seen = 0;
	return false;
}

/* Whether the line shows that the title, header or ruler before it begins a report. */
static bool
follows(unsigned *seen, struct text t)
{
	struct usage_table table = { 0 };

	if (*seen & SEEN_TITLE)
		return usage_scan_totals(t, &table);
	if (*seen & SEEN_HEADER)
		return begins_with_number(t);
	return *seen & SEEN_RULER && look_at_state(seen, t);
}

static bool
usage_look(unsigned *seen, struct text content)
{
	struct text t = text_trim(content);
	struct text time;
	bool is_difference;

	if (usage_is_ruler(t))
		*seen = SEEN_RULER | LINES_AFTER_RULER;
	else if (usage_scan_title(t, &is_difference, &time))
		*seen = SEEN_TITLE | LINES_AFTER_TITLE;
	else if (usage_is_header(t))
		*seen = SEEN_HEADER | 2;
	else if (follows(seen, t))
		return true;
	if (!(*seen & SEEN_LINES) || !(--*seen & SEEN_LINES))
		*seen = 0;
	return false;
}

static const struct log_kind log_kind = {
	.noun = "state, snapshot or samples of FastMM",
	.looked_for =
		"\"FastMM heap snapshot\", \"sample_index,\", or a line of dashes with \"382K Allocated\" after it",
	.state_bytes = sizeof(struct usage_state),
	.mark = usage_mark,
	.line = usage_line,
	.end = usage_end,
	.release = usage_release,
	.look = usage_look,
};

LOG_MEMBERS(log_kind, "report of FastMM about memory in use")

const struct format format_fastmmusage = {
	.name = "fastmmusage",
	.title = "FastMM's heap states and snapshots, the differences between them, and samples",
	.profiler = "FastMM",
	.known_by =
		"the line \"FastMM heap snapshot\", a header that begins with \"sample_index,\", or a line of "
		"dashes with \"382K Allocated\" after it",
	.covers = { [COVERAGE_HEAP] = COVERAGE_UNKNOWN },
	.reads = true,
	.several = true,
	.members = &log_members,
	.lines = &log_lines,
};
