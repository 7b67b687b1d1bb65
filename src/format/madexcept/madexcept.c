/*
 * Reads the bug reports of madExcept, an exception handler for Delphi programs.
 *
 * Format: lines "KEY : VALUE"; the first key is "date/time". Then "main thread ($33):" or "thread $b (TName):
 * <suspended>" and frames, and ">> created by main thread ($33) at:" with the frames of the thread's creation. A
 * frame is "ADDRESS [+OFFSET] MODULE [UNIT [LINE] [+N]] [ROUTINE]" or "ADDRESS ???". The first thread is the one with
 * the exception. Other sections, such as "modules:", follow. Source: reports that users posted.
 */
#include "format/common/borland.h"
#include "format/common/json_members.h"
#include "format/common/log_reader.h"
#include "format/common/text_scan.h"
#include "format/formats.h"

enum {
	TEXT_BYTES = 16 * 1024,
};

struct mad_state {
	struct log_report report;
	bool open;
	bool in_threads; /* inside the section of the threads */
	bool in_message;
	int64_t thread; /* ID of the current thread */
	struct log_stacks stacks;
	struct strbuf class_name, message, application, attributes, names;
};

static const char first_key[] = "date/time";

static size_t
mark(struct text line)
{
	return text_find(line, first_key);
}

/* Scans "exception class   : EConvertError". */
static bool
scan_pair(struct text line, struct text *key, struct text *value)
{
	size_t at = text_find(line, " : ");

	if (at == TEXT_NOT_FOUND || !at || line.data[0] == ' ')
		return false;
	*key = text_trim(text_up_to(line, at));
	*value = text_trim(text_from_at(line, at + 3));
	return true;
}

/* --- frames ---------------------------------------------------------------------------------------- */

/* Parses "[UNIT [LINE] [+N]] [ROUTINE]". A single word is the routine. */
static void
take_names(struct mad_state *s, struct text t, struct frame *f)
{
	struct text unit = TEXT_NULL;
	struct text rest = t;
	struct text word = scan_token(&rest);

	if (text_trim(rest).size) {
		struct text after = rest;

		unit = word;
		word = scan_token(&after);
		if (text_is_digits(word) && scan_int64(&word, &f->line) && f->line <= INT32_MAX)
			rest = after;
		after = rest;
		if (text_begins(scan_token(&after), "+"))
			rest = after;
		t = text_trim(rest);
	}
	borland_name_frame(f, t, unit, &s->names);
}

/* Scans an address of 8 or 16 digits in lower case. */
static bool
scan_address(struct text *t, uint64_t *address)
{
	struct text rest = *t;

	if (!scan_hex(&rest, address) || (t->size - rest.size != 8 && t->size - rest.size != 16) ||
		(rest.size && rest.data[0] != ' '))
		return false;
	*t = rest;
	return true;
}

static bool
take_frame(struct mad_state *s, struct text line)
{
	struct frame frame = { .line = MODEL_NULL,
		.exact = log_stacks_at_start(&s->stacks, &s->report) };
	struct text key = text_trim(line);
	struct text t = key;
	struct text rest;
	bool bad = false;

	if (!scan_address(&t, &frame.address) || log_stack_known(&s->report, key))
		return true;
	t = line_clean(s->report.in->lines, t, &bad);
	rest = t;
	if (text_begins(scan_token(&rest), "+"))
		t = rest;
	t = text_trim(t);
	if (t.size && !text_equal(t, TEXT_LITERAL("???"))) {
		frame.module = scan_token(&t);
		t = text_trim(t);
		if (t.size)
			take_names(s, t, &frame);
	}
	return log_stack_add(&s->report, key, &frame);
}

/* Scans "main thread ($33):" or "thread $b (TPriceThread): <suspended>". */
static bool
scan_thread(struct text t, uint64_t *thread)
{
	if (!scan_word(&t, "main thread ($") && !scan_word(&t, "thread $"))
		return false;
	return scan_hex(&t, thread) && text_find(t, ":") != TEXT_NOT_FOUND;
}

/* --- reports ----------------------------------------------------------------------------------------- */

static bool
end_report(struct mad_state *s)
{
	struct reader *in = s->report.in;
	struct text name =
		s->class_name.size ? strbuf_text(&s->class_name) : TEXT_LITERAL("exception");
	bool complete = s->stacks.count > 0 || (s->stacks.open && s->report.depth);
	bool ok;

	if (!s->open)
		return true;
	log_report_use(&s->report);
	ok = log_stacks_end(&s->stacks, &s->report);
	if (ok && (s->class_name.size || s->stacks.count))
		ok = log_report_error(&s->report, name, strbuf_text(&s->message), TEXT_NULL,
			s->stacks.items, s->stacks.count);
	if (ok && s->report.wanted)
		ok = emit_metadata(in, "tool", TEXT_LITERAL("madexcept")) &&
		     (!s->application.size ||
			     emit_metadata(in, "application", strbuf_text(&s->application))) &&
		     (!s->attributes.size ||
			     emit_metadata(in, "attributes", members_end(&s->attributes))) &&
		     emit_coverage(in, COVERAGE_ERRORS, COVERAGE_PARTIAL, "a bug report") &&
		     (complete || reader_issue(in, ISSUE_REPORT_CUT, "the report has no stack"));
	log_report_release(&s->report);
	s->open = false;
	return ok;
}

static bool
begin_report(struct mad_state *s, struct reader *in)
{
	struct strbuf *buffers[] = { &s->class_name, &s->message, &s->application, &s->attributes };

	if (!end_report(s))
		return false;
	for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++)
		strbuf_reset(buffers[i]);
	s->in_threads = s->in_message = false;
	s->thread = LOG_NO_THREAD;
	log_stacks_reset(&s->stacks);
	s->open = true;
	return log_report_begin(&s->report, in);
}

/* --- lines -------------------------------------------------------------------------------------------- */

static void
init(struct mad_state *s)
{
	struct strbuf *buffers[] = { &s->class_name, &s->message, &s->application, &s->attributes,
		&s->names };

	for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]) && !buffers[i]->max; i++)
		strbuf_init(buffers[i], TEXT_BYTES);
}

static void
take_pair(struct mad_state *s, struct reader *in, struct text key, struct text value)
{
	static const char *const kept[] = { "date/time", "version", "madExcept version",
		"callstack crc", "operating system", "process id", "compiled with" };
	bool bad = false;

	value = line_clean(in->lines, value, &bad);
	s->in_message = text_equal(key, TEXT_LITERAL("exception message"));
	if (s->in_message)
		strbuf_append_text(&s->message, value);
	else if (text_equal(key, TEXT_LITERAL("exception class")))
		strbuf_append_text(&s->class_name, value);
	else if (text_equal(key, TEXT_LITERAL("executable")))
		strbuf_append_text(&s->application, text_file_name(value));
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		if (text_equal(key, text_from(kept[i])))
			members_text(&s->attributes, kept[i], value);
}

/* Handles the line before a thread's stack, or before the stack of the thread's creation. *taken is
 * false for any other line. */
static bool
take_thread(struct mad_state *s, struct text t, bool *taken)
{
	uint64_t thread;

	*taken = true;
	if (scan_thread(t, &thread)) {
		s->in_threads = true;
		s->in_message = false;
		return log_report_thread(&s->report, thread, &s->thread) &&
		       log_stacks_begin(&s->stacks, &s->report,
			       s->stacks.count || s->stacks.open ? "other" : NULL, s->thread);
	}
	if (s->in_threads && text_begins(t, ">> created by "))
		return log_stacks_begin(&s->stacks, &s->report, "thread_start", s->thread);
	*taken = false;
	return true;
}

/* Handles a line in the section of the threads. This section ends where another section begins: at a
 * line that ends with a colon. */
static bool
take_in_threads(struct mad_state *s, struct reader *in, struct text content)
{
	struct text t = text_trim(content);

	if (text_ends(t, ":") && char_is_letter(t.data[0])) {
		s->in_threads = false;
		return log_stacks_end(&s->stacks, &s->report);
	}
	/* The end of the log may cut off this frame, so ignore it. */
	if (s->stacks.open && in->line.unended)
		return !s->report.wanted ||
		       reader_issue(in, ISSUE_REPORT_CUT, "the report ends inside a stack");
	return !s->stacks.open || take_frame(s, content);
}

static bool
mad_line(void *state, struct reader *in, struct text content)
{
	struct mad_state *s = state;
	struct text t = text_trim(content);
	struct text key, value;
	bool pair, taken;
	bool bad = false;

	init(s);
	if (s->open)
		log_report_use(&s->report);
	pair = scan_pair(content, &key, &value);
	if (pair && text_equal(key, text_from(first_key)) && !begin_report(s, in))
		return false;
	if (!s->open)
		return true;
	if (pair && !s->in_threads && !s->stacks.count) {
		take_pair(s, in, key, value);
		return true;
	}
	if (!take_thread(s, t, &taken))
		return false;
	if (taken)
		return true;
	if (s->in_threads)
		return !t.size || take_in_threads(s, in, content);
	/* All lines of a message after the first are indented. */
	if (s->in_message && t.size && content.data[0] == ' ') {
		strbuf_append_char(&s->message, '\n');
		strbuf_append_text(&s->message, line_clean(in->lines, t, &bad));
	}
	return true;
}

static bool
mad_end(void *state, struct reader *in)
{
	(void)in;
	return end_report(state);
}

static void
mad_release(void *state)
{
	struct mad_state *s = state;

	if (s->open)
		log_report_release(&s->report);
	strbuf_release(&s->class_name);
	strbuf_release(&s->message);
	strbuf_release(&s->application);
	strbuf_release(&s->attributes);
	strbuf_release(&s->names);
	log_stacks_release(&s->stacks);
}

/* A log is recognised by the line with madExcept's version, followed by a thread. */
static bool
mad_look(unsigned *seen, struct text content)
{
	struct text key, value;
	uint64_t thread;

	if (scan_pair(content, &key, &value))
		*seen |= text_equal(key, TEXT_LITERAL("madExcept version"));
	return *seen && scan_thread(text_trim(content), &thread);
}

static const struct log_kind log_kind = {
	.noun = "bug report of madExcept",
	.looked_for = "\"madExcept version : ...\" and threads such as \"main thread ($33):\"",
	.state_bytes = sizeof(struct mad_state),
	.mark = mark,
	.line = mad_line,
	.end = mad_end,
	.release = mad_release,
	.look = mad_look,
};

LOG_MEMBERS(log_kind, "bug report of madExcept")

const struct format format_madexcept = {
	.name = "madexcept",
	.title = "madExcept's bug reports (Delphi)",
	.profiler = "madExcept",
	.known_by = "the lines \"madExcept version :\" and \"main thread ($33):\"",
	.covers = { [COVERAGE_ERRORS] = COVERAGE_PARTIAL },
	.reads = true,
	.several = true,
	.members = &log_members,
	.lines = &log_lines,
};
