/* The result set of a report in FastMM's log; see fastmm_private.h. */
#include "fastmm_private.h"

bool
fastmm_report_begin(struct fm_report *r, struct reader *in, int version)
{
	struct fm_entry entry = r->entry;
	struct strbuf names = r->names;
	struct strbuf clean = r->clean;

	*r = (struct fm_report){ .entry = entry, .names = names, .clean = clean };
	r->open = true;
	r->version = version;
	return log_report_begin(&r->out, in);
}

/* Compares the leaks with the summary. A summary lists every leak, unless its buffer was too small. */
static bool
check_totals(struct fm_report *r)
{
	struct reader *in = r->out.in;
	const struct issue at = { .code = ISSUE_TOTALS_DIFFER };
	const struct issue missing = { .code = ISSUE_UNFINISHED };

	if (r->has_summary && r->summed != r->leaks)
		return reader_issue_like(in, &at,
			"the report has %llu leaks, but its summary counts %llu",
			(unsigned long long)r->leaks, (unsigned long long)r->summed);
	if (!r->has_summary && r->leaks)
		return reader_issue_like(in, &missing,
			"the report has %llu leaks, but ends without a summary",
			(unsigned long long)r->leaks);
	return true;
}

static bool
emit_about(struct fm_report *r)
{
	struct reader *in = r->out.in;
	struct strbuf attributes = STRBUF_INIT(1000);
	/* A report without leaks does not show whether the program looked for them. */
	bool looked = r->leaks || r->has_summary;
	bool ok;

	members_text(&attributes, "first_time", text_from(r->first_time));
	members_text(&attributes, "last_time", text_from(r->last_time));
	ok = emit_metadata(in, "tool",
		     r->version == 4 ? TEXT_LITERAL("fastmm4") : TEXT_LITERAL("fastmm5")) &&
	     emit_metadata(in, "attributes", members_end(&attributes)) &&
	     emit_finished(in, r->has_summary && !r->damaged) &&
	     emit_coverage(in, COVERAGE_ERRORS, COVERAGE_FULL, "the memory manager") &&
	     emit_coverage(in, COVERAGE_LEAKS,
		     !looked          ? COVERAGE_UNKNOWN
		     : r->has_summary ? COVERAGE_FULL
				      : COVERAGE_PARTIAL,
		     looked ? "the log lists leaks" : "the log lists no leaks");
	strbuf_release(&attributes);
	return ok;
}

bool
fastmm_report_end(struct fm_report *r)
{
	bool ok = true;

	if (!r->open)
		return true;
	log_report_use(&r->out);
	if (r->out.wanted)
		ok = emit_about(r) && check_totals(r);
	log_report_release(&r->out);
	r->open = false;
	return ok;
}
