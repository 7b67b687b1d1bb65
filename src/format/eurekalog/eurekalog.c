/*
 * Reads the bug reports of EurekaLog, an exception handler for Delphi and C++Builder, versions 6 and 7.
 *
 * Format: "EurekaLog VERSION", then sections: a title, a line of dashes, and "  N.M LABEL: VALUE" or a table. Labels
 * may be translated, numbers are not: 1.2 is the application, 1.3 its version, 2.1 the date, 2.2 the address, 2.5
 * the class of the exception, 2.6 its message, 2.7 the bug's ID, 2.8 the number of occurrences. The further lines
 * of a message are indented. The table of call stacks begins with the head "|Address |Module |Unit ...|". Each thread
 * then has the line "|NAME: ID=N; Parent=N; Priority=N |", further lines, and its frames. The line of the thread
 * with the exception begins with an asterisk. The line of a frame is "LINE[LINE IN ROUTINE]". Source: EurekaLog's
 * documentation, and reports that users posted.
 */
#include "eurekalog_private.h"
#include "format/common/borland.h"
#include "format/common/json_members.h"
#include "format/common/log_reader.h"
#include "format/common/text_scan.h"
#include "format/formats.h"

#include "base/arena.h"

#include <stdlib.h>

enum {
	TEXT_BYTES = 16 * 1024,
};

/* The numbers of the values; 206 stands for 2.6. */
enum {
	KEY_APPLICATION = 102,
	KEY_APP_VERSION = 103,
	KEY_DATE = 201,
	KEY_ADDRESS = 202,
	KEY_TYPE = 205,
	KEY_MESSAGE = 206,
	KEY_BUG = 207,
	KEY_COUNT = 208,
};

enum table_part {
	NO_TABLE,
	TABLE_HEAD, /* the head has been read */
	TABLE_BODY
};

struct eureka_state {
	struct log_report report;
	bool open;
	bool in_message; /* the message may continue on the next line */
	bool has_table;  /* a table has been read to its end */
	enum table_part part;
	struct eureka_table table;
	struct log_stacks stacks;
	struct arena arena; /* names of threads */
	uint64_t occurrences;
	struct strbuf version, class_name, message, application, app_version, attributes, names;
};

static const char head_word[] = "EurekaLog ";

/* --- marks ----------------------------------------------------------------------------------------- */

/* Scans "EurekaLog 7.0.6.27 RC 5". A line with more words is a sentence about EurekaLog, not a head. */
static bool
scan_head(struct text t, struct text *version)
{
	uint64_t number;

	if (!scan_word(&t, head_word))
		return false;
	*version = t = text_trim(t);
	if (!scan_decimal(&t, &number) || !scan_char(&t, '.') || !scan_decimal(&t, &number))
		return false;
	for (size_t words = 0; words < 3; words++)
		scan_token(&t);
	return !text_trim(t).size;
}

/* Finds the head of a report in the line. An indented line may belong to a message that mentions EurekaLog,
 * so it is not a head. */
static size_t
mark(struct text line)
{
	size_t at = text_find(line, head_word);
	struct text version;

	if (at == TEXT_NOT_FOUND || line.data[0] == ' ' ||
		!scan_head(text_from_at(line, at), &version))
		return TEXT_NOT_FOUND;
	return at;
}

/* Scans "  2.5 Type          : EConvertError". */
static bool
scan_value(struct text t, unsigned *key, struct text *value)
{
	uint64_t section, number;
	size_t colon;

	if (!scan_word(&t, "  ") || !scan_decimal(&t, &section) || !scan_char(&t, '.') ||
		!scan_decimal(&t, &number) || !scan_char(&t, ' ') || section > 99 || number > 99)
		return false;
	colon = text_find(t, ":");
	if (colon == TEXT_NOT_FOUND)
		return false;
	*key = (unsigned)(section * 100 + number);
	*value = text_trim(text_from_at(t, colon + 1));
	return true;
}

static bool
is_rule(struct text t)
{
	size_t n = 0;

	while (n < t.size && t.data[n] == '-')
		n++;
	return n >= 3 && n == t.size;
}

/* --- stacks ------------------------------------------------------------------------------------------ */

/* Handles "*Exception Thread: ID=2348; Parent=0; Priority=0". "Exception Thread" may be translated. */
static bool
take_thread(struct eureka_state *s, struct text t, bool *taken)
{
	static const char word[] = ": ID=";
	size_t at = text_find(t, word);
	struct text rest = text_from_at(t, at == TEXT_NOT_FOUND ? t.size : at + sizeof(word) - 1);
	int64_t thread;
	uint64_t id;

	*taken = scan_decimal(&rest, &id) && text_begins(rest, "; Parent=");
	if (!*taken)
		return true;
	return log_report_thread(&s->report, id, &thread) &&
	       log_stacks_begin(
		       &s->stacks, &s->report, text_begins(t, "*") ? NULL : "other", thread);
}

static void
fill_frame(struct eureka_state *s, const struct text cells[EUREKA_OTHER], struct frame *f)
{
	/* An offset in the module does not depend on where the module was loaded. */
	bool has_offset = cells[EUREKA_OFFSET].size && cells[EUREKA_MODULE].size;
	struct text address = cells[has_offset ? EUREKA_OFFSET : EUREKA_ADDRESS];
	struct text line = cells[EUREKA_LINE];
	struct borland_name name;

	f->module = cells[EUREKA_MODULE];
	f->file = cells[EUREKA_SOURCE];
	f->unit = cells[EUREKA_UNIT];
	f->class_name = cells[EUREKA_CLASS];
	f->function = cells[EUREKA_ROUTINE];
	if (!scan_int64(&line, &f->line) || f->line > INT32_MAX)
		f->line = MODEL_NULL;
	if (!scan_hex(&address, &f->address))
		f->address = 0;
	borland_split(f->function, f->unit, &s->names, &name);
	if (!name.decorated)
		return;
	f->symbol = f->function;
	f->function = name.routine;
	if (!f->class_name.size)
		f->class_name = name.class_name;
}

static bool
take_frame(struct eureka_state *s, struct text row)
{
	struct text cells[EUREKA_OTHER];
	struct frame frame = { .line = MODEL_NULL,
		.exact = log_stacks_at_start(&s->stacks, &s->report) };
	bool bad = false;

	if (!eureka_table_split(&s->table, row, cells))
		return !s->report.wanted || reader_issue(s->report.in, ISSUE_RECORD_BROKEN,
						    "a frame is wrapped or truncated");
	/* Versions that write no lines about threads list only one stack. */
	if (!s->stacks.open && !log_stacks_begin(&s->stacks, &s->report,
				       s->stacks.count ? "other" : NULL, LOG_NO_THREAD))
		return false;
	if (log_stack_known(&s->report, row))
		return true;
	if (!eureka_table_split(&s->table, line_clean(s->report.in->lines, row, &bad), cells))
		return true;
	fill_frame(s, cells, &frame);
	return log_stack_add(&s->report, row, &frame);
}

/* Stores the name from "Class=TSyncThread; Name=Sync". */
static void
take_thread_name(struct eureka_state *s, struct text t)
{
	static const char word[] = "; Name=";
	size_t at = text_find(t, word);
	bool bad = false;

	if (!text_begins(t, "Class=") || at == TEXT_NOT_FOUND)
		return;
	t = text_trim(text_from_at(t, at + sizeof(word) - 1));
	if (t.size)
		s->stacks.current.description =
			arena_text(&s->arena, line_clean(s->report.in->lines, t, &bad));
}

/* A row of the table of call stacks: a thread, a line about it, or a frame. */
static bool
take_row(struct eureka_state *s, struct text row)
{
	struct text cell = text_from_at(row, 1);
	size_t bar = text_find(cell, "|");
	bool taken;

	if (text_begins(cell, "---"))
		return true;
	if (!take_thread(s, cell, &taken))
		return false;
	if (taken)
		return true;
	/* Lines about a thread have one cell. */
	if (bar != TEXT_NOT_FOUND && bar + 1 == cell.size) {
		take_thread_name(s, text_up_to(cell, bar));
		return true;
	}
	return take_frame(s, row);
}

/* Handles a line of a table; skips tables other than the call stacks. *taken is false if the line
 * does not belong to a table. */
static bool
take_table(struct eureka_state *s, struct text t, bool *taken)
{
	bool row = text_begins(t, "|");
	bool rule = is_rule(t);

	*taken = row || rule;
	if (row && s->part == NO_TABLE) {
		s->part = TABLE_HEAD;
		eureka_table_read(&s->table, t);
	} else if (rule && s->part == TABLE_HEAD) {
		s->part = TABLE_BODY;
	} else if (rule && s->part == TABLE_BODY) {
		s->part = NO_TABLE;
		s->has_table = true;
		return log_stacks_end(&s->stacks, &s->report);
	} else if (row && s->part == TABLE_BODY && s->table.count) {
		return take_row(s, t);
	}
	return true;
}

/* --- reports ------------------------------------------------------------------------------------------- */

static bool
emit_about(struct eureka_state *s)
{
	struct reader *in = s->report.in;
	struct strbuf attributes = STRBUF_INIT(TEXT_BYTES);
	bool ok;

	members_text(&attributes, "version", strbuf_text(&s->version));
	ok = emit_metadata(in, "tool", TEXT_LITERAL("eurekalog")) &&
	     emit_metadata(in, "attributes", members_end(&attributes)) &&
	     (!s->application.size ||
		     emit_metadata(in, "application", strbuf_text(&s->application))) &&
	     (!s->app_version.size ||
		     emit_metadata(in, "app_version", strbuf_text(&s->app_version))) &&
	     emit_coverage(in, COVERAGE_ERRORS, COVERAGE_PARTIAL, "a bug report");
	strbuf_release(&attributes);
	return ok;
}

static bool
end_report(struct eureka_state *s)
{
	struct text name =
		s->class_name.size ? strbuf_text(&s->class_name) : TEXT_LITERAL("exception");
	bool complete = s->has_table && s->part == NO_TABLE;
	bool ok;

	if (!s->open)
		return true;
	log_report_use(&s->report);
	ok = log_stacks_end(&s->stacks, &s->report);
	if (ok && (s->class_name.size || s->stacks.count))
		ok = log_report_counted(&s->report, name, strbuf_text(&s->message),
			members_end(&s->attributes), s->occurrences, s->stacks.items,
			s->stacks.count);
	if (ok && s->report.wanted)
		ok = emit_about(s) &&
		     (complete || reader_issue(s->report.in, ISSUE_REPORT_CUT,
					  "the table of call stacks is truncated"));
	log_report_release(&s->report);
	s->open = false;
	return ok;
}

static bool
begin_report(struct eureka_state *s, struct reader *in, struct text version)
{
	struct strbuf *buffers[] = { &s->version, &s->class_name, &s->message, &s->application,
		&s->app_version, &s->attributes, &s->names };
	bool bad = false;

	if (!end_report(s))
		return false;
	for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++) {
		if (!buffers[i]->max)
			strbuf_init(buffers[i], TEXT_BYTES);
		strbuf_reset(buffers[i]);
	}
	s->in_message = s->has_table = false;
	s->part = NO_TABLE;
	log_stacks_reset(&s->stacks);
	arena_reset(&s->arena);
	s->occurrences = 1;
	s->open = true;
	strbuf_append_text(&s->version, line_clean(in->lines, version, &bad));
	return log_report_begin(&s->report, in);
}

/* --- lines ------------------------------------------------------------------------------------------------ */

/* The application is "PATH - (DESCRIPTION)". */
static void
take_application(struct eureka_state *s, struct text t)
{
	size_t at = text_find(t, " - (");
	struct text file = text_file_name(text_up_to(t, at));

	strbuf_append_text(&s->application, file);
	if (at != TEXT_NOT_FOUND)
		strbuf_append_text(&s->application, text_from_at(t, at));
}

static void
take_value(struct eureka_state *s, unsigned key, struct text value)
{
	struct text digits = value;

	s->in_message = key == KEY_MESSAGE;
	switch (key) {
	case KEY_APPLICATION:
		take_application(s, value);
		break;
	case KEY_APP_VERSION:
		strbuf_append_text(&s->app_version, value);
		break;
	case KEY_DATE:
		members_text(&s->attributes, "time", value);
		break;
	case KEY_ADDRESS:
		members_text(&s->attributes, "address", value);
		break;
	case KEY_TYPE:
		strbuf_append_text(&s->class_name, value);
		break;
	case KEY_MESSAGE:
		strbuf_append_text(&s->message, value);
		break;
	case KEY_BUG:
		members_text(&s->attributes, "id", value);
		break;
	case KEY_COUNT:
		if (!scan_decimal(&digits, &s->occurrences) || !s->occurrences)
			s->occurrences = 1;
		break;
	default:
		break;
	}
}

static void
take_more_of_message(struct eureka_state *s, struct reader *in, struct text t)
{
	bool bad = false;

	if (s->message.size)
		strbuf_append_char(&s->message, '\n');
	strbuf_append_text(&s->message, line_clean(in->lines, t, &bad));
}

static bool
eureka_line(void *state, struct reader *in, struct text content)
{
	struct eureka_state *s = state;
	struct text t = text_trim(content);
	struct text value;
	unsigned key;
	bool taken;
	bool bad = false;

	if (s->open)
		log_report_use(&s->report);
	if (scan_head(content, &value))
		return begin_report(s, in, value);
	if (!s->open || !t.size)
		return true;
	/* All values come before the first table, so later lines are not read as values. */
	if (!s->has_table && scan_value(content, &key, &value)) {
		take_value(s, key, line_clean(in->lines, value, &bad));
		return true;
	}
	if (s->in_message && content.data[0] == ' ') {
		take_more_of_message(s, in, t);
		return true;
	}
	return take_table(s, t, &taken);
}

static bool
eureka_end(void *state, struct reader *in)
{
	(void)in;
	return end_report(state);
}

static void
eureka_release(void *state)
{
	struct eureka_state *s = state;
	struct strbuf *buffers[] = { &s->version, &s->class_name, &s->message, &s->application,
		&s->app_version, &s->attributes, &s->names };

	if (s->open)
		log_report_release(&s->report);
	for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++)
		strbuf_release(buffers[i]);
	log_stacks_release(&s->stacks);
	arena_release(&s->arena);
}

/* --- recognition ----------------------------------------------------------------------------------------- */

/* A log is recognised by the head, followed by a value or by the head of a table of call stacks. */
static bool
eureka_look(unsigned *seen, struct text content)
{
	struct eureka_table table;
	struct text value;
	unsigned key;

	*seen |= scan_head(content, &value);
	if (!*seen)
		return false;
	if (scan_value(content, &key, &value))
		return true;
	if (!text_begins(content, "|"))
		return false;
	eureka_table_read(&table, content);
	return table.count > 0;
}

static const struct log_kind log_kind = {
	.noun = "bug report of EurekaLog",
	.looked_for = "\"EurekaLog VERSION\" and values such as \"  2.5 Type : EConvertError\"",
	.state_bytes = sizeof(struct eureka_state),
	.mark = mark,
	.line = eureka_line,
	.end = eureka_end,
	.release = eureka_release,
	.look = eureka_look,
};

LOG_MEMBERS(log_kind, "bug report of EurekaLog")

const struct format format_eurekalog = {
	.name = "eurekalog",
	.title = "EurekaLog's bug reports (Delphi, C++Builder)",
	.profiler = "EurekaLog",
	.known_by =
		"the line \"EurekaLog VERSION\" and values such as \"2.5 Type : EConvertError\"",
	.covers = { [COVERAGE_ERRORS] = COVERAGE_PARTIAL },
	.reads = true,
	.several = true,
	.members = &log_members,
	.lines = &log_lines,
};
