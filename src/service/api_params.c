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

#define FORMAT_PARAM CHOICE("format", RENDERER_CHOICES, "how to write it; else as Accept says")

/* Which result sets. */
#define SET_FILTERS \
	PARAM("label", HTTP_REPEATED, "KEY=VALUE: only with this label; repeated: with all"), \
		PARAM("application", HTTP_TEXT, "only of this application"), \
		PARAM("caption", HTTP_TEXT, \
			"only captions that match; * is any text, ? a letter"), \
		PARAM("since", HTTP_TEXT, "only what was loaded at that time or later"), \
		PARAM("until", HTTP_TEXT, "only what was loaded before that time")

const struct http_parameter list_params[] = {
	PARAM("format", HTTP_TEXT, "only result sets of this format"),
	SET_FILTERS,
	RANGE("limit", 1, 100000, "at most so many, the newest; 1000 when left out"),
	RANGE("skip", 0, INT64_MAX, "leave out so many of the newest, to page on; see Link"),
	CHOICE("output", RENDERER_CHOICES, "how to write it; else as Accept says"),
	LAST,
};

const struct http_parameter rows_params[] = { FORMAT_PARAM, LAST };

const struct http_parameter upload_params[] = {
	PARAM("name", HTTP_TEXT, "of the file; what messages and the depot call it"),
	PARAM("format", HTTP_TEXT, "take it as this format instead of looking at it"),
	PARAM("encoding", HTTP_TEXT, "code page of text without a byte order mark"),
	PARAM("label", HTTP_REPEATED, "KEY=VALUE: a label of the result set"),
	PARAM("caption", HTTP_TEXT, "name of the result set instead of the exported one"),
	PARAM("application", HTTP_TEXT, "application that was profiled"),
	PARAM("app_version", HTTP_TEXT, "its version or build"),
	PARAM("host", HTTP_TEXT, "machine that it ran on"),
	PARAM("lenient", HTTP_FLAG, "take what real exporters break, each with an issue"),
	PARAM("strict", HTTP_FLAG, "refuse an input with an import issue above info"),
	PARAM("again", HTTP_FLAG, "load a further copy of what the depot has already"),
	PARAM("dry_run", HTTP_FLAG, "read and check everything, write nothing"),
	CHOICE("events", "timings|all", "of a Chrome trace: user timings only, or every event"),
	RANGE("max_depth", 1, 10000000, "refuse JSON with containers nested deeper"),
	RANGE("max_issues", 0, INT64_MAX, "refuse an input with more issues above info"),
	PARAM("async", HTTP_FLAG, "answer with a job at once; so is what has more than 8 MiB"),
	LAST,
};

const struct http_parameter job_list_params[] = {
	RANGE("limit", 1, 1000, "the newest so many; 100 when left out"),
	LAST,
};

/* --- reports ------------------------------------------------------------------------------------
 */

#define SUPPRESSION_FLAGS \
	PARAM("no_suppressions", HTTP_FLAG, "apply neither the depot's nor the result set's"), \
		PARAM("hide_standard_leaks", HTTP_FLAG, "leave out leaks of runtimes too")

#define PAGING \
	RANGE("top", 0, INT64_MAX, "the first so many rows only; 0: all"), \
		RANGE("skip", 0, INT64_MAX, "leave out so many rows, to page on"), \
		PARAM("sort", HTTP_TEXT, "COLUMN[:asc|desc]: order by this column first")

/* Rows of REPORT_PARAM_TABLE; values are judged by the report that is asked. */
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
			"of leaks and errors: suppressions for what would be shown"), \
		FORMAT_PARAM

const struct http_parameter set_report_params[] = { REPORT_PARAMETERS, LAST };

const struct http_parameter report_params[] = {
	PARAM("set", HTTP_REPEATED,
		"an INST_ID, latest, latest~1, label:KEY=VALUE or all; the newest when left out, or "
		"all where a report is about several"),
	REPORT_PARAMETERS,
	LAST,
};

/* --- comparison ---------------------------------------------------------------------------------
 */

#define FACT_FILTERS \
	PARAM("class", HTTP_REPEATED, "only objects of these classes; globs"), \
		PARAM("module", HTTP_REPEATED, "only objects that these modules made"), \
		PARAM("routine", HTTP_REPEATED, "only stacks that hold such a routine"), \
		PARAM("thread", HTTP_REPEATED, "only objects and errors of these threads"), \
		PARAM("name", HTTP_REPEATED, "only errors or spans of these names")

const struct http_parameter diff_params[] = {
	PARAM("base", HTTP_TEXT, "an INST_ID, latest~1, label:KEY=VALUE"),
	PARAM("new", HTTP_TEXT, "what is compared with it, likewise"),
	CHOICE("by", "stack|class|routine|module|own|object", "what to compare"),
	PARAM("metric", HTTP_TEXT, "what to compare by; objects, else the first, when left out"),
	CHOICE("match", "names|lines", "stacks are the same by names, or lines too"),
	PARAM("normalise", HTTP_FLAG, "compare shares, as if both totals were the same"),
	PARAM("status", HTTP_TEXT, "only what is new, gone, grown, shrunk or same"),
	PARAM("get", HTTP_REPEATED, "compare Get Results of `new` with each other"),
	FACT_FILTERS,
	PARAM("own", HTTP_REPEATED, "modules or classes of yours, for by=own"),
	PAGING,
	SUPPRESSION_FLAGS,
	FORMAT_PARAM,
	LAST,
};

const struct http_parameter trend_params[] = {
	PARAM("metric", HTTP_TEXT, "live_count, live_size, errors, duration, or another"),
	SET_FILTERS,
	RANGE("last", 0, INT64_MAX, "the last so many result sets; 20 when left out, 0: all"),
	CHOICE("statistic", SPAN_TIME_CHOICES, "which of the durations; median when left out"),
	FACT_FILTERS,
	FORMAT_PARAM,
	LAST,
};

const struct http_parameter check_params[] = {
	PARAM("set", HTTP_TEXT, "what is judged: an INST_ID, latest (when left out), ..."),
	PARAM("base", HTTP_TEXT, "what growth is held against"),
	PARAM("own", HTTP_REPEATED, "modules or classes of yours, beside the document's"),
	RANGE("top", 1, 100, "so many stacks of what broke a budget; 5 when left out"),
	PARAM("source_root", HTTP_TEXT, "tell source files below it relative to it"),
	SUPPRESSION_FLAGS,
	CHOICE("format", "json|text|markdown|junit|sarif|github",
		"how to write it; else as Accept says"),
	LAST,
};

/* --- pictures and files -------------------------------------------------------------------------
 */

const struct http_parameter flame_params[] = {
	PARAM("metric", HTTP_TEXT, "what to show; the result set's first when left out"),
	PARAM("base", HTTP_TEXT, "show the change since this result set"),
	PARAM("normalize", HTTP_FLAG, "with base: compare shares"),
	PARAM("invert", HTTP_FLAG, "begin with the innermost frames"),
	PARAM("focus", HTTP_REPEATED, "only what was measured below such a frame; globs"),
	PARAM("ignore", HTTP_REPEATED, "nothing that was measured below such a frame"),
	PARAM("min_share", HTTP_TEXT, "leave out calls with less percent of the total"),
	RANGE("max_nodes", 0, INT64_C(16) * 1024 * 1024,
		"only the widest calls, 8192 when left out; 0: all"),
	RANGE("width", FLAME_MIN_WIDTH, FLAME_MAX_WIDTH, "pixels; 1200 when left out"),
	CHOICE("layout", "flame|icicle", "root at the bottom or at the top"),
	PARAM("title", HTTP_TEXT, "what stands above the picture"),
	CHOICE("format", FLAME_CHOICES, "what to write; else as Accept says"),
	LAST,
};

const struct http_parameter export_params[] = {
	RANGE("track", 1, INT32_MAX, "only samples and spans of this track"),
	PARAM("metric", HTTP_TEXT, "of a format that holds one: this metric"),
	LAST,
};

/* --- suppressions -------------------------------------------------------------------------------
 */

const struct http_parameter suppression_list_params[] = {
	CHOICE("format", RENDERER_CHOICES "|file",
		"how to write it, file: as valgrind and the sanitizers read; else as Accept says"),
	LAST,
};

const struct http_parameter suppression_add_params[] = {
	PARAM("reason", HTTP_TEXT, "why it may be left out"),
	PARAM("author", HTTP_TEXT, "who says so"),
	PARAM("expires", HTTP_TEXT, "the last day (UTC) on which it holds, as 2026-12-31"),
	LAST,
};
