/* The JSON pull reader: documents, containers, keys and strings (RFC 8259). */
#include "base/array.h"
#include "json_members_private.h"

#include <assert.h>

bool
json_peek(struct json_reader *r, enum json_type *type, struct error *err)
{
	if (!json_to_value(r, err))
		return false;
	assert(r->state == JSON_AT_VALUE);
	switch (*r->p) {
	case '{':
		*type = JSON_OBJECT;
		return true;
	case '[':
		*type = JSON_ARRAY;
		return true;
	case '"':
		*type = JSON_STRING;
		return true;
	case 't':
		*type = JSON_TRUE;
		return true;
	case 'f':
		*type = JSON_FALSE;
		return true;
	case 'n':
		*type = JSON_NULL;
		return true;
	case '\0':
		*type = JSON_END;
		if (r->depth == 0 && r->p == r->end)
			return true;
		break;
	default:
		*type = JSON_NUMBER;
		if (*r->p == '-' || char_is_digit(*r->p))
			return true;
		break;
	}
	return json_fail_wanted(r, err, "a value");
}

static void
push(struct json_reader *r, bool object)
{
	size_t word = r->depth / 64;

	if (r->depth % 64 == 0 && r->depth) {
		ARRAY_RESERVE(r->outer_kinds, r->outer_words, word);
		r->outer_kinds[word - 1] = r->kinds;
	}
	r->kinds = r->kinds << 1 | object;
	r->depth++;
	r->state = JSON_AT_FIRST;
}

void
json_leave(struct json_reader *r)
{
	if (r->keys && json_in_object(r))
		json_keys_leave(r->keys);
	r->depth--;
	r->kinds >>= 1;
	if (r->depth % 64 == 0 && r->depth)
		r->kinds = r->outer_kinds[r->depth / 64 - 1];
	json_value_done(r);
}

JSON_SLOW static bool
enter_slow(struct json_reader *r, struct error *err)
{
	if (!json_to_value(r, err))
		return false;
	assert(r->state == JSON_AT_VALUE);
	if (*r->p != '{' && *r->p != '[')
		return json_fail_wanted(r, err, "an object or an array");
	if (r->depth >= r->max_depth)
		return json_fail_depth(r, err);
	push(r, *r->p == '{');
	r->p++;
	if (r->keys && json_in_object(r))
		json_keys_enter(r->keys);
	return true;
}

bool
json_enter(struct json_reader *r, struct error *err)
{
	return json_enter_in(r) || enter_slow(r, err);
}

/* Handles an input that ends within a container. Closes all open containers, and drops the remaining
 * bytes, which are a part of a key or value. */
static bool
cut(struct json_reader *r, const char *wanted, struct error *err)
{
	if (r->failed || !r->look_ahead)
		return json_fail_wanted(r, err, wanted);
	if (!r->cut)
		json_deviate(r, JSON_UNCLOSED, r->end);
	r->cut = true;
	if (r->record)
		json_raw_cut(r, r->end, json_in_object(r) ? "}" : "]");
	r->p = r->end;
	json_leave(r);
	return true;
}

/* Accepts or rejects a comma before the end of a container. */
static bool
trailing_comma(struct json_reader *r, struct error *err)
{
	if (!json_tolerates(r, JSON_TRAILING_COMMA))
		return json_fail_wanted(r, err, json_in_object(r) ? "a key" : "a value");
	if (r->o.deviation)
		r->o.deviation(r->o.self, JSON_TRAILING_COMMA, r->value_offset);
	if (r->record)
		json_raw_cut(r, r->p, "");
	return true;
}

enum step {
	STEP_FAILED,
	STEP_MEMBER, /* at the next member's first byte */
	STEP_LEFT,   /* the container was left */
};

/* Moves past the comma, or leaves the container. */
static enum step
next_member(struct json_reader *r, const char *wanted, struct error *err)
{
	bool comma = false;

	if (r->record)
		r->raw_good = json_raw_size(r);
	if (!json_pass_blanks(r, err))
		return STEP_FAILED;
	if (*r->p == ',' && r->state == JSON_AT_NEXT) {
		comma = true;
		r->value_offset = json_offset_in(r, r->p++);
		if (!json_pass_blanks(r, err))
			return STEP_FAILED;
	}
	if (*r->p == (json_in_object(r) ? '}' : ']')) {
		if (comma && !trailing_comma(r, err))
			return STEP_FAILED;
		r->p++;
		json_leave(r);
		return STEP_LEFT;
	}
	if (r->p == r->end)
		return cut(r, wanted, err) ? STEP_LEFT : STEP_FAILED;
	if (!comma && r->state == JSON_AT_NEXT) {
		json_fail_wanted(r, err, wanted);
		return STEP_FAILED;
	}
	r->state = JSON_AT_NEXT;
	return STEP_MEMBER;
}

/* Reads an item, but omits a scalar that is cut off by the end of the input. */
JSON_SLOW static bool
item_slow(struct json_reader *r, bool *more, struct error *err)
{
	enum step step;

	assert(r->failed || (!json_in_object(r) && r->state != JSON_AT_VALUE));
	step = next_member(r, r->state == JSON_AT_FIRST ? "a value or ']'" : "',' or ']'", err);
	if (step == STEP_MEMBER && r->look_ahead && !json_is_whole(r))
		step = cut(r, "a value", err) ? STEP_LEFT : STEP_FAILED;
	*more = step == STEP_MEMBER;
	if (*more)
		r->state = JSON_AT_VALUE;
	return step != STEP_FAILED;
}

bool
json_next_item(struct json_reader *r, bool *more, struct error *err)
{
	*more = true;
	if (r->p[0] == ',' && (unsigned char)r->p[1] > ']' && r->p + 1 < r->safe &&
		r->state == JSON_AT_NEXT) {
		r->p++;
		r->state = JSON_AT_VALUE;
		return true;
	}
	if (json_item_in(r))
		return true;
	if (!json_end_in(r, ']'))
		return item_slow(r, more, err);
	*more = false;
	return true;
}

/* Copies the key to r->scratch, because the next read may refill the buffer. */
static enum step
member_slow(struct json_reader *r, bool keep, struct text *key, struct error *err)
{
	static const char wanted_value[] = "a value";
	enum step step =
		next_member(r, r->state == JSON_AT_FIRST ? "a key or '}'" : "',' or '}'", err);

	if (step != STEP_MEMBER)
		return step;
	if (*r->p != '"') {
		json_fail_wanted(r, err, "a key");
		return STEP_FAILED;
	}
	if (r->look_ahead && !json_is_whole(r))
		return cut(r, "a key", err) ? STEP_LEFT : STEP_FAILED;
	r->value_offset = json_offset_in(r, r->p++);
	if (!json_string_slow(r, keep, err) || !json_pass_blanks(r, err))
		return STEP_FAILED;
	*key = keep ? strbuf_text(&r->scratch) : TEXT_NULL;
	if (r->p == r->end)
		return cut(r, "':'", err) ? STEP_LEFT : STEP_FAILED;
	if (*r->p != ':') {
		json_fail_wanted(r, err, "':'");
		return STEP_FAILED;
	}
	r->p++;
	if (r->look_ahead) {
		if (!json_pass_blanks(r, err))
			return STEP_FAILED;
		if (r->p == r->end || !json_is_whole(r))
			return cut(r, wanted_value, err) ? STEP_LEFT : STEP_FAILED;
	}
	r->state = JSON_AT_VALUE;
	return STEP_MEMBER;
}

static bool
add_key(struct json_reader *r, struct text key, struct error *err)
{
	enum json_keys_result result = json_keys_add(r->keys, key);

	if (result == JSON_KEYS_TWICE)
		return json_fail_at_offset(r, r->value_offset, err, "the key \"%.*s\" is repeated",
			text_precision(key, 100), key.data);
	if (result == JSON_KEYS_FULL)
		return json_fail_limit(
			r, err, "more than %zu bytes of keys in open objects", r->max_string);
	return true;
}

bool
json_member(struct json_reader *r, bool keep, struct text *key, bool *more, struct error *err)
{
	enum step step = STEP_MEMBER;

	if (!json_member_in(r, key))
		step = member_slow(r, keep, key, err);
	*more = step == STEP_MEMBER;
	if (r->keys && *more)
		return add_key(r, *key, err);
	return step != STEP_FAILED;
}

JSON_SLOW static bool
key_slow(struct json_reader *r, struct text *key, bool *more, struct error *err)
{
	assert(r->failed || (json_in_object(r) && r->state != JSON_AT_VALUE));
	if (!json_end_in(r, '}'))
		return json_member(r, true, key, more, err);
	*more = false;
	return true;
}

bool
json_next_key(struct json_reader *r, struct text *key, bool *more, struct error *err)
{
	*more = true;
	if (json_short_member_in(r, key))
		return true;
	if (*r->p != '}' || r->p >= r->swift || r->depth % 64 == 1)
		return key_slow(r, key, more, err);
	assert(json_in_object(r));
	r->p++;
	r->depth--;
	r->kinds >>= 1;
	r->state = JSON_AT_NEXT;
	*more = false;
	return true;
}

JSON_SLOW static bool
string_slow(struct json_reader *r, struct text *value, struct error *err)
{
	const char *end;

	if (!json_to_value(r, err))
		return false;
	assert(r->state == JSON_AT_VALUE);
	if (*r->p != '"')
		return json_fail_wanted(r, err, "a string");
	r->p++;
	end = json_text_in(r, r->p);
	if (*end == '"' && (size_t)(end - r->p) <= r->max_string) {
		*value = (struct text){ r->p, (size_t)(end - r->p) };
		r->p = end + 1;
	} else {
		if (!json_string_slow(r, true, err))
			return false;
		*value = strbuf_text(&r->scratch);
	}
	json_value_done(r);
	return true;
}

bool
json_read_string(struct json_reader *r, struct text *value, struct error *err)
{
	const char *p = r->p;
	size_t n = *p == '"' ? json_short_text_in(p) : 16;

	if (n == 16 || p + n + 1 >= r->swift)
		return string_slow(r, value, err);
	r->value_offset = json_offset_in(r, p);
	value->data = p + 1;
	value->size = n;
	r->p = p + n + 2;
	json_value_done(r);
	return true;
}

bool
json_literal(struct json_reader *r, struct error *err)
{
	static const char *const words[] = { "true", "false", "null" };

	json_need(r, 6);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t size = strlen(words[i]);

		if (strncmp(r->p, words[i], size) != 0 || json_is_word(r->p[size]))
			continue;
		r->p += size;
		return true;
	}
	return json_fail_wanted(r, err, "a value");
}

bool
json_read_literal(struct json_reader *r, struct error *err)
{
	if (!json_to_value(r, err))
		return false;
	assert(r->state == JSON_AT_VALUE);
	if (*r->p != 't' && *r->p != 'f' && *r->p != 'n')
		return json_fail_wanted(r, err, "true, false or null");
	if (!json_literal(r, err))
		return false;
	json_value_done(r);
	return true;
}

struct text
json_window(struct json_reader *r)
{
	if (r->state != JSON_AT_VALUE || !r->depth || r->record)
		return (struct text){ "", 0 };
	return (struct text){ r->p, (size_t)(r->end - r->p) };
}

void
json_take(struct json_reader *r, size_t n)
{
	assert(n > 0 && n <= (size_t)(r->end - r->p));
	r->value_offset = json_offset_in(r, r->p);
	r->p += n;
	r->state = JSON_AT_NEXT;
}

bool
json_at_end(struct json_reader *r, bool *end, struct error *err)
{
	static const char first_bytes[] = "{[\"tfn-0123456789";

	assert(r->failed || r->depth == 0);
	if (!json_pass_blanks(r, err))
		return false;
	*end = r->p == r->end;
	if (!*end && (*r->p == '\0' || !strchr(first_bytes, *r->p)))
		return json_fail_wanted(r, err,
			json_offset(r) == r->first_offset ? "a value" : "the end of the input");
	return true;
}

size_t
json_depth(const struct json_reader *r)
{
	return r->depth;
}

const char *
json_type_name(enum json_type type)
{
	static const char *const names[] = { [JSON_OBJECT] = "an object",
		[JSON_ARRAY] = "an array",
		[JSON_STRING] = "a string",
		[JSON_NUMBER] = "a number",
		[JSON_TRUE] = "true",
		[JSON_FALSE] = "false",
		[JSON_NULL] = "null",
		[JSON_END] = "the end of the input" };

	return names[type];
}
