/*
 * Reads the reports of Visual Leak Detector, 1.x to 2.5, from its file or a debugger's output.
 *
 * Format: "Visual Leak Detector Version V installed.", "WARNING: Visual Leak Detector detected memory leaks!",
 * then the blocks, totals, and "Visual Leak Detector is now exiting.". A block is "---------- Block N at
 * 0xADDRESS: SIZE bytes ----------", then "  Leak Hash: 0x.., Count: C, Total T bytes", "  Call Stack (TID
 * n):", frames, and "  Data:". A frame is "    FILE (LINE): MODULE!ROUTINE() + 0xN bytes"; every part but
 * the routine may be missing. If memory was freed in a heap other than its own, VLD reports an error
 * with two blocks. Source: callstack.cpp and vld.cpp of VLD 2.5.
 */
#include "format/common/json_members.h"
#include "format/common/log_reader.h"
#include "format/common/text_scan.h"
#include "format/formats.h"

enum {
	TEXT_BYTES = 16 * 1024,
	STACKS = 2, /* stacks of an error about memory that was freed in another heap */
};

struct vld_state {
	struct log_report report;
	bool open;
	bool exited; /* "is now exiting" */
	bool has_total;
	uint64_t total; /* number of leaks that VLD states */
	uint64_t leaks; /* sum of the counts */
	struct strbuf version, settings, totals;

	bool in_block, in_stack;
	bool crossed; /* the block is part of an error */
	uint64_t number, address, size, count;
	int64_t thread;
	struct log_stack stacks[STACKS];
	size_t stack_count;
	struct strbuf text; /* the error's first line */
};

static const char head_mark[] = "Visual Leak Detector ";
static const char block_mark[] = "---------- Block ";

static size_t
mark(struct text line)
{
	static const char *const marks[] = { "WARNING: Visual Leak Detector ",
		"CRITICAL ERROR!: VLD ", head_mark, block_mark, "No memory leaks detected." };

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		size_t at = text_find(line, marks[i]);

		if (at != TEXT_NOT_FOUND)
			return at;
	}
	return TEXT_NOT_FOUND;
}

/* Scans "---------- Block 811 at 0x00A18D20: 64 bytes ----------". */
static bool
scan_block(struct text t, struct vld_state *s)
{
	return scan_word(&t, block_mark) && scan_decimal(&t, &s->number) && scan_word(&t, " at ") &&
	       scan_hex(&t, &s->address) && scan_word(&t, ": ") && scan_decimal(&t, &s->size) &&
	       text_begins(t, " byte");
}

/* --- frames ------------------------------------------------------------------------------------ */

/* Removes "FILE (LINE): " from the front. Blanks and brackets in the file's name are allowed. */
static void
scan_source(struct text *t, struct frame *f)
{
	size_t at = 0;

	for (;;) {
		size_t next = text_find(text_from_at(*t, at), " (");
		struct text rest;
		int64_t line;

		if (next == TEXT_NOT_FOUND)
			return;
		at += next;
		rest = text_from_at(*t, at + 2);
		if (scan_int64(&rest, &line) && scan_word(&rest, "): ")) {
			f->file = text_up_to(*t, at);
			f->line = line <= INT32_MAX ? line : MODEL_NULL;
			*t = rest;
			return;
		}
		at += 2;
	}
}

/* "MODULE!ROUTINE() + 0xA bytes"; old versions have neither module nor brackets. */
static void
scan_routine(struct text t, struct frame *f)
{
	size_t at = text_find(t, "() + 0x");
	size_t bang = text_find(t, "!");

	if (at != TEXT_NOT_FOUND && text_ends(t, " bytes"))
		t.size = at;
	else if (text_ends(t, "()"))
		t.size -= 2;
	if (bang != TEXT_NOT_FOUND && bang < t.size) {
		f->module = text_up_to(t, bang);
		t = text_from_at(t, bang + 1);
	}
	f->function = t;
	frame_take_address(f);
}

static bool
take_frame(struct vld_state *s, struct text line)
{
	static const char unknown[] = " (File and line number not available): ";
	struct text key = text_trim(line);
	struct frame frame = { .line = MODEL_NULL };
	struct text t = key;
	bool bad = false;
	size_t at;

	/* Skip the lines of hints between the frames. */
	if (!memchr(key.data, '!', key.size) && text_find(key, "): ") == TEXT_NOT_FOUND)
		return true;
	if (log_stack_known(&s->report, key))
		return true;
	t = line_clean(s->report.in->lines, t, &bad);
	at = text_find(t, unknown);
	if (at != TEXT_NOT_FOUND)
		t = text_from_at(t, at + sizeof(unknown) - 1);
	else
		scan_source(&t, &frame);
	scan_routine(t, &frame);
	return log_stack_add(&s->report, key, &frame);
}

static bool
end_stack(struct vld_state *s)
{
	if (!s->in_stack)
		return true;
	s->in_stack = false;
	return log_stack_end(&s->report, &s->stacks[s->stack_count++]);
}

static bool
begin_stack(struct vld_state *s, struct text t)
{
	uint64_t tid;

	if (!end_stack(s))
		return false;
	if (s->stack_count == STACKS)
		return true;
	if (scan_word(&t, " (TID ") && scan_decimal(&t, &tid) &&
		!log_report_thread(&s->report, tid, &s->thread))
		return false;
	s->stacks[s->stack_count] = (struct log_stack){ .thread = s->thread };
	log_stack_begin(&s->report);
	s->in_stack = true;
	return true;
}

/* --- rows ---------------------------------------------------------------------------------------- */

static bool
end_error(struct vld_state *s)
{
	bool ok;

	if (!s->crossed)
		return true;
	s->crossed = false;
	ok = end_stack(s);
	if (s->stack_count)
		s->stacks[0].role = "allocated_at";
	ok = ok && log_report_error(&s->report, TEXT_LITERAL("crossed-heaps"),
			   strbuf_text(&s->text), TEXT_NULL, s->stacks, s->stack_count);
	s->in_block = false;
	s->stack_count = 0;
	return ok;
}

static bool
end_block(struct vld_state *s)
{
	struct object_row row = { .number = { .magnitude = s->number },
		.address = { .magnitude = s->address },
		.leak_kind = TEXT_LITERAL("definite") };

	if (!s->in_block || s->crossed)
		return true;
	if (!end_stack(s))
		return false;
	s->in_block = false;
	/* VLD shows only one block of each group. */
	if (s->count > INT64_MAX || (s->size && s->count > UINT64_MAX / s->size))
		s->count = 1;
	row.block_count = (int64_t)s->count;
	row.size = (struct number){ .magnitude = s->size * s->count };
	s->leaks += s->count;
	return log_report_object(&s->report, &row, TEXT_LITERAL("Unknown"), s->thread,
		s->stack_count ? &s->stacks[0] : NULL);
}

static bool
begin_block(struct vld_state *s)
{
	if (!s->crossed) {
		if (!end_block(s))
			return false;
		s->stack_count = 0;
	}
	s->in_block = true;
	s->count = 1;
	s->thread = LOG_NO_THREAD;
	return true;
}

/* --- reports --------------------------------------------------------------------------------------- */

static bool
check_totals(struct vld_state *s)
{
	struct reader *in = s->report.in;
	const struct issue differ = { .code = ISSUE_TOTALS_DIFFER };
	const struct issue unfinished = { .code = ISSUE_UNFINISHED };

	if (s->has_total && s->total != s->leaks)
		return reader_issue_like(in, &differ,
			"%llu leaks are listed, but VLD detected %llu",
			(unsigned long long)s->leaks, (unsigned long long)s->total);
	return s->has_total || s->exited || s->report.errors ||
	       reader_issue_like(in, &unfinished, "the report ends without VLD's totals");
}

static bool
emit_about(struct vld_state *s)
{
	struct reader *in = s->report.in;
	struct strbuf attributes = STRBUF_INIT((size_t)8 * TEXT_BYTES);
	bool whole = s->has_total && s->total == s->leaks;
	bool ok;

	if (s->version.size)
		members_text(&attributes, "vld_version", strbuf_text(&s->version));
	if (s->settings.size)
		members_text(&attributes, "settings", strbuf_text(&s->settings));
	members_array(&attributes, "totals", strbuf_text(&s->totals));
	ok = emit_metadata(in, "tool", TEXT_LITERAL("vld")) &&
	     (!attributes.size || emit_metadata(in, "attributes", members_end(&attributes))) &&
	     emit_finished(in, whole || s->exited) &&
	     emit_coverage(in, COVERAGE_LEAKS, whole ? COVERAGE_FULL : COVERAGE_PARTIAL,
		     whole ? "the report is complete" : "the report has no end");
	strbuf_release(&attributes);
	return ok;
}

static bool
end_report(struct vld_state *s)
{
	bool ok;

	if (!s->open)
		return true;
	log_report_use(&s->report);
	ok = end_error(s) && end_block(s);
	if (ok && s->report.wanted)
		ok = emit_about(s) && check_totals(s);
	log_report_release(&s->report);
	s->open = false;
	return ok;
}

static bool
begin_report(struct vld_state *s, struct reader *in)
{
	if (s->open)
		return true;
	s->exited = s->has_total = s->in_block = s->in_stack = s->crossed = false;
	s->leaks = s->total = 0;
	s->stack_count = 0;
	strbuf_reset(&s->totals);
	s->open = true;
	return log_report_begin(&s->report, in);
}

/* --- lines --------------------------------------------------------------------------------------- */

static void
init(struct vld_state *s)
{
	struct strbuf *buffers[] = { &s->version, &s->settings, &s->totals, &s->text };

	for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]) && !buffers[i]->max; i++)
		strbuf_init(buffers[i], TEXT_BYTES);
}

static void
add_total(struct vld_state *s, struct reader *in, struct text t)
{
	bool bad = false;

	members_element(&s->totals, line_clean(in->lines, t, &bad));
}

/* Handles a line that begins with "Visual Leak Detector ". `t` is the rest of the line. */
static bool
take_head(struct vld_state *s, struct reader *in, struct text t)
{
	struct text rest = t;
	uint64_t n;

	if (scan_word(&rest, "read settings from: ")) {
		if (!end_report(s))
			return false;
		log_keep(in, &s->settings, rest);
		return true;
	}
	if (scan_word(&rest, "Version ")) {
		if (!end_report(s) || !begin_report(s, in))
			return false;
		log_keep(in, &s->version, scan_token(&rest));
		return true;
	}
	if (!s->open)
		return true;
	if (scan_word(&rest, "detected ") && scan_decimal(&rest, &n)) {
		s->has_total = !in->line.unended || text_ends(rest, ".");
		s->total = n;
		add_total(s, in, t);
		return end_error(s) && end_block(s);
	}
	if (!text_begins(rest, "is now exiting"))
		return true;
	s->exited = true;
	return end_report(s);
}

/* "  Leak Hash: 0x5B0C77E1, Count: 3, Total 72 bytes"; "A total of 3 leaks match this size ..." */
static void
take_count(struct vld_state *s, struct text t)
{
	size_t at = text_find(t, "Count: ");

	if (at != TEXT_NOT_FOUND)
		t = text_from_at(t, at + sizeof("Count: ") - 1);
	else if (!scan_word(&t, "A total of "))
		return;
	if (!scan_decimal(&t, &s->count) || !s->count)
		s->count = 1;
}

static bool
take_block_line(struct vld_state *s, struct text content)
{
	struct text t = text_trim(content);
	uint64_t tid;

	if (scan_word(&t, "Call Stack"))
		return begin_stack(s, t);
	if (text_equal(t, TEXT_LITERAL("Data:")))
		return s->crossed ? end_stack(s) : end_block(s);
	if (scan_word(&t, "TID: "))
		return !scan_decimal(&t, &tid) || log_report_thread(&s->report, tid, &s->thread);
	if (text_begins(t, "Leak Hash: ") || text_begins(t, "A total of ")) {
		take_count(s, t);
		return true;
	}
	/* If the log ends within the line, the frame may be incomplete, so ignore it. */
	if (s->in_stack && text_begins(content, "    ") && !s->report.in->line.unended)
		return take_frame(s, content);
	return true;
}

static bool
take_error(struct vld_state *s, struct reader *in, struct text t)
{
	if (!begin_report(s, in) || !end_error(s) || !end_block(s))
		return false;
	log_keep(in, &s->text, t);
	s->crossed = true;
	s->stack_count = 0;
	return true;
}

static bool
vld_line(void *state, struct reader *in, struct text content)
{
	struct vld_state *s = state;
	struct text t = text_trim(content);

	init(s);
	if (s->open)
		log_report_use(&s->report);
	if (text_begins(t, "WARNING: Visual Leak Detector detected"))
		return begin_report(s, in) && end_error(s);
	if (text_begins(t, "CRITICAL ERROR!: VLD "))
		return take_error(s, in, t);
	if (scan_word(&t, head_mark))
		return take_head(s, in, t);
	if (text_begins(t, block_mark)) {
		if (!begin_report(s, in) || !begin_block(s))
			return false;
		s->in_block = scan_block(t, s);
		return s->in_block || !s->report.wanted ||
		       reader_issue(in, ISSUE_RECORD_BROKEN, "the first line of a block is broken");
	}
	if (!s->open)
		return true;
	if (text_equal(t, TEXT_LITERAL("No memory leaks detected."))) {
		s->has_total = true;
		return true;
	}
	if (text_begins(t, "Largest number used") || text_begins(t, "Total allocations"))
		add_total(s, in, t);
	return !s->in_block || take_block_line(s, content);
}

static bool
vld_end(void *state, struct reader *in)
{
	(void)in;
	return end_report(state);
}

static void
vld_release(void *state)
{
	struct vld_state *s = state;

	if (s->open)
		log_report_release(&s->report);
	strbuf_release(&s->version);
	strbuf_release(&s->settings);
	strbuf_release(&s->totals);
	strbuf_release(&s->text);
}

/* A log is recognised by one of VLD's first lines, followed by a line that occurs only in
 * reports. */
static bool
vld_look(unsigned *seen, struct text content)
{
	struct text t = text_trim(content);
	struct vld_state block = { 0 };

	if (scan_block(t, &block) || text_equal(t, TEXT_LITERAL("No memory leaks detected.")))
		return *seen > 0;
	*seen += text_begins(t, "WARNING: Visual Leak Detector detected") ||
		 text_begins(t, "CRITICAL ERROR!: VLD ") ||
		 (text_begins(t, head_mark) && text_ends(t, " installed."));
	return false;
}

static const struct log_kind log_kind = {
	.noun = "report of Visual Leak Detector",
	.looked_for = "\"Visual Leak Detector Version ... installed.\" and blocks after it",
	.state_bytes = sizeof(struct vld_state),
	.mark = mark,
	.line = vld_line,
	.end = vld_end,
	.release = vld_release,
	.look = vld_look,
};

LOG_MEMBERS(log_kind, "report of Visual Leak Detector")

const struct format format_vld = {
	.name = "vld",
	.title = "Visual Leak Detector's reports",
	.profiler = "Visual Leak Detector",
	.known_by =
		"\"Visual Leak Detector Version\" and lines such as \"---------- Block 3 at 0x000C0D20: 40 "
		"bytes ----------\"",
	.covers = { [COVERAGE_LEAKS] = COVERAGE_UNKNOWN },
	.reads = true,
	.several = true,
	.members = &log_members,
	.lines = &log_lines,
};
