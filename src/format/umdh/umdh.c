/*
 * Reads the snapshots of Microsoft's UMDH, and its comparisons of two snapshots.
 *
 * Format of a snapshot: "// UMDH: version V: Logtime D - Machine=M - PID=N", "// BASE SIZE MODULE", and for each heap
 * "*- - - - - - - - - - Start of data for heap @ X - -", blocks, and "... End of data for heap @ X - -". A block is
 * "SIZE bytes + OVERHEAD at ADDRESS by BackTraceID". Instead of a block, old versions write a group: "SIZE bytes in
 * 0xCOUNT allocations (@ 0xSIZE [+ 0xOVERHEAD]) by: BackTraceID". The frames of a stack follow its first block.
 *
 * Format of a comparison: "+ DELTA ( NEW - OLD) COUNT allocs BackTraceID", "+ DELTA ( NEW - OLD) BackTraceID
 * allocations", frames, and "Total increase == REQUESTED + OVERHEAD overhead = SUM". Old versions
 * have neither the second line nor the text after REQUESTED. Numbers are hexadecimal, except in a
 * comparison with -d, where they are decimal.
 *
 * A frame is "MODULE!ROUTINE+OFFSET [(FILE, LINE)]" or an address. Source: Microsoft's documentation of UMDH, and
 * logs that users posted.
 */
#include "format/common/json_members.h"
#include "format/common/log_reader.h"
#include "format/common/text_scan.h"
#include "format/formats.h"
#include "umdh_private.h"

#include "base/array.h"

#include <stdlib.h>

enum {
	TEXT_BYTES = 16 * 1024,
};

struct umdh_state {
	struct log_report report;
	bool open;
	bool is_comparison;
	bool damaged;
	struct umdh_comparison comparison;
	struct pair_map traces;   /* maps a trace to its index in `stacks` */
	struct log_stack *stacks; /* stacks of a snapshot's traces */
	size_t stack_count, stack_room;
	bool has_block; /* the next lines may be frames of `block` or of the comparison's last row */
	struct umdh_block block;
	bool has_head, in_heap, had_heap;
	struct strbuf heap, heaps, version, time, host, application;
	uint64_t pid;
};

/* --- frames ----------------------------------------------------------------------------------------- */

static bool
report_broken(struct umdh_state *s, const char *what)
{
	s->damaged = true;
	return !s->report.wanted ||
	       reader_issue(s->report.in, ISSUE_RECORD_BROKEN, "%s is wrapped or truncated", what);
}

static bool
take_frame(struct umdh_state *s, struct text line)
{
	struct reader *in = s->report.in;
	struct text key = text_trim(line);
	struct frame frame;
	enum umdh_frame shape = umdh_scan_frame(key, &frame);
	bool bad = false;

	if (shape == UMDH_NO_FRAME || shape == UMDH_FRAME_UNNAMED)
		return true;
	if ((shape == UMDH_FRAME_CUT || (in->line.unended && frame.address)) &&
		!report_broken(s, "a frame"))
		return false;
	/* Ignore a frame whose name or address may be incomplete. */
	if ((shape == UMDH_FRAME_CUT && !frame.function.size) ||
		(in->line.unended && frame.address) || log_stack_known(&s->report, key))
		return true;
	umdh_scan_frame(line_clean(in->lines, key, &bad), &frame);
	return log_stack_add(&s->report, key, &frame);
}

/* --- a snapshot -------------------------------------------------------------------------------------- */

/* Finds the stack of the trace. If frames follow a later block of the same trace, they replace the stack. */
static bool
find_stack(struct umdh_state *s, struct umdh_trace trace, struct log_stack *out)
{
	uint32_t at = pair_map_add(
		&s->traces, (int64_t)trace.number, trace.digits, (uint32_t)s->stack_count, NULL);

	if (at == s->stack_count)
		*ARRAY_ADD(s->stacks, s->stack_count, s->stack_room) =
			(struct log_stack){ .thread = LOG_NO_THREAD };
	if (s->report.depth && !log_stack_end(&s->report, &s->stacks[at]))
		return false;
	*out = s->stacks[at];
	return true;
}

static bool
emit_block(struct umdh_state *s)
{
	const struct umdh_block *b = &s->block;
	struct strbuf attributes = STRBUF_INIT(256);
	struct strbuf trace = STRBUF_INIT(64);
	/* The blocks were not freed. A snapshot does not show whether they are leaks. */
	struct object_row row = { .number = NUMBER_NULL,
		.address = b->grouped ? NUMBER_NULL : (struct number){ .magnitude = b->address },
		.size = { .magnitude = b->size },
		.block_count = b->count <= INT64_MAX ? (int64_t)b->count : INT64_MAX,
		.leak_kind = TEXT_LITERAL("reachable") };
	struct log_stack stack;
	bool ok = find_stack(s, b->trace, &stack);

	umdh_trace_name(&trace, b->trace);
	members_text(&attributes, "trace", strbuf_text(&trace));
	if (b->overhead)
		members_number(&attributes, "overhead", b->overhead);
	row.attributes = members_end(&attributes);
	ok = ok &&
	     log_report_object(&s->report, &row, TEXT_LITERAL("Unknown"), LOG_NO_THREAD, &stack);
	strbuf_release(&attributes);
	strbuf_release(&trace);
	return ok;
}

/* Ends the current block or row. Call this function after the last frame of the block or row. */
static bool
end_record(struct umdh_state *s)
{
	struct umdh_comparison *c = &s->comparison;
	struct log_stack stack;

	if (!s->has_block)
		return true;
	s->has_block = false;
	if (!s->is_comparison)
		return emit_block(s);
	if (!log_stack_end(&s->report, &stack))
		return false;
	c->rows[c->count - 1].stack = stack.number;
	return true;
}

static void
begin_record(struct umdh_state *s)
{
	s->has_block = true;
	log_stack_begin(&s->report);
}

/* --- reports ------------------------------------------------------------------------------------------ */

static void
add_facts(struct umdh_state *s, struct strbuf *to, const struct umdh_total *total, int radix)
{
	int64_t overhead;

	if (s->version.size)
		members_text(to, "version", strbuf_text(&s->version));
	if (s->time.size)
		members_text(to, "time", strbuf_text(&s->time));
	if (s->pid)
		members_number(to, "pid", s->pid);
	members_array(to, "heaps", strbuf_text(&s->heaps));
	if (s->is_comparison)
		members_int(to, "radix", radix);
	if (total && total->has_sum && umdh_value(total->overhead, radix, &overhead))
		members_int(to, "overhead", total->overhead_negative ? -overhead : overhead);
}

static bool
emit_about(struct umdh_state *s, const struct umdh_total *total, int radix, bool complete)
{
	struct reader *in = s->report.in;
	struct strbuf attributes = STRBUF_INIT((size_t)4 * TEXT_BYTES);
	bool ok;

	add_facts(s, &attributes, total, radix);
	ok = emit_metadata(in, "tool", TEXT_LITERAL("umdh")) &&
	     (!s->application.size ||
		     emit_metadata(in, "application", strbuf_text(&s->application))) &&
	     (!s->host.size || emit_metadata(in, "host", strbuf_text(&s->host))) &&
	     (!attributes.size || emit_metadata(in, "attributes", members_end(&attributes))) &&
	     emit_finished(in, complete && !s->damaged) &&
	     emit_coverage(in, COVERAGE_HEAP, complete ? COVERAGE_FULL : COVERAGE_PARTIAL,
		     s->is_comparison ? "a comparison of two snapshots" : "a snapshot");
	strbuf_release(&attributes);
	return ok;
}

/* Ends the report. `total` is NULL if the report has no total. */
static bool
end_report(struct umdh_state *s, const struct umdh_total *total)
{
	struct reader *in = s->report.in;
	bool complete =
		s->is_comparison ? total != NULL : !s->in_heap && (s->had_heap || !s->has_head);
	int radix = 16;
	bool ok;

	if (!s->open)
		return true;
	log_report_use(&s->report);
	ok = end_record(s) &&
	     (!s->is_comparison || umdh_compare_end(&s->comparison, in, total, &radix));
	if (ok && s->report.wanted)
		ok = emit_about(s, total, radix, complete) &&
		     (complete || reader_issue(in, ISSUE_UNFINISHED,
					  s->is_comparison ? "the comparison ends without its total"
							   : "the snapshot ends inside a heap"));
	log_report_release(&s->report);
	pair_map_release(&s->traces);
	s->open = false;
	return ok;
}

static bool
begin_report(struct umdh_state *s, struct reader *in, bool is_comparison)
{
	struct strbuf *buffers[] = { &s->heap, &s->heaps, &s->version, &s->time, &s->host,
		&s->application };

	if (!end_report(s, NULL))
		return false;
	for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++) {
		if (!buffers[i]->max)
			strbuf_init(buffers[i], TEXT_BYTES);
		strbuf_reset(buffers[i]);
	}
	s->stack_count = 0;
	s->pid = 0;
	s->has_block = s->has_head = s->in_heap = s->had_heap = s->damaged = false;
	s->is_comparison = is_comparison;
	s->open = true;
	return log_report_begin(&s->report, in) &&
	       (!is_comparison || umdh_compare_begin(&s->comparison, in));
}

/* Begins a report, unless a report of this kind is open. */
static bool
open_report(struct umdh_state *s, struct reader *in, bool is_comparison)
{
	if (s->open && s->is_comparison == is_comparison)
		return true;
	return begin_report(s, in, is_comparison);
}

/* --- lines ---------------------------------------------------------------------------------------------- */

static bool
take_head(struct umdh_state *s, struct reader *in, const struct umdh_content *c)
{
	if (!begin_report(s, in, false))
		return false;
	s->has_head = true;
	log_keep(in, &s->version, c->version);
	log_keep(in, &s->time, c->time);
	log_keep(in, &s->host, c->host);
	s->pid = c->pid;
	return true;
}

static bool
take_heap(struct umdh_state *s, struct reader *in, enum umdh_line part, struct text heap)
{
	bool bad = false;

	if (!open_report(s, in, false) || !end_record(s))
		return false;
	if (part == UMDH_END) {
		s->in_heap &= !text_equal(heap, strbuf_text(&s->heap));
		return true;
	}
	/* The end of the previous heap is missing. */
	if (s->in_heap && !report_broken(s, "a heap"))
		return false;
	s->in_heap = s->had_heap = true;
	strbuf_reset(&s->heap);
	strbuf_append_text(&s->heap, heap);
	members_element(&s->heaps, line_clean(in->lines, heap, &bad));
	return true;
}

static bool
take_block(struct umdh_state *s, struct reader *in, const struct umdh_block *block)
{
	if (!open_report(s, in, false) || !end_record(s))
		return false;
	/* A truncated name of a trace may equal the name of another trace. */
	if (in->line.unended)
		return report_broken(s, "a block");
	s->block = *block;
	begin_record(s);
	return true;
}

static bool
take_row(struct umdh_state *s, struct reader *in, const struct umdh_row *row)
{
	struct umdh_comparison *c = &s->comparison;

	if (!open_report(s, in, true) || !end_record(s))
		return false;
	if (in->line.unended)
		return report_broken(s, "a stack");
	*ARRAY_ADD(c->rows, c->count, c->room) = *row;
	begin_record(s);
	return true;
}

/* Handles the second line of a row. */
static bool
take_counts(struct umdh_state *s, struct reader *in, const struct umdh_row *counts)
{
	struct umdh_comparison *c = &s->comparison;
	struct umdh_row *row = c->count ? &c->rows[c->count - 1] : NULL;

	if (!s->open || !s->is_comparison)
		return true;
	if (!row || !s->has_block || row->trace.number != counts->trace.number || in->line.unended)
		return report_broken(s, "a stack");
	row->counts = counts->counts;
	row->has_counts = true;
	return true;
}

/* Returns whether the line of the total is certainly complete: its numbers add up to its SUM, or an
 * old version wrote it without a SUM. */
static bool
is_whole(const struct umdh_total *total, bool has_counts)
{
	uint64_t sum = total->decrease ? -total->requested : total->requested;

	if (!total->has_sum)
		return !has_counts;
	sum += total->overhead_negative ? -total->overhead : total->overhead;
	return sum == (total->sum_negative ? -total->sum : total->sum);
}

static bool
take_total(struct umdh_state *s, struct reader *in, const struct umdh_total *total)
{
	const struct umdh_comparison *c = &s->comparison;
	bool has_counts;

	if (!open_report(s, in, true))
		return false;
	has_counts = c->count && c->rows[c->count - 1].has_counts;
	if (in->line.unended && !is_whole(total, has_counts))
		return end_report(s, NULL);
	return end_report(s, total);
}

/* Notes which program was examined: the first program among the modules. */
static void
take_module(struct umdh_state *s, struct reader *in, struct text path)
{
	if (s->open && !s->application.size && text_ends_nocase(path, ".exe"))
		log_keep(in, &s->application, text_file_name(path));
}

static bool
umdh_line(void *state, struct reader *in, struct text content)
{
	struct umdh_state *s = state;
	struct text t = content;
	struct umdh_content c;
	enum umdh_line part = umdh_scan(t, &c);

	if (s->open)
		log_report_use(&s->report);
	switch (part) {
	case UMDH_HEAD:
		return take_head(s, in, &c);
	case UMDH_MODULE:
		take_module(s, in, c.module);
		return true;
	case UMDH_START:
	case UMDH_END:
		return take_heap(s, in, part, c.heap);
	case UMDH_BLOCK:
		return take_block(s, in, &c.block);
	case UMDH_LEGEND:
		return begin_report(s, in, true);
	case UMDH_ROW:
		return take_row(s, in, &c.row);
	case UMDH_COUNTS:
		return take_counts(s, in, &c.row);
	case UMDH_TOTAL:
		return take_total(s, in, &c.total);
	case UMDH_BROKEN:
		return !s->open || (end_record(s) && report_broken(s, "a block or a stack"));
	case UMDH_OTHER:
		break;
	}
	return !s->has_block || take_frame(s, content);
}

static bool
umdh_end(void *state, struct reader *in)
{
	(void)in;
	return end_report(state, NULL);
}

static void
umdh_release(void *state)
{
	struct umdh_state *s = state;
	struct strbuf *buffers[] = { &s->heap, &s->heaps, &s->version, &s->time, &s->host,
		&s->application };

	if (s->open)
		log_report_release(&s->report);
	for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++)
		strbuf_release(buffers[i]);
	pair_map_release(&s->traces);
	umdh_compare_release(&s->comparison);
	free(s->stacks);
}

/* --- recognition ------------------------------------------------------------------------------------- */

/* A log is recognised by marks of two different kinds. A frame is a mark only after a block or a
 * row. */
static bool
umdh_look(unsigned *seen, struct text content)
{
	struct umdh_content c;
	struct frame frame;
	enum umdh_line part = umdh_scan(content, &c);
	unsigned mark = 0;

	if (part == UMDH_HEAD || part == UMDH_START || part == UMDH_BLOCK || part == UMDH_LEGEND ||
		part == UMDH_ROW || part == UMDH_COUNTS || part == UMDH_TOTAL)
		mark = 1U << part;
	else if (part == UMDH_OTHER && (*seen & (1U << UMDH_BLOCK | 1U << UMDH_ROW)) &&
		 umdh_scan_frame(content, &frame) == UMDH_FRAME && frame.module.size)
		mark = 1U << UMDH_OTHER;
	*seen |= mark;
	return mark && *seen != mark;
}

static const struct log_kind log_kind = {
	.noun = "log of UMDH",
	.looked_for =
		"\"// UMDH: version\" and blocks, or changes such as \"+ 5320 ( f110 - 9df0) 3a "
		"allocs BackTrace00053\" and their total",
	.state_bytes = sizeof(struct umdh_state),
	.mark = umdh_mark,
	.line = umdh_line,
	.end = umdh_end,
	.release = umdh_release,
	.look = umdh_look,
};

LOG_MEMBERS(log_kind, "log of UMDH")

const struct format format_umdh = {
	.name = "umdh",
	.title = "UMDH's snapshots and comparisons of Windows heaps",
	.profiler = "UMDH",
	.known_by =
		"the line \"// UMDH: version\" and blocks, or changes and \"Total increase ==\"",
	.covers = { [COVERAGE_HEAP] = COVERAGE_UNKNOWN },
	.reads = true,
	.several = true,
	.members = &log_members,
	.lines = &log_lines,
};
