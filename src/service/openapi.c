/* Describes the API in OpenAPI 3.1. The description comes from the tables of routes and parameters that the server
 * itself uses. */
#include "service_private.h"

#include "base/char.h"
#include "service/tokens.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <string.h>

#ifndef PACKAGE_VERSION
#include <config.h>
#endif

static void
add_text(cJSON *o, const char *key, const char *value)
{
	cJSON_AddStringToObject(o, key, value);
}

/* Writes the integer as raw text, because cJSON's own numbers are doubles. */
static void
add_int(cJSON *o, const char *key, int64_t v)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRId64, v);
	cJSON_AddRawToObject(o, key, digits);
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

static void
add_schema(cJSON *parameter, const struct http_parameter *p)
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
		add_int(schema, "minimum", p->min);
		add_int(schema, "maximum", p->max);
	} else if (p->kind == HTTP_REPEATED) {
		add_text(cJSON_AddObjectToObject(schema, "items"), "type", "string");
	} else if (p->kind == HTTP_CHOICE) {
		choices = cJSON_AddArrayToObject(schema, "enum");
		for (const char *c = p->choices; *c; c = after_word(c, "|"))
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

/* {NAME...} matches several segments, but is described like {NAME}, because OpenAPI has no notation
 * for it. */
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
add_parameters(cJSON *operation, const struct http_route *r)
{
	cJSON *all = cJSON_AddArrayToObject(operation, "parameters");
	char name[100];
	cJSON *p;

	for (const char *part = r->path; (part = strchr(part, '{'));)
		add_path_parameter(all, r, word(name, ++part, ".}"));
	if (r->body == HTTP_BODY_EVENTS) {
		p = add_parameter(all, "Idempotency-Key", "header");
		add_text(p, "description",
			"the batch's name, at most 200 bytes; a batch that is sent again with the same "
			"name is stored once");
		add_text(cJSON_AddObjectToObject(p, "schema"), "type", "string");
	}
	for (const struct http_parameter *q = r->parameters; q && q->name; q++) {
		p = add_parameter(all, q->name, "query");
		add_text(p, "description", q->help);
		if (q->kind == HTTP_REPEATED) {
			add_text(p, "style", "form");
			cJSON_AddTrueToObject(p, "explode");
		}
		add_schema(p, q);
	}
}

static void
add_content(cJSON *o, const char *types)
{
	cJSON *content = cJSON_AddObjectToObject(o, "content");
	char type[100];

	for (const char *t = types; *t; t = after_word(t, " "))
		cJSON_AddObjectToObject(content, word(type, t, " "));
}

static void
add_body(cJSON *operation, const struct http_route *r)
{
	static const char *const usual[] = {
		[HTTP_BODY_SMALL] = "application/json",
		[HTTP_BODY_EVENTS] = "application/json application/x-ndjson",
		[HTTP_BODY_UPLOAD] = "application/octet-stream",
	};
	cJSON *body;

	if (r->body == HTTP_BODY_NONE)
		return;
	body = cJSON_AddObjectToObject(operation, "requestBody");
	cJSON_AddTrueToObject(body, "required");
	add_content(body, r->takes ? r->takes : usual[r->body]);
}

static void
add_responses(cJSON *operation, const struct http_route *r)
{
	cJSON *responses = cJSON_AddObjectToObject(operation, "responses");
	cJSON *done = cJSON_AddObjectToObject(responses, "2XX");

	add_text(done, "description", "done");
	add_content(done, r->types ? r->types : "application/json");
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

static void
add_operation(cJSON *paths, const struct http_route *r)
{
	const char *dots = strstr(r->path, "...");
	char method[16];
	char path[200];
	cJSON *methods;
	cJSON *o;

	snprintf(method, sizeof(method), "%s", http_method_name(r->method));
	for (char *c = method; *c; c++)
		*c = char_lower(*c);
	snprintf(path, sizeof(path), "%.*s%s", dots ? (int)(dots - r->path) : (int)sizeof(path),
		r->path, dots ? dots + 3 : "");
	methods = cJSON_GetObjectItemCaseSensitive(paths, path);
	if (!methods)
		methods = cJSON_AddObjectToObject(paths, path);
	o = cJSON_AddObjectToObject(methods, method);
	add_text(o, "summary", r->summary);
	add_id(o, method, r->path);
	add_security(o, r->scope);
	add_parameters(o, r);
	add_body(o, r);
	add_responses(o, r);
}

static const char components[] =
	"{\"securitySchemes\":{\"token\":{\"type\":\"http\",\"scheme\":\"bearer\","
	"\"description\":\"needed if the server has a token file\"}},"
	"\"schemas\":{\"Error\":{\"type\":\"object\",\"description\":\"problem details (RFC 9457); the member "
	"error has the same content and a hint\",\"required\":[\"type\",\"title\",\"status\",\"detail\","
	"\"error\"],\"properties\":{"
	"\"type\":{\"type\":\"string\",\"format\":\"uri\"},\"title\":{\"type\":\"string\"},"
	"\"status\":{\"type\":\"integer\"},\"detail\":{\"type\":\"string\"},"
	"\"error\":{\"type\":\"object\",\"required\":[\"status\",\"code\",\"message\"],"
	"\"properties\":{\"status\":{\"type\":\"integer\"},\"code\":{\"type\":\"string\"},"
	"\"message\":{\"type\":\"string\"},\"hint\":{\"type\":\"string\"}}}}}},"
	"\"responses\":{\"Error\":{\"description\":\"400: the request is invalid; the message names "
	"the parameter. 401, 403: another token is needed. 404: not found. 405: wrong method. 406: "
	"no acceptable type. 409: conflict. 413: too large. 415: unsupported type. 422: the input "
	"was rejected. 429, 503: try again later. 504: the query took too long.\","
	"\"content\":{\"application/problem+json\":{\"schema\":{"
	"\"$ref\":\"#/components/schemas/Error\"}}}}}}";

bool
openapi_write(const struct http_route *routes, FILE *out, struct error *err)
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
		add_operation(paths, r);
	cJSON_AddRawToObject(document, "components", components);
	text = cJSON_Print(document);
	cJSON_Delete(document);
	if (!text)
		return error_set(err, ERROR_INTERNAL, "no memory for the description of the API");
	fprintf(out, "%s\n", text);
	cJSON_free(text);
	return true;
}
