/* Describes the API in OpenAPI 3.1. The description comes from the tables of routes and parameters that the server
 * itself uses. */
#include "openapi_private.h"

#include "app/dossier.h"
#include "base/char.h"
#include "service/tokens.h"

#include <cjson/cJSON.h>
#include <string.h>

#ifndef PACKAGE_VERSION
#include <config.h>
#endif

static void
add_text(cJSON *o, const char *key, const char *value)
{
	cJSON_AddStringToObject(o, key, value);
}

/* Copies the first word of a list, because cJSON needs a NUL-terminated string. */
static const char *
word(char room[100], const char *s, const char *separators)
{
	snprintf(room, 100, "%.*s", (int)strcspn(s, separators), s);
	return room;
}

static const char *
after_word(const char *s, const char *separators)
{
	s += strcspn(s, separators);
	return s + strspn(s, separators);
}

/* `values` are the values of an HTTP_CHOICE, separated by |. */
static void
add_schema(cJSON *parameter, const struct http_parameter *p, const char *values)
{
	static const char *const types[] = {
		[HTTP_TEXT] = "string",
		[HTTP_INTEGER] = "integer",
		[HTTP_FLAG] = "boolean",
		[HTTP_CHOICE] = "string",
		[HTTP_REPEATED] = "array",
	};
	cJSON *schema = cJSON_AddObjectToObject(parameter, "schema");
	cJSON *choices;
	char choice[100];

	add_text(schema, "type", types[p->kind]);
	if (p->kind == HTTP_INTEGER) {
		add_text(schema, "format", "int64");
		openapi_add_range(schema, p->min, p->max);
	} else if (p->kind == HTTP_REPEATED) {
		add_text(cJSON_AddObjectToObject(schema, "items"), "type", "string");
	} else if (p->kind == HTTP_CHOICE) {
		choices = cJSON_AddArrayToObject(schema, "enum");
		for (const char *c = values; *c; c = after_word(c, "|"))
			cJSON_AddItemToArray(choices, cJSON_CreateString(word(choice, c, "|")));
	}
}

static cJSON *
add_parameter(cJSON *all, const char *name, const char *in)
{
	cJSON *p = cJSON_CreateObject();

	cJSON_AddItemToArray(all, p);
	add_text(p, "name", name);
	add_text(p, "in", in);
	return p;
}

struct operation {
	const struct http_route *route;
	const char *report; /* the value of {report}; NULL if the path has no such part */
	const char *format; /* the value of {format}; NULL if the path has no such part */
};

/* {NAME...} matches several segments. It is described like {NAME}, because OpenAPI has no notation for
 * several segments. */
static void
add_path_parameter(cJSON *all, const struct http_route *r, const char *name)
{
	bool is_set = strcmp(name, "inst_id") == 0;
	bool is_number = (is_set && r->method != HTTP_GET) || strcmp(name, "id") == 0;
	cJSON *p = add_parameter(all, name, "path");

	cJSON_AddTrueToObject(p, "required");
	if (is_set && !is_number)
		add_text(p, "description",
			"an INST_ID, latest, latest~1 (the previous one), run:KEY, or "
			"label:KEY=VALUE (the newest with this label)");
	add_text(cJSON_AddObjectToObject(p, "schema"), "type", is_number ? "integer" : "string");
}

static void
add_query_parameter(cJSON *all, const struct http_parameter *q, const char *report)
{
	cJSON *p = add_parameter(all, q->name, "query");
	const char *values = q->choices;
	char room[2 * OPENAPI_NAME_BYTES];

	if (report && strcmp(q->name, "by") == 0)
		values = openapi_report_choices(room, sizeof(room), report);
	if (report && strcmp(q->name, "format") == 0 && strcmp(report, dossier_report.name) == 0)
		values = "html";
	add_text(p, "description", q->help);
	if (q->kind == HTTP_REPEATED) {
		add_text(p, "style", "form");
		cJSON_AddTrueToObject(p, "explode");
	}
	add_schema(p, q, values);
}

static bool
takes(const struct operation *of, const char *parameter)
{
	return of->report   ? openapi_report_takes(of->report, parameter)
	       : of->format ? openapi_export_takes(of->format, parameter)
			    : true;
}

static void
add_parameters(cJSON *operation, const struct operation *of)
{
	const struct http_route *r = of->route;
	cJSON *all = cJSON_AddArrayToObject(operation, "parameters");
	char name[100];
	cJSON *p;

	for (const char *part = r->path; (part = strchr(part, '{'));)
		if (!openapi_is_expanded(word(name, ++part, ".}")))
			add_path_parameter(all, r, name);
	if (r->body == HTTP_BODY_EVENTS) {
		p = add_parameter(all, "Idempotency-Key", "header");
		add_text(p, "description",
			"the batch's name, at most 200 bytes; a batch that is sent again with the same "
			"name is stored once");
		add_text(cJSON_AddObjectToObject(p, "schema"), "type", "string");
	}
	for (const struct http_parameter *q = r->parameters; q && q->name; q++)
		if (takes(of, q->name))
			add_query_parameter(all, q, of->report);
}

static void
add_responses(cJSON *operation, const struct operation *of, const struct route_type *types)
{
	cJSON *responses = cJSON_AddObjectToObject(operation, "responses");
	const struct http_route *r = of->route;

	if (of->format)
		openapi_add_response(responses, "200", openapi_export_types(of->format),
			openapi_type(openapi_export_type(of->format)));
	else if (!of->report)
		openapi_add_responses(responses, r, types);
	else if (strcmp(of->report, dossier_report.name) == 0)
		openapi_add_response(responses, "200", "text/html", NULL);
	else
		openapi_add_response(responses, "200", r->types, openapi_report_type(of->report));
	if (of->report && openapi_report_takes(of->report, "cursor"))
		openapi_add_next(responses);
	add_text(cJSON_AddObjectToObject(responses, "default"), "$ref",
		"#/components/responses/Error");
}

/* Makes an operation ID such as "get_v1_result_sets_inst_id". */
static void
add_id(cJSON *operation, const char *method, const char *path)
{
	char id[200];
	size_t n = (size_t)snprintf(id, sizeof(id), "%s", method);

	for (const char *p = path; *p && n + 1 < sizeof(id); p++)
		if (char_is_letter(*p) || char_is_digit(*p))
			id[n++] = char_lower(*p);
		else if (id[n - 1] != '_')
			id[n++] = '_';
	if (id[n - 1] == '_')
		n--;
	id[n] = '\0';
	add_text(operation, "operationId", id);
}

static void
add_security(cJSON *operation, unsigned scope)
{
	char names[32], name[100];
	cJSON *security = cJSON_AddArrayToObject(operation, "security");
	cJSON *token;
	cJSON *scopes;

	if (!scope)
		return;
	token = cJSON_CreateObject();
	cJSON_AddItemToArray(security, token);
	scopes = cJSON_AddArrayToObject(token, "token");
	for (const char *s = token_scopes_text(scope, names); *s; s = after_word(s, ","))
		cJSON_AddItemToArray(scopes, cJSON_CreateString(word(name, s, ",")));
}

/* Writes the path as OpenAPI has it: {NAME...} becomes {NAME}, and {report} or {format} becomes its value. */
static void
plain_path(char *out, size_t size, const struct operation *of)
{
	const char *path = of->route->path;
	const char *value = of->report ? of->report : of->format;
	const char *dots = strstr(path, "...");

	if (value)
		snprintf(out, size, "%.*s%s", (int)(strrchr(path, '{') - path), path, value);
	else
		snprintf(out, size, "%.*s%s", dots ? (int)(dots - path) : (int)size, path,
			dots ? dots + 3 : "");
}

static void
add_operation(cJSON *paths, const struct operation *of, const struct route_type *types)
{
	const struct http_route *r = of->route;
	char method[16];
	char path[200];
	cJSON *methods;
	cJSON *o;

	snprintf(method, sizeof(method), "%s", http_method_name(r->method));
	for (char *c = method; *c; c++)
		*c = char_lower(*c);
	plain_path(path, sizeof(path), of);
	methods = cJSON_GetObjectItemCaseSensitive(paths, path);
	if (!methods)
		methods = cJSON_AddObjectToObject(paths, path);
	o = cJSON_AddObjectToObject(methods, method);
	add_text(o, "summary", of->report ? openapi_report_title(of->report) : r->summary);
	add_id(o, method, path);
	add_security(o, r->scope);
	add_parameters(o, of);
	openapi_add_body(o, r, types);
	add_responses(o, of, types);
}

/* Describes a route that runs every report once per report, and a route that writes every format once per format.
 * Each of these operations has only its own parameters and types. */
static void
add_route(cJSON *paths, const struct http_route *r, const struct route_type *types)
{
	struct operation of = { .route = r };

	if (strstr(r->path, "{report}")) {
		while ((of.report = openapi_next_report(of.report)))
			add_operation(paths, &of, types);
		of.report = dossier_report.name;
		if (strstr(r->path, "{inst_id}"))
			add_operation(paths, &of, types);
	} else if (strstr(r->path, "{format}")) {
		while ((of.format = openapi_next_export(of.format)))
			add_operation(paths, &of, types);
	} else {
		add_operation(paths, &of, types);
	}
}

static void
add_components(cJSON *document)
{
	static const char security[] =
		"{\"token\":{\"type\":\"http\",\"scheme\":\"bearer\","
		"\"description\":\"needed if the server has a token file\"}}";
	static const char responses[] =
		"{\"Error\":{\"description\":\"problem details (RFC 9457). 400: the request is "
		"invalid; the message names the parameter. 401, 403: another token is needed. 404: "
		"not found. 405: wrong method. 406: no acceptable type. 409: conflict, or the content "
		"has changed since the cursor was made. 413: too "
		"large. 415: unsupported type. 422: the input was rejected. 429, 503: try again "
		"later. 504: the query took too long.\",\"content\":{\"application/problem+json\":{"
		"\"schema\":{\"$ref\":\"#/components/schemas/Error\"}}}}}";
	cJSON *components = cJSON_AddObjectToObject(document, "components");
	cJSON *schemas;

	cJSON_AddRawToObject(components, "securitySchemes", security);
	cJSON_AddRawToObject(components, "responses", responses);
	schemas = cJSON_AddObjectToObject(components, "schemas");
	openapi_add_schemas(schemas);
	openapi_add_bodies(schemas);
	openapi_add_tables(schemas);
	openapi_add_reports(schemas);
}

bool
openapi_write(const struct http_route *routes, const struct route_type *types, FILE *out,
	struct error *err)
{
	cJSON *document = cJSON_CreateObject();
	cJSON *info = cJSON_AddObjectToObject(document, "info");
	cJSON *servers, *server;
	cJSON *paths;
	char *text;

	add_text(document, "openapi", "3.1.0");
	add_text(info, "title", "profdepot");
	add_text(info, "summary", "a depot for profiler results");
	add_text(info, "version", PACKAGE_VERSION);
	/* Different clients may reach the server at different addresses, so the URL is relative. */
	servers = cJSON_AddArrayToObject(document, "servers");
	server = cJSON_CreateObject();
	cJSON_AddItemToArray(servers, server);
	add_text(server, "url", "/");
	paths = cJSON_AddObjectToObject(document, "paths");
	for (const struct http_route *r = routes; r->path; r++)
		add_route(paths, r, types);
	add_components(document);
	text = cJSON_PrintUnformatted(document);
	cJSON_Delete(document);
	if (!text)
		return error_set(err, ERROR_INTERNAL, "no memory for the description of the API");
	fprintf(out, "%s\n", text);
	cJSON_free(text);
	return true;
}
