/* Values of profdepot's own tables: decimal numbers, arrays and JSON. */
#include "aqtime_own_private.h"

#include "base/array.h"
#include "input/json/json_reader.h"

bool
aqtime_decimal(struct text t, struct decimal *out)
{
	*out = (struct decimal){ 0 };
	return text_is_null(t) || decimal_parse(t, out) == DECIMAL_OK;
}

/* Parses the next element of an array such as "{1,NULL,3}". *rest begins after the opening
 * brace. */
static bool
next_element(struct text *rest, struct text *element)
{
	size_t size = 0;

	while (size < rest->size && rest->data[size] != ',' && rest->data[size] != '}')
		size++;
	if (size == rest->size)
		return false;
	*element = (struct text){ rest->data, size };
	*rest = text_from_at(*rest, size + 1);
	if (text_equal(*element, TEXT_LITERAL("NULL")))
		*element = TEXT_NULL;
	return true;
}

static bool
begin_array(struct text t, struct text *rest)
{
	*rest = text_from_at(t, 1);
	return t.size >= 2 && t.data[0] == '{' && t.data[t.size - 1] == '}';
}

bool
aqtime_decimals(struct aqtime_own *own, struct text t, const struct decimal **items, size_t *count)
{
	struct text rest, element;

	*items = NULL;
	*count = 0;
	if (text_is_null(t))
		return true;
	if (!begin_array(t, &rest))
		return false;
	while (rest.size && t.size > 2) {
		ARRAY_RESERVE(own->decimals, own->decimal_room, *count + 1);
		if (!next_element(&rest, &element) ||
			!aqtime_decimal(element, &own->decimals[(*count)++]))
			return false;
	}
	*items = own->decimals;
	return true;
}

bool
aqtime_integers(struct aqtime_own *own, struct text t, size_t at, size_t *count)
{
	struct text rest, element;

	*count = 0;
	if (!begin_array(t, &rest))
		return false;
	while (rest.size && *count < STACK_MAX_FRAMES) {
		struct number n;
		int64_t *v;

		ARRAY_RESERVE(own->elements, own->element_room, at + *count + 1);
		v = &own->elements[at + (*count)++];
		*v = MODEL_NULL;
		if (!next_element(&rest, &element))
			return false;
		if (!text_is_null(element) &&
			(number_parse(element, &n) != NUMBER_OK || !number_to_int64(n, v)))
			return false;
	}
	return rest.size == 0;
}

bool
aqtime_json_is_valid(struct text t)
{
	const struct json_options options = { .source = "attributes" };
	struct json_reader *json;
	struct error err = ERROR_INIT;
	bool end = false;
	bool ok;

	if (text_is_null(t))
		return true;
	json = json_reader_new_memory(t.data, t.size, 0, &options);
	ok = json_skip(json, &err) && json_at_end(json, &end, &err) && end;
	json_reader_free(json);
	return ok;
}
