/* The query parameters of all routes, with their help. */
#include "api_params.h"

#include "render/check.h"
#include "render/flame.h"
#include "render/render.h"
#include "report/params.h"
#include "report/tables.h"
#include "store/tree/span_times.h"

#include <stddef.h>
#include <stdint.h>

#define PARAM(name, kind, help) \
	{ \
		name, kind, NULL, help, 0, 0 \
	}
#define CHOICE(name, choices, help) \
	{ \
		name, HTTP_CHOICE, choices, help, 0, 0 \
	}
#define RANGE(name, min, max, help) \
	{ \
		name, HTTP_INTEGER, NULL, help, min, max \
	}
#define LAST \
	{ \
		.name = NULL \
	}

#define FORMAT_PARAM \
	CHOICE("format", RENDERER_CHOICES, "output format; by default the Accept header decides")

/* Filters for result sets. */
#define SET_FILTERS \
	PARAM("label", HTTP_REPEATED, \
		"KEY=VALUE: result sets with this label; repeat it to require several"), \
		PARAM("application", HTTP_TEXT, "result sets of this application"), \
		PARAM("caption", HTTP_TEXT, \
			"result sets whose caption matches; * is any text, ? any character"), \
		PARAM("since", HTTP_TEXT, "result sets loaded at or after this time"), \
		PARAM("until", HTTP_TEXT, "result sets loaded before this time")

const struct http_parameter list_params[] = {
	PARAM("format", HTTP_TEXT, "result sets of this format"),
	SET_FILTERS,
	RANGE("limit", 1, 100000, "maximum number of result sets; default 1000"),
	RANGE("skip", 0, INT64_MAX,
		"skip this many, for paging; the Link header has the next page"),
	CHOICE("output", RENDERER_CHOICES, "output format; by default the Accept header decides"),
	LAST,
};

const struct http_parameter rows_params[] = { FORMAT_PARAM, LAST };

const struct http_parameter upload_params[] = {
	PARAM("name", HTTP_TEXT, "file name, for messages and as the source of the result set"),
	PARAM("format", HTTP_TEXT, "the file's format; detected by default"),
	PARAM("encoding", HTTP_TEXT, "code page of text without a byte order mark"),
	PARAM("label", HTTP_REPEATED, "KEY=VALUE: add a label"),
	PARAM("caption", HTTP_TEXT, "caption, instead of the one in the file"),
	PARAM("application", HTTP_TEXT, "the profiled application"),
	PARAM("app_version", HTTP_TEXT, "version or build of the application"),
	PARAM("host", HTTP_TEXT, "host that it ran on"),
	PARAM("lenient", HTTP_FLAG, "accept known errors of exporters, each with an import issue"),
	PARAM("strict", HTTP_FLAG, "reject an input with import issues above info"),
	PARAM("again", HTTP_FLAG, "load another copy of a known result set"),
	PARAM("dry_run", HTTP_FLAG, "read and check the file, but store nothing"),
	CHOICE("events", "timings|all", "for a Chrome trace: only user timings, or all events"),
	RANGE("max_depth", 1, 10000000, "reject JSON that is nested deeper"),
	RANGE("max_issues", 0, INT64_MAX, "reject an input with more import issues above info"),
	PARAM("async", HTTP_FLAG, "load in the background; the default for more than 8 MiB"),
	LAST,
};

const struct http_parameter job_list_params[] = {
	RANGE("limit", 1, 1000, "maximum number of jobs; default 100"),
	LAST,
};

/* --- reports --- */

#define SUPPRESSION_FLAGS \
	PARAM("no_suppressions", HTTP_FLAG, \
		"ignore the suppressions of the depot and of the result set"), \
		PARAM("hide_standard_leaks", HTTP_FLAG, "also hide known leaks of runtimes")

#define PAGING \
	RANGE("top", 0, INT64_MAX, "maximum number of rows; 0 means all"), \
		RANGE("skip", 0, INT64_MAX, "skip this many rows, for paging"), \
		PARAM("sort", HTTP_TEXT, "COLUMN[:asc|desc]: sort by this column")

/* From REPORT_PARAM_TABLE. The report itself checks the values. */
#define ROW(code, name, option, value, word, help) ROW_##value(name, help)
#define ROW_OPERAND(name, help)
#define ROW_OPERANDS(name, help)
#define ROW_IDS(name, help)
#define ROW_GLOBS(name, help) PARAM(name, HTTP_REPEATED, help),
#define ROW_FLAG(name, help) PARAM(name, HTTP_FLAG, help),
#define ROW_GROUPING(name, help) CHOICE(name, REPORT_BY_CHOICES, help),
#define ROW_WORD(name, help) PARAM(name, HTTP_TEXT, help),
#define ROW_INTEGER(name, help) ROW_WORD(name, help)
#define ROW_NUMBER(name, help) ROW_WORD(name, help)
#define ROW_BYTES(name, help) ROW_WORD(name, help)
#define ROW_TIME(name, help) ROW_WORD(name, help)

#define REPORT_PARAMETERS \
	REPORT_PARAM_TABLE(ROW) \
	PAGING, SUPPRESSION_FLAGS, \
		CHOICE("gen_suppressions", "valgrind|lsan", \
			"instead of the leaks or errors, write suppressions for them"), \
		FORMAT_PARAM

const struct http_parameter set_report_params[] = { REPORT_PARAMETERS, LAST };

const struct http_parameter report_params[] = {
	PARAM("set", HTTP_REPEATED,
		"an INST_ID, latest, latest~1, label:KEY=VALUE or all; the default is the newest, or "
		"all for a report about several"),
	REPORT_PARAMETERS,
	LAST,
};

/* --- comparison --- */

#define FACT_FILTERS \
	PARAM("class", HTTP_REPEATED, "only objects of these classes; * and ? are wildcards"), \
		PARAM("module", HTTP_REPEATED, "only objects that these modules allocated"), \
		PARAM("routine", HTTP_REPEATED, "only stacks with a matching routine"), \
		PARAM("thread", HTTP_REPEATED, "only objects and errors of these threads"), \
		PARAM("name", HTTP_REPEATED, "only errors or spans with these names")

const struct http_parameter diff_params[] = {
	PARAM("base", HTTP_TEXT, "the old result set: an INST_ID, latest~1, label:KEY=VALUE"),
	PARAM("new", HTTP_TEXT, "the new result set, named in the same way"),
	CHOICE("by", "stack|class|routine|module|own|object", "what to compare"),
	PARAM("metric", HTTP_TEXT, "the metric to compare; default objects, or else the first one"),
	CHOICE("match", "names|lines", "match stacks by routine names, or also by lines"),
	PARAM("normalise", HTTP_FLAG, "compare shares of the total instead of values"),
	PARAM("status", HTTP_TEXT, "only rows that are new, gone, grown, shrunk or same"),
	PARAM("get", HTTP_REPEATED, "compare these Get Results of `new` with each other"),
	FACT_FILTERS,
	PARAM("own", HTTP_REPEATED, "your own modules or classes, for by=own"),
	PAGING,
	SUPPRESSION_FLAGS,
	FORMAT_PARAM,
	LAST,
};

const struct http_parameter trend_params[] = {
	PARAM("metric", HTTP_TEXT, "live_count, live_size, errors, duration, or another metric"),
	SET_FILTERS,
	RANGE("last", 0, INT64_MAX, "number of result sets; default 20, 0 means all"),
	CHOICE("statistic", SPAN_TIME_CHOICES, "statistic of the durations; default median"),
	FACT_FILTERS,
	FORMAT_PARAM,
	LAST,
};

const struct http_parameter check_params[] = {
	PARAM("set", HTTP_TEXT, "the result set to check: an INST_ID, latest (default), ..."),
	PARAM("base", HTTP_TEXT, "the result set that growth is measured from"),
	PARAM("own", HTTP_REPEATED, "your own modules or classes, besides those in the body"),
	RANGE("top", 1, 100, "number of stacks per broken budget; default 5"),
	PARAM("source_root", HTTP_TEXT, "show paths of source files relative to this folder"),
	SUPPRESSION_FLAGS,
	CHOICE("format", "json|text|markdown|junit|sarif|github",
		"output format; by default the Accept header decides"),
	LAST,
};

/* --- pictures and files --- */

const struct http_parameter flame_params[] = {
	PARAM("metric", HTTP_TEXT, "the metric to show; default the first one"),
	PARAM("base", HTTP_TEXT, "show the change since this result set"),
	PARAM("normalize", HTTP_FLAG, "with base: compare shares of the total"),
	PARAM("invert", HTTP_FLAG, "start with the innermost frames"),
	PARAM("focus", HTTP_REPEATED, "only stacks with a matching frame; * and ? are wildcards"),
	PARAM("ignore", HTTP_REPEATED, "no stacks with a matching frame"),
	PARAM("min_share", HTTP_TEXT, "hide calls below this percentage of the total"),
	RANGE("max_nodes", 0, INT64_C(16) * 1024 * 1024,
		"maximum number of calls, the widest first; default 8192, 0 means all"),
	RANGE("width", FLAME_MIN_WIDTH, FLAME_MAX_WIDTH, "width in pixels; default 1200"),
	CHOICE("layout", "flame|icicle", "root at the bottom (flame) or at the top (icicle)"),
	PARAM("title", HTTP_TEXT, "the title above the graph"),
	CHOICE("format", FLAME_CHOICES, "output format; by default the Accept header decides"),
	LAST,
};

const struct http_parameter export_params[] = {
	RANGE("track", 1, INT32_MAX, "only samples and spans of this track"),
	PARAM("metric", HTTP_TEXT, "the metric, for a format that holds only one"),
	LAST,
};

/* --- suppressions --- */

const struct http_parameter suppression_list_params[] = {
	CHOICE("format", RENDERER_CHOICES "|file",
		"output format; file is what valgrind and the sanitizers read; by default the Accept "
		"header decides"),
	LAST,
};

const struct http_parameter suppression_add_params[] = {
	PARAM("reason", HTTP_TEXT, "why the finding is suppressed"),
	PARAM("author", HTTP_TEXT, "name of the person who decided"),
	PARAM("expires", HTTP_TEXT, "last valid day (UTC), such as 2026-12-31"),
	LAST,
};

/* --- events --- */

const struct http_parameter events_params[] = {
	PARAM("batch", HTTP_TEXT, "name of the batch; a batch is stored only once"),
	LAST,
};

const struct http_parameter event_values_parameters[] = {
	PARAM("contains", HTTP_TEXT, "only values that contain this text, in any case"),
	PARAM("from", HTTP_TEXT, "only events at or after this time"),
	PARAM("until", HTTP_TEXT, "only events before this time"),
	RANGE("limit", 1, 10000, "maximum number of values; default 100"),
	LAST,
};
