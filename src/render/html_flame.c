/* Draws the rows' stacks as a flame graph, in which widths show what leaked or what changed. */
#include "base/array.h"
#include "base/hash.h"
#include "base/pair_map.h"
#include "flame_private.h"
#include "html_private.h"

#include <stdlib.h>

/* The measures that can determine a frame's width. `now` is the key of the column with the current value,
 * and `before` is the key of the column with the value in the base. */
static const struct {
	const char *now, *before;
} measures[] = {
	{ "size", "base_size" },
	{ "self", "base_self" },
	{ "value", "base_value" },
	{ "bytes", "base_bytes" },
	{ "count", "base_count" },
};

enum {
	MEASURES = sizeof(measures) / sizeof(measures[0]),
	COUNT_MEASURE = MEASURES - 1,
	MAX_NODES = 1 << 20
};

struct node {
	uint32_t parent, name, depth;
	uint32_t first, next; /* child, sibling; 0 if absent */
	wide_int now[MEASURES], before[MEASURES];
};

struct html_flame {
	const struct table_head *head;
	size_t stack;
	int now[MEASURES], before[MEASURES]; /* column indices; -1 if absent */
	struct arena arena;
	struct node *nodes;
	size_t count, capacity;
	struct table_frame *names;
	size_t name_count, name_capacity;
	struct pair_map by_name, by_place;
	struct strbuf key;
	uint64_t rows;
	bool by_count;
};

static int
find_column(const struct table_head *head, const char *key)
{
	for (size_t i = 0; i < head->column_count; i++)
		if (strcmp(head->columns[i].key, key) == 0 &&
			table_column_is_right(&head->columns[i]))
			return (int)i;
	return -1;
}

static void
forget(struct html_flame *f)
{
	arena_reset(&f->arena);
	pair_map_release(&f->by_name);
	pair_map_release(&f->by_place);
	f->name_count = 0;
	f->rows = 0;
	f->count = 1;
	f->nodes[0] = (struct node){ 0 };
}

struct html_flame *
html_flame_new(const struct table_head *head)
{
	struct html_flame *f;
	size_t stack = 0;
	bool any = false;

	while (stack < head->column_count && head->columns[stack].kind != TABLE_FRAMES)
		stack++;
	for (size_t i = 0; i < MEASURES; i++)
		any = any || find_column(head, measures[i].now) >= 0;
	if (stack == head->column_count || !any)
		return NULL;
	f = xcalloc(1, sizeof(*f));
	f->head = head;
	f->stack = stack;
	f->arena = ARENA_INIT;
	for (size_t i = 0; i < MEASURES; i++) {
		f->now[i] = find_column(head, measures[i].now);
		f->before[i] = find_column(head, measures[i].before);
	}
	f->capacity = 1024;
	f->nodes = xcalloc(f->capacity, sizeof(*f->nodes));
	strbuf_init(&f->key, RENDER_CELL_MAX_BYTES);
	forget(f);
	return f;
}

void
html_flame_free(struct html_flame *f)
{
	if (!f)
		return;
	pair_map_release(&f->by_name);
	pair_map_release(&f->by_place);
	strbuf_release(&f->key);
	arena_release(&f->arena);
	free(f->nodes);
	free(f->names);
	free(f);
}

static uint32_t
name_of(struct html_flame *f, const struct table_frame *frame)
{
	uint32_t number;
	bool added;

	strbuf_reset(&f->key);
	strbuf_append_text(&f->key, frame->module_name);
	strbuf_append_char(&f->key, '\x1f');
	strbuf_append_text(&f->key, frame->class_name);
	strbuf_append_char(&f->key, '\x1f');
	strbuf_append_text(&f->key, frame->routine_name);
	number = pair_map_add_bytes(
		&f->by_name, f->key.data, f->key.size, (uint32_t)f->name_count, &added);
	if (!added)
		return number;
	*ARRAY_ADD(f->names, f->name_count, f->name_capacity) =
		(struct table_frame){ .module_name = arena_text(&f->arena, frame->module_name),
			.class_name = arena_text(&f->arena, frame->class_name),
			.routine_name = arena_text(&f->arena, frame->routine_name),
			.source_file = arena_text(&f->arena, frame->source_file),
			.source_line = frame->source_line };
	return number;
}

/* Finds or adds the child with this name. If there are already MAX_NODES nodes, returns the parent
 * instead, so that the call counts as the parent's self value. */
static uint32_t
child_of(struct html_flame *f, uint32_t parent, uint32_t name)
{
	uint32_t at = pair_map_get(&f->by_place, parent, name);

	if (at != PAIR_MAP_NONE)
		return at;
	if (f->count == MAX_NODES)
		return parent;
	ARRAY_RESERVE(f->nodes, f->capacity, f->count + 1);
	f->nodes[f->count] = (struct node){ .parent = parent,
		.name = name,
		.depth = f->nodes[parent].depth + 1,
		.next = f->nodes[parent].first };
	f->nodes[parent].first = (uint32_t)f->count;
	pair_map_add(&f->by_place, parent, name, (uint32_t)f->count, NULL);
	return (uint32_t)f->count++;
}

static wide_int
value_of(const struct table_cell *cells, int column)
{
	struct decimal d;

	if (column < 0 || text_is_null(cells[column].text) ||
		decimal_parse(cells[column].text, &d) != DECIMAL_OK)
		return 0;
	return decimal_to_fixed(d);
}

void
html_flame_row(struct html_flame *f, const struct table_cell *cells)
{
	const struct table_cell *stack = &cells[f->stack];
	uint32_t at = 0;

	f->rows += stack->frame_count > 0;
	for (size_t i = stack->frame_count; i-- > 0;)
		at = child_of(f, at, name_of(f, &stack->frames[i]));
	for (size_t i = 0; i < MEASURES; i++) {
		f->nodes[at].now[i] += value_of(cells, f->now[i]);
		f->nodes[at].before[i] += value_of(cells, f->before[i]);
	}
}

static bool
has_value(const struct html_flame *f, size_t k)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->nodes[i].now[k] != 0 || f->nodes[i].before[k] != 0)
			return true;
	return false;
}

/* Returns the measure that determines the widths. This is the count if the set's metric is a count and not
 * all counts are 0. Otherwise it is the first measure that is not 0 everywhere. If all measures are 0,
 * returns MEASURES. */
static size_t
choose(const struct html_flame *f)
{
	if (f->by_count && has_value(f, COUNT_MEASURE))
		return COUNT_MEASURE;
	for (size_t k = 0; k < MEASURES; k++)
		if (has_value(f, k))
			return k;
	return MEASURES;
}

void
html_flame_set(struct html_flame *f, const struct table_set *set)
{
	f->by_count = text_equal(set->metric.unit, TEXT_LITERAL("count"));
}

/* Returns the next node in preorder. Follows the tree's links, so it needs no stack. */
static uint32_t
next_node(const struct html_flame *f, uint32_t at)
{
	if (f->nodes[at].first)
		return f->nodes[at].first;
	while (at && !f->nodes[at].next)
		at = f->nodes[at].parent;
	return at ? f->nodes[at].next : 0;
}

static struct tree *
make_tree(struct html_flame *f, size_t k)
{
	const struct table_column *c = &f->head->columns[f->now[k] >= 0 ? f->now[k] : f->before[k]];
	struct tree *t = tree_new(&f->arena, f->count);
	uint32_t *places = arena_alloc_array(&f->arena, f->count, sizeof(*places));

	t->names = f->names;
	t->name_count = f->name_count;
	t->metric = text_from(c->title);
	t->unit = text_from(table_unit_names[c->unit]);
	t->title = text_from(f->head->title);
	if (f->before[k] >= 0)
		t->base = (struct tree_set){ TEXT_LITERAL("base"), TEXT_LITERAL("before") };
	t->nodes[0].self = f->nodes[0].now[k];
	t->nodes[0].base_self = f->nodes[0].before[k];
	for (uint32_t at = next_node(f, 0); at; at = next_node(f, at)) {
		const struct node *n = &f->nodes[at];

		places[at] = (uint32_t)t->count;
		t->nodes[t->count++] = (struct tree_node){ .parent = places[n->parent],
			.depth = n->depth,
			.name = n->name,
			.self = n->now[k],
			.base_self = n->before[k] };
	}
	t->all_nodes = t->count;
	tree_sum(t);
	t->all_total = t->nodes[0].total;
	return t;
}

bool
html_flame_write(struct html_flame *f, FILE *out, struct error *err)
{
	const struct flame_options o = { .width = FLAME_WIDTH, .layout = FLAME_ROOT_ABOVE };
	size_t k = choose(f);
	struct tree *t;
	bool ok;

	if (!f->rows || k == MEASURES) {
		forget(f);
		return true;
	}
	t = make_tree(f, k);
	fprintf(out,
		"<details class=\"panel flame-box\" open><summary><h3>%s</h3> <span "
		"class=\"hint\">",
		tree_is_compared(t) ? "Changes by call stack" : "Totals by call stack");
	html_put(out, t->metric);
	fputs(", from the outermost calls downwards; click a frame to zoom</span></summary>\n"
	      "<div class=\"bar\"><p class=\"detail\" role=\"status\"></p>"
	      "<div class=\"flame-tools\" role=\"search\"></div></div>\n<div class=\"picture\">\n",
		out);
	ok = flame_picture(out, t, &o, false, err);
	fputs("</div>\n</details>\n", out);
	forget(f);
	return ok;
}
