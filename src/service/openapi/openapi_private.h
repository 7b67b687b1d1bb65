/* The parts of the API description. All of them are made from tables, so that they cannot differ from the answers. */
#ifndef PROFDEPOT_SERVICE_OPENAPI_PRIVATE_H
#define PROFDEPOT_SERVICE_OPENAPI_PRIVATE_H

#include "http/route.h"
#include "model/table.h"
#include "report/report.h"
#include "service/service_private.h"

#include <cjson/cJSON.h>

enum {
	OPENAPI_NAME_BYTES = 100
};

/* --- schemas.c --- */

/* Returns the schema of a type: "string", "integer", "number", "boolean", "any", NAME for a component,
 * "[TYPE]" for an array, "{TYPE}" for an object whose values have this type; "TYPE|null" may also be null. */
cJSON *openapi_type(const char *type);
/* Returns the schema of an object with exactly these members: "NAME:TYPE NAME?:TYPE ...". A member whose name
 * ends with ? can be absent. */
cJSON *openapi_object(const char *members);
/* Adds members to the schema of an object. */
void openapi_add_members(cJSON *object, const char *members);
/* Adds the schemas of all answers that are not tables. */
void openapi_add_schemas(cJSON *schemas);

/* --- tables.c --- */

/* Adds the schema of a table's JSON, as render/json.c writes it. `members` are further members of a result
 * set; r is the report, or NULL. */
void openapi_add_table(cJSON *schemas, const char *name, const struct table_head *head,
	const char *members, const struct report *r);

/* --- responses.c --- */

/* Adds the schemas of all answers that are tables, except reports. */
void openapi_add_tables(cJSON *schemas);
/* Adds the successful responses of a route. */
void openapi_add_responses(
	cJSON *responses, const struct http_route *r, const struct route_type *all);
/* Adds a successful response. `types` are its content types, separated by blanks. `schema` describes its JSON
 * and can be NULL. This function takes ownership of the schema. */
void openapi_add_response(cJSON *responses, const char *status, const char *types, cJSON *schema);

/* --- reports.c --- */

/* Adds the schemas of all reports. */
void openapi_add_reports(cJSON *schemas);
/* Returns the schema of a report's answer. If the columns depend on --by, the schema allows any variant. */
cJSON *openapi_report_type(const char *name);
/* Returns the name of the report after `name`, or of the first one if `name` is NULL. Returns NULL
 * after the last one. */
const char *openapi_next_report(const char *name);
const char *openapi_report_title(const char *name);
/* Returns whether the report accepts the parameter, at least with some values of --by. */
bool openapi_report_takes(const char *name, const char *parameter);
/* Returns the report's values of --by, separated by |, in `room`; "" if it has no --by. */
const char *openapi_report_choices(char *room, size_t size, const char *name);

#endif
