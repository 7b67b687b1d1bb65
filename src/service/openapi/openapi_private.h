/* The parts of the API description. All of them are made from tables, so that they cannot differ from the answers. */
#ifndef PROFDEPOT_SERVICE_OPENAPI_PRIVATE_H
#define PROFDEPOT_SERVICE_OPENAPI_PRIVATE_H

#include "http/route.h"
#include "model/table.h"
#include "report/report.h"
#include "service/service_private.h"

#include <cjson/cJSON.h>
#include <string.h>

enum {
	OPENAPI_NAME_BYTES = 100
};

/* --- notation.c --- */

/* Returns the schema of a type: "string", "integer", "number", "boolean", "null", "any", "true" (only this value), NAME
 * for a component, "(a,b)" for one of these texts, "[TYPE]" for an array, "{TYPE}" for an object whose values have this type,
 * "TYPE|TYPE" for one of several types. */
cJSON *openapi_type(const char *type);
/* Returns the schema of an object with exactly these members: "NAME:TYPE NAME?:TYPE ...". A member whose name
 * ends with ? can be absent. "*:TYPE" means that the object can have other members of this type. "TYPE#UNIT" also
 * names the unit of a number. */
cJSON *openapi_object(const char *members);
/* Adds members to the schema of an object. */
void openapi_add_members(cJSON *object, const char *members);
/* Adds the range of an integer. */
void openapi_add_range(cJSON *schema, int64_t min, int64_t max);

/* --- schemas.c --- */

/* Adds the schemas of bodies and answers that are written in the notation above. */
void openapi_add_schemas(cJSON *schemas);

/* --- bodies.c --- */

/* Adds the schemas of event queries and budgets, made from the table and the schema that also check these bodies. */
void openapi_add_bodies(cJSON *schemas);
/* Returns whether the entry describes a body, not an answer. */
static inline bool
openapi_is_body(const struct route_type *t)
{
	return t->status &&
	       (strcmp(t->status, ROUTE_BODY) == 0 || strcmp(t->status, ROUTE_OPTIONAL_BODY) == 0);
}
/* Adds the body of a route to its description, if the route takes one. */
void openapi_add_body(cJSON *operation, const struct http_route *r, const struct route_type *all);

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
/* Adds the content of a body: its media types, separated by blanks, with the schema of its JSON. Takes ownership of
 * the schema, which can be NULL. */
void openapi_add_content(cJSON *o, const char *types, cJSON *json);
/* Adds the headers that name the next page to the response with status 200. */
void openapi_add_next(cJSON *responses);
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

/* --- exports.c --- */

/* Returns whether a part of a path has one description per value. */
bool openapi_is_expanded(const char *part);
/* Returns the name of the export format after `name`, or of the first one if `name` is NULL. Returns NULL
 * after the last one. */
const char *openapi_next_export(const char *name);
/* Returns the media types of an export in this format, separated by blanks. */
const char *openapi_export_types(const char *name);
/* Returns the type of its JSON, as in openapi_type; "any" if the format is not JSON. */
const char *openapi_export_type(const char *name);
bool openapi_export_takes(const char *name, const char *parameter);

#endif
