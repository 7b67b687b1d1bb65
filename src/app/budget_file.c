/*
 * Budget files: JSON (RFC 8259) that matches share/budget.schema.json. The strict JSON reader checks
 * the syntax, cJSON builds the tree, and the schema checks the content. The code here only has to check
 * that no two budgets have the same name.
 */
#include "app/budget_file.h"

#include "base/double.h"
#include "base/strbuf.h"
#include "input/json/json_reader.h"
#include "json_schema_private.h"

enum {
	MAX_DEPTH = 16,
	MAX_STRING_BYTES = 64 * 1024
};

/* Reads a glob, or an array of globs. */
static void
read_globs(struct arena *a, const cJSON *value, struct option_list *out)
{
	const cJSON *item = cJSON_IsArray(value) ? value->child : value;
	size_t count = cJSON_IsArray(value) ? (size_t)cJSON_GetArraySize(value) : 1;

	out->items = arena_alloc_array(a, count, sizeof(*out->items));
	for (; out->count < count; item = item->next)
		out->items[out->count++] = arena_strdup(a, item->valuestring);
}

/* Reads a limit such as 7, "64K" or "250 ms". Returns false if the value is too large. */
static bool
read_limit(const cJSON *value, enum budget_figure figure, struct budget_limit *out)
{
	static const struct {
		const char *suffix, *unit;
	} times[] = { { "ns", "nanoseconds" }, { "us", "microseconds" }, { "ms", "milliseconds" },
		{ "s", "seconds" } };
	const char *s = value->valuestring;
	char number[DOUBLE_TEXT_MAX];
	struct decimal d;
	int64_t bytes;
	size_t digits;

	out->set = true;
	if (s && figure == BUDGET_SIZE) {
		if (!option_parse_bytes(s, &bytes))
			return false;
		out->value = fixed_from_wide(bytes);
		return true;
	}
	if (!s) {
		double_format(value->valuedouble, number);
		s = number;
	}
	digits = strspn(s, "0123456789.eE+-");
	for (size_t i = 0; value->valuestring && i < sizeof(times) / sizeof(times[0]); i++)
		if (strcmp(s + digits + strspn(s + digits, " "), times[i].suffix) == 0)
			out->unit = times[i].unit;
	if (decimal_parse((struct text){ s, digits }, &d) != DECIMAL_OK)
		return false;
	out->value = decimal_to_fixed(d);
	return true;
}

/* Returns the index of the value in `words`, the values that the schema allows. */
static int
read_word(const cJSON *value, const char *const *words)
{
	int i = 0;

	while (words[i] && strcmp(words[i], value->valuestring) != 0)
		i++;
	return i;
}

static bool
read_member(struct arena *a, const cJSON *value, struct budget *b, struct error *err)
{
	static const char *const of[] = { "leaks", "errors", "metric", "duration", NULL };
	static const char *const each[] = { "stack", "class", "routine", "module", "own", NULL };
	const struct {
		const char *key, **text;
		struct option_list *globs;
	} members[] = { { "name", &b->name, NULL }, { "metric", &b->metric, NULL },
		{ "statistic", &b->statistic, NULL }, { "class", NULL, &b->classes },
		{ "module", NULL, &b->modules }, { "routine", NULL, &b->routines },
		{ "own", NULL, &b->own }, { "kind", NULL, &b->kinds },
		{ "span", NULL, &b->spans } };
	const char *key = value->string;

	if (strcmp(key, "of") == 0)
		b->of = (enum budget_of)read_word(value, of);
	else if (strcmp(key, "each") == 0)
		b->each = read_word(value, each);
	else if (strcmp(key, "optional") == 0)
		b->optional = cJSON_IsTrue(value);
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		if (strcmp(key, members[i].key) != 0)
			continue;
		if (members[i].globs)
			read_globs(a, value, members[i].globs);
		else
			*members[i].text = arena_strdup(a, value->valuestring);
	}
	for (enum budget_limit_code i = 0; i < BUDGET_LIMITS; i++)
		if (strcmp(key, budget_limits[i].key) == 0 &&
			!read_limit(value, budget_limits[i].figure, &b->limits[i]))
			return error_set(err, ERROR_INPUT, "%s is too large", key);
	return true;
}

static bool
read_budget(struct arena *a, const cJSON *value, struct budget_list *list, struct error *err)
{
	struct budget *b = &list->budgets[list->count++];

	*b = (struct budget){ .each = BUDGET_TOTAL };
	for (const cJSON *i = value->child; i; i = i->next)
		if (!read_member(a, i, b, err))
			return error_prefix(err, "budgets: item %zu", list->count);
	if (!b->name)
		b->name = arena_printf(a, "budget %zu", list->count);
	for (size_t i = 0; i + 1 < list->count; i++)
		if (strcmp(list->budgets[i].name, b->name) == 0)
			return error_set(
				err, ERROR_INPUT, "two budgets have the name \"%.100s\"", b->name);
	return true;
}

static bool
read_list(struct arena *a, const cJSON *file, struct budget_list *list, struct error *err)
{
	const cJSON *budgets = cJSON_GetObjectItemCaseSensitive(file, "budgets");
	const cJSON *own = cJSON_GetObjectItemCaseSensitive(file, "own");
	const cJSON *match = cJSON_GetObjectItemCaseSensitive(file, "match");

	if (own)
		read_globs(a, own, &list->own);
	list->match = match && strcmp(match->valuestring, "lines") == 0 ? MATCH_LINES : MATCH_NAMES;
	list->budgets =
		arena_alloc_array(a, (size_t)cJSON_GetArraySize(budgets), sizeof(*list->budgets));
	for (const cJSON *i = budgets->child; i; i = i->next)
		if (!read_budget(a, i, list, err))
			return false;
	return true;
}

/* Rejects input that cJSON would accept: invalid JSON, repeated keys, deep nesting, and U+0000,
 * which would end cJSON's strings. */
static bool
check_syntax(const char *source, struct text json, struct error *err)
{
	const struct json_options options = { .source = source,
		.max_depth = MAX_DEPTH,
		.max_string_bytes = MAX_STRING_BYTES,
		.duplicate_keys = true };
	struct json_reader *reader = json_reader_new_memory(json.data, json.size, 0, &options);
	bool end = false;
	bool ok = json_skip(reader, err) && json_at_end(reader, &end, err);

	json_reader_free(reader);
	if (ok && text_find(json, "\\u0000") != TEXT_NOT_FOUND)
		return error_set(err, ERROR_INPUT, "%.200s: a string contains \\u0000", source);
	return ok && (end || error_set(err, ERROR_INPUT, "%.200s: extra text after the JSON value",
				     source));
}

const struct budget_list *
budget_file_parse(struct arena *a, const char *source, struct text json, struct error *err)
{
	struct budget_list *list = arena_alloc(a, sizeof(*list));
	cJSON *schema, *file;
	bool ok = false;

	if (!check_syntax(source, json, err)) {
		error_hint(err, "profdepot-check(1) describes budget files");
		return NULL;
	}
	schema = cJSON_Parse(budget_schema_json_text);
	file = cJSON_ParseWithLength(json.data, json.size);
	if (!file)
		error_set(err, ERROR_INPUT,
			"a string has half a surrogate pair, or a number is too long");
	else
		ok = json_schema_check(schema, file, err) && read_list(a, file, list, err);
	cJSON_Delete(schema);
	cJSON_Delete(file);
	if (!ok)
		error_prefix(err, "%.200s", source);
	return ok ? list : NULL;
}

const struct budget_list *
budget_file_read(struct arena *a, const char *path, struct error *err)
{
	const struct budget_list *list = NULL;
	struct strbuf b;

	strbuf_init(&b, BUDGET_FILE_MAX_BYTES);
	if (strbuf_read_file(&b, path, err)) {
		list = budget_file_parse(a, path, strbuf_text(&b), err);
	} else {
		error_prefix(err, "budget file");
		error_hint(err, "profdepot-check(1) describes budget files");
	}
	strbuf_release(&b);
	return list;
}
