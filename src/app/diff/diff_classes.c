/* Numbers the classes of two result sets, and compares objects by class or module. */
#include "diff_classes.h"

#include "base/array.h"
#include "base/strbuf.h"

#include <stdlib.h>

enum {
	NAME_MAX_BYTES = 4 * 1024 * 1024
};

struct reading {
	struct diff_classes *classes;
	struct arena *arena;
	enum facts_side side;
	struct strbuf key;
	bool known;
};

static void
set_key(struct strbuf *key, struct text module, struct text class_name)
{
	strbuf_reset(key);
	strbuf_append_text(key, text_file_name(module));
	strbuf_append_char(key, '\x1f');
	strbuf_append_text(key, class_name);
}

static uint32_t
number_of(struct reading *r, struct text class_name, struct text module)
{
	struct diff_classes *c = r->classes;
	struct diff_class *item;
	uint32_t number;
	bool added;

	set_key(&r->key, module, class_name);
	number = pair_map_add_bytes(
		&c->by_name, r->key.data, r->key.size, (uint32_t)c->count, &added);
	if (added)
		*ARRAY_ADD(c->items, c->count, c->room) =
			(struct diff_class){ arena_text(r->arena, class_name),
				{ TEXT_NULL, TEXT_NULL } };
	item = &c->items[number];
	if (text_is_null(item->modules[r->side]))
		item->modules[r->side] = arena_text(r->arena, module);
	else if (text_compare(item->modules[r->side], module) != 0)
		r->known = false;
	return number;
}

static void
take_class(void *self, int64_t class_id, struct text class_name, struct text module)
{
	struct reading *r = self;

	pair_map_add(&r->classes->by_id, (int64_t)r->side, class_id,
		number_of(r, class_name, module), NULL);
}

/* Returns whether no class without a module has the name of a class with a module. Such classes are equal if they have a
 * stack in common. */
static bool
has_no_twins(struct reading *r)
{
	const struct diff_classes *c = r->classes;

	for (size_t i = 1; i < c->count; i++) {
		struct text name = c->items[i].class_name;
		uint32_t bare;

		if (text_is_empty(name))
			continue;
		set_key(&r->key, TEXT_LITERAL(""), name);
		bare = pair_map_get_bytes(&c->by_name, r->key.data, r->key.size);
		if (bare != PAIR_MAP_NONE && bare != i)
			return false;
	}
	return true;
}

/* Sets *known to false if suppressions hide objects. */
static bool
find_hidden(struct db *db, struct arena *a, const struct diff_request *d, bool *known,
	struct error *err)
{
	const int64_t ids[] = { d->plan->inst_id, d->plan->base_id };
	struct suppressed s;

	for (int side = 0; d->request->suppressions && *known && side < FACTS_SIDES; side++) {
		if (!suppressions_apply(d->request->suppressions, db, a, ids[side], &s, err))
			return false;
		*known = !s.object_count;
	}
	return true;
}

bool
diff_classes_read(struct db *db, struct arena *a, const struct diff_request *d,
	struct diff_classes *c, bool *known, struct error *err)
{
	const int64_t ids[] = { d->plan->inst_id, d->plan->base_id };
	struct reading r = { .classes = c, .arena = a, .known = true };
	bool ok = true;

	*known = true;
	if (!find_hidden(db, a, d, known, err))
		return false;
	if (!*known)
		return true;
	strbuf_init(&r.key, NAME_MAX_BYTES);
	for (int side = 0; ok && side < FACTS_SIDES; side++) {
		r.side = (enum facts_side)side;
		number_of(&r, TEXT_LITERAL(""), TEXT_LITERAL(""));
		ok = stack_classes_each(db, ids[side], take_class, &r, err);
	}
	*known = r.known && has_no_twins(&r) && !r.key.failed;
	strbuf_release(&r.key);
	return ok;
}

void
diff_classes_release(struct diff_classes *c)
{
	free(c->items);
	pair_map_release(&c->by_id);
	pair_map_release(&c->by_name);
}

uint32_t
diff_classes_find(const struct diff_classes *c, enum facts_side side, const struct stack_sum *sum)
{
	uint32_t number = pair_map_get(&c->by_id, (int64_t)side, sum->class_id);

	return number == PAIR_MAP_NONE ? 0 : number;
}

uint8_t
diff_parts_of(const struct stack_sum *sum)
{
	return (uint8_t)((sum->known ? FACTS_KNOWN : 0) | (sum->unknown ? FACTS_UNKNOWN : 0));
}

/* --- comparisons by class or module ---------------------------------------------------------- */

struct adding {
	struct facts *facts;
	const struct diff_classes *classes;
	enum facts_side side;
};

static void
add_class(void *self, const struct stack_sum *sum)
{
	const struct adding *a = self;
	const struct diff_class *c =
		&a->classes->items[diff_classes_find(a->classes, a->side, sum)];

	facts_add(a->facts, a->side,
		&(struct fact){ .class_name = c->class_name,
			.module_name = c->modules[a->side],
			.parts = diff_parts_of(sum),
			.count = sum->count,
			.value = sum->value });
}

/* A row of a comparison by module shows the folder of its first class. Without the stacks, it is unknown which class comes
 * first. */
static bool
has_folders(const struct diff_classes *c)
{
	for (size_t i = 0; i < c->count; i++)
		for (int side = 0; side < FACTS_SIDES; side++)
			if (text_file_name(c->items[i].modules[side]).size !=
				c->items[i].modules[side].size)
				return true;
	return false;
}

bool
diff_class_facts(struct db *db, struct arena *a, const struct diff_request *d, struct facts *facts,
	bool *known, struct error *err)
{
	const struct diff_plan *p = d->plan;
	const int64_t ids[] = { p->inst_id, p->base_id };
	struct diff_classes classes = { NULL };
	struct adding adding = { .facts = facts, .classes = &classes };
	bool ok;

	*known = (p->by == COMPARE_BY_CLASS || p->by == COMPARE_BY_MODULE) &&
		 diff_takes_objects(p, d->request) && !d->request->lists[REPORT_ROUTINE].count;
	if (!*known)
		return true;
	ok = diff_classes_read(db, a, d, &classes, known, err);
	*known = *known && !(p->by == COMPARE_BY_MODULE && has_folders(&classes));
	for (int side = 0; ok && *known && side < FACTS_SIDES; side++) {
		adding.side = (enum facts_side)side;
		ok = stack_class_sums_each(db, ids[side], add_class, &adding, err);
	}
	diff_classes_release(&classes);
	return ok;
}
