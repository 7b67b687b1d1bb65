/*
 * Reads dumps of the debug heap of Microsoft's C runtime (_CrtDumpMemoryLeaks) in a debugger's
 * output or in logs.
 *
 * Format: "Detected memory leaks!", "Dumping objects ->", then the blocks, newest first, then "Object dump
 * complete.". A block is "[FILE(LINE) : ]{NUMBER} TYPE block at 0xADDRESS, [subtype HEX, ]SIZE bytes
 * long.", and after it "Data: <TEXT> BYTES". The line may be wrapped after the number. If the block is an
 * object of an MFC class, the line "a CLASS object at $ADDRESS, ..." follows. _CrtMemDumpStatistics writes
 * lines such as "1128 bytes in 3 Normal Blocks.". Source: Microsoft's documentation of the CRT debug library,
 * and the runtime's dbgheap.c.
 */
#include "format/common/json_members.h"
#include "format/common/log_reader.h"
#include "format/common/text_scan.h"
#include "format/formats.h"

enum {
	HEAD_MAX_BYTES = 4096, /* maximum for the first half of a wrapped line */
	CLASS_MAX_BYTES = 1000,
	TOTALS_MAX_BYTES = 16 * 1024,
};

/* A block. A line with its class may follow. */
struct crt_block {
	bool pending;
	uint64_t number, address, size;
	int64_t line;
	struct strbuf file, class_name;
};

struct crt_state {
	struct log_report report;
	bool open;
	struct crt_block block;
	struct strbuf head;   /* the first half of a wrapped line, or empty */
	struct strbuf totals; /* lines of statistics, as elements of an array */
	bool damaged;
};

static const char detected[] = "Detected memory leaks!";
static const char dumping[] = "Dumping objects ->";

/* --- lines ----------------------------------------------------------------------------------- */

/* "1128 bytes in 3 Normal Blocks.", "Largest number used: 8120 bytes." */
static bool
is_total(struct text t)
{
	uint64_t n;

	t = text_trim(t);
	if (scan_word(&t, "Largest number used: ") || scan_word(&t, "Total allocations: "))
		return scan_decimal(&t, &n) && text_begins(t, " bytes.");
	return scan_decimal(&t, &n) && scan_word(&t, " bytes in ") && scan_decimal(&t, &n) &&
	       scan_char(&t, ' ') && text_ends(t, " Blocks.");
}

static size_t
mark(struct text line)
{
	size_t at = text_find(line, detected);

	if (at == TEXT_NOT_FOUND)
		at = text_find(line, dumping);
	if (at != TEXT_NOT_FOUND)
		return at;
	/* Statistics can occur without a dump. */
	at = text_find(line, " bytes in ");
	while (at != TEXT_NOT_FOUND && at && char_is_digit(line.data[at - 1]))
		at--;
	return at != TEXT_NOT_FOUND && is_total(text_from_at(line, at)) ? at : TEXT_NOT_FOUND;
}

/* Scans " normal block at 0x00C41D30, subtype 5, 144 bytes long.". *type is "normal block", with the
 * subtype if there is one. */
static bool
scan_block(struct text t, struct crt_block *b)
{
	size_t at;
	uint64_t subtype = 0;
	bool has_subtype;
	struct text type;

	scan_blanks(&t);
	at = text_find(t, " block at 0x");
	if (at == TEXT_NOT_FOUND || at > 20)
		return false;
	type = text_up_to(t, at + sizeof(" block") - 1);
	t = text_from_at(t, at + sizeof(" block at ") - 1);
	if (!scan_hex(&t, &b->address) || !scan_word(&t, ", "))
		return false;
	has_subtype = scan_word(&t, "subtype ");
	if (has_subtype && (!scan_hex(&t, &subtype) || !scan_word(&t, ", ")))
		return false;
	if (!scan_decimal(&t, &b->size) || !scan_word(&t, " bytes long."))
		return false;
	strbuf_reset(&b->class_name);
	strbuf_append_text(&b->class_name, type);
	if (has_subtype)
		strbuf_printf(&b->class_name, ", subtype %llx", (unsigned long long)subtype);
	return true;
}

/* Scans "FILE(LINE) : {NUMBER}" or "{NUMBER}"; *rest is the text after it. The file's name may
 * contain brackets, so the last "(LINE) : {" is used. */
static bool
scan_head(struct text line, struct text *file, int64_t *source_line, uint64_t *number,
	struct text *rest)
{
	static const char words[] = ") : {";
	struct text t = line;
	size_t at = TEXT_NOT_FOUND;
	size_t begin, next;

	*file = TEXT_NULL;
	*source_line = MODEL_NULL;
	if (scan_char(&t, '{')) {
		*rest = t;
		return scan_decimal(rest, number) && scan_char(rest, '}');
	}
	for (next = text_find(t, words); next != TEXT_NOT_FOUND;
		next = text_find(text_from_at(t, at + 1), words)) {
		at = at == TEXT_NOT_FOUND ? next : at + 1 + next;
	}
	if (at == TEXT_NOT_FOUND)
		return false;
	begin = at;
	while (begin && char_is_digit(t.data[begin - 1]))
		begin--;
	if (begin == at || begin < 2 || t.data[begin - 1] != '(')
		return false;
	*file = text_up_to(t, begin - 1);
	t = text_from_at(t, begin);
	if (!scan_int64(&t, source_line) || !scan_word(&t, words) || !scan_decimal(&t, number) ||
		!scan_char(&t, '}'))
		return false;
	*rest = t;
	return true;
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Makes a stack of one frame from the file and the line of the allocation. */
static bool
make_stack(struct crt_state *s, struct log_stack *stack)
{
	struct crt_block *b = &s->block;
	struct strbuf key = STRBUF_INIT(HEAD_MAX_BYTES + 32);
	const struct frame frame = { .file = strbuf_text(&b->file), .line = b->line };
	bool ok;

	*stack = (struct log_stack){ .thread = LOG_NO_THREAD };
	if (!b->file.size)
		return true;
	strbuf_printf(&key, "%lld:", (long long)b->line);
	strbuf_append_text(&key, strbuf_text(&b->file));
	log_stack_begin(&s->report);
	ok = log_stack_known(&s->report, strbuf_text(&key)) ||
	     log_stack_add(&s->report, strbuf_text(&key), &frame);
	strbuf_release(&key);
	return ok && log_stack_end(&s->report, stack);
}

static bool
emit_pending(struct crt_state *s)
{
	struct crt_block *b = &s->block;
	struct object_row row = { .number = { .magnitude = b->number },
		.address = { .magnitude = b->address },
		.size = { .magnitude = b->size },
		.block_count = 1,
		.leak_kind = TEXT_LITERAL("definite") };
	struct log_stack stack;
	struct text class_name;
	bool bad = false;

	if (!b->pending)
		return true;
	b->pending = false;
	class_name = line_clean(s->report.in->lines, strbuf_text(&b->class_name), &bad);
	return make_stack(s, &stack) &&
	       log_report_object(&s->report, &row, class_name, LOG_NO_THREAD, &stack);
}

static bool
emit_about(struct crt_state *s, bool complete)
{
	struct reader *in = s->report.in;
	struct strbuf attributes = STRBUF_INIT((size_t)2 * TOTALS_MAX_BYTES);
	bool ok;

	if (!s->report.wanted)
		return true;
	members_array(&attributes, "statistics", strbuf_text(&s->totals));
	ok = emit_metadata(in, "tool", TEXT_LITERAL("crt")) &&
	     (!attributes.size || emit_metadata(in, "attributes", members_end(&attributes))) &&
	     emit_finished(in, complete && !s->damaged) &&
	     emit_coverage(in, COVERAGE_LEAKS, complete ? COVERAGE_FULL : COVERAGE_PARTIAL,
		     complete ? "the dump is complete" : "the dump has no end");
	strbuf_release(&attributes);
	return ok;
}

static bool
end_report(struct crt_state *s, bool complete)
{
	bool ok;

	if (!s->open)
		return true;
	log_report_use(&s->report);
	ok = emit_pending(s) && emit_about(s, complete);
	if (ok && !complete && s->report.wanted)
		ok = reader_issue(s->report.in, ISSUE_UNFINISHED,
			"the dump ends without \"Object dump complete.\"");
	log_report_release(&s->report);
	s->open = false;
	s->damaged = false;
	strbuf_reset(&s->totals);
	return ok;
}

static bool
begin_report(struct crt_state *s, struct reader *in)
{
	if (!end_report(s, false) || !log_report_begin(&s->report, in))
		return false;
	s->open = true;
	return true;
}

static bool
report_broken(struct crt_state *s, const char *what)
{
	s->damaged = true;
	return !s->report.wanted ||
	       reader_issue(s->report.in, ISSUE_RECORD_BROKEN, "a block is left out: %s", what);
}

/* --- the state machine ----------------------------------------------------------------------------- */

static void
init(struct crt_state *s)
{
	if (s->head.max)
		return;
	strbuf_init(&s->head, HEAD_MAX_BYTES);
	strbuf_init(&s->block.file, HEAD_MAX_BYTES);
	strbuf_init(&s->block.class_name, CLASS_MAX_BYTES);
	strbuf_init(&s->totals, TOTALS_MAX_BYTES);
}

/* "a CBasket object at $004F0FA0, 40 bytes long" */
static void
take_class(struct crt_state *s, struct text line)
{
	struct crt_block *b = &s->block;
	static const char words[] = " object at $";
	size_t at = text_find(line, words);
	struct text rest =
		text_from_at(line, at == TEXT_NOT_FOUND ? line.size : at + sizeof(words) - 1);
	uint64_t address;

	if (!b->pending || !scan_word(&line, "a ") || !scan_hex(&rest, &address) ||
		address != b->address)
		return;
	strbuf_reset(&b->class_name);
	strbuf_append_text(&b->class_name, text_up_to(line, at - 2));
}

static bool
take_block(struct crt_state *s, struct text line)
{
	struct crt_block *b = &s->block;
	struct line_reader *lines = s->report.in->lines;
	struct text file, rest;
	int64_t source_line;
	uint64_t number;
	bool bad = false;

	if (!scan_head(line, &file, &source_line, &number, &rest)) {
		take_class(s, line);
		return true;
	}
	if (!emit_pending(s))
		return false;
	if (text_is_empty(text_trim(rest))) {
		strbuf_append_text(&s->head, line);
		return true;
	}
	if (!scan_block(rest, b))
		return report_broken(s, "its line is wrapped or truncated");
	b->pending = true;
	b->number = number;
	b->line = source_line;
	strbuf_reset(&b->file);
	strbuf_append_text(&b->file, line_clean(lines, file, &bad));
	return true;
}

/* Handles a line of a dump. The first half of a wrapped line is kept in s->head. */
static bool
take_dump_line(struct crt_state *s, struct text line)
{
	struct strbuf joined = STRBUF_INIT((size_t)2 * HEAD_MAX_BYTES);
	bool ok;

	if (text_begins(text_trim(line), "Data: <"))
		return !s->head.size ||
		       (strbuf_reset(&s->head), report_broken(s, "its line is wrapped"));
	if (s->head.size && text_find(line, " block at 0x") == TEXT_NOT_FOUND &&
		!text_begins(text_trim(line), "{"))
		return true; /* another program's line */
	if (!s->head.size)
		return take_block(s, line);
	strbuf_append_text(&joined, strbuf_text(&s->head));
	strbuf_append_char(&joined, ' ');
	strbuf_append_text(&joined, text_trim(line));
	strbuf_reset(&s->head);
	ok = take_block(s, strbuf_text(&joined));
	strbuf_release(&joined);
	return ok;
}

static bool
crt_line(void *state, struct reader *in, struct text content)
{
	struct crt_state *s = state;
	struct text t = text_trim(content);
	bool bad = false;

	init(s);
	if (s->open)
		log_report_use(&s->report);
	if (text_equal(t, text_from(detected))) {
		return begin_report(s, in);
	}
	if (scan_word(&t, dumping)) {
		if (!s->open && !begin_report(s, in))
			return false;
		/* The first block may be on the same line. */
		return text_is_empty(text_trim(t)) || take_dump_line(s, text_trim(t));
	}
	if (is_total(t)) {
		if (!s->open)
			members_element(&s->totals, line_clean(in->lines, t, &bad));
		return true;
	}
	if (!s->open)
		return true;
	if (text_equal(t, TEXT_LITERAL("Object dump complete.")))
		return end_report(s, true);
	/* The end of the log may cut off this line, so ignore it. */
	if (in->line.unended && text_find(t, "bytes long") == TEXT_NOT_FOUND)
		return true;
	return take_dump_line(s, content);
}

/* Handles the end of the log. Statistics without a dump become a report of their own. */
static bool
crt_end(void *state, struct reader *in)
{
	struct crt_state *s = state;

	if (s->open)
		return end_report(s, false);
	if (!s->totals.size)
		return true;
	if (!log_report_begin(&s->report, in))
		return false;
	s->open = true;
	return end_report(s, true);
}

static void
crt_release(void *state)
{
	struct crt_state *s = state;

	if (s->open)
		log_report_release(&s->report);
	strbuf_release(&s->head);
	strbuf_release(&s->block.file);
	strbuf_release(&s->block.class_name);
	strbuf_release(&s->totals);
}

/* --- recognition ------------------------------------------------------------------------------------- */

/* A log is recognised by two lines of statistics. It is also recognised by the head of a dump if a
 * block or the end of the dump follows. */
static bool
crt_look(unsigned *seen, struct text content)
{
	enum {
		HEAD = 1,
		TOTAL = 2
	};
	struct text t = text_trim(content);
	struct text file, rest;
	int64_t line;
	uint64_t number;
	bool total = is_total(t);

	if (total && (*seen & TOTAL) && text_begins(t, "Largest"))
		return true;
	if (total)
		*seen |= TOTAL;
	if (text_equal(t, text_from(detected)) || text_begins(t, dumping)) {
		*seen |= HEAD;
		return text_begins(t, dumping) && text_find(t, " block at 0x") != TEXT_NOT_FOUND;
	}
	return (*seen & HEAD) && (scan_head(content, &file, &line, &number, &rest) ||
					 text_equal(t, TEXT_LITERAL("Object dump complete.")));
}

static const struct log_kind log_kind = {
	.noun = "dump of the CRT's debug heap",
	.looked_for = "\"Detected memory leaks!\", \"Dumping objects ->\" and blocks after them",
	.state_bytes = sizeof(struct crt_state),
	.mark = mark,
	.line = crt_line,
	.end = crt_end,
	.release = crt_release,
	.look = crt_look,
};

LOG_MEMBERS(log_kind, "dump of the CRT's debug heap")

const struct format format_crt = {
	.name = "crt",
	.title = "dumps of Visual C++'s debug heap (_CrtDumpMemoryLeaks)",
	.profiler = "the CRT debug heap",
	.known_by = "the lines \"Detected memory leaks!\" and \"Dumping objects ->\"",
	.covers = { [COVERAGE_LEAKS] = COVERAGE_UNKNOWN },
	.reads = true,
	.several = true,
	.members = &log_members,
	.lines = &log_lines,
};
