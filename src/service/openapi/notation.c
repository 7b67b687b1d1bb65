/* Makes schemas from a short notation; see openapi_private.h. */
#include "openapi_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
	TYPE_BYTES = 300
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

/* Returns the schema of "(a,b)", a text that is a or b. */
static cJSON *
choice(const char *type)
{
	cJSON *o = cJSON_CreateObject();
	cJSON *choices;
	char word[OPENAPI_NAME_BYTES];

	cJSON_AddStringToObject(o, "type", "string");
	choices = cJSON_AddArrayToObject(o, "enum");
	for (size_t n; *++type != ')'; type += n) {
		n = strcspn(type, ",)");
		snprintf(word, sizeof(word), "%.*s", (int)n, type);
		cJSON_AddItemToArray(choices, cJSON_CreateString(word));
		if (type[n] == ')')
			break;
	}
	return o;
}

/* Returns the size of a type's first alternative. */
static size_t
first_size(const char *type)
{
	size_t depth = 0;
	size_t n = 0;

	for (; type[n] && (depth || type[n] != '|'); n++)
		if (strchr("[{(", type[n]))
			depth++;
		else if (strchr("]})", type[n]))
			depth--;
	return n;
}

/* The recursion ends because the types are constants of the program.
 * NOLINTBEGIN(misc-no-recursion) */

/* Returns the schema of an array or of an object. */
static cJSON *
container(const char *type, size_t size)
{
	const bool array = type[0] == '[';
	cJSON *o = cJSON_CreateObject();
	char inner[TYPE_BYTES];

	snprintf(inner, sizeof(inner), "%.*s", (int)(size - 2), type + 1);
	cJSON_AddStringToObject(o, "type", array ? "array" : "object");
	cJSON_AddItemToObject(o, array ? "items" : "additionalProperties", openapi_type(inner));
	return o;
}

/* Returns the schema of the first `size` bytes, which have no alternatives. */
static cJSON *
plain_type(const char *type, size_t size)
{
	cJSON *o;
	char word[OPENAPI_NAME_BYTES];

	if (type[0] == '(')
		return choice(type);
	if (type[0] == '[' || type[0] == '{')
		return container(type, size);
	snprintf(word, sizeof(word), "%.*s", (int)size, type);
	if (word[0] >= 'A' && word[0] <= 'Z')
		return reference(word);
	o = cJSON_CreateObject();
	if (strcmp(word, "true") == 0) {
		cJSON_AddStringToObject(o, "type", "boolean");
		cJSON_AddTrueToObject(o, "const");
		return o;
	}
	if (strcmp(word, "any") != 0)
		cJSON_AddStringToObject(o, "type", word);
	return o;
}

cJSON *
openapi_type(const char *type)
{
	size_t n = first_size(type);
	cJSON *choices;
	cJSON *either;

	if (!type[n])
		return plain_type(type, n);
	either = cJSON_CreateObject();
	choices = cJSON_AddArrayToObject(either, "anyOf");
	for (;; type += n + 1) {
		n = first_size(type);
		cJSON_AddItemToArray(choices, plain_type(type, n));
		if (!type[n])
			return either;
	}
}

/* NOLINTEND(misc-no-recursion) */

/* Adds a member with the name of `size` bytes. Its unit can be NULL. */
static void
add_member(cJSON *object, const char *member, size_t size, const char *type, const char *unit)
{
	cJSON *required = cJSON_GetObjectItemCaseSensitive(object, "required");
	cJSON *properties = cJSON_GetObjectItemCaseSensitive(object, "properties");
	const bool optional = member[size - 1] == '?';
	cJSON *value;
	char name[OPENAPI_NAME_BYTES];

	if (member[0] == '*') {
		cJSON_ReplaceItemInObjectCaseSensitive(
			object, "additionalProperties", openapi_type(type));
		return;
	}
	snprintf(name, sizeof(name), "%.*s", (int)(optional ? size - 1 : size), member);
	value = openapi_type(type);
	if (unit)
		cJSON_AddStringToObject(value, "x-unit", unit);
	cJSON_AddItemToObject(properties, name, value);
	if (!optional)
		cJSON_AddItemToArray(required, cJSON_CreateString(name));
}

void
openapi_add_members(cJSON *object, const char *members)
{
	char type[TYPE_BYTES];

	while (*members) {
		size_t n = strcspn(members, ":");
		size_t size = strcspn(members + n + 1, " ");
		char *unit;

		snprintf(type, sizeof(type), "%.*s", (int)size, members + n + 1);
		unit = strchr(type, '#');
		if (unit)
			*unit++ = '\0';
		add_member(object, members, n, type, unit);
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

/* Writes the integer as raw text, because cJSON's own numbers are doubles. */
static void
add_int(cJSON *o, const char *key, int64_t v)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRId64, v);
	cJSON_AddRawToObject(o, key, digits);
}

void
openapi_add_range(cJSON *schema, int64_t min, int64_t max)
{
	add_int(schema, "minimum", min);
	add_int(schema, "maximum", max);
}
