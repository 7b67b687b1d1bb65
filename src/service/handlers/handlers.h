/* The handlers that routes.c refers to. */
#ifndef PROFDEPOT_SERVICE_HANDLERS_HANDLERS_H
#define PROFDEPOT_SERVICE_HANDLERS_HANDLERS_H

#include "http/route.h"

/* The server and its pages. */
http_handler handle_health, handle_live, handle_whoami, handle_metrics, handle_openapi;
http_handler handle_index, handle_web, handle_sign_in, handle_sign_out;

/* Result sets and uploads. */
http_handler handle_sets_list, handle_facets, handle_overview, handle_set_show, handle_set_change,
	handle_set_remove;
http_handler handle_upload, handle_jobs, handle_job, handle_job_cancel;

/* Reports, comparisons, graphs and exports. */
http_handler handle_reports, handle_report, handle_set_reports, handle_set_report;
http_handler handle_diff, handle_trend, handle_check, handle_flame, handle_export, handle_sql;

/* The history of findings. */
http_handler handle_streams, handle_history, handle_finding, handle_review_add;

/* Formats, categories, suppressions. */
http_handler handle_formats, handle_categories, handle_category_add, handle_category_remove;
http_handler handle_suppressions, handle_suppressions_add, handle_suppression_remove;

/* The depot's budgets and retention rules. */
http_handler handle_budgets, handle_budgets_store, handle_budgets_remove;
http_handler handle_retention, handle_retention_add, handle_retention_change,
	handle_retention_remove;

/* Tokens. */
http_handler handle_tokens, handle_token_add, handle_token_revoke;

/* Event queries. */
http_handler handle_api, handle_api_other, handle_get_categories;
http_handler handle_event_query, handle_event_values;

/* Events and profiles, posted as they happen. */
http_handler handle_events, handle_logger, handle_miniprofiler;

#endif
