/* Routines in callgrind profiles, and their names, which can be compressed. */
#include "callgrind_private.h"

struct text
callgrind_text_of(const struct callgrind *c, callgrind_text t)
{
	return t ? c->texts.items[t - 1] : TEXT_NULL;
}

/* Returns whether t is a word that callgrind or valgrind's heap trees use for an unknown name. */
static bool
is_unknown(struct text t)
{
	return text_equal(t, TEXT_LITERAL("???")) ||
	       text_equal(t, TEXT_LITERAL("UnknownFile???")) ||
	       text_equal(t, TEXT_LITERAL("UnknownFn???"));
}

callgrind_text
callgrind_intern(struct callgrind *c, struct text t)
{
	if (!t.size || is_unknown(t))
		return 0;
	return text_table_add(&c->texts, &c->arena, t) + 1;
}

/* Splits "(12) name" into the id and the name. */
static bool
split_id(struct text t, uint64_t *id, struct text *name)
{
	size_t at = 1;
	struct text digits;

	while (at < t.size && char_is_digit(t.data[at]))
		at++;
	digits = (struct text){ t.data + 1, at - 1 };
	if (!t.size || *t.data != '(' || at == 1 || at == t.size || t.data[at] != ')')
		return false;
	*name = text_trim((struct text){ t.data + at + 1, t.size - at - 1 });
	return callgrind_number(digits, id);
}

bool
callgrind_name(struct callgrind *c, enum callgrind_space space, struct text t, callgrind_text *out)
{
	struct text name;
	uint64_t id;
	uint32_t known;

	t = text_trim(t);
	if (!split_id(t, &id, &name)) {
		*out = callgrind_intern(c, t);
		return true;
	}
	if (id > INT64_MAX)
		return reader_refuse(c->in, "name number is out of range");
	known = pair_map_get(&c->text_by_id, (int64_t)id, space);
	if (!name.size) {
		*out = known == PAIR_MAP_NONE ? callgrind_intern(c, t) : known;
		return known != PAIR_MAP_NONE ||
		       reader_tolerate(c->in, ISSUE_MISSING_VALUE,
			       "name (%llu) is used before it is defined", (unsigned long long)id);
	}
	*out = callgrind_intern(c, name);
	pair_map_add(&c->text_by_id, (int64_t)id, space, *out, NULL);
	if (known == PAIR_MAP_NONE || known == *out)
		return true;
	/* The map keeps the first name for the id. */
	return reader_tolerate(c->in, ISSUE_DUPLICATE_ID,
		"name (%llu) was \"%.*s\" and is now \"%.*s\": the first name is used",
		(unsigned long long)id, text_precision(callgrind_text_of(c, known), 100),
		known ? callgrind_text_of(c, known).data : "", text_precision(name, 100),
		name.data);
}

bool
callgrind_routine(struct callgrind *c, callgrind_text object, callgrind_text file,
	callgrind_text name, uint32_t *out)
{
	const int64_t place = (int64_t)((uint64_t)object << 32 | file);
	struct frame_numbers numbers;
	struct frame frame;

	/* Nearly all routines are known, and a look-up by number is faster than one by name. */
	*out = pair_map_get(&c->routine_by_names, place, name);
	if (*out != PAIR_MAP_NONE)
		return true;
	frame = (struct frame){ .module = callgrind_text_of(c, object),
		.function = name ? callgrind_text_of(c, name) : TEXT_LITERAL("???"),
		.file = callgrind_text_of(c, file) };
	/* If a function has no symbol, callgrind writes an address within the object in place of the
	 * name. */
	frame_take_address(&frame);
	if (!frame_intern(c->dictionary, &frame, &numbers, c->in->err))
		return false;
	*out = (uint32_t)numbers.routine;
	pair_map_add(&c->routine_by_names, place, name, *out, NULL);
	if (*out == c->routine_count)
		*ARRAY_ADD(c->routines, c->routine_count, c->routine_room) =
			(struct callgrind_routine){ .object = object, .file = file, .name = name };
	return true;
}
