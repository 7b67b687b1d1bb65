/* Emits the rows of heaptrc's reports; see heaptrc_private.h. */
#include "format/common/borland.h"
#include "heaptrc_private.h"

/* --- stacks ------------------------------------------------------------------------------------- */

/* Ends the current stack. Leaves it out if it has no frames. */
static bool
end_stack(struct ht_report *r)
{
	r->stacks.open &= r->out.depth > 0;
	return log_stacks_end(&r->stacks, &r->out);
}

bool
heaptrc_begin_stack(struct ht_report *r, const char *role)
{
	return end_stack(r) && log_stacks_begin(&r->stacks, &r->out, role, LOG_NO_THREAD);
}

/* Scans "line N of FILE" at the end of a frame. */
static void
scan_place(struct text t, struct frame *f)
{
	int64_t line;

	if (scan_word(&t, "line ") && scan_int64(&t, &line) && scan_word(&t, " of ")) {
		f->line = line <= INT32_MAX ? line : MODEL_NULL;
		f->file = t;
	}
}

bool
heaptrc_frame(struct ht_report *r, struct text line)
{
	struct text key = text_trim(line);
	struct text t = key;
	struct frame frame = { .line = MODEL_NULL };
	struct borland_name name;
	bool bad = false;
	size_t at;

	if (!r->stacks.open || log_stack_known(&r->out, key))
		return true;
	if (!scan_char(&t, '$') || !scan_hex(&t, &frame.address))
		return true;
	t = text_trim(line_clean(r->out.in->lines, t, &bad));
	at = text_find(t, ",  line ");
	if (at != TEXT_NOT_FOUND) {
		borland_split(text_up_to(t, at), TEXT_NULL, &r->names, &name);
		frame.function = name.routine;
		frame.class_name = name.class_name;
		frame.unit = name.unit;
		scan_place(text_from_at(t, at + 3), &frame);
	} else {
		scan_place(t, &frame);
	}
	return log_stack_add(&r->out, key, &frame);
}

/* --- rows --------------------------------------------------------------------------------------- */

static bool
end_block(struct ht_report *r)
{
	struct object_row row = { .number = NUMBER_NULL,
		.address = { .magnitude = r->handle },
		.size = { .magnitude = r->size },
		.block_count = 1,
		.leak_kind = TEXT_LITERAL("definite") };
	struct text class_name =
		r->class_name.size ? strbuf_text(&r->class_name) : TEXT_LITERAL("Unknown");

	r->blocks++;
	r->bytes += r->size;
	return log_report_object(
		&r->out, &row, class_name, LOG_NO_THREAD, r->stacks.count ? r->stacks.items : NULL);
}

static bool
end_error(struct ht_report *r)
{
	struct strbuf attributes = STRBUF_INIT(1000);
	bool ok;

	if (r->has_handle)
		members_number(&attributes, "address", r->handle);
	if (r->has_size)
		members_number(&attributes, "size", r->size);
	ok = log_report_error(&r->out, text_from(r->kind), strbuf_text(&r->text),
		members_end(&attributes), r->stacks.items, r->stacks.count);
	strbuf_release(&attributes);
	return ok;
}

bool
heaptrc_end_item(struct ht_report *r)
{
	enum ht_item item = r->item;
	bool ok;

	if (!end_stack(r))
		return false;
	ok = item == HT_NOTHING || (item == HT_BLOCK ? end_block(r) : end_error(r));
	r->item = HT_NOTHING;
	log_stacks_reset(&r->stacks);
	r->has_handle = r->has_size = r->wants_block = r->wants_class = false;
	strbuf_reset(&r->text);
	strbuf_reset(&r->class_name);
	return ok;
}

/* --- reports ------------------------------------------------------------------------------------- */

bool
heaptrc_begin(struct ht_report *r, struct reader *in)
{
	if (r->open)
		return true;
	r->dumped = r->fresh = r->heaptrc = r->no_dump = r->has_total = r->damaged = false;
	r->blocks = r->bytes = 0;
	strbuf_reset(&r->program);
	strbuf_reset(&r->totals);
	r->open = true;
	return log_report_begin(&r->out, in);
}

/* Compares the totals with the listed blocks. Does not compare them if there are errors, because
 * blocks with errors are not listed. */
static bool
check_totals(struct ht_report *r)
{
	const struct issue differ = { .code = ISSUE_TOTALS_DIFFER };
	const struct issue failed = { .code = ISSUE_TOOL_FAILED };

	if (r->no_dump && !reader_issue_like(r->out.in, &failed,
				  "heaptrc could not list the blocks that were not freed"))
		return false;
	if (!r->has_total || r->out.errors ||
		(r->blocks == r->unfreed_count && r->bytes == r->unfreed_bytes))
		return true;
	return reader_issue_like(r->out.in, &differ,
		"%llu blocks with %llu bytes are listed, but %llu blocks with %llu bytes were not freed",
		(unsigned long long)r->blocks, (unsigned long long)r->bytes,
		(unsigned long long)r->unfreed_count, (unsigned long long)r->unfreed_bytes);
}

static bool
emit_about(struct ht_report *r)
{
	struct reader *in = r->out.in;
	struct strbuf attributes = STRBUF_INIT((size_t)4 * HT_TEXT_MAX_BYTES);
	bool whole = r->has_total && r->blocks == r->unfreed_count && !r->damaged;
	struct text program = strbuf_text(&r->program);
	bool ok;

	if (program.size)
		members_text(&attributes, "program", program);
	members_array(&attributes, "totals", strbuf_text(&r->totals));
	ok = emit_metadata(
		     in, "tool", r->heaptrc ? TEXT_LITERAL("heaptrc") : TEXT_LITERAL("fpc")) &&
	     (!program.size || emit_metadata(in, "application", text_file_name(program))) &&
	     (!attributes.size || emit_metadata(in, "attributes", members_end(&attributes))) &&
	     emit_finished(in, whole) &&
	     emit_coverage(in, COVERAGE_LEAKS,
		     whole       ? COVERAGE_FULL
		     : r->dumped ? COVERAGE_PARTIAL
				 : COVERAGE_NONE,
		     whole ? "the heap dump" : "the heap dump is missing or incomplete");
	strbuf_release(&attributes);
	return ok;
}

bool
heaptrc_report_cut(struct ht_report *r)
{
	bool first = !r->damaged;

	r->damaged = true;
	return !first || !r->out.wanted ||
	       reader_issue(r->out.in, ISSUE_REPORT_CUT, "the log ends inside a report");
}

bool
heaptrc_end_report(struct ht_report *r)
{
	bool ok;

	if (!r->open)
		return true;
	log_report_use(&r->out);
	ok = (!(r->item == HT_ERROR && r->wants_end) && (!r->dumped || r->has_total)) ||
	     heaptrc_report_cut(r);
	ok = ok && heaptrc_end_item(r);
	if (ok && r->out.wanted)
		ok = emit_about(r) && check_totals(r);
	log_report_release(&r->out);
	r->open = false;
	return ok;
}
