/* The route tables: they find handlers, check parameters and describe the API. */
#include "render/check.h"
#include "render/flame.h"
#include "render/render.h"
#include "report/params.h"
#include "report/tables.h"
#include "service/handlers/handlers.h"
#include "service/tokens.h"
#include "service_private.h"
#include "store/tree/span_times.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/* See handlers/handle_cursor.h. */
#define CURSOR_PARAM \
	PARAM("cursor", HTTP_TEXT, \
		"continue after the page whose header Profdepot-Next had this value; the other parameters, " \
		"except limit, top and output, must be the same as for that page")

/* Filters for result sets. */
#define SET_FILTERS \
	PARAM("label", HTTP_REPEATED, \
		"KEY=VALUE: result sets with this label; repeat it to require several"), \
		PARAM("application", HTTP_TEXT, "result sets of this application"), \
		PARAM("run", HTTP_TEXT, "the result sets of this run"), \
		PARAM("caption", HTTP_TEXT, \
			"result sets whose caption matches; * is any text, ? any character"), \
		PARAM("since", HTTP_TEXT, "result sets loaded at or after this time"), \
		PARAM("until", HTTP_TEXT, "result sets loaded before this time")

#define LIST_FILTERS \
	PARAM("format", HTTP_TEXT, "result sets of this format"), SET_FILTERS, \
		PARAM("app_version", HTTP_TEXT, "result sets of this version of the application"), \
		PARAM("host", HTTP_TEXT, "result sets from this host"), \
		PARAM("tool", HTTP_TEXT, "result sets of this profiler"), \
		PARAM("search", HTTP_TEXT, \
			"words to find in the number, caption, application, version, host, format, profiler, " \
			"file name or labels; case is ignored")

static const struct http_parameter list_params[] = {
	LIST_FILTERS,
	PARAM("sort", HTTP_TEXT,
		"COLUMN[:asc|desc]: sort by inst_id, loaded_at, caption, format, application, "
		"app_version or host; the default is the newest first"),
	RANGE("limit", 1, 100000, "maximum number of result sets; default 1000"),
	RANGE("skip", 0, INT64_MAX,
		"skip this many result sets, for paging; the Link header names the next page"),
	CURSOR_PARAM,
	CHOICE("output", RENDERER_CHOICES, "output format; by default the Accept header decides"),
	LAST,
};

static const struct http_parameter facet_params[] = {
	LIST_FILTERS,
	RANGE("values", 1, 10000, "maximum number of values per property; default 50"),
	CHOICE("output", RENDERER_CHOICES, "output format; by default the Accept header decides"),
	LAST,
};

static const struct http_parameter overview_params[] = {
	RANGE("streams", 1, 1000,
		"maximum number of streams; those with the newest result sets come first; default 20"),
	FORMAT_PARAM,
	LAST,
};

static const struct http_parameter rows_params[] = { FORMAT_PARAM, LAST };

static const struct http_parameter upload_params[] = {
	PARAM("name", HTTP_TEXT, "file name, for messages and as the result set's source"),
	PARAM("format", HTTP_TEXT, "the file's format; detected by default"),
	PARAM("encoding", HTTP_TEXT, "code page of text without a byte order mark"),
	PARAM("label", HTTP_REPEATED, "KEY=VALUE: add a label"),
	PARAM("caption", HTTP_TEXT, "caption that replaces the one in the file"),
	PARAM("application", HTTP_TEXT, "the profiled application"),
	PARAM("app_version", HTTP_TEXT, "version or build of the application"),
	PARAM("host", HTTP_TEXT, "host that the application ran on"),
	PARAM("run", HTTP_TEXT, "key that the result sets of one execution share"),
	PARAM("commit", HTTP_TEXT, "commit that the application was built from"),
	PARAM("parent_commit", HTTP_TEXT, "the commit's parent"),
	PARAM("environment", HTTP_TEXT, "where the run took place, such as a CI job's name"),
	PARAM("looked_for", HTTP_TEXT,
		"what the run looked for, if the file does not show it: leaks, errors, races, heap, "
		"samples, spans, separated by commas"),
	PARAM("lenient", HTTP_FLAG,
		"accept common mistakes of exporters, and record an import issue for each"),
	PARAM("strict", HTTP_FLAG,
		"reject an input that causes import issues (warnings or errors)"),
	PARAM("again", HTTP_FLAG, "load another copy of a known result set"),
	PARAM("dry_run", HTTP_FLAG, "read and check the file, but store nothing"),
	CHOICE("events", "timings|all",
		"for a Chrome trace: load only user timings, or all events"),
	RANGE("max_depth", 1, 10000000, "reject JSON that is nested more deeply than this"),
	RANGE("max_issues", 0, INT64_MAX,
		"reject an input if more issues than this have a severity above info"),
	PARAM("async", HTTP_FLAG, "load in the background; the default for files over 8 MiB"),
	LAST,
};

static const struct http_parameter job_list_params[] = {
	RANGE("limit", 1, 1000, "maximum number of jobs; default 100"),
	CHOICE("state", "queued|running|done|failed|cancelled", "only jobs in this state"),
	CURSOR_PARAM,
	LAST,
};

static const struct http_parameter token_list_params[] = {
	RANGE("limit", 1, 100000, "maximum number of tokens; default 1000"),
	CURSOR_PARAM,
	LAST,
};

#define SUPPRESSION_FLAGS \
	PARAM("no_suppressions", HTTP_FLAG, \
		"ignore the suppressions in the depot and the result set"), \
		PARAM("hide_standard_leaks", HTTP_FLAG, "also hide known leaks of runtimes")

#define PAGING \
	RANGE("top", 0, INT64_MAX, "maximum number of rows; 0 means all"), \
		RANGE("skip", 0, INT64_MAX, "skip this many rows, for paging"), CURSOR_PARAM, \
		PARAM("sort", HTTP_TEXT, "COLUMN[:asc|desc]: sort by this column")

/* These come from REPORT_PARAM_TABLE. The report itself checks the values. */
#define ROW(code, name, option, value, word, help) ROW_##value(name, help)
#define ROW_OPERAND(name, help)
#define ROW_OPERANDS(name, help)
#define ROW_IDS(name, help)
#define ROW_TEXTS(name, help)
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

static const struct http_parameter set_report_params[] = { REPORT_PARAMETERS, LAST };

static const struct http_parameter report_params[] = {
	PARAM("set", HTTP_REPEATED,
		"an INST_ID, latest, latest~1, label:KEY=VALUE or all; default: the newest result "
		"set, or all of them if the report covers several"),
	REPORT_PARAMETERS,
	LAST,
};

#define FACT_FILTERS \
	PARAM("class", HTTP_REPEATED, "only objects of these classes; * and ? are wildcards"), \
		PARAM("module", HTTP_REPEATED, "only objects that these modules allocated"), \
		PARAM("routine", HTTP_REPEATED, "only stacks with a matching routine"), \
		PARAM("thread", HTTP_REPEATED, "only objects and errors of these threads"), \
		PARAM("name", HTTP_REPEATED, "only errors or spans with these names")

static const struct http_parameter diff_params[] = {
	PARAM("base", HTTP_TEXT, "the old result set: an INST_ID, latest~1, label:KEY=VALUE"),
	PARAM("new", HTTP_TEXT, "the new result set, named in the same way"),
	CHOICE("by", "stack|class|routine|module|own|object", "what to compare"),
	PARAM("metric", HTTP_TEXT, "metric to compare; default: objects, or else the first metric"),
	CHOICE("match", "names|lines", "match stacks by routine names, or also by lines"),
	PARAM("normalise", HTTP_FLAG, "compare shares of the total instead of values"),
	PARAM("status", HTTP_TEXT, "only rows that are new, gone, grown, shrunk or same"),
	PARAM("get", HTTP_REPEATED, "within `new`, compare the objects of these Get Results"),
	FACT_FILTERS,
	PARAM("own", HTTP_REPEATED, "your own modules or classes, for by=own"),
	PAGING,
	SUPPRESSION_FLAGS,
	FORMAT_PARAM,
	LAST,
};

static const struct http_parameter trend_params[] = {
	PARAM("metric", HTTP_TEXT, "live_count, live_size, errors, duration, or another metric"),
	SET_FILTERS,
	RANGE("last", 0, INT64_MAX, "number of result sets; default 20, 0 means all"),
	CHOICE("statistic", SPAN_TIME_CHOICES, "statistic of the durations; default median"),
	FACT_FILTERS,
	FORMAT_PARAM,
	LAST,
};

static const struct http_parameter check_params[] = {
	PARAM("set", HTTP_TEXT, "the result set to check: an INST_ID, latest (default), ..."),
	PARAM("base", HTTP_TEXT, "the older result set; growth is the change since it"),
	PARAM("own", HTTP_REPEATED, "your own modules or classes, besides those in the body"),
	RANGE("top", 1, 100, "number of stacks per exceeded budget; default 5"),
	CHOICE("unjudged", "fail|skip",
		"if a budget cannot be judged, fail the check or skip the budget"),
	PARAM("record", HTTP_FLAG,
		"record the verdicts in the depot, for the home page; needs the scope ingest"),
	PARAM("base_optional", HTTP_FLAG,
		"if there is no result set to compare with, skip the budgets that limit growth"),
	CHOICE("against", "history",
		"also fail on findings that are new to the stream and its parent, or came back"),
	PARAM("source_root", HTTP_TEXT, "show paths of source files relative to this folder"),
	SUPPRESSION_FLAGS,
	CHOICE("format", "json|text|markdown|junit|sarif|github",
		"output format; by default the Accept header decides"),
	LAST,
};

#define HISTORY_PARAMETERS \
	PARAM("stream", HTTP_TEXT, \
		"application and labels, such as \"Orders branch=main\"; default: the stream with the " \
		"newest run"), \
		PARAM("as_of", HTTP_TEXT, \
			"answer as of a ledger number, a time, or the load of a result set (set:7, " \
			"latest or label:KEY=VALUE)"), \
		RANGE("top", 0, INT64_MAX, "maximum number of rows; 0 means all"), \
		RANGE("skip", 0, INT64_MAX, "skip this many rows, for paging"), CURSOR_PARAM, \
		FORMAT_PARAM

static const struct http_parameter history_params[] = {
	PARAM("new_since", HTTP_TEXT,
		"only findings that were first seen after this version or INST_ID"),
	PARAM("state", HTTP_REPEATED,
		"only findings with this state: new, open, came back, not looked for, gone or all; "
		"default: all except gone"),
	PARAM("review", HTTP_REPEATED,
		"only findings with this review, such as confirmed or fixed, as in the option of "
		"\"profdepot history\""),
	PARAM("kind", HTTP_REPEATED,
		"only findings of these kinds, such as leak; * and ? are wildcards"),
	PARAM("class", HTTP_REPEATED, "only findings of these classes"),
	PARAM("module", HTTP_REPEATED, "only findings whose own frame is in these modules"),
	PARAM("routine", HTTP_REPEATED, "only findings whose own frame is in these routines"),
	PARAM("owner", HTTP_REPEATED, "only findings whose source files have these owners"),
	RANGE("min_count", 0, INT64_MAX, "only findings with at least this many blocks or errors"),
	RANGE("min_size", 0, INT64_MAX, "only findings with at least this many bytes"),
	HISTORY_PARAMETERS,
	LAST,
};

static const struct http_parameter finding_params[] = { HISTORY_PARAMETERS, LAST };

static const struct http_parameter remove_params[] = {
	PARAM("forget", HTTP_FLAG, "also remove the result set's run from the history of findings"),
	LAST,
};

static const struct http_parameter flame_params[] = {
	PARAM("metric", HTTP_TEXT, "the metric to show; default: the first one"),
	PARAM("base", HTTP_TEXT, "show the change since this result set"),
	PARAM("normalize", HTTP_FLAG, "with base: compare shares of the total"),
	PARAM("invert", HTTP_FLAG, "start with the innermost frames"),
	PARAM("focus", HTTP_REPEATED, "only stacks with a matching frame; * and ? are wildcards"),
	PARAM("ignore", HTTP_REPEATED, "omit stacks with a matching frame"),
	PARAM("min_share", HTTP_TEXT, "hide calls below this percentage of the total"),
	RANGE("max_nodes", 0, INT64_C(16) * 1024 * 1024,
		"maximum number of calls, the widest first; default 8192, 0 means all"),
	RANGE("width", FLAME_MIN_WIDTH, FLAME_MAX_WIDTH, "width in pixels; default 1200"),
	CHOICE("layout", "flame|icicle", "root at the bottom (flame) or at the top (icicle)"),
	PARAM("title", HTTP_TEXT, "the title above the graph"),
	CHOICE("format", FLAME_CHOICES, "output format; by default the Accept header decides"),
	LAST,
};

static const struct http_parameter export_params[] = {
	RANGE("track", 1, INT32_MAX, "only samples and spans of this track"),
	PARAM("metric", HTTP_TEXT, "the metric, for a format that can contain only one"),
	LAST,
};

static const struct http_parameter suppression_list_params[] = {
	CHOICE("format", RENDERER_CHOICES "|file",
		"output format (file means the syntax of valgrind and the sanitizers); by default "
		"the Accept header decides"),
	LAST,
};

static const struct http_parameter suppression_add_params[] = {
	PARAM("reason", HTTP_TEXT, "why the finding is suppressed"),
	PARAM("author", HTTP_TEXT, "name of the person who suppressed the finding"),
	PARAM("expires", HTTP_TEXT, "last valid day (UTC), such as 2026-12-31"),
	LAST,
};

#define BUDGETS_OF \
	PARAM("application", HTTP_TEXT, \
		"application of the result sets; empty, the default: applications that have no budgets of " \
		"their own")

static const struct http_parameter budget_list_params[] = {
	PARAM("application", HTTP_TEXT, "only the budgets of this application"),
	LAST,
};

static const struct http_parameter budget_store_params[] = {
	BUDGETS_OF,
	PARAM("author", HTTP_TEXT, "name of the person who changes the budgets"),
	RANGE("version", 0, INT64_MAX,
		"replace only this version, or answer 409; 0: only if the application has no budgets; by "
		"default, replace any version"),
	LAST,
};

static const struct http_parameter budget_remove_params[] = { BUDGETS_OF, LAST };

static const struct http_parameter events_params[] = {
	PARAM("batch", HTTP_TEXT, "name of the batch; a batch is stored only once"),
	LAST,
};

static const struct http_parameter event_values_parameters[] = {
	PARAM("contains", HTTP_TEXT, "only values that contain this text; case is ignored"),
	PARAM("from", HTTP_TEXT, "only events at or after this time"),
	PARAM("until", HTTP_TEXT, "only events before this time"),
	RANGE("limit", 1, 10000, "maximum number of values; default 100"),
	LAST,
};

static const struct http_parameter sql_params[] = {
	RANGE("limit", 1, 1000000, "maximum number of rows; default 10000"),
	FORMAT_PARAM,
	LAST,
};

#define API_TABLE_TYPES "application/json text/plain text/csv text/markdown text/html"

#define ROUTE(method, path, scope, lane, body, ...) \
	{ \
		HTTP_##method, path, TOKEN_##scope, HTTP_##lane, HTTP_BODY_##body, __VA_ARGS__ \
	}
#define GET(path, scope, lane, ...) ROUTE(GET, path, scope, lane, NONE, __VA_ARGS__)
#define POST(path, scope, lane, body, ...) ROUTE(POST, path, scope, lane, body, __VA_ARGS__)
#define DELETE(path, scope, lane, ...) ROUTE(DELETE, path, scope, lane, NONE, __VA_ARGS__)

#define FLAME_TYPES "image/svg+xml text/html application/json text/plain"
#define CHECK_TYPES \
	"application/json text/plain text/markdown application/xml application/sarif+json"

const struct http_route http_routes[] = {
	GET("/v1/health", OPEN, AT_ONCE, handle_health, "check that the depot answers", NULL),
	GET("/v1/health/live", OPEN, AT_ONCE, handle_live,
		"check that the server answers, without asking the database", NULL),
	GET("/v1/whoami", READ, AT_ONCE, handle_whoami, "show what the client's token allows",
		NULL),
	POST("/v1/session", OPEN, AT_ONCE, SMALL, handle_sign_in,
		"sign a browser in: the body is {\"token\": \"...\"}; the answer sets a cookie",
		NULL),
	DELETE("/v1/session", OPEN, AT_ONCE, handle_sign_out, "end the session of the cookie",
		NULL),
	GET("/v1/metrics", READ, AT_ONCE, handle_metrics,
		"show the server's metrics, for Prometheus", NULL, "text/plain"),
	GET("/v1/openapi.json", OPEN, LIGHT, handle_openapi, "describe the API in OpenAPI 3.1",
		NULL),
	GET("/", OPEN, AT_ONCE, handle_index, "send the start page", NULL, "text/html"),
	GET("/web/{file...}", OPEN, AT_ONCE, handle_web, "send the pages' scripts and styles", NULL,
		"*/*"),

	/* Event queries, as in kernelscope and as in /v1. */
	POST("/api", READ, HEAVY, SMALL, handle_api, "query events as kernelscope's clients do",
		NULL),
	GET("/api", READ, AT_ONCE, handle_api_other, "answer 404, as kernelscope does", NULL),
	ROUTE(PUT, "/api", READ, AT_ONCE, SMALL, handle_api_other,
		"answer 501, as kernelscope does", NULL),
	GET("/api/getcategories", READ, LIGHT, handle_get_categories,
		"list categories and their columns for kernelscope's clients", NULL),
	POST("/v1/categories/{category}/query", READ, HEAVY, SMALL, handle_event_query,
		"query events as rows, groups or a tree", NULL, FLAME_TYPES),
	GET("/v1/categories/{category}/values/{column}", READ, HEAVY, handle_event_values,
		"count the values of a column", event_values_parameters),

	GET("/v1/formats", READ, LIGHT, handle_formats, "list the supported formats", NULL),
	GET("/v1/result-sets", READ, LIGHT, handle_sets_list, "list result sets, newest first",
		list_params, API_TABLE_TYPES),
	GET("/v1/facets", READ, LIGHT, handle_facets,
		"count the result sets in a list per application, branch, version, format, host, "
		"profiler and month",
		facet_params, API_TABLE_TYPES),
	GET("/v1/overview", READ, LIGHT, handle_overview,
		"list the newest streams, with figures of their newest 20 result sets per format",
		overview_params, API_TABLE_TYPES),
	POST("/v1/result-sets", INGEST, LOADS, UPLOAD, handle_upload,
		"load a file of any supported format; answers 201 if it was loaded, 200 if it was "
		"already known, 202 if a background job loads it",
		upload_params),
	GET("/v1/result-sets/{inst_id}", READ, LIGHT, handle_set_show, "show a result set", NULL),
	ROUTE(PATCH, "/v1/result-sets/{inst_id}", INGEST, LIGHT, SMALL, handle_set_change,
		"change labels, caption and application; an empty application removes it", NULL),
	DELETE("/v1/result-sets/{inst_id}", ADMIN, LOADS, handle_set_remove, "delete a result set",
		remove_params),
	GET("/v1/result-sets/{inst_id}/reports", READ, LIGHT, handle_set_reports,
		"list the reports that apply to a result set", NULL),
	GET("/v1/result-sets/{inst_id}/reports/{report}", READ, HEAVY, handle_set_report,
		"run a report on a result set", set_report_params, API_TABLE_TYPES),
	GET("/v1/result-sets/{inst_id}/flame", READ, HEAVY, handle_flame,
		"draw a flame graph of a result set, or of the change since another one",
		flame_params, FLAME_TYPES),
	GET("/v1/result-sets/{inst_id}/export/{format}", READ, HEAVY, handle_export,
		"export a result set; the format \"own\" is the one from which it was loaded",
		export_params),
	GET("/v1/reports", READ, LIGHT, handle_reports,
		"list all reports, their parameters and columns", NULL),
	GET("/v1/reports/{report}", READ, HEAVY, handle_report,
		"run a report on one or more result sets", report_params, API_TABLE_TYPES),
	GET("/v1/diff", READ, HEAVY, handle_diff,
		"compare two result sets: what is new, gone, grown or shrunk", diff_params,
		API_TABLE_TYPES),
	GET("/v1/trend", READ, HEAVY, handle_trend, "follow a metric over many result sets",
		trend_params, API_TABLE_TYPES),
	POST("/v1/check", READ, HEAVY, SMALL, handle_check,
		"check a result set against the budgets in the body, or against the depot's budgets if the "
		"body is empty",
		check_params, CHECK_TYPES),
	POST("/v1/sql", SQL, HEAVY, SMALL, handle_sql,
		"run the query in the body: one SELECT, WITH, VALUES or TABLE statement, as the reader; "
		"if it has more rows than the limit, the answer has the header Profdepot-Incomplete",
		sql_params, API_TABLE_TYPES, "text/plain"),
	GET("/v1/streams", READ, LIGHT, handle_streams,
		"list the streams, which are the histories of result sets", rows_params,
		API_TABLE_TYPES),
	GET("/v1/history", READ, HEAVY, handle_history, "list the findings of all runs of a stream",
		history_params, API_TABLE_TYPES),
	GET("/v1/history/{finding}", READ, HEAVY, handle_finding,
		"show the runs, reviews and newest stack of a finding", finding_params,
		API_TABLE_TYPES),
	POST("/v1/history/{finding}/reviews", REVIEW, LIGHT, SMALL, handle_review_add,
		"record a decision about a finding", NULL),
	GET("/v1/jobs", INGEST, AT_ONCE, handle_jobs, "list upload jobs, newest first",
		job_list_params),
	GET("/v1/jobs/{id}", INGEST, AT_ONCE, handle_job, "show a job's progress and result", NULL),
	DELETE("/v1/jobs/{id}", INGEST, LIGHT, handle_job_cancel,
		"cancel a job, or forget a finished one", NULL),
	GET("/v1/categories", READ, LIGHT, handle_categories, "list the event categories",
		rows_params, API_TABLE_TYPES),
	POST("/v1/categories", ADMIN, LIGHT, SMALL, handle_category_add, "add a category", NULL),
	DELETE("/v1/categories/{name}", ADMIN, LIGHT, handle_category_remove,
		"delete an empty category", NULL),
	GET("/v1/suppressions", READ, LIGHT, handle_suppressions, "list the depot's suppressions",
		suppression_list_params, API_TABLE_TYPES),
	POST("/v1/suppressions", ADMIN, LIGHT, SMALL, handle_suppressions_add,
		"add suppressions in valgrind's or the sanitizers' syntax", suppression_add_params,
		NULL, "text/plain"),
	DELETE("/v1/suppressions/{id}", ADMIN, LIGHT, handle_suppression_remove,
		"delete a suppression", NULL),

	GET("/v1/budgets", READ, LIGHT, handle_budgets, "list the depot's budgets",
		budget_list_params),
	ROUTE(PUT, "/v1/budgets", ADMIN, LIGHT, SMALL, handle_budgets_store,
		"replace the budgets of an application", budget_store_params),
	DELETE("/v1/budgets", ADMIN, LIGHT, handle_budgets_remove,
		"delete the budgets of an application", budget_remove_params),

	GET("/v1/retention-rules", READ, LIGHT, handle_retention,
		"list the rules that select old result sets for removal", rows_params,
		API_TABLE_TYPES),
	POST("/v1/retention-rules", ADMIN, LIGHT, SMALL, handle_retention_add,
		"add a retention rule: the body has older_than, keep or both, and may limit the rule to an "
		"application, a format or labels",
		NULL),
	ROUTE(PUT, "/v1/retention-rules/{rule}", ADMIN, LIGHT, SMALL, handle_retention_change,
		"replace a retention rule; the rule keeps its number, and the body is like that of a new "
		"rule",
		NULL),
	DELETE("/v1/retention-rules/{rule}", ADMIN, LIGHT, handle_retention_remove,
		"delete a retention rule", NULL),

	GET("/v1/tokens", ADMIN, LIGHT, handle_tokens,
		"list the tokens by name, without their secrets", token_list_params),
	POST("/v1/tokens", ADMIN, LIGHT, SMALL, handle_token_add,
		"create a token: the body is {\"name\", \"scopes\", \"expires\"}; only this answer contains "
		"the token",
		NULL),
	DELETE("/v1/tokens/{name}", ADMIN, LIGHT, handle_token_revoke, "revoke a token", NULL),

	POST("/v1/events", INGEST, INGEST, EVENTS, handle_events,
		"store a batch of events: kernelscope's body, a JSON array, or JSON lines",
		events_params),
	POST("/v1/profiles/miniprofiler", INGEST, INGEST, EVENTS, handle_miniprofiler,
		"store MiniProfiler profiles, or the client timings that a page posts later", NULL),
	{ .path = NULL },
};

const struct http_route http_logger_routes[] = {
	POST("/", INGEST, INGEST, EVENTS, handle_logger,
		"store events as kernelscope's logger does", NULL),
	POST("/{path...}", INGEST, INGEST, EVENTS, handle_logger,
		"store events as kernelscope's logger does", NULL),
	{ .path = NULL },
};

const struct http_route *
http_logger_route(void *service, const struct http_request *q)
{
	const struct service *s = service;

	if (!s->options->legacy || q->method != HTTP_POST || strncmp(q->path, "/v1/", 4) == 0)
		return NULL;
	return &http_logger_routes[0];
}
