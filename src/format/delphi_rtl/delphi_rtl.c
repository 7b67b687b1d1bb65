/*
 * Reads the message about leaks that Delphi's runtime shows if ReportMemoryLeaksOnShutdown is set.
 * Users paste the message into a file, or capture it.
 *
 * Format: "An unexpected memory leak has occurred. ", then "The unexpected small block leaks are:" and rows
 * "LOW - HIGH bytes: CLASS x COUNT, ...", and "The sizes of unexpected leaked medium and large blocks are:
 * SIZE, ...". The class names of generics contain commas, so a row is split after each count. Source: the
 * messages of System.pas, and messages that users posted.
 */
#include "format/common/json_members.h"
#include "format/common/log_reader.h"
#include "format/common/text_scan.h"
#include "format/formats.h"

enum {
	ROW_BYTES = 32 * 1024,
};

struct rtl_state {
	struct log_report report;
	bool open;
	bool found; /* a row has been read */
	bool damaged;
	struct strbuf
		row; /* a row that continues on the next line; empty if there is no such row */
};

static const char head[] = "An unexpected memory leak has occurred.";
static const char large[] = "sizes of unexpected leaked medium and large blocks are: ";

static size_t
mark(struct text line)
{
	return text_find(line, head);
}

/* Scans "13 - 20 bytes: ". */
static bool
scan_range(struct text *t, uint64_t *low, uint64_t *high)
{
	struct text rest = *t;

	if (!scan_decimal(&rest, low) || !scan_word(&rest, " - ") || !scan_decimal(&rest, high) ||
		!scan_word(&rest, " bytes: "))
		return false;
	*t = rest;
	return true;
}

/* --- rows --------------------------------------------------------------------------------------- */

static bool
emit_class(struct rtl_state *s, struct text class_name, uint64_t count, uint64_t low, uint64_t high)
{
	struct strbuf attributes = STRBUF_INIT(200);
	struct object_row row = { .number = NUMBER_NULL,
		.address = NUMBER_NULL,
		.size = NUMBER_NULL,
		.block_count = (int64_t)count,
		.leak_kind = TEXT_LITERAL("definite") };
	bool bad = false;
	bool ok;

	s->found = true;
	members_number(&attributes, "size_from", low);
	members_number(&attributes, "size_to", high);
	row.attributes = members_end(&attributes);
	ok = log_report_object(&s->report, &row, line_clean(s->report.in->lines, class_name, &bad),
		LOG_NO_THREAD, NULL);
	strbuf_release(&attributes);
	return ok;
}

static bool
emit_large(struct rtl_state *s, uint64_t size)
{
	struct object_row row = { .number = NUMBER_NULL,
		.address = NUMBER_NULL,
		.size = { .magnitude = size },
		.block_count = 1,
		.leak_kind = TEXT_LITERAL("definite") };

	s->found = true;
	return log_report_object(&s->report, &row, TEXT_LITERAL("Unknown"), LOG_NO_THREAD, NULL);
}

/* Emits the classes of "CLASS x COUNT, CLASS x COUNT". *whole is false if the last item is
 * incomplete. */
static bool
take_classes(struct rtl_state *s, struct text t, uint64_t low, uint64_t high, bool *whole)
{
	*whole = false;
	for (;;) {
		size_t at = text_find(t, " x ");
		struct text rest = text_from_at(t, at == TEXT_NOT_FOUND ? t.size : at + 3);
		uint64_t count;

		if (!scan_decimal(&rest, &count) || count > INT64_MAX || !count)
			return true;
		if (!emit_class(s, text_up_to(t, at), count, low, high))
			return false;
		*whole = !rest.size;
		if (*whole || !scan_word(&rest, ", "))
			return true;
		t = rest;
	}
}

static bool
take_sizes(struct rtl_state *s, struct text t, bool *whole)
{
	uint64_t size;

	*whole = false;
	while (scan_decimal(&t, &size)) {
		if (!emit_large(s, size))
			return false;
		*whole = !t.size;
		if (*whole || !scan_word(&t, ", "))
			return true;
	}
	return true;
}

static bool
report_cut(struct rtl_state *s)
{
	s->damaged = true;
	return !s->report.wanted || reader_issue(s->report.in, ISSUE_REPORT_CUT,
					    "a row of leaks is truncated or wrapped");
}

/* Emits the row in s->row, which may be incomplete. */
static bool
end_row(struct rtl_state *s)
{
	struct text t = strbuf_text(&s->row);
	uint64_t low, high;
	size_t at = text_find(t, large);
	bool whole = false;
	bool ok = true;

	if (!t.size)
		return true;
	if (at != TEXT_NOT_FOUND)
		ok = take_sizes(s, text_trim(text_from_at(t, at + sizeof(large) - 1)), &whole);
	else if (scan_range(&t, &low, &high))
		ok = take_classes(s, text_trim(t), low, high, &whole);
	strbuf_reset(&s->row);
	return ok && (whole || report_cut(s));
}

/* Returns whether the row ends on this line. A row ends with a number. If it continues on the next line,
 * this line ends with a word or a comma. */
static bool
is_row_whole(struct text t)
{
	size_t at = t.size;

	while (at && char_is_digit(t.data[at - 1]))
		at--;
	return at && at < t.size &&
	       (text_ends(text_up_to(t, at), " x ") || text_ends(text_up_to(t, at), ": ") ||
		       text_ends(text_up_to(t, at), ", "));
}

/* --- reports --------------------------------------------------------------------------------------- */

static bool
end_report(struct rtl_state *s)
{
	struct reader *in = s->report.in;
	bool ok;

	if (!s->open)
		return true;
	log_report_use(&s->report);
	ok = end_row(s) && (s->found || s->damaged || report_cut(s));
	if (ok && s->report.wanted)
		ok = emit_metadata(in, "tool", TEXT_LITERAL("delphi-rtl")) &&
		     emit_finished(in, !s->damaged) &&
		     emit_coverage(in, COVERAGE_LEAKS,
			     s->damaged ? COVERAGE_PARTIAL : COVERAGE_FULL,
			     "the runtime's message");
	log_report_release(&s->report);
	s->open = false;
	return ok;
}

static bool
rtl_line(void *state, struct reader *in, struct text content)
{
	struct rtl_state *s = state;
	struct text t = text_trim(content);
	struct text rest = t;
	uint64_t low, high;

	if (!s->row.max)
		strbuf_init(&s->row, ROW_BYTES);
	if (s->open)
		log_report_use(&s->report);
	if (text_begins(t, head)) {
		if (!end_report(s) || !log_report_begin(&s->report, in))
			return false;
		s->open = true;
		s->found = s->damaged = false;
	}
	if (!s->open)
		return true;
	if (scan_range(&rest, &low, &high) || text_find(t, large) != TEXT_NOT_FOUND) {
		if (!end_row(s))
			return false;
	} else if (!s->row.size) {
		return true;
	} else if (t.size) {
		strbuf_append_char(&s->row, ' ');
	}
	strbuf_append_text(&s->row, t);
	return (t.size && !is_row_whole(strbuf_text(&s->row))) || end_row(s);
}

static bool
rtl_end(void *state, struct reader *in)
{
	(void)in;
	return end_report(state);
}

static void
rtl_release(void *state)
{
	struct rtl_state *s = state;

	if (s->open)
		log_report_release(&s->report);
	strbuf_release(&s->row);
}

/* A log is recognised by the message's first sentence, with a row among the next lines. */
static bool
rtl_look(unsigned *seen, struct text content)
{
	enum {
		WITHIN_LINES = 6
	};
	struct text t = text_trim(content);
	uint64_t low, high;

	if (text_begins(t, head))
		*seen = WITHIN_LINES;
	else if (*seen)
		--*seen;
	if (!*seen)
		return false;
	if (scan_range(&t, &low, &high))
		return text_find(t, " x ") != TEXT_NOT_FOUND;
	low = text_find(t, large);
	return low != TEXT_NOT_FOUND && low + sizeof(large) <= t.size;
}

static const struct log_kind log_kind = {
	.noun = "message of Delphi's runtime about leaks",
	.looked_for = "\"An unexpected memory leak has occurred.\" and rows of classes after it",
	.state_bytes = sizeof(struct rtl_state),
	.mark = mark,
	.line = rtl_line,
	.end = rtl_end,
	.release = rtl_release,
	.look = rtl_look,
};

LOG_MEMBERS(log_kind, "message of Delphi's runtime about leaks")

const struct format format_delphirtl = {
	.name = "delphirtl",
	.title = "messages of Delphi's runtime about leaks (ReportMemoryLeaksOnShutdown)",
	.profiler = "Delphi's runtime",
	.known_by =
		"the sentence \"An unexpected memory leak has occurred.\" and rows such as \"13 - 20 bytes: "
		"TBasket x 2\"",
	.covers = { [COVERAGE_LEAKS] = COVERAGE_UNKNOWN },
	.reads = true,
	.several = true,
	.members = &log_members,
	.lines = &log_lines,
};
