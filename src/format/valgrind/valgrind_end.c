/* The end of a document: emits waiting errors and attributes, and checks the sums. */
#include "valgrind_private.h"

enum {
	ATTRIBUTES_MAX_BYTES = 8 * 1024 * 1024
};

static bool
check_leaks(struct vg_document *d)
{
	static const char *const names[] = { "definitely lost", "indirectly lost", "possibly lost",
		"still reachable" };

	for (int i = 0; i < VG_LEAKS; i++) {
		const struct vg_leak_sum *s = &d->leaks[i];

		/* Leak kinds that the user did not select have no records. */
		if (!s->has_summary || !s->records || d->leaks_grew ||
			(s->bytes == s->summary_bytes && s->blocks == s->summary_blocks))
			continue;
		if (!valgrind_issue(d, ISSUE_SUMMARY, 0, 0,
			    "%s: the records have %llu bytes in %llu blocks, but the leak summary has "
			    "%llu in %llu",
			    names[i], (unsigned long long)s->bytes, (unsigned long long)s->blocks,
			    (unsigned long long)s->summary_bytes,
			    (unsigned long long)s->summary_blocks))
			return false;
	}
	return true;
}

/* Compares the records with the error summary. valgrind's options decide which leaks the summary counts
 * as errors. Therefore the records give only a minimum and a maximum for the numbers in the summary. */
static bool
check_errors(struct vg_document *d)
{
	uint64_t leaks = (uint64_t)d->objects;
	uint64_t contexts = (uint64_t)(d->errors - d->signals);
	/* A forked process also counts the errors from before the fork. valgrind's text
	 * states how often an error occurred only if an option requests it. */
	bool whole = !d->log || d->headed;

	if (!d->has_error_summary || !whole ||
		(d->summary_contexts >= contexts && d->summary_contexts <= contexts + leaks &&
			d->summary_errors >= d->sum_errors &&
			((d->log && !d->counts_known) ||
				d->summary_errors <= d->sum_errors + leaks)))
		return true;
	return valgrind_issue(d, ISSUE_SUMMARY, 0, 0,
		"the records have %llu errors of %llu contexts and %llu leaks, but the error "
		"summary has %llu errors of %llu contexts",
		(unsigned long long)d->sum_errors, (unsigned long long)contexts,
		(unsigned long long)leaks, (unsigned long long)d->summary_errors,
		(unsigned long long)d->summary_contexts);
}

static bool
add_metadata(struct vg_document *d, const char *key, struct text value)
{
	return text_is_empty(value) || emit_metadata(d->in, key, value);
}

static bool
emit_caption(struct vg_document *d)
{
	struct text application = d->about.application;
	char caption[160];

	if (text_is_empty(d->about.pid) || (text_is_empty(application) && !d->log))
		return true;
	if (text_is_empty(application))
		snprintf(caption, sizeof(caption), "process %.*s", text_precision(d->about.pid, 20),
			d->about.pid.data);
	else if (d->part)
		snprintf(caption, sizeof(caption), "%.*s, part %u behind process %.*s",
			text_precision(application, 80), application.data, d->part,
			text_precision(d->about.pid, 20), d->about.pid.data);
	else
		snprintf(caption, sizeof(caption), "%.*s, process %.*s",
			text_precision(application, 80), application.data,
			text_precision(d->about.pid, 20), d->about.pid.data);
	return add_metadata(d, "caption", text_from(caption));
}

static bool
emit_about(struct vg_document *d)
{
	struct strbuf all;
	bool ok;

	strbuf_init(&all, ATTRIBUTES_MAX_BYTES);
	strbuf_append_text(&all, strbuf_text(&d->head));
	if (d->part) {
		members_number(&all, "part", d->part);
		valgrind_member_number(&all, "behind_pid", d->about.pid);
	}
	members_array(&all, "client_messages", strbuf_text(&d->clients));
	members_array(&all, "open_file_stacks", strbuf_text(&d->loose));
	members_array(&all, "others", strbuf_text(&d->others));
	ok = add_metadata(d, "attributes", members_end(&all)) &&
	     add_metadata(d, "application", d->about.application) &&
	     add_metadata(d, "tool", d->about.tool) && emit_caption(d);
	strbuf_release(&all);
	return ok;
}

/* --- what the run looked for --------------------------------------------------------------- */

static bool
has_lost_blocks(const struct vg_document *d)
{
	return d->leaks[VG_DEFINITE].summary_blocks || d->leaks[VG_INDIRECT].summary_blocks ||
	       d->leaks[VG_POSSIBLE].summary_blocks;
}

static bool
has_leak_part(const struct vg_document *d)
{
	for (int i = 0; i < VG_LEAKS; i++)
		if (d->leaks[i].records || d->leaks[i].has_summary)
			return true;
	return false;
}

/* Like emit_leak_coverage, for text. By default, valgrind's text has only the totals of the leaks. */
static bool
emit_log_leak_coverage(struct vg_document *d, bool finished, bool found)
{
	bool listed = false;

	for (int i = 0; i < VG_LEAKS; i++)
		listed |= d->leaks[i].records > 0;
	if (listed || (finished && d->no_leaks))
		return emit_coverage(d->in, COVERAGE_LEAKS,
			finished ? COVERAGE_FULL : COVERAGE_PARTIAL,
			finished ? "memcheck finished" : "the log ends in the leak part");
	if (!found)
		return emit_coverage(d->in, COVERAGE_LEAKS, COVERAGE_NONE,
			finished ? "--leak-check=no" : "the log ends before the leak part");
	if (has_lost_blocks(d))
		return emit_coverage(d->in, COVERAGE_LEAKS, COVERAGE_PARTIAL,
			"the log has only totals of leaks");
	return emit_coverage(d->in, COVERAGE_LEAKS, finished ? COVERAGE_FULL : COVERAGE_PARTIAL,
		"the leak summary has no lost blocks");
}

/* Emits how completely the run looked for leaks. Versions of valgrind before 3.20 search for leaks whenever
 * they write XML, even with --leak-check=no. */
static bool
emit_leak_coverage(struct vg_document *d, bool finished)
{
	bool found = has_leak_part(d);

	if (d->log)
		return emit_log_leak_coverage(d, finished, found);
	if (found || (finished && !d->leak_check_off))
		return emit_coverage(d->in, COVERAGE_LEAKS,
			finished ? COVERAGE_FULL : COVERAGE_PARTIAL,
			finished ? "memcheck finished" : "the XML ends in the leak part");
	return emit_coverage(d->in, COVERAGE_LEAKS, COVERAGE_NONE,
		finished ? "--leak-check=no" : "the XML ends before the leak part");
}

/* Emits whether the run finished, and what it looked for. The records of a part (see valgrind.c) show
 * neither. */
static bool
emit_run(struct vg_document *d)
{
	bool finished = (d->seen[VG_STATE] || d->log_ended) && !d->damaged;
	enum coverage_degree searched = finished ? COVERAGE_FULL : COVERAGE_PARTIAL;
	const char *source = finished ? "the tool"
			     : d->log ? "the log is incomplete"
				      : "the XML is incomplete";
	bool memcheck = text_equal(d->about.tool, TEXT_LITERAL("memcheck"));

	if (d->part || (d->log && !d->headed && !d->log_ended))
		return true;
	if (!emit_finished(d->in, finished))
		return false;
	if (memcheck)
		return emit_leak_coverage(d, finished) &&
		       emit_coverage(d->in, COVERAGE_ERRORS, searched, source) &&
		       emit_coverage(d->in, COVERAGE_RACES, COVERAGE_NONE, "memcheck");
	if (!text_equal(d->about.tool, TEXT_LITERAL("helgrind")) &&
		!text_equal(d->about.tool, TEXT_LITERAL("drd")))
		return true;
	return emit_coverage(d->in, COVERAGE_LEAKS, COVERAGE_NONE, "the tool") &&
	       emit_coverage(d->in, COVERAGE_ERRORS, searched, source) &&
	       emit_coverage(d->in, COVERAGE_RACES, searched, source);
}

static bool
emit_threads(struct vg_document *d)
{
	for (size_t i = 0; i < d->threads.count; i++)
		if (!valgrind_thread_emit(&d->threads, (int64_t)i, d->in))
			return false;
	return true;
}

bool
valgrind_document_end(struct vg_document *d)
{
	if (!d->wanted)
		return true;
	if (!valgrind_emit_waiting(d) || !emit_threads(d) || !emit_about(d) || !emit_run(d) ||
		!check_leaks(d) || !check_errors(d))
		return false;
	return !d->left_out || valgrind_issue(d, ISSUE_ODD_LEFT_OUT, 0, 0,
				       "attributes left out: the document has too many");
}
