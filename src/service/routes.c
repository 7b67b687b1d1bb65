/* The route tables: they find handlers, check parameters and describe the API. */
#include "api_params.h"
#include "service/handlers/handlers.h"
#include "service/tokens.h"
#include "service_private.h"

#include <stddef.h>
#include <string.h>

#define ROUTE(method, path, scope, body, ...) \
	{ \
		HTTP_##method, path, TOKEN_##scope, HTTP_BODY_##body, __VA_ARGS__ \
	}
#define GET(path, scope, ...) ROUTE(GET, path, scope, NONE, __VA_ARGS__)
#define POST(path, scope, body, ...) ROUTE(POST, path, scope, body, __VA_ARGS__)
#define DELETE(path, scope, ...) ROUTE(DELETE, path, scope, NONE, __VA_ARGS__)

#define FLAME_TYPES "image/svg+xml text/html application/json text/plain"
#define EXPORT_TYPES "application/json application/x-tar text/plain application/octet-stream"
#define CHECK_TYPES \
	"application/json text/plain text/markdown application/xml application/sarif+json"

const struct http_route http_routes[] = {
	GET("/v1/health", OPEN, handle_health, "check that the depot answers", NULL),
	GET("/v1/health/live", OPEN, handle_live,
		"check that the server answers, without asking the database", NULL),
	GET("/v1/whoami", READ, handle_whoami, "show what the client's token allows", NULL),
	GET("/v1/metrics", READ, handle_metrics, "the server's metrics, for Prometheus", NULL,
		"text/plain"),
	GET("/v1/openapi.json", OPEN, handle_openapi, "this description", NULL),
	GET("/", OPEN, handle_index, "the start page", NULL),
	GET("/web/{file...}", OPEN, handle_web, "scripts and styles of the pages", NULL),

	/* Event queries, as in kernelscope and as in /v1. */
	POST("/api", READ, SMALL, handle_api, "query events as kernelscope's clients do", NULL),
	GET("/api", READ, handle_api_other, "not found, as in kernelscope", NULL),
	ROUTE(PUT, "/api", READ, SMALL, handle_api_other, "not supported, as in kernelscope", NULL),
	GET("/api/getcategories", READ, handle_get_categories,
		"list categories and their columns for kernelscope's clients", NULL),
	POST("/v1/categories/{category}/query", READ, SMALL, handle_event_query,
		"query events as rows, groups or a tree", NULL),
	GET("/v1/categories/{category}/values/{column}", READ, handle_event_values,
		"count the values of a column", event_values_parameters),

	GET("/v1/formats", READ, handle_formats, "list the supported formats", NULL),
	GET("/v1/result-sets", READ, handle_sets_list, "list result sets, newest first",
		list_params, API_TABLE_TYPES),
	POST("/v1/result-sets", INGEST, UPLOAD, handle_upload,
		"load a file of any supported format: 201 if loaded, 200 if already known, 202 "
		"with a background job",
		upload_params),
	GET("/v1/result-sets/{inst_id}", READ, handle_set_show, "show a result set", NULL),
	ROUTE(PATCH, "/v1/result-sets/{inst_id}", INGEST, SMALL, handle_set_change,
		"change labels and caption", NULL),
	DELETE("/v1/result-sets/{inst_id}", ADMIN, handle_set_remove, "delete a result set", NULL),
	GET("/v1/result-sets/{inst_id}/reports", READ, handle_set_reports,
		"list the reports that apply to a result set", NULL),
	GET("/v1/result-sets/{inst_id}/reports/{report}", READ, handle_set_report,
		"run a report on a result set", set_report_params, API_TABLE_TYPES),
	GET("/v1/result-sets/{inst_id}/flame", READ, handle_flame,
		"draw a flame graph of a result set, or of the change since another one",
		flame_params, FLAME_TYPES),
	GET("/v1/result-sets/{inst_id}/export/{format}", READ, handle_export,
		"export a result set; the format \"own\" is the one it was loaded from",
		export_params, EXPORT_TYPES),
	GET("/v1/reports", READ, handle_reports, "list all reports, their parameters and columns",
		NULL),
	GET("/v1/reports/{report}", READ, handle_report, "run a report on one or more result sets",
		report_params, API_TABLE_TYPES),
	GET("/v1/diff", READ, handle_diff,
		"compare two result sets: what is new, gone, grown or shrunk", diff_params,
		API_TABLE_TYPES),
	GET("/v1/trend", READ, handle_trend, "follow a metric over many result sets", trend_params,
		API_TABLE_TYPES),
	POST("/v1/check", READ, SMALL, handle_check,
		"check a result set against the budgets in the body", check_params, CHECK_TYPES),
	GET("/v1/jobs", INGEST, handle_jobs, "list upload jobs, newest first", job_list_params),
	GET("/v1/jobs/{id}", INGEST, handle_job, "show a job's progress and result", NULL),
	DELETE("/v1/jobs/{id}", INGEST, handle_job_cancel, "cancel a job, or forget a finished one",
		NULL),
	GET("/v1/categories", READ, handle_categories, "list the event categories", rows_params,
		API_TABLE_TYPES),
	POST("/v1/categories", ADMIN, SMALL, handle_category_add, "add a category", NULL),
	DELETE("/v1/categories/{name}", ADMIN, handle_category_remove, "delete an empty category",
		NULL),
	GET("/v1/suppressions", READ, handle_suppressions, "list the depot's suppressions",
		suppression_list_params, API_TABLE_TYPES),
	POST("/v1/suppressions", ADMIN, SMALL, handle_suppressions_add,
		"add suppressions in valgrind's or the sanitizers' syntax", suppression_add_params,
		NULL, "text/plain"),
	DELETE("/v1/suppressions/{id}", ADMIN, handle_suppression_remove, "delete a suppression",
		NULL),

	POST("/v1/events", INGEST, EVENTS, handle_events,
		"store a batch of events: kernelscope's body, a JSON array, or JSON lines",
		events_params),
	POST("/v1/profiles/miniprofiler", INGEST, EVENTS, handle_miniprofiler,
		"store MiniProfiler profiles, or the client timings that a page posts later", NULL),
	{ .path = NULL },
};

const struct http_route http_logger_routes[] = {
	POST("/", INGEST, EVENTS, handle_logger, "kernelscope's logger", NULL),
	POST("/{path...}", INGEST, EVENTS, handle_logger, "kernelscope's logger", NULL),
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
