/* Numbers the classes of two result sets. */
#include "diff_classes.h"

#include "base/array.h"
#include "base/strbuf.h"
#include "store/stack_sums.h"

#include <stdlib.h>

enum {
	NAME_MAX_BYTES = 4 * 1024 * 1024
};

struct reading {
	struct diff_classes *classes;
	struct arena *arena;
	enum facts_side side;
	struct strbuf key;
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
		c->ambiguous = true;
	return number;
}

static void
take_class(void *self, int64_t class_id, struct text class_name, struct text module)
{
	struct reading *r = self;

	pair_map_add(&r->classes->by_id, (int64_t)r->side, class_id,
		number_of(r, class_name, module), NULL);
}

bool
diff_classes_read(struct db *db, struct arena *a, enum facts_side side, int64_t inst_id,
	struct diff_classes *c, struct error *err)
{
	struct reading r = { .classes = c, .arena = a, .side = side };
	bool ok;

	strbuf_init(&r.key, NAME_MAX_BYTES);
	number_of(&r, TEXT_LITERAL(""), TEXT_LITERAL(""));
	ok = stack_classes_each(db, inst_id, take_class, &r, err);
	c->ambiguous |= r.key.failed;
	strbuf_release(&r.key);
	return ok;
}

/* With a stack in common, a class without a module equals a class of the same name with a module. */
void
diff_classes_check(struct diff_classes *c)
{
	struct strbuf key;

	strbuf_init(&key, NAME_MAX_BYTES);
	for (size_t i = 1; i < c->count && !c->ambiguous; i++) {
		struct text name = c->items[i].class_name;
		uint32_t bare;

		if (text_is_empty(name))
			continue;
		set_key(&key, TEXT_LITERAL(""), name);
		bare = pair_map_get_bytes(&c->by_name, key.data, key.size);
		c->ambiguous = bare != PAIR_MAP_NONE && bare != i;
	}
	strbuf_release(&key);
}

void
diff_classes_release(struct diff_classes *c)
{
	free(c->items);
	pair_map_release(&c->by_id);
	pair_map_release(&c->by_name);
}

uint32_t
diff_classes_find(const struct diff_classes *c, enum facts_side side, int64_t class_id)
{
	uint32_t number = pair_map_get(&c->by_id, (int64_t)side, class_id);

	return number == PAIR_MAP_NONE ? 0 : number;
}
