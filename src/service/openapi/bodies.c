/* The bodies of requests, and the schemas of those bodies that a table or a schema checks. */
#include "openapi_private.h"

#include "app/budget_file.h"
#include "base/char.h"
#include "events/event_fields.h"

#include <stdio.h>
#include <string.h>

/* --- event queries --- */

/* Adds the first `most` members of an event query. */
static void
add_fields(cJSON *schemas, const char *name, size_t most)
{
	cJSON *o = openapi_object("");
	const struct event_field *f;

	for (size_t i = 0; i < most && (f = event_field_at(i)); i++) {
		char member[3 * OPENAPI_NAME_BYTES];
		cJSON *value;

		snprintf(member, sizeof(member), "%s?:%s", f->name, f->type);
		openapi_add_members(o, member);
		value = cJSON_GetObjectItemCaseSensitive(
			cJSON_GetObjectItemCaseSensitive(o, "properties"), f->name);
		if (f->max)
			openapi_add_range(value, f->min, f->max);
	}
	cJSON_AddItemToObject(schemas, name, o);
}

/* --- budgets --- */

/* Makes the name of a component from the name of a part of the budgets' schema: "BudgetGlob" for "glob". */
static void
part_name(char out[OPENAPI_NAME_BYTES], const char *part)
{
	if (strcmp(part, "budget") == 0)
		snprintf(out, OPENAPI_NAME_BYTES, "Budget");
	else
		snprintf(out, OPENAPI_NAME_BYTES, "Budget%c%.90s", char_upper(*part), part + 1);
}

/* The recursion ends because the schema is a constant of the program.
 * NOLINTBEGIN(misc-no-recursion) */

/* Makes the references refer to components. */
static void
move_references(cJSON *value)
{
	static const char prefix[] = "#/definitions/";
	char name[OPENAPI_NAME_BYTES];
	char text[OPENAPI_NAME_BYTES + 32];

	for (cJSON *i = value->child; i; i = i->next) {
		if (i->string && strcmp(i->string, "$ref") == 0) {
			part_name(name, i->valuestring + strlen(prefix));
			snprintf(text, sizeof(text), "#/components/schemas/%s", name);
			cJSON_SetValuestring(i, text);
		}
		move_references(i);
	}
}

/* NOLINTEND(misc-no-recursion) */

/* Adds the schema that checks budget files; its definitions become components. */
static void
add_budgets(cJSON *schemas)
{
	cJSON *budgets = cJSON_Parse(budget_schema_json_text);
	cJSON *parts;

	move_references(budgets);
	cJSON_DeleteItemFromObjectCaseSensitive(budgets, "$schema");
	parts = cJSON_DetachItemFromObjectCaseSensitive(budgets, "definitions");
	while (parts->child) {
		cJSON *part = cJSON_DetachItemViaPointer(parts, parts->child);
		char name[OPENAPI_NAME_BYTES];

		part_name(name, part->string);
		cJSON_AddItemToObject(schemas, name, part);
	}
	cJSON_Delete(parts);
	cJSON_AddItemToObject(schemas, "Budgets", budgets);
}

void
openapi_add_bodies(cJSON *schemas)
{
	add_fields(schemas, "EventFilter", EVENT_FILTER_FIELDS);
	add_fields(schemas, "EventQuery", SIZE_MAX);
	add_budgets(schemas);
}

/* --- bodies of routes --- */

static const struct route_type *
body_of(const struct http_route *r, const struct route_type *all)
{
	for (const struct route_type *t = all; t->handler; t++)
		if (t->handler == r->handler && openapi_is_body(t))
			return t;
	return NULL;
}

void
openapi_add_body(cJSON *operation, const struct http_route *r, const struct route_type *all)
{
	static const char *const usual[] = {
		[HTTP_BODY_SMALL] = "application/json",
		[HTTP_BODY_EVENTS] = "application/json application/x-ndjson",
		[HTTP_BODY_UPLOAD] = "application/octet-stream",
	};
	const struct route_type *of = body_of(r, all);
	cJSON *body;

	if (r->body == HTTP_BODY_NONE)
		return;
	body = cJSON_AddObjectToObject(operation, "requestBody");
	cJSON_AddBoolToObject(
		body, "required", !of || strcmp(of->status, ROUTE_OPTIONAL_BODY) != 0);
	openapi_add_content(
		body, r->takes ? r->takes : usual[r->body], openapi_type(of ? of->type : "any"));
}
