/* Reads the lines of a log and passes them to the open reports. */
#include "base/array.h"
#include "sanitizer_state.h"

enum {
	FOREIGN_ROWS_MAX = 3
};

/* --- open reports ------------------------------------------------------------------ */

static bool
close_report(struct sanitizer *s, size_t i)
{
	struct report *r = s->open[i];
	bool ok;

	s->open_count--;
	memmove(&s->open[i], &s->open[i + 1], (s->open_count - i) * sizeof(struct report *));
	ok = report_end_stack(s, r) && sanitizer_emit_report(s, r);
	report_free(r);
	return ok;
}

static void
to_front(struct sanitizer *s, size_t i)
{
	struct report *r = s->open[i];

	memmove(&s->open[1], &s->open[0], i * sizeof(struct report *));
	s->open[0] = r;
}

/* Closes all reports in the order of their first lines. */
static bool
close_all(struct sanitizer *s)
{
	while (s->open_count) {
		size_t first = 0;

		for (size_t i = 1; i < s->open_count; i++)
			if (s->open[i]->offset < s->open[first]->offset)
				first = i;
		if (!close_report(s, first))
			return false;
	}
	return true;
}

static bool
same_prefix(const struct report *a, const struct report *b)
{
	return text_equal(strbuf_text(&a->prefix), strbuf_text(&b->prefix));
}

/* Closes the reports that the new report ends: the previous report of its process, and runtime
 * errors with the same prefix. If too many reports are still open, closes one more. */
static bool
close_before(struct sanitizer *s, const struct report *r)
{
	for (size_t i = s->open_count; i-- > 0;) {
		const struct report *o = s->open[i];
		bool over = o->kind == HEAD_UNDEFINED
				    ? same_prefix(o, r)
				    : r->has_pid && o->has_pid && o->pid == r->pid;

		if (over && !close_report(s, i))
			return false;
	}
	return s->open_count < OPEN_REPORTS_MAX || close_report(s, s->open_count - 1);
}

static void
count_tsan(struct sanitizer *s, uint64_t pid)
{
	for (size_t i = s->tsan_count; i-- > 0;)
		if (s->tsan[i].pid == pid && !s->tsan[i].counted) {
			s->tsan[i].reports++;
			return;
		}
	if (s->tsan_count < PROCESSES_MAX)
		*ARRAY_ADD(s->tsan, s->tsan_count, s->tsan_room) =
			(struct tsan_process){ .pid = pid, .reports = 1 };
}

static bool
open_report(struct sanitizer *s, const struct head *h, struct text line)
{
	struct report *r = report_new(s, h, line);

	if (!r)
		return false;
	if (!close_before(s, r)) {
		report_free(r);
		return false;
	}
	if (text_equal(r->tool, TEXT_LITERAL("ThreadSanitizer")))
		count_tsan(s, r->pid);
	s->open[s->open_count++] = r;
	to_front(s, s->open_count - 1);
	return true;
}

/* --- heads ------------------------------------------------------------------------- */

/* Returns whether a summary such as "heap-use-after-free /src/x.c:6 in use" names a frame of the
 * report's first stack. For a report of leaks, which has no such frame, returns whether the summary and
 * the report have the same byte count. */
static bool
same_place(const struct report *r, const struct head *h)
{
	struct text t = h->message;
	uint64_t bytes;
	size_t in;

	if (r->kind == HEAD_LEAKS)
		return scan_decimal(&t, &bytes) &&
		       bytes == r->sum_bytes + (r->leak_open ? r->leak_bytes : 0);
	in = text_find(t, " in ");
	if (in == TEXT_NOT_FOUND || !scan_word(&t, r->bug.data) || !scan_word(&t, " "))
		return false;
	in -= r->bug.size + 1;
	return report_has_place(r, text_up_to(t, in));
}

/* How well a summary matches a report; 0 if it cannot belong to the report. */
static int
fits(const struct report *r, const struct head *h, struct text line)
{
	bool leaks = text_find(h->message, " byte(s) leaked in ") != TEXT_NOT_FOUND;
	struct text content;
	int points = 1;

	if (r->summarised || leaks != (r->kind == HEAD_LEAKS) ||
		(!leaks && !text_equal(r->tool, h->tool)))
		return 0;
	if (log_prefix_match(strbuf_text(&r->prefix), line, &content))
		points += 2;
	if (text_begins(h->message, r->bug.data) || r->kind != HEAD_REPORT)
		points += 2;
	if (same_place(r, h))
		points += 1;
	/* A SUMMARY is unlikely between the announcement of a stack and its first frame. */
	if (!r->stack_open || r->frame_count)
		points += 1;
	return points;
}

static bool
take_summary(struct sanitizer *s, const struct head *h, struct text line)
{
	size_t best = 0;
	int most = 0;

	for (size_t i = 0; i < s->open_count; i++) {
		int points = fits(s->open[i], h, line);

		if (points > most) {
			most = points;
			best = i;
		}
	}
	if (!most)
		return reader_issue(&s->in, ISSUE_SUMMARY, "SUMMARY without a report before it");
	to_front(s, best);
	if (!sanitizer_give_note(s, s->open[0]) || !report_summary(s, s->open[0], h) ||
		(s->waiting_count && !sanitizer_settle(s)))
		return false;
	/* Only ASan writes more lines after its summary. */
	return s->open[0]->kind == HEAD_REPORT &&
			       text_find(h->tool, "AddressSanitizer") != TEXT_NOT_FOUND
		       ? true
		       : close_report(s, 0);
}

/* Checks "reported 2 warnings". The line does not name its process, so it is assumed to belong to the first unchecked
 * process with this number of warnings. If no unchecked process has this number, the result depends on how many
 * processes are unchecked: if there are several, the line is ignored; otherwise, the wrong number becomes an issue. A
 * forked process also counts the warnings of its parent. */
static bool
check_count(struct sanitizer *s, const struct head *h)
{
	struct tsan_process *open = NULL;
	struct text t = h->message;
	uint64_t count, before = 0, seen;
	size_t rest = 0;

	if (!scan_word(&t, "reported ") || !scan_decimal(&t, &count))
		return true;
	for (size_t i = 0; i < s->tsan_count; i++)
		if (s->tsan[i].counted)
			before += s->tsan[i].reports;
	for (size_t i = 0; i < s->tsan_count; i++) {
		struct tsan_process *p = &s->tsan[i];

		if (p->counted)
			continue;
		rest++;
		open = p;
		if (p->reports == count || p->reports + before == count) {
			p->counted = true;
			return true;
		}
	}
	if (rest > 1)
		return true;
	seen = open ? open->reports : 0;
	if (open)
		open->counted = true;
	return (!open && count == before) ||
	       reader_issue(&s->in, ISSUE_SUMMARY,
		       "ThreadSanitizer reported %llu warnings, but the log has %llu",
		       (unsigned long long)count, (unsigned long long)seen);
}

static bool
take_head(struct sanitizer *s, const struct head *h, struct text line)
{
	switch (h->kind) {
	case HEAD_REPORT:
	case HEAD_LEAKS:
	case HEAD_UNDEFINED:
		return open_report(s, h, line);
	case HEAD_SUMMARY:
		return take_summary(s, h, line);
	case HEAD_COUNT:
		return check_count(s, h);
	case HEAD_MATCHED:
	case HEAD_SUPPRESSED:
		s->tables++;
		s->table = h->kind;
		s->table_foreign = 0;
		log_prefix_make(&s->table_prefix, text_up_to(line, h->start));
		return true;
	case HEAD_FAILED:
		return reader_issue(&s->in, ISSUE_TOOL_FAILED,
			"LeakSanitizer failed and did not look for leaks");
	case HEAD_NONE:
		break;
	}
	return true;
}

/* --- suppression tables ------------------------------------------------------------ */

/* Parses "2 race:w1" or "3 6 strdup". */
static bool
table_row(struct sanitizer *s, struct text t)
{
	struct suppressed row = { .kind = TEXT_LITERAL("leak") };
	size_t colon;

	t = text_trim(t);
	if (!scan_decimal(&t, &row.count) || !text_begins(t, " "))
		return false;
	scan_blanks(&t);
	if (s->table == HEAD_SUPPRESSED) {
		row.has_bytes = true;
		if (!scan_decimal(&t, &row.bytes) || !text_begins(t, " "))
			return false;
		scan_blanks(&t);
	} else {
		colon = text_find(t, ":");
		if (colon == TEXT_NOT_FOUND || !colon)
			return false;
		row.kind = text_up_to(t, colon);
		t = text_from_at(t, colon + 1);
	}
	row.name = t;
	if (t.size)
		sanitizer_add_suppression(s, &row);
	return t.size > 0;
}

/* Whether the line is a row of the current suppression table. LeakSanitizer's table ends with dashes, and may contain a
 * few lines of other text. ThreadSanitizer's table ends before the first line that is not a row. */
static bool
take_table(struct sanitizer *s, struct text line)
{
	struct text content;

	if (!log_prefix_match(strbuf_text(&s->table_prefix), line, &content))
		return false;
	if (s->table == HEAD_SUPPRESSED && text_find(content, "bytes template") != TEXT_NOT_FOUND)
		return true;
	if (table_row(s, content))
		return true;
	if (s->table != HEAD_SUPPRESSED || text_begins(content, "-----") ||
		++s->table_foreign > FOREIGN_ROWS_MAX)
		s->table = HEAD_NONE;
	return false;
}

/* --- parts ------------------------------------------------------------------------- */

/* Closes reports that have had no line for a long time. */
static bool
age(struct sanitizer *s)
{
	for (size_t i = s->open_count; i-- > 0;) {
		struct report *r = s->open[i];
		uint64_t most = r->summarised || r->kind == HEAD_UNDEFINED ? QUIET_AFTER_SUMMARY
									   : QUIET_LINES_MAX;

		if (++r->quiet > most && !close_report(s, i))
			return false;
	}
	return true;
}

static bool
take_part(struct sanitizer *s, struct text line)
{
	struct part p = { .kind = PART_NONE };
	size_t found;

	if (!sanitizer_find_report(s, line, &p, &found))
		return false;
	if (found < s->open_count) {
		/* A blank line may come from any process, so it does not count as a line of this
		 * report. */
		struct report *r = s->open[found];
		uint64_t quiet = r->quiet;

		to_front(s, found);
		if (!report_add(s, r, &p))
			return false;
		if (p.kind == PART_BLANK)
			r->quiet = quiet;
		if (s->waiting_count && !sanitizer_settle(s))
			return false;
		return p.kind == PART_END ? close_report(s, 0) : age(s);
	}
	/* This frame begins the stack of another report. */
	if (p.kind == PART_FRAME && text_begins(p.text, "#0 ") && s->open[0]->frame_count &&
		!report_end_stack(s, s->open[0]))
		return false;
	return age(s);
}

/* --- a file ------------------------------------------------------------------------ */

bool
sanitizer_begin(struct sanitizer *s)
{
	struct reader *r = &s->in;
	struct set_row row = { .source_inst_id = MODEL_NULL, .line = r->line.number };

	if (s->begun)
		return true;
	if (!bundle_is_file(r->source->bundle))
		row.file = text_from(r->name);
	if (!r->sink->set(r->sink, &row, &r->set, &r->wanted, r->err))
		return false;
	s->begun = true;
	s->frames = frame_dictionary_new(r->sink, r->set);
	return true;
}

static bool
take_line(struct sanitizer *s)
{
	bool head = sanitizer_may_be_head(s->in.line.text);
	struct text line;
	struct head h;
	bool bad = false;

	if (!s->in.wanted || (!head && !s->open_count && s->table == HEAD_NONE))
		return true;
	line = sanitizer_plain(&s->plain, line_clean(s->in.lines, s->in.line.text, &bad));
	if (s->in.line.cut)
		s->cut_lines++;
	if (s->table != HEAD_NONE && take_table(s, line))
		return true;
	if (head) {
		sanitizer_head(line, &h);
		if (h.kind != HEAD_NONE)
			return sanitizer_begin(s) && (!s->in.wanted || take_head(s, &h, line));
	}
	return !s->open_count || take_part(s, line);
}

bool
sanitizer_read_member(struct sanitizer *s)
{
	const char *encoding = s->in.source->options.encoding;
	bool ok = reader_open_log(&s->in, SANITIZER_LINE_BYTES);

	if (ok)
		line_set_code_page(s->in.lines, encoding ? encoding : "CP1252");
	while (reader_line(&s->in, &ok))
		ok = take_line(s);
	s->in.line.text = TEXT_NULL;
	s->table = HEAD_NONE;
	sanitizer_drop_all(s);
	ok = ok && close_all(s);
	if (ok && s->cut_lines)
		ok = reader_issue(&s->in, ISSUE_LINE_CUT,
			"%llu lines exceed %d bytes: the bytes after the limit are ignored",
			(unsigned long long)s->cut_lines, SANITIZER_LINE_BYTES);
	if (ok && s->unknown)
		ok = reader_issue(&s->in, ISSUE_MIXED,
			"reports of several processes are mixed: %llu %s",
			(unsigned long long)s->unknown,
			by_count(s->unknown, "stack is unknown", "stacks are unknown"));
	s->cut_lines = s->unknown = 0;
	return ok;
}
