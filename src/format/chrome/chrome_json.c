/* Converts JSON values as JavaScript does. Specification: ECMA-262, type conversion. */
#include "chrome_json.h"

#include "base/double.h"

#include <math.h>
#include <stdlib.h>

struct json_node *
chrome_json_parse(struct arena *a, struct text t, bool tolerant)
{
	const struct json_options options = {
		.source = "event",
		.tolerate = tolerant ? 1u << JSON_BAD_UTF8 | 1u << JSON_TRAILING_COMMA : 0,
	};
	struct json_reader *r = json_reader_new_memory(t.data, t.size, 0, &options);
	struct error err = ERROR_INIT;
	struct json_node *j = json_tree_read(r, a, CHROME_JSON_MAX_BYTES, &err);
	bool end = false;

	if (j && (!json_at_end(r, &end, &err) || !end))
		j = NULL;
	json_reader_free(r);
	return j;
}

bool
chrome_json_is_deep(const struct json_node *j)
{
	return json_tree_depth(j) > CHROME_JSON_MAX_DEPTH;
}

void
chrome_json_remove(struct json_node *j, const char *key)
{
	const struct text name = text_from(key);
	struct json_node **link;

	if (!j || j->type != JSON_OBJECT)
		return;
	j->last = NULL;
	for (link = &j->first; *link;) {
		if (text_equal((*link)->key, name)) {
			*link = (*link)->next;
			j->count--;
		} else {
			j->last = *link;
			link = &(*link)->next;
		}
	}
}

struct text
chrome_json_string(const struct json_node *j)
{
	return j && j->type == JSON_STRING ? j->text : TEXT_NULL;
}

bool
chrome_json_double(const struct json_node *j, double *v)
{
	struct decimal d;

	if (!j || j->type != JSON_NUMBER)
		return false;
	d = chrome_json_decimal(j);
	if (d.kind != DECIMAL_NULL)
		*v = decimal_to_double(d);
	else
		*v = double_parse(j->text);
	return true;
}

struct decimal
chrome_json_decimal(const struct json_node *j)
{
	struct decimal d = { 0 };

	if (!j || j->type != JSON_NUMBER || decimal_parse(j->text, &d) != DECIMAL_OK)
		d = (struct decimal){ 0 };
	return d;
}

bool
chrome_json_truthy(const struct json_node *j)
{
	double v;

	if (!j)
		return false;
	if (j->type == JSON_STRING)
		return j->text.size > 0;
	if (j->type == JSON_NUMBER)
		return chrome_json_double(j, &v) && chrome_compare(v, 0) != 0;
	return j->type == JSON_TRUE || json_tree_is_container(j);
}

struct text
chrome_json_js_text(struct arena *a, const struct json_node *j)
{
	char digits[DOUBLE_TEXT_MAX];
	double v;

	if (!j)
		return TEXT_LITERAL("undefined");
	switch (j->type) {
	case JSON_STRING:
		return j->text;
	case JSON_TRUE:
		return TEXT_LITERAL("true");
	case JSON_FALSE:
		return TEXT_LITERAL("false");
	case JSON_NULL:
		return TEXT_LITERAL("null");
	case JSON_NUMBER:
		if (!chrome_json_double(j, &v))
			return j->text;
		return arena_text(a, (struct text){ digits, double_format(v, digits) });
	case JSON_OBJECT:
	case JSON_ARRAY:
	case JSON_END:
		break;
	}
	return TEXT_LITERAL("[object Object]");
}
