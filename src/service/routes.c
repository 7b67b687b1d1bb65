/* The tables that route, parse and describe. */
#include "api_params.h"
#include "service/handlers/handlers.h"
#include "service_private.h"

#include <stddef.h>
#include <string.h>

static const struct http_parameter ingest_parameters[] = {
	{ "batch", HTTP_TEXT, NULL, "name of the batch: the same one again is not stored again", 0,
		0 },
	{ .name = NULL },
};

/* A row for each thing that the service answers. */
const struct http_route http_routes[] = {
	{ HTTP_GET, "/v1/health", 0, HTTP_BODY_NONE, handle_health, "is the depot there", NULL },
	{ HTTP_GET, "/v1/whoami", HTTP_SCOPE_READ, HTTP_BODY_NONE, handle_whoami,
		"what the token lets its bearer do", NULL },
	/* Questions about events: kernelscope's, and ours. */
	{ HTTP_POST, "/api", HTTP_SCOPE_READ, HTTP_BODY_SMALL, handle_api,
		"events as kernelscope's clients ask for them", NULL },
	{ HTTP_GET, "/api", HTTP_SCOPE_READ, HTTP_BODY_NONE, handle_api_other,
		"not found, as in kernelscope", NULL },
	{ HTTP_PUT, "/api", HTTP_SCOPE_READ, HTTP_BODY_SMALL, handle_api_other,
		"not known, as in kernelscope", NULL },
	{ HTTP_GET, "/api/getcategories", HTTP_SCOPE_READ, HTTP_BODY_NONE, handle_get_categories,
		"the categories and their columns, for kernelscope's clients", NULL },
	{ HTTP_POST, "/v1/categories/{category}/query", HTTP_SCOPE_READ, HTTP_BODY_SMALL,
		handle_event_query, "events as rows, groups or a tree", NULL },
	{ HTTP_GET, "/v1/categories/{category}/values/{column}", HTTP_SCOPE_READ, HTTP_BODY_NONE,
		handle_event_values, "the values of a column and how often each came",
		event_values_parameters },
	{ HTTP_GET, "/", 0, HTTP_BODY_NONE, handle_index, "the pages", NULL },
	{ HTTP_GET, "/web/{file...}", 0, HTTP_BODY_NONE, handle_web, "what the pages are made of",
		NULL },
	/* Result sets, reports, jobs, catalogues. */
	{ HTTP_GET, "/v1/health/live", 0, HTTP_BODY_NONE, handle_live,
		"does the server answer, whatever the database does", NULL },
	{ HTTP_GET, "/v1/metrics", HTTP_SCOPE_READ, HTTP_BODY_NONE, handle_metrics,
		"what the server counts, for Prometheus", NULL, "text/plain" },
	{ HTTP_GET, "/v1/openapi.json", 0, HTTP_BODY_NONE, handle_openapi, "this description",
		NULL },
	{ HTTP_GET, "/v1/formats", HTTP_SCOPE_READ, HTTP_BODY_NONE, handle_formats,
		"the formats that are read and written", NULL },
	{ HTTP_GET, "/v1/result-sets", HTTP_SCOPE_READ, HTTP_BODY_NONE, handle_sets_list,
		"the result sets that pass the filters, newest first", list_params,
		API_TABLE_TYPES },
	{ HTTP_POST, "/v1/result-sets", HTTP_SCOPE_INGEST, HTTP_BODY_UPLOAD, handle_upload,
		"load a file of any format that is read: 201, 200 when it is known, 202 with a job",
		upload_params },
	{ HTTP_GET, "/v1/result-sets/{inst_id}", HTTP_SCOPE_READ, HTTP_BODY_NONE, handle_set_show,
		"what is known about a result set", NULL },
	{ HTTP_PATCH, "/v1/result-sets/{inst_id}", HTTP_SCOPE_INGEST, HTTP_BODY_SMALL,
		handle_set_change, "change labels and caption", NULL },
	{ HTTP_DELETE, "/v1/result-sets/{inst_id}", HTTP_SCOPE_ADMIN, HTTP_BODY_NONE,
		handle_set_remove, "remove a result set", NULL },
	{ HTTP_GET, "/v1/result-sets/{inst_id}/reports", HTTP_SCOPE_READ, HTTP_BODY_NONE,
		handle_set_reports, "the reports that have something to say about it", NULL },
	{ HTTP_GET, "/v1/result-sets/{inst_id}/reports/{report}", HTTP_SCOPE_READ, HTTP_BODY_NONE,
		handle_set_report, "a report on a result set", set_report_params, API_TABLE_TYPES },
	{ HTTP_GET, "/v1/result-sets/{inst_id}/flame", HTTP_SCOPE_READ, HTTP_BODY_NONE,
		handle_flame, "a flame graph, or the change between two result sets as one",
		flame_params, "image/svg+xml text/html application/json text/plain" },
	{ HTTP_GET, "/v1/result-sets/{inst_id}/export/{format}", HTTP_SCOPE_READ, HTTP_BODY_NONE,
		handle_export,
		"the result set in a profiler's format; own: the one it was loaded from",
		export_params,
		"application/json application/x-tar text/plain application/octet-stream" },
	{ HTTP_GET, "/v1/reports", HTTP_SCOPE_READ, HTTP_BODY_NONE, handle_reports,
		"all reports, their parameters and columns", NULL },
	{ HTTP_GET, "/v1/reports/{report}", HTTP_SCOPE_READ, HTTP_BODY_NONE, handle_report,
		"a report on one or several result sets", report_params, API_TABLE_TYPES },
	{ HTTP_GET, "/v1/diff", HTTP_SCOPE_READ, HTTP_BODY_NONE, handle_diff,
		"compare two result sets: new, gone, grown, shrunk", diff_params, API_TABLE_TYPES },
	{ HTTP_GET, "/v1/trend", HTTP_SCOPE_READ, HTTP_BODY_NONE, handle_trend,
		"follow a figure over result sets", trend_params, API_TABLE_TYPES },
	{ HTTP_POST, "/v1/check", HTTP_SCOPE_READ, HTTP_BODY_SMALL, handle_check,
		"hold a result set against the budgets of the body", check_params,
		"application/json text/plain text/markdown application/xml application/sarif+json" },
	{ HTTP_GET, "/v1/jobs", HTTP_SCOPE_INGEST, HTTP_BODY_NONE, handle_jobs,
		"uploads that are loaded as jobs, newest first", job_list_params },
	{ HTTP_GET, "/v1/jobs/{id}", HTTP_SCOPE_INGEST, HTTP_BODY_NONE, handle_job,
		"how far a job is, and what became of it", NULL },
	{ HTTP_DELETE, "/v1/jobs/{id}", HTTP_SCOPE_INGEST, HTTP_BODY_NONE, handle_job_cancel,
		"cancel a job; forget one that has ended", NULL },
	{ HTTP_GET, "/v1/categories", HTTP_SCOPE_READ, HTTP_BODY_NONE, handle_categories,
		"the categories of events", rows_params, API_TABLE_TYPES },
	{ HTTP_POST, "/v1/categories", HTTP_SCOPE_ADMIN, HTTP_BODY_SMALL, handle_category_add,
		"declare a category", NULL },
	{ HTTP_DELETE, "/v1/categories/{name}", HTTP_SCOPE_ADMIN, HTTP_BODY_NONE,
		handle_category_remove, "take a category away that has no events", NULL },
	{ HTTP_GET, "/v1/suppressions", HTTP_SCOPE_READ, HTTP_BODY_NONE, handle_suppressions,
		"the suppressions that the depot keeps", suppression_list_params, API_TABLE_TYPES },
	{ HTTP_POST, "/v1/suppressions", HTTP_SCOPE_ADMIN, HTTP_BODY_SMALL, handle_suppressions_add,
		"keep the suppressions of the body, in valgrind's syntax or the sanitizers'",
		suppression_add_params, NULL, "text/plain" },
	{ HTTP_DELETE, "/v1/suppressions/{id}", HTTP_SCOPE_ADMIN, HTTP_BODY_NONE,
		handle_suppression_remove, "drop a suppression", NULL },
	/* What arrives over time. */
	{ HTTP_POST, "/v1/events", HTTP_SCOPE_INGEST, HTTP_BODY_EVENTS, handle_events,
		"store a batch of events: a body of kernelscope's, an array or lines of them",
		ingest_parameters },
	{ HTTP_POST, "/v1/profiles/miniprofiler", HTTP_SCOPE_INGEST, HTTP_BODY_EVENTS,
		handle_miniprofiler,
		"store MiniProfiler profiles, or a profile's client timings as its page posts them",
		NULL },
	{ .path = NULL },
};

/* Of a listener of old senders: their logger, whatever the path. */
static const struct http_route logger_routes[] = {
	{ HTTP_POST, "/", HTTP_SCOPE_INGEST, HTTP_BODY_EVENTS, handle_logger,
		"kernelscope's logger", NULL },
	{ HTTP_POST, "/{path...}", HTTP_SCOPE_INGEST, HTTP_BODY_EVENTS, handle_logger,
		"kernelscope's logger", NULL },
	{ .path = NULL },
};

const struct http_route *
http_routes_of(const struct exchange *x)
{
	return x->listener->legacy ? logger_routes : http_routes;
}

/* What has a path of its own is none of theirs, and neither is the versioned API. */
const struct http_route *
http_logger_route(const struct exchange *x)
{
	const struct http_request *q = &x->request;

	if (!x->listener->server->options->legacy || q->method != HTTP_POST ||
		strncmp(q->path, "/v1/", 4) == 0)
		return NULL;
	return &logger_routes[0];
}
