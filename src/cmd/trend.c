/* profdepot trend: follows a metric over result sets. */
#include "app/report_answer.h"
#include "app/report_rows.h"
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "cmd/output_file.h"
#include "render/render.h"
#include "store/tree/span_times.h"

#include <stddef.h>

enum {
	LAST_SETS = 20
};

struct trend_options {
	struct result_set_filter filter;
	struct report_request request;
	const char *output, *format, *out; /* output_file_choose sets format and out */
	int64_t timeout;
};

#define MEMBER(m) offsetof(struct trend_options, m)
static const struct option_spec specs[] = {
	{ "label", 'l', OPTION_LIST, "KEY=VALUE",
		"only result sets with this label; if repeated, with all of these labels",
		MEMBER(filter.labels) },
	{ "last", 0, OPTION_INT, "N",
		"only the last N result sets that measured the metric; default 20, 0 means all",
		MEMBER(request.last), NULL, 0, INT64_MAX },
	{ "application", 0, OPTION_TEXT, "NAME", "only result sets of this application",
		MEMBER(filter.application) },
	{ "caption", 0, OPTION_TEXT, "GLOB", "only result sets with a matching caption",
		MEMBER(filter.caption) },
	{ "since", 0, OPTION_TEXT, "TIME",
		"only result sets loaded at this time or later, such as 2026-01-31 or yesterday",
		MEMBER(filter.since) },
	{ "until", 0, OPTION_TEXT, "TIME", "only result sets loaded before this time",
		MEMBER(filter.until) },
	{ "name", 0, OPTION_LIST, "GLOB",
		"only spans with these names (metric duration), or only these errors (metric errors)",
		MEMBER(request.lists[REPORT_NAME]) },
	{ "statistic", 0, OPTION_CHOICE, "WORD", "the duration statistic; default median",
		MEMBER(request.values[REPORT_STATISTIC]), SPAN_TIME_CHOICES },
	{ "class", 0, OPTION_LIST, "GLOB", "only objects of these classes",
		MEMBER(request.lists[REPORT_CLASS]) },
	{ "module", 0, OPTION_LIST, "GLOB", "only objects that these modules allocated",
		MEMBER(request.lists[REPORT_MODULE]) },
	{ "routine", 0, OPTION_LIST, "GLOB", "only stacks that contain a matching routine",
		MEMBER(request.lists[REPORT_ROUTINE]) },
	{ "thread", 0, OPTION_LIST, "GLOB",
		"only objects and errors of these threads, by the system's thread id",
		MEMBER(request.lists[REPORT_THREAD]) },
	{ "output", 'o', OPTION_TEXT, OUTPUT_CHOICE_VALUE, OUTPUT_CHOICE_HELP, MEMBER(output) },
	{ "out", 0, OPTION_TEXT, "FILE", "write to this file, completely or not at all",
		MEMBER(out) },
	{ "timeout", 0, OPTION_INT, "SECONDS", "cancel a query after this time; 0 means never",
		MEMBER(timeout), NULL, 0, 1000000 },
	{ .name = NULL },
};
#undef MEMBER

static bool
write_trend(struct command_call *call, struct db *db, struct error *err)
{
	struct trend_options *o = call->target;
	struct report_request *q = &o->request;
	const struct renderer *renderer = renderer_find(o->format);
	const struct report *r = report_find("trend", NULL, err);
	struct render_options options;
	struct output_file file;
	struct table_sink *sink;
	bool ok;

	q->values[REPORT_METRIC] = call->operands.items[0];
	q->sets = &o->filter;
	if (!r || !report_answer_begin(db, o->timeout * 1000, err))
		return false;
	if (!output_file_open(&file, o->out, call->out, err))
		return false;
	options = screen_options(call, file.stream);
	sink = renderer->sink_new(file.stream, &options);
	ok = report_answer_write(db, r, q, sink, err);
	renderer->sink_free(sink);
	return output_file_close(&file, ok, err) && ok;
}

static int
trend_run(struct command_call *call, struct error *err)
{
	struct trend_options *o = call->target;

	if (call->operands.count != 1) {
		error_set(err, ERROR_USAGE,
			call->operands.count ? "a trend follows one metric" : "no metric given");
		error_hint(err, "live_count, live_size, errors, " TREND_DURATION
				", or one that \"profdepot show\" lists");
		return -1;
	}
	if (!output_file_choose(o->output, &o->format, &o->out, err))
		return -1;
	return depot_run(call, DB_ROLE_READER, write_trend, err);
}

const struct command command_trend = {
	.name = "trend",
	.operands = "METRIC",
	.summary = "follow a figure from one result set to the next",
	.description =
		"Shows one figure for each of the last result sets, oldest first, with its change and a "
		"sparkline. METRIC is live_count, live_size, errors, a metric of samples or spans, or "
		"\"duration\", which is the duration of the spans selected with --name.\n\n"
		"Filters select the facts that are counted. With --routine, a metric also includes all calls "
		"below the routine.\n\n"
		"In a GLOB, * matches any characters and ? matches a single one; case is ignored.",
	.options = specs,
	.target_size = sizeof(struct trend_options),
	.defaults = &(const struct trend_options){ .request.last = LAST_SETS,
		.output = "text",
		.timeout = REPORT_TIMEOUT_SECONDS },
	.run = trend_run,
	.paged = true,
};
