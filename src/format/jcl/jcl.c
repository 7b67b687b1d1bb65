/*
 * Reads the logs of exceptions that Delphi programs write with JclDebug and JCL's exception dialog.
 *
 * Format: "Exception class: CLASS", "Exception message: TEXT" (any number of lines), "Exception thread ID = N", "Stack
 * list, generated DATE", then frames: "[(VA) ][ADDRESS]{MODULE} UNIT.ROUTINE (Line N, "FILE" + N) + $OFFSET". The
 * place, the module and the virtual address may be missing. Source: JclDebug.pas (TJclLocationInfo, GetLocationInfoStr)
 * and the templates of the exception dialog.
 */
#include "format/common/borland.h"
#include "format/common/json_members.h"
#include "format/common/log_reader.h"
#include "format/common/text_scan.h"
#include "format/formats.h"

enum {
	TEXT_BYTES = 16 * 1024,
};

struct jcl_state {
	struct log_report report;
	bool open;
	bool in_message; /* the message may continue on the next line */
	bool in_stack;
	bool has_thread;
	uint64_t thread;
	struct strbuf class_name, message, time, application, names;
};

static const char class_mark[] = "Exception class: ";
static const char stack_mark[] = "Stack list, generated ";

static size_t
mark(struct text line)
{
	size_t at = text_find(line, class_mark);

	return at == TEXT_NOT_FOUND ? text_find(line, stack_mark) : at;
}

/* --- frames -------------------------------------------------------------------------------------- */

/* Scans "(000F502A) [005F602A]{store.exe   } " at the front. */
static bool
scan_address(struct text *t, struct frame *f)
{
	struct text rest = *t;
	uint64_t virtual_address;
	size_t end;

	if (scan_char(&rest, '(') &&
		(!scan_hex(&rest, &virtual_address) || !scan_word(&rest, ") ")))
		return false;
	if (!scan_char(&rest, '[') || !scan_hex(&rest, &f->address) || !scan_char(&rest, ']'))
		return false;
	if (scan_char(&rest, '{')) {
		end = text_find(rest, "}");
		if (end == TEXT_NOT_FOUND)
			return false;
		f->module = text_trim(text_up_to(rest, end));
		rest = text_from_at(rest, end + 1);
	}
	if (rest.size && rest.data[0] != ' ')
		return false;
	*t = text_trim(rest);
	return true;
}

/* Removes " (Line 78, "Basket.pas" + 4)" from the end. */
static void
scan_place(struct text *t, struct frame *f)
{
	static const char words[] = " (Line ";
	size_t at = text_find(*t, words);
	struct text rest =
		text_from_at(*t, at == TEXT_NOT_FOUND ? t->size : at + sizeof(words) - 1);
	int64_t line;
	size_t end;

	if (at == TEXT_NOT_FOUND || !scan_int64(&rest, &line))
		return;
	*t = text_up_to(*t, at);
	f->line = line <= INT32_MAX ? line : MODEL_NULL;
	if (!scan_word(&rest, ", \""))
		return;
	end = text_find(rest, "\"");
	if (end != TEXT_NOT_FOUND)
		f->file = text_up_to(rest, end);
}

/* Sets the frame's names. The unit's name is the name of the file without the extension. If the file is unknown, the
 * unit's name is the text before the class or the routine. */
static void
take_name(struct jcl_state *s, struct text t, struct frame *f)
{
	struct text unit = f->file;
	size_t dot = unit.size;

	while (dot && unit.data[dot - 1] != '.')
		dot--;
	unit = text_up_to(unit, dot ? dot - 1 : 0);
	borland_name_frame(f, t, unit, &s->names);
	borland_find_unit(f);
}

/* Adds the frame in the line to the stack. *is_frame is false if the line is not a frame. */
static bool
take_frame(struct jcl_state *s, struct text line, bool *is_frame)
{
	struct frame frame = { .line = MODEL_NULL, .exact = !s->report.depth };
	struct text t = text_trim(line);
	struct text key = t;
	bool bad = false;
	size_t at;

	*is_frame = scan_address(&t, &frame);
	if (!*is_frame || log_stack_known(&s->report, key))
		return true;
	t = line_clean(s->report.in->lines, key, &bad);
	scan_address(&t, &frame);
	at = text_find(t, " + $");
	if (at != TEXT_NOT_FOUND)
		t = text_up_to(t, at);
	scan_place(&t, &frame);
	/* After "Unknown function at ", JCL writes the nearest exported routine, which can differ
	 * from the frame's routine. */
	if (t.size && !text_begins(t, "Unknown function at "))
		take_name(s, t, &frame);
	return log_stack_add(&s->report, key, &frame);
}

/* --- rows ------------------------------------------------------------------------------------------ */

static bool
end_exception(struct jcl_state *s)
{
	struct strbuf attributes = STRBUF_INIT((size_t)2 * TEXT_BYTES);
	struct text name =
		s->class_name.size ? strbuf_text(&s->class_name) : TEXT_LITERAL("exception");
	struct log_stack stack = { .thread = LOG_NO_THREAD };
	bool pending = s->in_stack || s->class_name.size;
	bool ok = true;

	s->in_message = false;
	if (!pending)
		return true;
	if (s->time.size)
		members_text(&attributes, "time", strbuf_text(&s->time));
	if (s->in_stack)
		ok = log_stack_end(&s->report, &stack);
	s->in_stack = false;
	ok = ok && (!s->has_thread || log_report_thread(&s->report, s->thread, &stack.thread)) &&
	     log_report_error(&s->report, name, strbuf_text(&s->message), members_end(&attributes),
		     &stack, 1);
	strbuf_release(&attributes);
	strbuf_reset(&s->class_name);
	strbuf_reset(&s->message);
	strbuf_reset(&s->time);
	s->has_thread = false;
	return ok;
}

static bool
begin_report(struct jcl_state *s, struct reader *in)
{
	if (s->open)
		return true;
	s->open = true;
	return log_report_begin(&s->report, in);
}

static bool
end_report(struct jcl_state *s)
{
	struct reader *in = s->report.in;
	bool ok;

	if (!s->open)
		return true;
	log_report_use(&s->report);
	/* An exception without a stack is probably truncated: the dialog omits stacks only if it is
	 * configured to do so. */
	if ((s->in_stack ? !s->report.depth : s->class_name.size > 0) && s->report.wanted &&
		!reader_issue(in, ISSUE_REPORT_CUT, "the last exception has no stack"))
		return false;
	ok = end_exception(s);
	if (ok && s->report.wanted)
		ok = emit_metadata(in, "tool", TEXT_LITERAL("jcl")) &&
		     (!s->application.size ||
			     emit_metadata(in, "application", strbuf_text(&s->application))) &&
		     emit_coverage(in, COVERAGE_ERRORS, COVERAGE_PARTIAL, "the log of exceptions");
	log_report_release(&s->report);
	s->open = false;
	return ok;
}

/* --- lines ------------------------------------------------------------------------------------------ */

static void
init(struct jcl_state *s)
{
	struct strbuf *buffers[] = { &s->class_name, &s->message, &s->time, &s->application,
		&s->names };

	for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]) && !buffers[i]->max; i++)
		strbuf_init(buffers[i], TEXT_BYTES);
}

/* Returns whether JCL itself wrote this line. Such a line ends the message of the exception. */
static bool
ends_message(struct text t)
{
	return text_begins(t, "-----") || text_begins(t, "Exception ") ||
	       text_begins(t, stack_mark) || text_begins(t, "Main thread ID = ");
}

static void
take_message(struct jcl_state *s, struct reader *in, struct text t)
{
	bool bad = false;

	if (s->message.size)
		strbuf_append_char(&s->message, '\n');
	strbuf_append_text(&s->message, line_clean(in->lines, t, &bad));
}

static bool
take_line(struct jcl_state *s, struct reader *in, struct text t)
{
	if (scan_word(&t, "Exception message: ")) {
		take_message(s, in, t);
		s->in_message = true;
		return true;
	}
	if (scan_word(&t, "Exception thread ID = ")) {
		s->has_thread = scan_decimal(&t, &s->thread);
		return true;
	}
	if (scan_word(&t, "Application file: "))
		log_keep(in, &s->application, text_file_name(t));
	return true;
}

static bool
jcl_line(void *state, struct reader *in, struct text content)
{
	struct jcl_state *s = state;
	struct text t = text_trim(content);
	bool is_frame = false;

	init(s);
	if (s->open)
		log_report_use(&s->report);
	if (scan_word(&t, class_mark)) {
		if (!begin_report(s, in) || !end_exception(s))
			return false;
		log_keep(in, &s->class_name, t);
		return true;
	}
	if (scan_word(&t, stack_mark)) {
		if (!begin_report(s, in) || (s->in_stack && !end_exception(s)))
			return false;
		s->in_message = false;
		log_keep(in, &s->time, t);
		log_stack_begin(&s->report);
		s->in_stack = true;
		return true;
	}
	if (!s->open)
		return true;
	s->in_message &= !ends_message(t);
	if (s->in_message) {
		take_message(s, in, t);
		return true;
	}
	if (!s->in_stack)
		return take_line(s, in, t);
	/* The end of the log may cut off this frame, so ignore it. */
	if (in->line.unended && text_find(t, " + $") == TEXT_NOT_FOUND)
		return !s->report.wanted ||
		       reader_issue(in, ISSUE_REPORT_CUT, "the log ends inside a stack");
	return take_frame(s, content, &is_frame) && (is_frame || end_exception(s));
}

static bool
jcl_end(void *state, struct reader *in)
{
	(void)in;
	return end_report(state);
}

static void
jcl_release(void *state)
{
	struct jcl_state *s = state;

	if (s->open)
		log_report_release(&s->report);
	strbuf_release(&s->class_name);
	strbuf_release(&s->message);
	strbuf_release(&s->time);
	strbuf_release(&s->application);
	strbuf_release(&s->names);
}

/* A log is recognised by the head of a stack and a frame on the next line. */
static bool
jcl_look(unsigned *seen, struct text content)
{
	struct frame frame = { .line = MODEL_NULL };
	struct text t = text_trim(content);
	bool head = text_begins(t, stack_mark);
	/* Without debug information, a frame is only an address. */
	bool found = *seen && scan_address(&t, &frame) &&
		     (!t.size || text_find(t, " + $") != TEXT_NOT_FOUND);

	*seen = head;
	return found;
}

static const struct log_kind log_kind = {
	.noun = "log of exceptions by JCL",
	.looked_for =
		"\"Stack list, generated ...\" and frames such as \"[005F602A] Unit.Routine + $2E\"",
	.state_bytes = sizeof(struct jcl_state),
	.mark = mark,
	.line = jcl_line,
	.end = jcl_end,
	.release = jcl_release,
	.look = jcl_look,
};

LOG_MEMBERS(log_kind, "log of exceptions by JCL")

const struct format format_jcl = {
	.name = "jcl",
	.title = "logs of exceptions from JCL (Delphi)",
	.profiler = "JclDebug",
	.known_by =
		"the line \"Stack list, generated\" and frames such as \"[005F602A] Unit.Routine + $2E\"",
	.covers = { [COVERAGE_ERRORS] = COVERAGE_PARTIAL },
	.reads = true,
	.several = true,
	.members = &log_members,
	.lines = &log_lines,
};
