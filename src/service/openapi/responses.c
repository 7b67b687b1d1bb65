/* Responses of routes, the content of bodies, and the schemas of lists. */
#include "openapi_private.h"

#include "app/history/history.h"
#include "app/rows_table.h"

#include <stdio.h>
#include <string.h>

/* Answers that are tables, except reports. */
static const struct {
	const char *name;
	const struct table_head *head;
	const char *members; /* of a result set, in addition to the usual ones */
} tables[] = {
	{ "ResultSetList", &result_sets_head, "" },
	{ "Facets", &facets_head, "" },
	{ "Overview", &overview_head, "" },
	{ "Streams", &streams_head, "" },
	{ "Categories", &categories_head, "" },
	{ "Suppressions", &suppressions_head, "" },
	{ "RetentionRules", &retention_head, "" },
	{ "History", &history_findings_head,
		"stream:Stream ledger_no:integer#id states:{integer}#count" },
	{ "FindingHistory", &history_runs_head,
		"stream:Stream ledger_no:integer#id finding:Finding reviews:[Review] "
		"stack:NewestStack|null" },
};

enum {
	TABLES = sizeof(tables) / sizeof(tables[0])
};

void
openapi_add_tables(cJSON *schemas)
{
	for (size_t i = 0; i < TABLES; i++)
		openapi_add_table(schemas, tables[i].name, tables[i].head, tables[i].members, NULL);
}

/* Returns the schema of a media type: `json` for JSON, a text for other texts, and NULL for binary data. */
static cJSON *
media_schema(const char *type, const cJSON *json)
{
	static const char *const texts[] = { "text/", "image/svg+xml", "application/xml",
		"application/x-ndjson" };

	if (strcmp(type, "application/json") == 0)
		return cJSON_Duplicate(json, true);
	if (strcmp(type, "application/sarif+json") == 0)
		return openapi_type("Sarif");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (strncmp(type, texts[i], strlen(texts[i])) == 0)
			return openapi_type("string");
	return NULL;
}

void
openapi_add_content(cJSON *o, const char *types, cJSON *json)
{
	cJSON *content = cJSON_AddObjectToObject(o, "content");
	char type[OPENAPI_NAME_BYTES];

	for (size_t n; *types; types += n + strspn(types + n, " ")) {
		cJSON *media;
		cJSON *schema;

		n = strcspn(types, " ");
		snprintf(type, sizeof(type), "%.*s", (int)n, types);
		media = cJSON_AddObjectToObject(content, type);
		schema = media_schema(type, json);
		if (schema)
			cJSON_AddItemToObject(media, "schema", schema);
	}
	cJSON_Delete(json);
}

void
openapi_add_response(cJSON *responses, const char *status, const char *types, cJSON *schema)
{
	cJSON *done = cJSON_AddObjectToObject(responses, status);

	cJSON_AddStringToObject(done, "description", "done");
	if (*types)
		openapi_add_content(done, types, schema);
	else
		cJSON_Delete(schema);
}

static void
add_header(cJSON *headers, const char *name, const char *description)
{
	cJSON *header = cJSON_AddObjectToObject(headers, name);

	cJSON_AddStringToObject(header, "description", description);
	cJSON_AddItemToObject(header, "schema", openapi_type("string"));
}

void
openapi_add_next(cJSON *responses)
{
	cJSON *headers = cJSON_AddObjectToObject(
		cJSON_GetObjectItemCaseSensitive(responses, "200"), "headers");

	add_header(headers, "Link", "the next page, with rel=\"next\"; absent on the last page");
	add_header(headers, "Profdepot-Next", "the value of `cursor` for the next page");
}

static bool
has_pages(const struct http_route *r)
{
	for (const struct http_parameter *p = r->parameters; p && p->name; p++)
		if (strcmp(p->name, "cursor") == 0)
			return true;
	return false;
}

void
openapi_add_responses(cJSON *responses, const struct http_route *r, const struct route_type *all)
{
	const char *types = r->types ? r->types : "application/json";
	bool found = false;

	for (const struct route_type *a = all; a->handler; a++) {
		cJSON *schema = NULL;

		if (a->handler != r->handler || openapi_is_body(a))
			continue;
		found = true;
		if (!a->status)
			continue;
		if (a->report)
			schema = openapi_report_type(a->report);
		else if (a->type)
			schema = openapi_type(a->type);
		openapi_add_response(responses, a->status, schema ? types : "", schema);
	}
	if (!found)
		openapi_add_response(responses, "200", types, NULL);
	if (has_pages(r))
		openapi_add_next(responses);
}
