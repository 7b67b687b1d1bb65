/* Schemas of bodies, and of answers that are not tables, written in a short notation; see openapi_type and openapi_object. */
#include "openapi_private.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	const char *type;    /* a type, or NULL */
	const char *members; /* the members of an object */
} schemas[] = {
	/* The server. */
	{ "Health", NULL, "status:string depot_version:integer uptime_seconds:number" },
	{ "Live", NULL, "status:string" },
	{ "Caller", NULL, "scopes:[string] user:string session:boolean tokens:boolean" },
	{ "Session", NULL, "scopes:[string]" },
	{ "Token", NULL, "name:string scopes:[string] expires:string expired:boolean" },
	{ "Tokens", "[Token]", NULL },
	{ "NewToken", NULL, "name:string scopes:[string] expires:string token:string" },
	{ "QueryColumn", NULL, "key:string title:string kind:string" },
	{ "QueryRows", NULL,
		"columns:[QueryColumn] rows:[{any}] incomplete?:[string] totals:{integer}" },
	{ "QueryAnswer", NULL, "report:string result_sets:[QueryRows]" },
	{ "Document", "any", NULL },
	{ "ErrorDetails", NULL, "status:integer code:string message:string hint?:string" },
	{ "Error", NULL,
		"type:string title:string status:integer detail:string code:string error:ErrorDetails" },

	/* Parts of tables. */
	{ "Labels", "{string}", NULL },
	{ "Frame", NULL,
		"module:string class:string routine:string unit:string file:string line:integer|null" },
	{ "RelatedStack", NULL, "role:string heading:string stack:[Frame]" },
	{ "MetricName", NULL, "name:string unit:string|null kind:string" },
	{ "Suppressed", NULL, "records:integer blocks:integer bytes:integer" },

	/* Catalogues. */
	{ "Format", NULL,
		"name:string title:string load:boolean export:boolean extension:string|null "
		"known_by:string|null lost:[string]" },
	{ "Formats", "[Format]", NULL },
	{ "Parameter", NULL, "name:string type:string" },
	{ "Column", NULL, "key:string title:string kind:string unit:string summed:boolean" },
	{ "Report", NULL,
		"name:string by:string|null title:string note:string sortable:boolean "
		"parameters:[Parameter] columns:[Column]" },
	{ "Reports", "[Report]", NULL },

	/* Result sets. */
	{ "Coverage", NULL, "what:string degree:string source:string" },
	{ "Metric", NULL,
		"metric_no:integer name:string family:string unit:string|null title:string|null "
		"aggregate:string|null total:number|null" },
	{ "Issue", NULL, "severity:string code:string occurrences:integer message:string|null" },
	{ "ResultSet", NULL,
		"inst_id:integer caption:string|null state:string format:string application:string|null "
		"app_version:string|null host:string|null tool:string|null source_name:string|null "
		"source_inst_id:integer|null source_caption:string|null input_bytes:integer|null "
		"input_digest:string|null content_digest:string|null thread_key:string|null "
		"counter_name:string|null counter_description:string|null "
		"counter_frequency:integer|null loaded_at:string load_seconds:number|null "
		"loader_version:string|null run:string|null started_at:string|null "
		"ended_at:string|null commit:string|null parent_commit:string|null "
		"environment:string|null finished:string|null same_as:integer|null labels:Labels "
		"looked_for:[Coverage] rows:{integer} metrics:[Metric] issues:[Issue]" },
	{ "LoadedSet", NULL,
		"inst_id:integer|null caption:string|null format:string|null source:string "
		"source_inst_id:integer|null digest:string|null state:string rows:{integer} "
		"issues:{integer} issue_texts?:[string] seconds:number" },
	{ "Load", NULL,
		"format:string|null bytes:integer seconds:number warning?:string "
		"result_sets:[LoadedSet]" },
	{ "Job", NULL,
		"id:string name:string owner:string state:string created:string seconds:number "
		"bytes_read:integer bytes:integer rows:integer error?:ErrorDetails result?:Load" },
	{ "Jobs", "[Job]", NULL },
	{ "FlameNode", NULL,
		"name:string value:number delta?:number base?:number module?:string "
		"children?:[FlameNode]" },

	/* Checks. */
	{ "Breach", NULL, "limit:string what:string text:string stacks:[integer]" },
	{ "BudgetVerdict", NULL,
		"name:string verdict:string reason:string|null breaches:[Breach]" },
	{ "CheckedStack", NULL,
		"fact:string rule:string|null class:string|null module:string|null "
		"description:string|null identity:string finding?:string owner?:string state:string "
		"count:number|null count_change:number|null value:number|null "
		"value_change:number|null unit:string|null breaks:boolean stack:[Frame]" },
	{ "Check", NULL,
		"inst_id:integer|null caption:string|null base_inst_id:integer|null "
		"base_caption:string|null passed:integer broken:integer skipped:integer unjudged:integer "
		"budgets:[BudgetVerdict] stacks:[CheckedStack]" },

	/* History. */
	{ "Stream", NULL, "application:string|null labels:Labels parent:string|null runs:integer" },
	{ "Review", NULL,
		"ledger_no:integer status:string fixed_in:string|null author:string|null "
		"reason:string|null ticket:string|null until:string|null expired:boolean "
		"reviewed_at:string|null" },
	{ "Finding", NULL,
		"identity:string state:string was_fixed:boolean kind:string|null name:string|null "
		"class:string|null routine:string|null module:string|null source_file:string|null "
		"owner:string|null runs:integer first_inst_id:integer|null first_version:string|null "
		"last_inst_id:integer|null last_version:string|null" },
	{ "HistoryFrame", NULL,
		"module:string|null class:string|null routine:string|null file:string|null "
		"line:integer|null" },
	{ "NewestStack", NULL, "inst_id:integer frames:[HistoryFrame]" },
	{ "AddedReview", NULL, "finding:string ledger_no:integer" },
	{ "AddedSuppression", NULL, "id:integer state:string name:string|null" },
	{ "AddedSuppressions", "[AddedSuppression]", NULL },

	/* Bodies of requests. */
	{ "SignIn", NULL, "token:string" },
	{ "TokenWanted", NULL, "name:string scopes:[string] expires?:string|null" },
	{ "SetChange", NULL, "caption?:string|null labels?:{string|null}" },
	{ "ReviewWanted", NULL,
		"status?:string|null same_as?:string|null reason?:string|null author?:string|null "
		"ticket?:string|null until?:string|null fixed_in?:string|null stream?:string|null" },
	{ "ColumnWanted", NULL, "name:string type:string pretty_name?:string|null" },
	{ "CategoryWanted", NULL, "name:string columns:[ColumnWanted]" },

	/* Events. */
	{ "StoredEvents", NULL, "events:integer known:boolean result_sets:[integer]" },
	{ "StoredProfiles", NULL,
		"profiles?:integer client_timings?:integer known:boolean result_sets:[integer]" },
	{ "EventColumn", NULL, "name:string type:string prettyname:string|null" },
	{ "EventColumns", "{[EventColumn]}", NULL },
	{ "EventValues", NULL, "category:string values:[{any}] more:boolean" },
	{ "EventField", NULL, "name:string type:string config?:{string} values:[any]" },
	{ "EventAnswer", NULL,
		"category?:string rows?:[{any}] groups?:[{any}] more?:boolean next?:string "
		"weight?:string unit?:string|null nodes?:integer trimmed?:integer tree?:FlameNode "
		"fields?:[EventField]" },
};

static cJSON *
reference(const char *name)
{
	cJSON *o = cJSON_CreateObject();
	char text[OPENAPI_NAME_BYTES + 32];

	snprintf(text, sizeof(text), "#/components/schemas/%s", name);
	cJSON_AddStringToObject(o, "$ref", text);
	return o;
}

/* The recursion ends because the types are constants of the program.
 * NOLINTBEGIN(misc-no-recursion) */

/* Returns the schema of an array or of an object. `type` describes it as in openapi_type, and `size` is the size of
 * this text without "|null". */
static cJSON *
container(const char *type, size_t size)
{
	const bool array = type[0] == '[';
	cJSON *o = cJSON_CreateObject();
	char inner[OPENAPI_NAME_BYTES];

	snprintf(inner, sizeof(inner), "%.*s", (int)(size - 2), type + 1);
	cJSON_AddStringToObject(o, "type", array ? "array" : "object");
	cJSON_AddItemToObject(o, array ? "items" : "additionalProperties", openapi_type(inner));
	return o;
}

static cJSON *
plain_type(const char *type, size_t size)
{
	cJSON *o;
	char word[OPENAPI_NAME_BYTES];

	if (type[0] == '[' || type[0] == '{')
		return container(type, size);
	snprintf(word, sizeof(word), "%.*s", (int)size, type);
	if (word[0] >= 'A' && word[0] <= 'Z')
		return reference(word);
	o = cJSON_CreateObject();
	if (strcmp(word, "any") != 0)
		cJSON_AddStringToObject(o, "type", word);
	return o;
}

cJSON *
openapi_type(const char *type)
{
	static const char null[] = "|null";
	size_t size = strlen(type);
	bool nullable = size > strlen(null) && strcmp(type + size - strlen(null), null) == 0;
	cJSON *o = plain_type(type, nullable ? size - strlen(null) : size);
	cJSON *choices;
	cJSON *either;

	if (!nullable)
		return o;
	either = cJSON_CreateObject();
	choices = cJSON_AddArrayToObject(either, "anyOf");
	cJSON_AddItemToArray(choices, o);
	cJSON_AddItemToArray(choices, plain_type("null", strlen("null")));
	return either;
}

/* NOLINTEND(misc-no-recursion) */

void
openapi_add_members(cJSON *object, const char *members)
{
	cJSON *required = cJSON_GetObjectItemCaseSensitive(object, "required");
	cJSON *properties = cJSON_GetObjectItemCaseSensitive(object, "properties");

	while (*members) {
		size_t n = strcspn(members, ":");
		size_t size = strcspn(members + n + 1, " ");
		bool optional = members[n - 1] == '?';
		char name[OPENAPI_NAME_BYTES];
		char type[OPENAPI_NAME_BYTES];

		snprintf(name, sizeof(name), "%.*s", (int)(optional ? n - 1 : n), members);
		snprintf(type, sizeof(type), "%.*s", (int)size, members + n + 1);
		cJSON_AddItemToObject(properties, name, openapi_type(type));
		if (!optional)
			cJSON_AddItemToArray(required, cJSON_CreateString(name));
		members += n + 1 + size;
		members += strspn(members, " ");
	}
}

cJSON *
openapi_object(const char *members)
{
	cJSON *o = cJSON_CreateObject();

	cJSON_AddStringToObject(o, "type", "object");
	cJSON_AddArrayToObject(o, "required");
	cJSON_AddObjectToObject(o, "properties");
	cJSON_AddFalseToObject(o, "additionalProperties");
	openapi_add_members(o, members);
	return o;
}

void
openapi_add_schemas(cJSON *all)
{
	for (size_t i = 0; i < sizeof(schemas) / sizeof(schemas[0]); i++)
		cJSON_AddItemToObject(all, schemas[i].name,
			schemas[i].type ? openapi_type(schemas[i].type)
					: openapi_object(schemas[i].members));
}
