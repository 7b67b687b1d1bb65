/*
 * Checks a JSON value against a JSON schema (https://json-schema.org/draft-07, only the keywords in
 * the tables below). A schema's "description" is the message for an invalid value.
 */
#include "json_schema_private.h"

#include <regex.h>
#include <stdio.h>
#include <string.h>

/* A schema keyword, and the value that it applies to. */
struct step {
	const cJSON *root; /* the root of the schema */
	const cJSON *schema, *keyword, *value;
	struct error *err;
};

static bool check_value(
	const cJSON *root, const cJSON *schema, const cJSON *value, struct error *err);

/* Checks the step's value against another schema. */
static bool
follow(const struct step *s, const cJSON *schema)
{
	return check_value(s->root, schema, s->value, s->err);
}

static const cJSON *
get(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

static bool
fail_value(const struct step *s, const cJSON *value)
{
	const char *words = cJSON_GetStringValue(get(s->schema, "description"));
	const char *type = cJSON_GetStringValue(get(s->schema, "type"));

	if (!words)
		return error_set(s->err, ERROR_INPUT, "%s %s",
			type ? "must be of type" : "is not allowed here", type ? type : "");
	if (cJSON_IsString(value))
		return error_set(
			s->err, ERROR_INPUT, "\"%.100s\": %s", cJSON_GetStringValue(value), words);
	return error_set(s->err, ERROR_INPUT, "%s", words);
}

/* Fails. The hint lists the choices: the strings of an array, or the keys of an object. */
static bool
fail_choice(const struct step *s, const char *what, const char *word, const cJSON *choices)
{
	char list[1000] = "";
	size_t n = 0;

	error_set(s->err, ERROR_INPUT, "%s \"%.100s\"", what, word);
	for (const cJSON *i = choices ? choices->child : NULL; i && n < sizeof(list); i = i->next)
		n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%s", n ? ", " : "",
			i->string ? i->string : i->valuestring);
	return n ? error_hint(s->err, "use one of: %s", list) : false;
}

static bool
check_type(const struct step *s)
{
	static const struct {
		const char *name;
		int type; /* bits of cJSON */
	} types[] = { { "object", cJSON_Object }, { "array", cJSON_Array },
		{ "string", cJSON_String }, { "number", cJSON_Number },
		{ "boolean", cJSON_True | cJSON_False } };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i].name, s->keyword->valuestring) == 0)
			return (s->value->type & types[i].type) || fail_value(s, s->value);
	return false;
}

/* Compares the keyword's limit with the value of a number, the length of a string in bytes, or the number of
 * items in an array. */
static bool
check_measure(const struct step *s)
{
	const cJSON *v = s->value;
	const char *name = s->keyword->string;
	double limit = s->keyword->valuedouble;
	double measure = cJSON_IsArray(v)    ? cJSON_GetArraySize(v)
			 : cJSON_IsString(v) ? (double)strlen(v->valuestring)
					     : v->valuedouble;

	return (strncmp(name, "min", 3) == 0 ? measure >= limit : measure <= limit) ||
	       fail_value(s, v);
}

/* Checks a string against the keyword's pattern, which is a POSIX extended regular expression. */
static bool
check_pattern(const struct step *s)
{
	regex_t regex;
	bool ok;

	if (regcomp(&regex, s->keyword->valuestring, REG_EXTENDED | REG_NOSUB) != 0)
		return fail_value(s, s->value);
	ok = regexec(&regex, s->value->valuestring, 0, NULL, 0) == 0;
	regfree(&regex);
	return ok || fail_value(s, s->value);
}

static bool
check_enum(const struct step *s)
{
	for (const cJSON *i = s->keyword->child; i; i = i->next)
		if (cJSON_Compare(i, s->value, true))
			return true;
	return fail_choice(
		s, "cannot be", cJSON_IsString(s->value) ? s->value->valuestring : "", s->keyword);
}

/* Rejects unknown keys. The schema uses additionalProperties only with the value false. */
static bool
check_unknown(const struct step *s)
{
	const cJSON *properties = get(s->schema, "properties");

	for (const cJSON *i = s->value->child; i; i = i->next)
		if (!get(properties, i->string))
			return fail_choice(s, "unknown key", i->string, properties);
	return true;
}

static bool
check_required(const struct step *s)
{
	for (const cJSON *i = s->keyword->child; i; i = i->next)
		if (!get(s->value, i->valuestring))
			return fail_choice(s, "missing key", i->valuestring,
				get(get(get(s->schema, "properties"), i->valuestring), "enum"));
	return true;
}

static bool
check_properties(const struct step *s)
{
	for (const cJSON *i = s->value->child; i; i = i->next) {
		const cJSON *property = get(s->keyword, i->string);

		if (cJSON_IsFalse(property)
				? !fail_value(s, NULL)
				: property && !check_value(s->root, property, i, s->err))
			return error_prefix(s->err, "%.100s", i->string);
	}
	return true;
}

static bool
check_items(const struct step *s)
{
	size_t n = 1;

	for (const cJSON *i = s->value->child; i; i = i->next, n++)
		if (!check_value(s->root, s->keyword, i, s->err))
			return error_prefix(s->err, "item %zu", n);
	return true;
}

static bool
check_any_of(const struct step *s)
{
	for (const cJSON *i = s->keyword->child; i; i = i->next) {
		struct error ignored = ERROR_INIT;

		if (check_value(s->root, i, s->value, &ignored))
			return true;
	}
	return fail_value(s, s->value);
}

static bool
check_all_of(const struct step *s)
{
	for (const cJSON *i = s->keyword->child; i; i = i->next)
		if (!follow(s, i))
			return false;
	return true;
}

static bool
check_if(const struct step *s)
{
	struct error ignored = ERROR_INIT;
	bool holds = check_value(s->root, s->keyword, s->value, &ignored);
	const cJSON *next = get(s->schema, holds ? "then" : "else");

	return !next || follow(s, next);
}

/* "#/definitions/NAME" */
static bool
check_reference(const struct step *s)
{
	return follow(
		s, get(get(s->root, "definitions"), strrchr(s->keyword->valuestring, '/') + 1));
}

/* The supported keywords. Each keyword restricts only values of its type. */
static const struct {
	const char *name;
	int type; /* cJSON type bits; 0 means any */
	bool (*check)(const struct step *s);
} keywords[] = {
	{ "type", 0, check_type },
	{ "minimum", cJSON_Number, check_measure },
	{ "maximum", cJSON_Number, check_measure },
	{ "minLength", cJSON_String, check_measure },
	{ "minItems", cJSON_Array, check_measure },
	{ "maxItems", cJSON_Array, check_measure },
	{ "pattern", cJSON_String, check_pattern },
	{ "enum", 0, check_enum },
	{ "additionalProperties", cJSON_Object, check_unknown },
	{ "required", cJSON_Object, check_required },
	{ "properties", cJSON_Object, check_properties },
	{ "items", cJSON_Array, check_items },
	{ "anyOf", 0, check_any_of },
	{ "allOf", 0, check_all_of },
	{ "if", 0, check_if },
	{ "$ref", 0, check_reference },
};

static bool
check_value(const cJSON *root, const cJSON *schema, const cJSON *value, struct error *err)
{
	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
		const struct step s = { root, schema, get(schema, keywords[i].name), value, err };

		if (s.keyword && (!keywords[i].type || value->type & keywords[i].type) &&
			!keywords[i].check(&s))
			return false;
	}
	return true;
}

bool
json_schema_check(const cJSON *schema, const cJSON *value, struct error *err)
{
	return check_value(schema, schema, value, err);
}
