/* Emits the rows of Dr. Memory's reports; see drmemory_private.h. */
#include "drmemory_private.h"

#include "base/array.h"

#include <stdlib.h>

/* The kinds in the totals, and how the text of their errors begins. */
static const struct {
	const char *total, *begin;
} kinds[DM_KINDS] = {
	{ "unaddressable access(es)", "UNADDRESSABLE ACCESS" },
	{ "uninitialized access(es)", "UNINITIALIZED READ" },
	{ "invalid heap argument(s)", "INVALID HEAP ARGUMENT" },
	{ "GDI usage error(s)", "GDI USAGE ERROR" },
	{ "handle leak(s)", "HANDLE LEAK" },
	{ "warning(s)", "WARNING" },
	{ "byte(s) of leak(s)", "LEAK " },
	{ "byte(s) of possible leak(s)", "POSSIBLE LEAK " },
};

/* --- stacks ------------------------------------------------------------------------------------- */

/* Removes "[FILE:LINE]" from the end. */
static void
scan_place(struct text *t, struct frame *f)
{
	struct text place;
	size_t at;
	int64_t line, column;

	if (!text_ends(*t, "]"))
		return;
	at = text_find(*t, " [");
	if (at == TEXT_NOT_FOUND)
		return;
	place = text_from_at(text_up_to(*t, t->size - 1), at + 2);
	if (scan_last_place(&place, &line, &column) && !column)
		f->line = line;
	f->file = place;
	*t = text_trim(text_up_to(*t, at));
}

/* Removes "+0xN (0xADDRESS <MODULE+0xN>)" from the end. Sets *address to the address in the module. */
static void
scan_offset(struct text *t, struct frame *f)
{
	size_t at = text_find(*t, " +0x");
	struct text rest = text_from_at(*t, at == TEXT_NOT_FOUND ? t->size : at + 2);
	uint64_t offset;

	if (at == TEXT_NOT_FOUND || !scan_hex(&rest, &offset))
		return;
	*t = text_trim(text_up_to(*t, at));
	scan_blanks(&rest);
	if (!scan_char(&rest, '(') || !scan_hex(&rest, &f->address) || !scan_word(&rest, " <"))
		return;
	at = text_find(rest, "+0x");
	rest = text_from_at(rest, at == TEXT_NOT_FOUND ? rest.size : at + 1);
	scan_hex(&rest, &f->address);
}

bool
drmemory_frame(struct dm_state *s, struct text line)
{
	struct text key = text_trim(line);
	struct text t = key;
	struct frame frame = { .line = MODEL_NULL };
	uint64_t number;
	bool bad = false;
	size_t bang;

	if (!s->stacks.open || !scan_char(&t, '#'))
		return true;
	scan_blanks(&t);
	if (!scan_decimal(&t, &number))
		return true;
	key = text_trim(t);
	if (log_stack_known(&s->report, key))
		return true;
	t = line_clean(s->report.in->lines, key, &bad);
	scan_place(&t, &frame);
	scan_offset(&t, &frame);
	bang = text_find(t, "!");
	if (bang != TEXT_NOT_FOUND && bang && bang + 1 < t.size && !memchr(t.data, ' ', bang)) {
		frame.module = text_up_to(t, bang);
		t = text_from_at(t, bang + 1);
	}
	if (!text_equal(t, TEXT_LITERAL("?")) && !text_equal(t, TEXT_LITERAL("<not in a module>")))
		frame.function = t;
	return log_stack_add(&s->report, key, &frame);
}

/* --- items ---------------------------------------------------------------------------------------- */

/* The words in capitals at the front: "UNADDRESSABLE ACCESS". */
static struct text
kind_of(struct text t)
{
	size_t n = 0;
	size_t end = 0;

	while (n < t.size && (t.data[n] == ' ' || (t.data[n] >= 'A' && t.data[n] <= 'Z'))) {
		n++;
		if (n == t.size || t.data[n] == ' ' || t.data[n] == ':')
			end = n;
	}
	return text_trim(text_up_to(t, end));
}

/* "POSSIBLE LEAK 150 direct bytes 0x005a25f8-0x005a268e + 0 indirect bytes" */
static bool
scan_leak(struct dm_state *s, struct text t)
{
	uint64_t end, indirect;

	if (!scan_word(&t, "POSSIBLE "))
		scan_word(&t, "REACHABLE ");
	if (!scan_word(&t, "LEAK ") || !scan_decimal(&t, &s->item.size) ||
		!scan_word(&t, " direct bytes "))
		return false;
	if (text_begins(t, "0x")) {
		s->item.has_address = scan_hex(&t, &s->item.address);
		if (!scan_char(&t, '-') || !scan_hex(&t, &end) || !scan_char(&t, ' '))
			return false;
	}
	if (!scan_word(&t, "+ ") || !scan_decimal(&t, &indirect) || !text_begins(t, " indirect"))
		return false;
	members_number(&s->attributes, "indirect_bytes", indirect);
	return true;
}

bool
drmemory_begin_item(struct dm_state *s, uint64_t number, struct text text)
{
	bool bad = false;

	if (!drmemory_end_item(s))
		return false;
	s->item = (struct dm_item){ .number = number, .count = 1, .thread = LOG_NO_THREAD };
	strbuf_reset(&s->text);
	strbuf_reset(&s->attributes);
	strbuf_reset(&s->notes);
	strbuf_append_text(&s->text, line_clean(s->report.in->lines, text, &bad));
	members_number(&s->attributes, "number", number);
	s->item.leak = scan_leak(s, text);
	s->in_item = true;
	for (size_t i = 0; i < DM_KINDS; i++)
		s->listed[i] += text_begins(text, kinds[i].begin);
	log_stacks_reset(&s->stacks);
	return log_stacks_begin(&s->stacks, &s->report, NULL, LOG_NO_THREAD);
}

static bool
emit_leak(struct dm_state *s, struct dm_item *item)
{
	struct object_row row = { .number = { .magnitude = item->number },
		.address = NUMBER_NULL,
		.attributes = item->attributes };

	if (item->has_address)
		row.address = (struct number){ .magnitude = item->address };
	if (item->count > INT64_MAX || (item->size && item->count > UINT64_MAX / item->size))
		item->count = 1;
	row.block_count = (int64_t)item->count;
	row.size = (struct number){ .magnitude = item->size * item->count };
	row.leak_kind = text_begins(item->kind, "POSSIBLE")    ? TEXT_LITERAL("possible")
			: text_begins(item->kind, "REACHABLE") ? TEXT_LITERAL("reachable")
							       : TEXT_LITERAL("definite");
	return log_report_object(&s->report, &row, TEXT_LITERAL("Unknown"), item->thread,
		item->stack_count ? &item->stacks[0] : NULL);
}

static bool
emit_items(struct dm_state *s)
{
	bool ok = true;

	for (size_t i = 0; ok && i < s->count; i++) {
		struct dm_item *item = &s->items[i];

		ok = item->leak ? emit_leak(s, item)
				: log_report_counted(&s->report, item->kind, item->text,
					  item->attributes, item->count, item->stacks,
					  item->stack_count);
	}
	s->count = 0;
	arena_reset(&s->arena);
	return ok;
}

bool
drmemory_end_item(struct dm_state *s)
{
	struct dm_item *item = &s->item;

	if (!s->in_item)
		return true;
	s->in_item = false;
	if (!log_stacks_end(&s->stacks, &s->report))
		return false;
	/* If too many items are waiting, they are emitted without their counts. */
	if (s->count == DM_MAX_WAITING && !emit_items(s))
		return false;
	members_array(&s->attributes, "notes", strbuf_text(&s->notes));
	item->text = arena_text(&s->arena, strbuf_text(&s->text));
	item->kind = kind_of(item->text);
	item->attributes = arena_text(&s->arena, members_end(&s->attributes));
	if (!item->leak)
		s->stacks.items[0].thread = item->thread;
	item->stack_count = s->stacks.count;
	item->stacks = arena_alloc_array(&s->arena, item->stack_count, sizeof(*item->stacks));
	memcpy(item->stacks, s->stacks.items, item->stack_count * sizeof(*item->stacks));
	*ARRAY_ADD(s->items, s->count, s->room) = *item;
	return true;
}

/* --- reports -------------------------------------------------------------------------------------- */

void
drmemory_total(struct dm_state *s, struct text line)
{
	struct text t = line;
	uint64_t unique;
	bool bad = false;

	if (!scan_decimal(&t, &unique) || !scan_word(&t, " unique,"))
		return;
	members_element(&s->totals, line_clean(s->report.in->lines, line, &bad));
	for (size_t i = 0; i < DM_KINDS; i++)
		if (text_ends(t, kinds[i].total)) {
			s->stated[i] = unique;
			s->has_stated[i] = true;
		}
}

bool
drmemory_begin(struct dm_state *s, struct reader *in)
{
	if (s->open)
		return true;
	s->open = true;
	s->ended = s->in_item = false;
	s->section = DM_HEAD;
	for (size_t i = 0; i < DM_KINDS; i++) {
		s->stated[i] = s->listed[i] = 0;
		s->has_stated[i] = false;
	}
	strbuf_reset(&s->head);
	strbuf_reset(&s->totals);
	strbuf_reset(&s->application);
	return log_report_begin(&s->report, in);
}

static bool
check_totals(struct dm_state *s)
{
	const struct issue differ = { .code = ISSUE_TOTALS_DIFFER };
	const struct issue unfinished = { .code = ISSUE_UNFINISHED };

	if (!s->ended &&
		!reader_issue_like(s->report.in, &unfinished, "the report ends without its totals"))
		return false;
	for (size_t i = 0; i < DM_KINDS; i++)
		if (s->has_stated[i] && s->stated[i] != s->listed[i] &&
			!reader_issue_like(s->report.in, &differ,
				"%s: %llu are listed, but the totals say %llu", kinds[i].total,
				(unsigned long long)s->listed[i], (unsigned long long)s->stated[i]))
			return false;
	return true;
}

static bool
emit_about(struct dm_state *s)
{
	struct reader *in = s->report.in;
	enum coverage_degree degree = s->ended ? COVERAGE_FULL : COVERAGE_PARTIAL;
	const char *source = s->ended ? "the tool finished" : "the report has no totals";

	members_array(&s->head, "totals", strbuf_text(&s->totals));
	return emit_metadata(in, "tool", TEXT_LITERAL("drmemory")) &&
	       (!s->application.size ||
		       emit_metadata(in, "application", strbuf_text(&s->application))) &&
	       (!s->head.size || emit_metadata(in, "attributes", members_end(&s->head))) &&
	       emit_finished(in, s->ended) && emit_coverage(in, COVERAGE_ERRORS, degree, source) &&
	       emit_coverage(in, COVERAGE_LEAKS, degree, source);
}

bool
drmemory_end_report(struct dm_state *s)
{
	bool ok;

	if (!s->open)
		return true;
	log_report_use(&s->report);
	ok = drmemory_end_item(s) && emit_items(s);
	if (ok && s->report.wanted)
		ok = emit_about(s) && check_totals(s);
	log_report_release(&s->report);
	s->open = false;
	return ok;
}
