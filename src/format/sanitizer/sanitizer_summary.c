/* Compares a report's SUMMARY line with the report itself. */
#include "sanitizer_state.h"

/* Checks the sums in "4023 byte(s) leaked in 217 allocation(s)." */
static bool
check_leaks(struct sanitizer *s, struct report *r, struct text t)
{
	uint64_t bytes;
	uint64_t blocks;

	if (!scan_decimal(&t, &bytes) || !scan_word(&t, " byte(s) leaked in ") ||
		!scan_decimal(&t, &blocks))
		return true;
	if ((bytes == r->sum_bytes && blocks == r->sum_blocks) || r->omitted)
		return true;
	return reader_issue_like(&s->in, &REPORT_ISSUE(ISSUE_SUMMARY, r),
		"the summary has %llu bytes in %llu allocations, but the leaks have %llu in %llu",
		(unsigned long long)bytes, (unsigned long long)blocks,
		(unsigned long long)r->sum_bytes, (unsigned long long)r->sum_blocks);
}

/* True for heap-buffer-overflow, SEGV and data race; false for a word such as "requested". */
static bool
names_kind(struct text bug)
{
	return memchr(bug.data, '-', bug.size) || memchr(bug.data, ' ', bug.size) ||
	       (bug.size && bug.data[0] >= 'A' && bug.data[0] <= 'Z');
}

bool
report_has_place(const struct report *r, struct text place)
{
	return place.size && text_find_text(strbuf_text(&r->top), place) != TEXT_NOT_FOUND;
}

/* Removes the first stack if it belongs to another report. This is the case if reports were mixed and
 * the stack lacks the frame that the summary names. */
static void
check_place(struct sanitizer *s, struct report *r, struct text message)
{
	size_t in;

	if (!r->mixed || !scan_word(&message, r->bug.data) || !scan_word(&message, " "))
		return;
	in = text_find(message, " in ");
	if (in == TEXT_NOT_FOUND || report_has_place(r, text_up_to(message, in)))
		return;
	for (size_t i = 0; i < r->stack_count; i++) {
		if (r->stacks[i].role || !r->stacks[i].number)
			continue;
		s->unknown++;
		r->stacks[i].number = 0;
		r->stacks[i].depth = 0;
		return;
	}
}

bool
report_summary(struct sanitizer *s, struct report *r, const struct head *h)
{
	struct text bug = sanitizer_first_word(h->message);

	if (!report_end_stack(s, r) || !sanitizer_emit_leak(s, r))
		return false;
	r->summarised = true;
	r->fresh = false;
	r->quiet = 0;
	r->heard = s->in.line.number;
	r->summary = arena_text(&r->arena, h->message);
	if (r->kind == HEAD_LEAKS)
		return check_leaks(s, r, h->message);
	if (r->kind == HEAD_UNDEFINED) {
		if (!text_equal(bug, TEXT_LITERAL("undefined-behavior")))
			r->bug = arena_text(&r->arena, bug);
		return true;
	}
	/* If the report describes the kind in unknown words, use the summary's name. */
	if (!names_kind(r->bug))
		r->bug = arena_text(&r->arena, bug);
	check_place(s, r, h->message);
	if (text_begins(h->message, r->bug.data))
		return true;
	return reader_issue_like(&s->in, &REPORT_ISSUE(ISSUE_SUMMARY, r),
		"the summary is about \"%.*s\", but the report is about \"%.*s\"",
		text_precision(h->message, 80), h->message.data, text_precision(r->bug, 80),
		r->bug.data);
}
