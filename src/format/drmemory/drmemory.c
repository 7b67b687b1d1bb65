/* Recognises the lines of Dr. Memory's reports; see drmemory_private.h. */
#include "drmemory_private.h"
#include "format/formats.h"

#include <stdlib.h>

static const char version[] = "Dr. Memory version ";
static const char results[] = "Dr. Memory results for pid ";

static size_t
mark(struct text line)
{
	static const char *const marks[] = { "~~Dr.M~~ ", version, results };

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		size_t at = text_find(line, marks[i]);

		if (at != TEXT_NOT_FOUND)
			return at;
	}
	return TEXT_NOT_FOUND;
}

/* Scans "Error #12: ". */
static bool
scan_error(struct text *t, uint64_t *number)
{
	struct text rest = *t;

	if (!scan_word(&rest, "Error #"))
		return false;
	scan_blanks(&rest);
	if (!scan_decimal(&rest, number) || !scan_word(&rest, ": "))
		return false;
	*t = rest;
	return true;
}

/* Scans " in thread 5120" after a time. */
static bool
take_thread(struct dm_state *s, struct text t)
{
	static const char words[] = " in thread ";
	size_t at = text_find(t, words);
	uint64_t thread;

	t = text_from_at(t, at == TEXT_NOT_FOUND ? t.size : at + sizeof(words) - 1);
	return !scan_decimal(&t, &thread) || log_report_thread(&s->report, thread, &s->item.thread);
}

static const char *
role_of(struct text note)
{
	if (text_find(note, "allocated here:") != TEXT_NOT_FOUND)
		return "allocated_at";
	if (text_find(note, "freed here:") != TEXT_NOT_FOUND)
		return "freed_at";
	return text_find(note, "closed here:") != TEXT_NOT_FOUND ? "closed_at" : "other";
}

/* Handles a line of a note, without "Note: ". */
static bool
take_note(struct dm_state *s, struct text t)
{
	bool bad = false;

	if (text_begins(t, "#"))
		return drmemory_frame(s, t);
	if (text_begins(t, "@"))
		return take_thread(s, t);
	t = line_clean(s->report.in->lines, t, &bad);
	if (text_ends(t, " here:"))
		return log_stacks_begin(&s->stacks, &s->report, role_of(t), LOG_NO_THREAD);
	members_element(&s->notes, t);
	return true;
}

static bool
take_item_line(struct dm_state *s, struct text t)
{
	if (scan_word(&t, "Note: "))
		return take_note(s, t);
	if (text_begins(t, "Elapsed time = "))
		return take_thread(s, t);
	return !text_begins(t, "#") || drmemory_frame(s, t);
}

/* "Error #   1:      4": the first error occurred four times. Errors are numbered from 1. */
static void
take_count(struct dm_state *s, struct text t)
{
	uint64_t number, count;

	if (!scan_error(&t, &number))
		return;
	scan_blanks(&t);
	if (!scan_decimal(&t, &count) || !count || t.size)
		return;
	/* The numbers of the items ascend, but may have gaps. */
	for (size_t low = 0, high = s->count; low < high;) {
		size_t middle = (low + high) / 2;

		if (s->items[middle].number == number) {
			s->items[middle].count = count;
			return;
		}
		if (s->items[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
}

static bool
take_section(struct dm_state *s, struct text t)
{
	static const struct {
		const char *line;
		enum dm_section section;
	} sections[] = { { "DUPLICATE ERROR COUNTS:", DM_COUNTS }, { "ERRORS FOUND:", DM_TOTALS },
		{ "NO ERRORS FOUND:", DM_TOTALS }, { "ERRORS IGNORED:", DM_REST },
		{ "SUPPRESSIONS USED:", DM_REST }, { "FINAL SUMMARY:", DM_REST } };

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
		if (text_equal(t, text_from(sections[i].line))) {
			s->ended |= s->section == DM_TOTALS;
			s->section = sections[i].section;
			return true;
		}
	return false;
}

/* "Dr. Memory results for pid 4711: "store.exe"" */
static bool
take_head(struct dm_state *s, struct reader *in, struct text t)
{
	bool bad = false;
	uint64_t pid;

	if (scan_word(&t, version)) {
		if (!drmemory_end_report(s) || !drmemory_begin(s, in))
			return false;
		members_text(
			&s->head, "drmemory_version", line_clean(in->lines, scan_token(&t), &bad));
		return true;
	}
	if (!scan_word(&t, results))
		return true;
	if (!drmemory_begin(s, in))
		return false;
	if (!scan_decimal(&t, &pid))
		return true;
	members_number(&s->head, "pid", pid);
	if (scan_word(&t, ": \"") && text_ends(t, "\""))
		strbuf_append_text(&s->application,
			line_clean(in->lines, text_file_name(text_up_to(t, t.size - 1)), &bad));
	return true;
}

static void
init(struct dm_state *s)
{
	struct strbuf *buffers[] = { &s->head, &s->totals, &s->application, &s->text,
		&s->attributes, &s->notes };

	for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]) && !buffers[i]->max; i++)
		strbuf_init(buffers[i], (size_t)4 * DM_TEXT_BYTES);
}

static bool
take_in_section(struct dm_state *s, struct text t)
{
	switch ((int)s->section) {
	case DM_ERRORS:
		return take_item_line(s, t);
	case DM_COUNTS:
		take_count(s, t);
		return true;
	case DM_TOTALS:
		drmemory_total(s, t);
		return true;
	default:
		return true;
	}
}

static bool
dm_line(void *state, struct reader *in, struct text content)
{
	struct dm_state *s = state;
	struct text t = content;
	uint64_t number;

	init(s);
	if (s->open)
		log_report_use(&s->report);
	scan_word(&t, "~~Dr.M~~");
	t = text_trim(t);
	if (text_begins(t, version) || text_begins(t, results))
		return take_head(s, in, t);
	/* The end of the log may cut off this line, so ignore it. */
	if (!s->open || (in->line.unended && s->section == DM_ERRORS))
		return true;
	if (s->section <= DM_ERRORS && scan_error(&t, &number)) {
		s->section = DM_ERRORS;
		return drmemory_begin_item(s, number, t);
	}
	if (take_section(s, t) || text_begins(t, "====="))
		return drmemory_end_item(s);
	if (text_begins(t, "Details: "))
		s->ended |= s->section == DM_TOTALS || s->section == DM_REST;
	return take_in_section(s, t);
}

static bool
dm_end(void *state, struct reader *in)
{
	(void)in;
	return drmemory_end_report(state);
}

static void
dm_release(void *state)
{
	struct dm_state *s = state;

	if (s->open)
		log_report_release(&s->report);
	arena_release(&s->arena);
	free(s->items);
	strbuf_release(&s->head);
	strbuf_release(&s->totals);
	strbuf_release(&s->application);
	strbuf_release(&s->text);
	strbuf_release(&s->attributes);
	strbuf_release(&s->notes);
	log_stacks_release(&s->stacks);
}

/* A log is recognised by a line with the version or the process, followed by another such line or
 * an error. */
static bool
dm_look(unsigned *seen, struct text content)
{
	struct text t = content;
	uint64_t number;

	scan_word(&t, "~~Dr.M~~");
	t = text_trim(t);
	if (text_begins(t, version) || text_begins(t, results)) {
		++*seen;
		return *seen > 1;
	}
	return *seen && scan_error(&t, &number);
}

static const struct log_kind log_kind = {
	.noun = "report of Dr. Memory",
	.looked_for = "\"Dr. Memory results for pid ...\" and lines such as \"Error #1: LEAK ...\"",
	.state_bytes = sizeof(struct dm_state),
	.mark = mark,
	.line = dm_line,
	.end = dm_end,
	.release = dm_release,
	.look = dm_look,
};

LOG_MEMBERS(log_kind, "report of Dr. Memory")

const struct format format_drmemory = {
	.name = "drmemory",
	.title = "Dr Memory's results.txt",
	.profiler = "Dr. Memory",
	.known_by =
		"the line \"Dr. Memory results for pid\" and lines such as \"Error #1: LEAK ...\"",
	.covers = { [COVERAGE_LEAKS] = COVERAGE_UNKNOWN, [COVERAGE_ERRORS] = COVERAGE_UNKNOWN },
	.reads = true,
	.several = true,
	.members = &log_members,
	.lines = &log_lines,
};
