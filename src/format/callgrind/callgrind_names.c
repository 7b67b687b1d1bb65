/* Names, compressed or not, and the routines that they make. */
#include "callgrind_private.h"

#include "format/common/demangle.h"

#include <stdlib.h>

struct text
callgrind_text_of(const struct callgrind *c, callgrind_text t)
{
	return t ? c->texts[t] : TEXT_NULL;
}

/* callgrind's words for what has no name, and those of valgrind's heap trees */
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
	struct hash128 key;
	uint32_t number;
	bool added;

	if (!t.size || is_unknown(t))
		return 0;
	key = hash128_seeded(t.data, t.size, c->seed);
	if (!c->text_count)
		c->text_count = 1; /* 0 is none */
	number = pair_map_add(&c->text_by_hash, (int64_t)key.low, (int64_t)key.high,
		(uint32_t)c->text_count, &added);
	if (!added)
		return number;
	if (c->text_count >= c->text_room) {
		c->text_room = c->text_room ? c->text_room * 2 : 256;
		c->texts = xrealloc(c->texts, c->text_room * sizeof(*c->texts));
	}
	c->texts[c->text_count++] = arena_text(&c->arena, t);
	return number;
}

/* "(12) name": the id, and what follows it. */
static bool
split_id(struct text t, uint64_t *id, struct text *name)
{
	size_t at = 1;
	struct text digits;

	while (at < t.size && t.data[at] >= '0' && t.data[at] <= '9')
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
		return text_file_refuse(c->file, "a name's number is out of range");
	known = pair_map_get(&c->text_by_id, (int64_t)id, space);
	if (!name.size) {
		*out = known == PAIR_MAP_NONE ? callgrind_intern(c, t) : known;
		return known != PAIR_MAP_NONE ||
		       text_file_bend(c->file, ISSUE_MISSING_VALUE,
			       "name (%llu) is used, but was not told before",
			       (unsigned long long)id);
	}
	*out = callgrind_intern(c, name);
	pair_map_add(&c->text_by_id, (int64_t)id, space, *out, NULL);
	if (known == PAIR_MAP_NONE || known == *out)
		return true;
	/* The map keeps what it has: a name of both sides, the first for good. */
	return text_file_bend(c->file, ISSUE_DUPLICATE_ID,
		"name (%llu) was \"%.*s\" before and is now \"%.*s\": the first stays where only "
		"its number stands",
		(unsigned long long)id, text_precision(callgrind_text_of(c, known), 100),
		known ? callgrind_text_of(c, known).data : "", text_precision(name, 100),
		name.data);
}

static bool
tell_routine(struct callgrind *c, const struct callgrind_routine *r, int64_t id)
{
	struct routine_row row = text_routine(id);
	struct text name = callgrind_text_of(c, r->name);

	row.module_name = callgrind_text_of(c, r->object);
	row.source_file = callgrind_text_of(c, r->file);
	row.routine_name = name.data ? name : TEXT_LITERAL("???");
	if (name.data && demangle(name, &c->plain, &row.routine_name))
		row.symbol_moniker = name;
	return c->file->sink->routine(c->file->sink, c->file->set, &row, c->file->err);
}

bool
callgrind_routine(struct callgrind *c, callgrind_text object, callgrind_text file,
	callgrind_text name, uint32_t *out)
{
	const uint32_t words[] = { object, file, name, 0 };
	struct hash128 key = hash128_seeded(words, sizeof(words), c->seed);
	bool added;

	*out = pair_map_add(&c->routine_by_names, (int64_t)key.low, (int64_t)key.high,
		(uint32_t)c->routine_count, &added);
	if (!added)
		return true;
	if (c->routine_count == c->routine_room) {
		c->routine_room = c->routine_room ? c->routine_room * 2 : 256;
		c->routines = xrealloc(c->routines, c->routine_room * sizeof(*c->routines));
	}
	c->routines[c->routine_count] =
		(struct callgrind_routine){ .object = object, .file = file, .name = name };
	return tell_routine(c, &c->routines[c->routine_count++], *out);
}
