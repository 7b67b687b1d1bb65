/* The API's description, made from the tables that route and judge parameters. */
#include "base/json_writer.h"
#include "base/strbuf.h"
#include "service_private.h"

#include <ctype.h>
#include <string.h>

#ifndef PACKAGE_VERSION
#include <config.h>
#endif

static void
pair(struct json_writer *w, const char *key, const char *value)
{
	json_key(w, key);
	json_string(w, value);
}

/* --- parameters ---------------------------------------------------------------------------------
 */

/* "a|b" */
static void
write_choices(struct json_writer *w, const char *choices)
{
	json_key(w, "enum");
	json_begin_array(w);
	for (const char *c = choices; c; c = strchr(c, '|')) {
		c += *c == '|';
		json_text(w, (struct text){ c, strcspn(c, "|") });
	}
	json_end_array(w);
}

static void
write_schema(struct json_writer *w, const struct http_parameter *p)
{
	json_key(w, "schema");
	json_begin_object(w);
	switch (p->kind) {
	case HTTP_INTEGER:
		pair(w, "type", "integer");
		pair(w, "format", "int64");
		json_key(w, "minimum");
		json_int(w, p->min);
		json_key(w, "maximum");
		json_int(w, p->max);
		break;
	case HTTP_FLAG:
		pair(w, "type", "boolean");
		break;
	case HTTP_CHOICE:
		pair(w, "type", "string");
		write_choices(w, p->choices);
		break;
	case HTTP_REPEATED:
		pair(w, "type", "array");
		json_key(w, "items");
		json_begin_object(w);
		pair(w, "type", "string");
		json_end_object(w);
		break;
	case HTTP_TEXT:
		pair(w, "type", "string");
		break;
	}
	json_end_object(w);
}

static void
write_query(struct json_writer *w, const struct http_parameter *p)
{
	json_begin_object(w);
	pair(w, "name", p->name);
	pair(w, "in", "query");
	pair(w, "description", p->help ? p->help : "");
	if (p->kind == HTTP_REPEATED) {
		pair(w, "style", "form");
		json_key(w, "explode");
		json_bool(w, true);
	}
	write_schema(w, p);
	json_end_object(w);
}

/* {NAME} and {NAME...} of the path; the latter stands for several parts. */
static void
write_path_parts(struct json_writer *w, const char *path)
{
	for (const char *p = strchr(path, '{'); p; p = strchr(p, '{')) {
		const struct text name = { p + 1, strcspn(p + 1, ".}") };
		bool is_number = text_equal(name, TEXT_LITERAL("inst_id")) ||
				 text_equal(name, TEXT_LITERAL("id"));

		p++;
		json_begin_object(w);
		json_key(w, "name");
		json_text(w, name);
		pair(w, "in", "path");
		json_key(w, "required");
		json_bool(w, true);
		json_key(w, "schema");
		json_begin_object(w);
		pair(w, "type", is_number ? "integer" : "string");
		json_end_object(w);
		json_end_object(w);
	}
}

static void
write_parameters(struct json_writer *w, const struct http_route *r)
{
	json_key(w, "parameters");
	json_begin_array(w);
	write_path_parts(w, r->path);
	for (const struct http_parameter *p = r->parameters; p && p->name; p++)
		write_query(w, p);
	json_end_array(w);
}

/* --- bodies -------------------------------------------------------------------------------------
 */

static void
write_content(struct json_writer *w, const char *types)
{
	json_key(w, "content");
	json_begin_object(w);
	while (*types) {
		char name[100];
		size_t n = strcspn(types, " ");

		snprintf(name, sizeof(name), "%.*s", (int)n, types);
		json_key(w, name);
		json_begin_object(w);
		json_end_object(w);
		types += n + strspn(types + n, " ");
	}
	json_end_object(w);
}

static const char *
body_types(const struct http_route *r)
{
	if (r->takes)
		return r->takes;
	switch (r->body) {
	case HTTP_BODY_SMALL:
		return "application/json";
	case HTTP_BODY_EVENTS:
		return "application/json application/x-ndjson";
	case HTTP_BODY_UPLOAD:
		return "application/octet-stream";
	case HTTP_BODY_NONE:
		break;
	}
	return NULL;
}

static void
write_response(struct json_writer *w, const char *status, const char *what, const char *types)
{
	json_key(w, status);
	json_begin_object(w);
	pair(w, "description", what);
	if (types)
		write_content(w, types);
	json_end_object(w);
}

static void
write_reference(struct json_writer *w, const char *status)
{
	json_key(w, status);
	json_begin_object(w);
	pair(w, "$ref", "#/components/responses/Error");
	json_end_object(w);
}

static void
write_responses(struct json_writer *w, const struct http_route *r)
{
	json_key(w, "responses");
	json_begin_object(w);
	write_response(w, "2XX", "done", r->types ? r->types : "application/json");
	write_reference(w, "default");
	json_end_object(w);
}

/* --- operations ---------------------------------------------------------------------------------
 */

/* "get_v1_result_sets_inst_id" */
static void
write_id(struct json_writer *w, const struct http_route *r)
{
	struct strbuf b;

	strbuf_init(&b, 1024);
	strbuf_append_str(&b, http_method_name(r->method));
	for (const char *p = r->path; *p; p++)
		if (isalnum((unsigned char)*p))
			strbuf_append_char(&b, *p);
		else if (b.size && b.data[b.size - 1] != '_')
			strbuf_append_char(&b, '_');
	for (size_t i = 0; i < b.size; i++)
		b.data[i] = (char)tolower((unsigned char)b.data[i]);
	while (b.size && b.data[b.size - 1] == '_')
		b.size--;
	json_key(w, "operationId");
	json_text(w, strbuf_text(&b));
	strbuf_release(&b);
}

static void
write_security(struct json_writer *w, unsigned scope)
{
	static const struct {
		unsigned bit;
		const char *name;
	} scopes[] = { { HTTP_SCOPE_READ, "read" }, { HTTP_SCOPE_INGEST, "ingest" },
		{ HTTP_SCOPE_ADMIN, "admin" } };

	json_key(w, "security");
	json_begin_array(w);
	if (scope) {
		json_begin_object(w);
		json_key(w, "token");
		json_begin_array(w);
		for (size_t i = 0; i < sizeof(scopes) / sizeof(scopes[0]); i++)
			if (scope & scopes[i].bit)
				json_string(w, scopes[i].name);
		json_end_array(w);
		json_end_object(w);
	}
	json_end_array(w);
}

static void
write_operation(struct json_writer *w, const struct http_route *r)
{
	const char *types = body_types(r);
	char method[16];

	snprintf(method, sizeof(method), "%s", http_method_name(r->method));
	for (char *c = method; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	json_key(w, method);
	json_begin_object(w);
	pair(w, "summary", r->summary);
	write_id(w, r);
	write_security(w, r->scope);
	write_parameters(w, r);
	if (types) {
		json_key(w, "requestBody");
		json_begin_object(w);
		json_key(w, "required");
		json_bool(w, true);
		write_content(w, types);
		json_end_object(w);
	}
	write_responses(w, r);
	json_end_object(w);
}

/* Without the dots of {NAME...}, which OpenAPI has no word for. */
static void
write_path_key(struct json_writer *w, const char *path)
{
	char key[200];
	size_t n = 0;

	for (const char *p = path; *p && n + 1 < sizeof(key); p++)
		if (*p != '.' || !strchr(path, '{') || p < strchr(path, '{'))
			key[n++] = *p;
	key[n] = '\0';
	json_key(w, key);
}

/* All methods of a path stand together, where its first row does. */
static void
write_paths(struct json_writer *w, const struct http_route *routes)
{
	json_key(w, "paths");
	json_begin_object(w);
	for (const struct http_route *r = routes; r->path; r++) {
		const struct http_route *first = routes;

		while (strcmp(first->path, r->path) != 0)
			first++;
		if (first != r)
			continue;
		write_path_key(w, r->path);
		json_begin_object(w);
		for (const struct http_route *o = r; o->path; o++)
			if (strcmp(o->path, r->path) == 0)
				write_operation(w, o);
		json_end_object(w);
	}
	json_end_object(w);
}

/* --- the rest -----------------------------------------------------------------------------------
 */

static const char components[] =
	"{\"securitySchemes\":{\"token\":{\"type\":\"http\",\"scheme\":\"bearer\","
	"\"description\":\"where the server has a token file\"}},"
	"\"schemas\":{\"Error\":{\"type\":\"object\",\"required\":[\"error\"],\"properties\":{"
	"\"error\":{\"type\":\"object\",\"required\":[\"status\",\"code\",\"message\"],"
	"\"properties\":{\"status\":{\"type\":\"integer\"},\"code\":{\"type\":\"string\"},"
	"\"message\":{\"type\":\"string\"},\"hint\":{\"type\":\"string\"}}}}}},"
	"\"responses\":{\"Error\":{\"description\":\"400 names the parameter, 401 and 403 want "
	"another token, 404 there is none, 405, 406, 409 something stands against it, 413, 415, "
	"422 the input is refused, 429, 503 come again, 504 the query took too long\","
	"\"content\":{\"application/json\":{\"schema\":{"
	"\"$ref\":\"#/components/schemas/Error\"}}}}}}";

void
openapi_write(const struct http_route *routes, FILE *out)
{
	struct json_writer w;

	json_writer_init(&w, out, true);
	json_begin_object(&w);
	pair(&w, "openapi", "3.1.0");
	json_key(&w, "info");
	json_begin_object(&w);
	pair(&w, "title", "profdepot");
	pair(&w, "summary", "a depot for profiler results");
	pair(&w, "version", PACKAGE_VERSION);
	json_end_object(&w);
	write_paths(&w, routes);
	json_key(&w, "components");
	json_raw(&w, TEXT_LITERAL(components));
	json_end_object(&w);
	fputc('\n', out);
}
