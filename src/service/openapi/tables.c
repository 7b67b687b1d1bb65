/* Schemas of tables in JSON, made from their columns; render/render.h describes the JSON. */
#include "openapi_private.h"

#include "app/report_rows.h"

#include <stdio.h>
#include <string.h>

/* Returns the type of a column's values in the notation of openapi_type. */
static const char *
type_of(const struct table_column *c)
{
	switch (c->kind) {
	case TABLE_INTEGER:
		return c->unit == TABLE_UNIT_HEX ? "string|null" : "integer|null";
	case TABLE_DECIMAL:
		return "number|null";
	case TABLE_BOOL:
		return "boolean|null";
	case TABLE_FRAMES:
		return "[Frame]";
	case TABLE_STACKS:
		return "[RelatedStack]";
	case TABLE_LABELS:
		return "Labels";
	case TABLE_TEXT:
	case TABLE_TIME:
	case TABLE_KINDS:
		break;
	}
	return "string|null";
}

/* r is NULL if the table is not a report. */
static void
add_column(cJSON *object, const struct table_column *c, const struct report *r)
{
	bool optional = r && report_column_may_miss(r, c);
	cJSON *properties = cJSON_GetObjectItemCaseSensitive(object, "properties");
	char member[OPENAPI_NAME_BYTES];
	cJSON *o;

	snprintf(member, sizeof(member), "%s%s:%s", c->key, optional ? "?" : "", type_of(c));
	openapi_add_members(object, member);
	o = cJSON_GetObjectItemCaseSensitive(properties, c->key);
	cJSON_AddStringToObject(o, "title", c->title);
	if (c->unit != TABLE_UNIT_NONE || c->unit_name)
		cJSON_AddStringToObject(o, "x-unit", table_column_unit(c));
}

static void
add_sums(cJSON *object, const struct table_head *head, const struct report *r)
{
	for (size_t i = 0; i < head->column_count; i++)
		if (head->columns[i].summed)
			add_column(object, &head->columns[i], r);
}

static cJSON *
array_of(cJSON *items)
{
	cJSON *o = cJSON_CreateObject();

	cJSON_AddStringToObject(o, "type", "array");
	cJSON_AddItemToObject(o, "items", items);
	return o;
}

static cJSON *
properties_of(cJSON *object)
{
	return cJSON_GetObjectItemCaseSensitive(object, "properties");
}

static void
require(cJSON *object, const char *name, cJSON *schema)
{
	cJSON_AddItemToObject(properties_of(object), name, schema);
	cJSON_AddItemToArray(
		cJSON_GetObjectItemCaseSensitive(object, "required"), cJSON_CreateString(name));
}

static cJSON *
make_totals(const struct table_head *head, const struct report *r)
{
	cJSON *totals = openapi_object(
		"rows:integer|null#count shown:integer#count suppressed?:Suppressed");
	char name[OPENAPI_NAME_BYTES];
	cJSON *parts;

	add_sums(totals, head, r);
	if (!r || r->part_column < 0)
		return totals;
	parts = openapi_object("rows:integer#count");
	add_column(parts, &head->columns[r->part_column], r);
	add_sums(parts, head, r);
	snprintf(name, sizeof(name), "by_%s", head->columns[r->part_column].key);
	cJSON_AddItemToObject(properties_of(totals), name, array_of(parts));
	return totals;
}

static cJSON *
make_row(const struct table_head *head, const struct report *r)
{
	cJSON *row = openapi_object("");

	for (size_t i = 0; i < head->column_count; i++)
		add_column(row, &head->columns[i], r);
	return row;
}

void
openapi_add_table(cJSON *schemas, const char *name, const struct table_head *head,
	const char *members, const struct report *r)
{
	cJSON *answer = openapi_object("");
	cJSON *set = openapi_object(
		"inst_id?:integer#id caption?:string|null base_inst_id?:integer#id "
		"base_caption?:string|null subject?:string metric?:MetricName incomplete?:[string]");
	cJSON *report = cJSON_CreateObject();
	char row[OPENAPI_NAME_BYTES];
	char rows[OPENAPI_NAME_BYTES + 8];

	snprintf(row, sizeof(row), "%.90sRow", name);
	snprintf(rows, sizeof(rows), "[%s]", row);
	cJSON_AddItemToObject(schemas, row, make_row(head, r));
	openapi_add_members(set, "columns:[AnswerColumn]");
	require(set, "rows", openapi_type(rows));
	require(set, "totals", make_totals(head, r));
	openapi_add_members(set, members);
	cJSON_AddStringToObject(report, "type", "string");
	cJSON_AddStringToObject(report, "const", head->report);
	require(answer, "report", report);
	require(answer, "result_sets", array_of(set));
	openapi_add_members(answer, "complete:true");
	cJSON_AddStringToObject(answer, "title", head->title);
	cJSON_AddItemToObject(schemas, name, answer);
}
