/* Query parameters of the routes. */
#ifndef PROFDEPOT_SERVICE_API_PARAMS_H
#define PROFDEPOT_SERVICE_API_PARAMS_H

#include "http/route.h"

/* Each ends with .name == NULL. */
extern const struct http_parameter list_params[], upload_params[], job_list_params[],
	set_report_params[], report_params[], diff_params[], trend_params[], check_params[],
	flame_params[], export_params[], rows_params[], suppression_list_params[],
	suppression_add_params[], events_params[], event_values_parameters[];

#define API_TABLE_TYPES "application/json text/plain text/csv text/markdown text/html"

#endif
