/* Merges event stacks into a tree, and writes it as kernelscope's flame graph JSON. */
#include "events/event_tree.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "base/pair_map.h"
#include "base/strbuf.h"

#include <stdlib.h>

#define NONE UINT32_MAX

enum {
	FEW_CHILDREN = 8, /* if a node has more children, a hash table finds them */
	WRITE_BYTES = 64 * 1024,
};

struct node {
	uint32_t parent, name;
	uint32_t first, last, next; /* lists of children, in arrival order */
	uint32_t children;
	wide_int value; /* includes the values of all descendants */
};

struct event_tree {
	struct arena arena; /* contains the escaped names */
	struct node *nodes;
	size_t count, room;
	struct text *names;
	size_t name_count, name_room;
	struct pair_map by_text;    /* maps a name's hash to the name */
	struct pair_map by_routine; /* maps a result set and routine to the name */
	/* Maps (parent, name) to the child. Used only for nodes with many children. */
	struct pair_map children;
};

static uint32_t
add_node(struct event_tree *t, uint32_t parent, uint32_t name)
{
	uint32_t id = (uint32_t)t->count;

	*ARRAY_ADD(t->nodes, t->count, t->room) = (struct node){
		.parent = parent, .name = name, .first = NONE, .last = NONE, .next = NONE
	};
	return id;
}

struct event_tree *
event_tree_new(void)
{
	struct event_tree *t = xcalloc(1, sizeof(*t));

	add_node(t, 0, NONE);
	return t;
}

void
event_tree_free(struct event_tree *t)
{
	if (!t)
		return;
	pair_map_release(&t->by_text);
	pair_map_release(&t->by_routine);
	pair_map_release(&t->children);
	arena_release(&t->arena);
	free(t->nodes);
	free(t->names);
	free(t);
}

size_t
event_tree_size(const struct event_tree *t)
{
	return t->count - 1;
}

/* --- building --------------------------------------------------------------------------------- */

static uint32_t
find_name(struct event_tree *t, struct text name)
{
	struct hash128 h = hash128(name.data ? name.data : "", name.size);
	bool added;
	uint32_t id = pair_map_add(
		&t->by_text, (int64_t)h.low, (int64_t)h.high, (uint32_t)t->name_count, &added);

	if (!added)
		return id;
	*ARRAY_ADD(t->names, t->name_count, t->name_room) =
		arena_text(&t->arena, name.data ? name : TEXT_LITERAL(""));
	return id;
}

void
event_tree_name(struct event_tree *t, int64_t inst_id, int64_t routine, struct text name)
{
	pair_map_add(&t->by_routine, inst_id, routine, find_name(t, name), NULL);
}

static void
append_child(struct event_tree *t, uint32_t parent, uint32_t id)
{
	struct node *p = &t->nodes[parent];

	if (p->last == NONE)
		p->first = id;
	else
		t->nodes[p->last].next = id;
	p->last = id;
	p->children++;
}

static void
hash_children(struct event_tree *t, uint32_t parent)
{
	for (uint32_t c = t->nodes[parent].first; c != NONE; c = t->nodes[c].next)
		pair_map_add(&t->children, parent, t->nodes[c].name, c, NULL);
}

static uint32_t
find_child(struct event_tree *t, uint32_t parent, uint32_t name)
{
	uint32_t id;

	if (t->nodes[parent].children <= FEW_CHILDREN) {
		for (id = t->nodes[parent].first; id != NONE; id = t->nodes[id].next)
			if (t->nodes[id].name == name)
				return id;
	} else {
		bool added;

		id = pair_map_add(&t->children, parent, name, (uint32_t)t->count, &added);
		if (!added)
			return id;
	}
	id = add_node(t, parent, name);
	append_child(t, parent, id);
	if (t->nodes[parent].children == FEW_CHILDREN + 1)
		hash_children(t, parent);
	return id;
}

bool
event_tree_add(struct event_tree *t, int64_t inst_id, const int64_t *routines, size_t count,
	wide_int weight, struct error *err)
{
	uint32_t node = 0;

	t->nodes[0].value += weight;
	while (count > 0) {
		uint32_t name = pair_map_get(&t->by_routine, inst_id, routines[--count]);

		if (t->count >= TREE_MAX_NODES)
			return error_set(err, ERROR_LIMIT, "the tree has more than %d nodes",
				(int)TREE_MAX_NODES);
		if (name == PAIR_MAP_NONE)
			name = find_name(t, TEXT_NULL);
		node = find_child(t, node, name);
		t->nodes[node].value += weight;
	}
	return true;
}

bool
event_tree_parse_sum(struct text t, wide_int *out)
{
	bool negative = t.size > 0 && t.data[0] == '-';
	size_t i = negative;
	wide_int v = 0;

	if (t.size == i || t.size - i > 38)
		return false;
	for (; i < t.size; i++) {
		if (!char_is_digit(t.data[i]))
			return false;
		v = v * 10 + (t.data[i] - '0');
	}
	*out = negative ? -v : v;
	return true;
}

/* --- writing ---------------------------------------------------------------------------------- */

/* Returns the next node in preorder, or `NONE` at the end. Stores in *up how many levels the
 * walk climbs before it finds that node. */
static uint32_t
next_node(const struct event_tree *t, uint32_t node, size_t *up)
{
	*up = 0;
	if (t->nodes[node].first != NONE)
		return t->nodes[node].first;
	while (node != 0 && t->nodes[node].next == NONE) {
		node = t->nodes[node].parent;
		++*up;
	}
	return node == 0 ? NONE : t->nodes[node].next;
}

/* The names as JSON strings; each is quoted only once, because most names occur at many nodes. */
struct quoted {
	char *text;
	size_t size;
	size_t *ends;
};

static bool
quote_names(const struct event_tree *t, struct quoted *q)
{
	FILE *f = open_memstream(&q->text, &q->size);
	struct json_writer w;

	q->ends = xcalloc(t->name_count + 1, sizeof(*q->ends));
	if (!f)
		return false;
	for (size_t i = 0; i < t->name_count; i++) {
		json_writer_init(&w, f, false);
		json_depot_text(&w, t->names[i]);
		q->ends[i] = (size_t)ftello(f);
	}
	return fclose(f) == 0;
}

static struct text
quoted_name(const struct quoted *q, uint32_t name)
{
	size_t begin = name > 0 ? q->ends[name - 1] : 0;

	return (struct text){ q->text + begin, q->ends[name] - begin };
}

static void
put_sum(struct strbuf *b, wide_int v)
{
	char digits[48];
	char *p = digits + sizeof(digits);
	wide_bits n = v < 0 ? (wide_bits)0 - (wide_bits)v : (wide_bits)v;

	if (v >= INT64_MIN && v <= INT64_MAX) {
		strbuf_append(b, digits, number_format_int64((int64_t)v, digits));
		return;
	}
	do
		*--p = (char)('0' + (int)(n % 10));
	while ((n /= 10) > 0);
	if (v < 0)
		*--p = '-';
	strbuf_append(b, p, (size_t)(digits + sizeof(digits) - p));
}

static void
flush(struct strbuf *b, FILE *out, size_t above)
{
	if (b->size <= above)
		return;
	fwrite(b->data, 1, b->size, out);
	strbuf_reset(b);
}

static void
put_nodes(const struct event_tree *t, const struct quoted *names, struct strbuf *b, FILE *out)
{
	uint32_t node = 0;
	size_t up;

	while (node != NONE) {
		const struct node *n = &t->nodes[node];

		strbuf_append_str(b, "{\"name\":");
		strbuf_append_text(
			b, node == 0 ? TEXT_LITERAL("\"root\"") : quoted_name(names, n->name));
		strbuf_append_str(b, ",\"value\":");
		put_sum(b, n->value);
		/* kernelscope's page requires the member "children" of the root, even if it is
		 * empty. */
		if (n->first != NONE)
			strbuf_append_str(b, ",\"children\":[");
		else
			strbuf_append_str(b, node == 0 ? ",\"children\":[]}" : "}");
		node = next_node(t, node, &up);
		for (; up > 0; up--)
			strbuf_append_str(b, "]}");
		if (n->first == NONE && node != NONE)
			strbuf_append_char(b, ',');
		flush(b, out, WRITE_BYTES);
	}
}

bool
event_tree_write(const struct event_tree *t, FILE *out, struct error *err)
{
	struct quoted names = { 0 };
	struct strbuf b;
	bool ok = quote_names(t, &names);

	/* The buffer needs no limit, because put_nodes flushes it after every node. */
	strbuf_init(&b, SIZE_MAX);
	if (ok)
		put_nodes(t, &names, &b, out);
	strbuf_append_char(&b, '\n');
	flush(&b, out, 0);
	strbuf_release(&b);
	free(names.text);
	free(names.ends);
	return ok || error_set(err, ERROR_INTERNAL, "no memory for an answer");
}

static const struct table_frame *
tree_names(struct arena *a, const struct event_tree *t)
{
	struct table_frame *names = arena_alloc_array(a, t->name_count, sizeof(*names));

	for (size_t i = 0; i < t->name_count; i++)
		names[i] = (struct table_frame){ .routine_name = arena_text(a, t->names[i]),
			.source_line = TABLE_NO_LINE };
	return names;
}

static wide_int
self_of(const struct event_tree *t, uint32_t node)
{
	wide_int self = t->nodes[node].value;

	for (uint32_t c = t->nodes[node].first; c != NONE; c = t->nodes[c].next)
		self -= t->nodes[c].value;
	return self;
}

struct tree *
event_tree_tree(struct arena *a, const struct event_tree *t)
{
	struct tree *tree = tree_new(a, t->count);
	uint32_t *places = xcalloc(t->count, sizeof(*places));
	uint32_t node = 0;
	size_t up, depth = 0;

	tree->names = tree_names(a, t);
	tree->name_count = t->name_count;
	tree->count = 0;
	while (node != NONE) {
		const struct node *n = &t->nodes[node];

		places[node] = (uint32_t)tree->count;
		tree->nodes[tree->count++] = (struct tree_node){
			.parent = places[n->parent],
			.depth = (uint32_t)depth,
			.name = node == 0 ? 0 : n->name,
			.self = fixed_from_wide(self_of(t, node)),
		};
		node = next_node(t, node, &up);
		depth = n->first != NONE ? depth + 1 : depth - (node == NONE ? 0 : up);
	}
	free(places);
	tree_sum(tree);
	tree->all_nodes = tree->count;
	tree->all_total = tree->nodes[0].total;
	return tree;
}
