/* The handlers behind the routes. */
#ifndef PROFDEPOT_SERVICE_HANDLERS_HANDLERS_H
#define PROFDEPOT_SERVICE_HANDLERS_HANDLERS_H

#include "http/route.h"

http_handler handle_health;
http_handler handle_whoami;
http_handler handle_index;
http_handler handle_web;

/* Questions about events. */
http_handler handle_api, handle_api_other, handle_get_categories;
http_handler handle_event_query, handle_event_values;
extern const struct http_parameter event_values_parameters[];

/* Result sets, reports, jobs, catalogues. */
http_handler handle_live;
http_handler handle_metrics;
http_handler handle_openapi;
http_handler handle_formats;
http_handler handle_sets_list;
http_handler handle_upload;
http_handler handle_set_show;
http_handler handle_set_change;
http_handler handle_set_remove;
http_handler handle_set_reports;
http_handler handle_set_report;
http_handler handle_flame;
http_handler handle_export;
http_handler handle_reports;
http_handler handle_report;
http_handler handle_diff;
http_handler handle_trend;
http_handler handle_check;
http_handler handle_jobs;
http_handler handle_job;
http_handler handle_job_cancel;
http_handler handle_categories;
http_handler handle_category_add;
http_handler handle_category_remove;
http_handler handle_suppressions;
http_handler handle_suppressions_add;
http_handler handle_suppression_remove;

http_handler handle_events;
http_handler handle_logger;
http_handler handle_miniprofiler;

#endif
