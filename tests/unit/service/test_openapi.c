/* Tests that the API description is valid and lists exactly the existing routes. */
#include "base/arena.h"
#include "report/report.h"
#include "service/service_private.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static cJSON *document;
static const char *const methods[] = { "get", "post", "put", "patch", "delete" };

static int
make(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct error err = ERROR_INIT;

	(void)state;
	assert_true(openapi_write(http_routes, route_types, out, &err));
	fclose(out);
	document = cJSON_ParseWithOpts(text, NULL, true);
	free(text);
	return document ? 0 : -1;
}

static int
drop(void **state)
{
	(void)state;
	cJSON_Delete(document);
	return 0;
}

static const char *
string_of(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	assert_true(cJSON_IsString(item));
	return item->valuestring;
}

static const cJSON *
member(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	if (!item)
		fail_msg("the document has no %s", key);
	return item;
}

static const cJSON *
paths(void)
{
	return member(document, "paths");
}

/* Converts a route's path to the documented path: {rest...} becomes {rest}. */
static void
plain_path(const char *path, char *out)
{
	for (; *path; path++)
		if (strncmp(path, "...}", 4) != 0)
			*out++ = *path;
		else
			path += 2;
	*out = '\0';
}

static const cJSON *
operation(const struct http_route *r)
{
	char path[200];
	char method[16] = "";

	plain_path(r->path, path);
	snprintf(method, sizeof(method), "%s", http_method_name(r->method));
	for (char *c = method; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return member(member(paths(), path), method);
}

static const cJSON *
find_parameter(const cJSON *op, const char *in, const char *name)
{
	const cJSON *p;

	cJSON_ArrayForEach(
		p, member(op, "parameters")) if (strcmp(string_of(p, "in"), in) == 0 &&
						 strcmp(string_of(p, "name"), name) == 0) return p;
	return NULL;
}

static void
test_head(void **state)
{
	(void)state;
	assert_string_equal(string_of(document, "openapi"), "3.1.0");
	assert_true(*string_of(member(document, "info"), "title"));
	assert_true(*string_of(member(document, "info"), "version"));
	member(member(member(document, "components"), "schemas"), "Error");
	member(member(member(document, "components"), "responses"), "Error");
	assert_string_equal(
		string_of(
			member(member(member(document, "components"), "securitySchemes"), "token"),
			"scheme"),
		"bearer");
}

static void
check_kind(const cJSON *documented, const struct http_parameter *p)
{
	static const char *const types[] = {
		[HTTP_TEXT] = "string",
		[HTTP_INTEGER] = "integer",
		[HTTP_FLAG] = "boolean",
		[HTTP_CHOICE] = "string",
		[HTTP_REPEATED] = "array",
	};
	const cJSON *schema = member(documented, "schema");

	assert_string_equal(string_of(schema, "type"), types[p->kind]);
	assert_true(p->help && *p->help);
	if (p->kind == HTTP_CHOICE) {
		const cJSON *word;
		size_t size = 0;

		cJSON_ArrayForEach(word, member(schema, "enum"))
		{
			assert_non_null(strstr(p->choices, word->valuestring));
			size += strlen(word->valuestring) + 1;
		}
		assert_int_equal(size, strlen(p->choices) + 1);
	}
	if (p->kind == HTTP_INTEGER)
		assert_true(member(schema, "minimum")->valuedouble <=
			    member(schema, "maximum")->valuedouble);
}

static bool
runs_any_report(const struct http_route *r)
{
	return strstr(r->path, "{report}") != NULL;
}

/* Returns whether the route is described once per report or format. */
static bool
is_expanded(const struct http_route *r)
{
	return runs_any_report(r) || strstr(r->path, "{format}");
}

/* Checks that every route and parameter is documented. */
static void
test_all_is_documented(void **state)
{
	(void)state;
	for (const struct http_route *r = http_routes; r->path; r++) {
		const cJSON *op = is_expanded(r) ? NULL : operation(r);
		int count = 0;

		if (!op)
			continue;
		assert_true(*string_of(op, "summary"));
		for (const struct http_parameter *p = r->parameters; p && p->name; p++) {
			const cJSON *found = find_parameter(op, "query", p->name);

			if (!found)
				fail_msg("%s: %s is not documented", r->path, p->name);
			check_kind(found, p);
			count++;
		}
		for (const char *p = strchr(r->path, '{'); p; p = strchr(p + 1, '{'))
			count++;
		if (r->body == HTTP_BODY_EVENTS) {
			assert_non_null(find_parameter(op, "header", "Idempotency-Key"));
			count++;
		}
		assert_int_equal(cJSON_GetArraySize(member(op, "parameters")), count);
		assert_int_equal(r->body != HTTP_BODY_NONE,
			cJSON_GetObjectItemCaseSensitive(op, "requestBody") != NULL);
		assert_int_equal(cJSON_GetArraySize(member(op, "security")), r->scope != 0);
	}
}

/* Checks that every report has a separate path, and that `route` has each parameter that this path has. */
static void
check_reports(const struct http_route *route)
{
	const struct report *r;

	for (size_t i = 0; (r = report_at(i)); i++) {
		char path[200];
		const cJSON *op;
		const cJSON *p;

		snprintf(path, sizeof(path), "%.*s%s",
			(int)(strstr(route->path, "{report}") - route->path), route->path, r->name);
		op = member(member(paths(), path), "get");
		cJSON_ArrayForEach(p, member(op, "parameters"))
		{
			const struct http_parameter *q = route->parameters;

			while (q->name && strcmp(q->name, string_of(p, "name")) != 0)
				q++;
			assert_true(q->name || strcmp(string_of(p, "in"), "path") == 0);
		}
		assert_int_equal(find_parameter(op, "query", "by") != NULL, r->by != NULL);
		assert_true(
			find_parameter(op, "query", "metric") || !report_takes(r, REPORT_METRIC));
		assert_null(find_parameter(op, "path", "report"));
	}
}

static void
test_reports(void **state)
{
	int count = 0;

	(void)state;
	for (const struct http_route *r = http_routes; r->path; r++) {
		if (!runs_any_report(r))
			continue;
		check_reports(r);
		count++;
	}
	assert_int_equal(count, 2);
}

/* Checks that every JSON answer has a schema, and that each reference leads to a component. */
static void
check_references(const cJSON *value)
{
	const cJSON *item;
	static const char prefix[] = "#/components/";

	cJSON_ArrayForEach(item, value)
	{
		if (item->string && strcmp(item->string, "$ref") == 0) {
			const char *kind = item->valuestring + strlen(prefix);
			char name[50];

			assert_memory_equal(item->valuestring, prefix, strlen(prefix));
			snprintf(name, sizeof(name), "%.*s", (int)strcspn(kind, "/"), kind);
			member(member(member(document, "components"), name), strchr(kind, '/') + 1);
		}
		check_references(item);
	}
}

static void
check_answers(const cJSON *path, const cJSON *operation)
{
	const cJSON *response;

	cJSON_ArrayForEach(response, member(operation, "responses"))
	{
		const cJSON *content = cJSON_GetObjectItemCaseSensitive(response, "content");
		const cJSON *json = cJSON_GetObjectItemCaseSensitive(content, "application/json");

		if (json && !cJSON_GetObjectItemCaseSensitive(json, "schema"))
			fail_msg("%s: an answer has no schema", path->string);
	}
}

static void
test_schemas(void **state)
{
	const cJSON *path;
	const cJSON *op;

	(void)state;
	check_references(document);
	cJSON_ArrayForEach(path, paths())
	{
		cJSON_ArrayForEach(op, path)
		{
			check_answers(path, op);
		}
	}
}

/* --- exactness --- */

/* Values that can be anything, as COMPONENT.MEMBER; the member * is every other member, and NAME[] is an item. */
static struct {
	const char *where;
	const char *why;
	bool used;
} loose[] = {
	{ "Budgets.$schema", "a budget file may name any schema", false },
	{ "Budgets.comment", "a comment can be any value", false },
	{ "Description.paths", "OpenAPI describes this document", false },
	{ "Description.components", "OpenAPI describes this document", false },
	{ "KernelscopeQuery.*", "kernelscope ignores other members", false },
	{ "Profile.*", "MiniProfiler's clients differ in the other members", false },
	{ "ClientTiming.*", "MiniProfiler's clients differ in the other members", false },
	{ "ClientTimings.*", "MiniProfiler's clients differ in the other members", false },
	{ "Profile.Root", "MiniProfiler's clients differ in the members of a timing", false },
	{ "ChromeTrace.*", "Chrome's format", false },
	{ "ChromeTrace.traceEvents", "Chrome's format", false },
	{ "Speedscope.*", "speedscope's format", false },
	{ "Speedscope.shared", "speedscope's format", false },
	{ "Speedscope.profiles", "speedscope's format", false },
	{ "Sarif.runs", "SARIF's format", false },
};

/* Media types of binary data, and of static files. */
static const char *const binary[] = { "application/octet-stream", "application/x-tar", "*/*" };

static void
fail_unless_loose(const char *where)
{
	for (size_t i = 0; i < sizeof(loose) / sizeof(loose[0]); i++)
		if (strcmp(loose[i].where, where) == 0) {
			loose[i].used = true;
			return;
		}
	fail_msg("%s can be any value", where);
}

static const cJSON *
keyword(const cJSON *schema, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(schema, name);
}

static bool
says_something(const cJSON *schema)
{
	static const char *const words[] = { "$ref", "anyOf", "enum", "const", "properties",
		"additionalProperties", "items" };
	const char *type = cJSON_GetStringValue(keyword(schema, "type"));

	if (cJSON_IsBool(schema) ||
		(type && strcmp(type, "object") != 0 && strcmp(type, "array") != 0))
		return true;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (keyword(schema, words[i]))
			return true;
	return false;
}

/* Checks that the schema allows only certain values. `where` is the component and the member. References are not
 * followed, because each component is checked once. */
static void
check_exact(const cJSON *schema, const char *where)
{
	const cJSON *others = keyword(schema, "additionalProperties");
	const cJSON *i;
	char inner[200];

	if (!says_something(schema)) {
		fail_unless_loose(where);
		return;
	}
	cJSON_ArrayForEach(i, keyword(schema, "properties"))
	{
		snprintf(inner, sizeof(inner), "%s.%s", where, i->string);
		check_exact(i, inner);
	}
	cJSON_ArrayForEach(i, keyword(schema, "anyOf"))
	{
		check_exact(i, where);
	}
	if (keyword(schema, "items"))
		check_exact(keyword(schema, "items"), where);
	if (keyword(schema, "properties") && !others)
		fail_msg("%s can have any other member", where);
	snprintf(inner, sizeof(inner), "%s.*", where);
	if (others)
		check_exact(others, keyword(schema, "properties") ? inner : where);
}

static void
check_content(const cJSON *of, const char *id)
{
	const cJSON *media;

	cJSON_ArrayForEach(media, cJSON_GetObjectItemCaseSensitive(of, "content"))
	{
		const cJSON *schema = keyword(media, "schema");
		bool known = false;

		for (size_t i = 0; i < sizeof(binary) / sizeof(binary[0]); i++)
			known |= strcmp(binary[i], media->string) == 0;
		if (schema)
			check_exact(schema, id);
		else if (!known)
			fail_msg("%s: %s has no schema", id, media->string);
	}
}

/* Checks the bodies of all requests and successful answers. */
static void
test_exact(void **state)
{
	const cJSON *path;
	const cJSON *op;
	const cJSON *i;

	(void)state;
	cJSON_ArrayForEach(i, member(member(document, "components"), "schemas"))
	{
		check_exact(i, i->string);
	}
	cJSON_ArrayForEach(path, paths())
	{
		cJSON_ArrayForEach(op, path)
		{
			const char *id = string_of(op, "operationId");

			check_content(keyword(op, "requestBody"), id);
			cJSON_ArrayForEach(i, member(op, "responses"))
			{
				check_content(i, id);
			}
		}
	}
	for (size_t n = 0; n < sizeof(loose) / sizeof(loose[0]); n++)
		if (!loose[n].used)
			fail_msg("%s (%s) is not needed", loose[n].where, loose[n].why);
}

/* Returns a route's path in which values replace the {NAME} parts. */
static char *
filled(struct arena *a, const char *path)
{
	char *out = arena_alloc(a, strlen(path) + 1);
	char *to = out;

	for (; *path; path++) {
		if (*path == '{') {
			path += strcspn(path, "}");
			*to++ = '7';
		} else {
			*to++ = *path;
		}
	}
	*to = '\0';
	return out;
}

/* Checks that every documented operation has a route. */
static void
test_all_is_routed(void **state)
{
	struct arena a = ARENA_INIT;
	const cJSON *path;

	(void)state;
	cJSON_ArrayForEach(path, paths())
	{
		const cJSON *op;

		cJSON_ArrayForEach(op, path)
		{
			struct http_match m;
			char name[16];

			snprintf(name, sizeof(name), "%s", op->string);
			for (char *c = name; *c; c++)
				*c = (char)toupper((unsigned char)*c);
			http_match(&a, http_routes, http_method_find(name),
				filled(&a, path->string), &m);
			if (!m.route)
				fail_msg("%s %s is not routed", name, path->string);
			if (!runs_any_report(m.route))
				assert_string_equal(m.route->summary, string_of(op, "summary"));
		}
	}
	arena_release(&a);
}

static void
check_operation(const cJSON *op, const char *path, cJSON *ids)
{
	const char *id = string_of(op, "operationId");
	const cJSON *p;
	const cJSON *response;

	if (cJSON_GetObjectItemCaseSensitive(ids, id))
		fail_msg("two operations have the ID %s", id);
	cJSON_AddTrueToObject(ids, id);
	cJSON_ArrayForEach(p, member(op, "parameters"))
	{
		char part[100];

		if (strcmp(string_of(p, "in"), "path") != 0)
			continue;
		snprintf(part, sizeof(part), "{%s}", string_of(p, "name"));
		assert_non_null(strstr(path, part));
		assert_true(cJSON_IsTrue(member(p, "required")));
	}
	cJSON_ArrayForEach(response,
		member(op, "responses")) if (!cJSON_GetObjectItemCaseSensitive(response, "$ref"))
		string_of(response, "description");
	member(member(op, "responses"), "default");
}

/* Checks the rules of OpenAPI 3.1. */
static void
test_structure(void **state)
{
	cJSON *ids = cJSON_CreateObject();
	const cJSON *path;

	(void)state;
	cJSON_ArrayForEach(path, paths())
	{
		const cJSON *op;

		assert_int_equal(path->string[0], '/');
		assert_null(strstr(path->string, "..."));
		cJSON_ArrayForEach(op, path)
		{
			bool known = false;

			for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
				known |= strcmp(methods[i], op->string) == 0;
			assert_true(known);
			check_operation(op, path->string, ids);
		}
	}
	cJSON_Delete(ids);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_head),
		cmocka_unit_test(test_all_is_documented),
		cmocka_unit_test(test_all_is_routed),
		cmocka_unit_test(test_structure),
		cmocka_unit_test(test_reports),
		cmocka_unit_test(test_schemas),
		cmocka_unit_test(test_exact),
	};

	return cmocka_run_group_tests_name("openapi", tests, make, drop);
}
