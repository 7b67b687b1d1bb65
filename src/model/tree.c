/* Call trees with names: creation, sums and labels. */
#include "model/tree.h"

#include "base/hash.h"
#include "base/pair_map.h"
#include "base/strbuf.h"

#include <assert.h>

struct tree *
tree_new(struct arena *a, size_t capacity)
{
	struct tree *t = arena_alloc(a, sizeof(*t));

	assert(capacity >= 1);
	t->nodes = arena_alloc_array(a, capacity, sizeof(*t->nodes));
	t->count = 1;
	t->all_nodes = 1;
	return t;
}

struct tree *
tree_new_like(struct arena *a, const struct tree *like, size_t capacity)
{
	struct tree *t = arena_alloc(a, sizeof(*t));

	assert(capacity >= 1);
	*t = *like;
	t->nodes = arena_alloc_array(a, capacity, sizeof(*t->nodes));
	t->count = 1;
	return t;
}

static wide_int
magnitude(wide_int v)
{
	return v < 0 ? -v : v;
}

static wide_int
own_weight(const struct tree_node *n)
{
	wide_int self = magnitude(n->self);
	wide_int base = magnitude(n->base_self);

	return self > base ? self : base;
}

void
tree_weigh(struct tree *t)
{
	for (size_t i = 0; i < t->count; i++)
		t->nodes[i].weight = own_weight(&t->nodes[i]);
	for (size_t i = t->count; i-- > 1;)
		t->nodes[t->nodes[i].parent].weight += t->nodes[i].weight;
}

void
tree_sum(struct tree *t)
{
	for (size_t i = 0; i < t->count; i++) {
		t->nodes[i].total = t->nodes[i].self;
		t->nodes[i].base_total = t->nodes[i].base_self;
	}
	for (size_t i = t->count; i-- > 1;) {
		struct tree_node *parent = &t->nodes[t->nodes[i].parent];

		parent->total += t->nodes[i].total;
		parent->base_total += t->nodes[i].base_total;
	}
	tree_weigh(t);
}

void
tree_label(const struct table_frame *f, struct strbuf *b)
{
	if (!text_is_empty(f->routine_name)) {
		if (!text_is_empty(f->class_name)) {
			strbuf_append_text(b, f->class_name);
			strbuf_append_char(b, '.');
		}
		strbuf_append_text(b, f->routine_name);
	} else if (!text_is_empty(f->module_name)) {
		strbuf_append_char(b, '[');
		strbuf_append_text(b, f->module_name);
		strbuf_append_char(b, ']');
	} else {
		strbuf_append_str(b, "(unknown)");
	}
}

void
tree_node_label(const struct tree *t, size_t node, struct strbuf *b)
{
	if (node == 0)
		strbuf_append_str(b, "all");
	else
		tree_label(&t->names[t->nodes[node].name], b);
}

static struct hash128
name_hash(const struct table_frame *f, struct strbuf *key)
{
	strbuf_reset(key);
	strbuf_append_text(key, f->module_name);
	strbuf_append_char(key, '\x1f');
	strbuf_append_text(key, f->class_name);
	strbuf_append_char(key, '\x1f');
	strbuf_append_text(key, f->routine_name);
	return hash128(strbuf_str(key), key->size);
}

uint32_t *
tree_same_names(struct arena *a, const struct tree *t)
{
	uint32_t *same = arena_alloc_array(a, t->name_count, sizeof(*same));
	struct pair_map map = { 0 };
	struct strbuf key;

	strbuf_init(&key, 16UL * 1024 * 1024);
	for (size_t i = 0; i < t->name_count; i++) {
		struct hash128 h = name_hash(&t->names[i], &key);

		same[i] = pair_map_add(&map, (int64_t)h.low, (int64_t)h.high, (uint32_t)i, NULL);
	}
	strbuf_release(&key);
	pair_map_release(&map);
	return same;
}

bool
tree_repeats_names(const struct tree *t, const uint32_t *same)
{
	for (size_t i = 0; i < t->name_count; i++)
		if (same[i] != i)
			return true;
	return false;
}
