/* The nodes of V8's profiles: functions, callers and stacks. */
#include "format/common/cpu_calls.h"

#include "base/array.h"
#include "base/strbuf.h"
#include "format/common/emit.h"
#include "format/common/json_members.h"
#include "format/common/text_scan.h"

#include <inttypes.h>
#include <stdlib.h>

/* A stack of SHALLOW_FRAMES is always emitted. All deeper stacks may have DEEP_FRAMES in sum, and SHALLOW_FRAMES more per
 * node. V8 itself records at most 255 frames per stack. */
enum {
	SHALLOW_FRAMES = 128,
	DEEP_FRAMES = 4000000,
};

void
cpu_calls_release(struct cpu_calls *c)
{
	pair_map_release(&c->by_id);
	pair_map_release(&c->callers);
	free(c->nodes);
}

uint32_t
cpu_add(struct cpu_calls *c, uint32_t parent)
{
	*ARRAY_ADD(c->nodes, c->count, c->room) =
		(struct cpu_node){ .id = MODEL_NULL, .parent_id = MODEL_NULL, .parent = parent };
	return (uint32_t)c->count - 1;
}

/* --- functions ----------------------------------------------------------------------- */

static struct text
name_of(const struct cpu_function *f, struct strbuf *b)
{
	const struct text base = text_basename(f->url);

	if (f->name.size)
		return f->name;
	if (!f->url.size)
		return TEXT_LITERAL("(anonymous)");
	strbuf_append_str(b, "(anonymous ");
	strbuf_append_text(b, base.size ? base : f->url);
	strbuf_printf(b, ":%" PRId64 ")", (int64_t)f->line + 1);
	return strbuf_text(b);
}

static bool
add_routine(struct cpu_calls *c, const struct cpu_function *f, uint32_t id)
{
	struct routine_row row = blank_routine(id);
	struct strbuf name, attributes;
	bool ok;

	strbuf_init(&name, SIZE_MAX / 2);
	strbuf_init(&attributes, SIZE_MAX / 2);
	row.parent_id = MODEL_NULL;
	row.source_line = f->line < 0 ? MODEL_NULL : (int64_t)f->line + 1;
	row.routine_name = name_of(f, &name);
	row.code_type = f->code_type.size ? f->code_type : TEXT_NULL;
	if (f->url.size)
		row.source_file = f->url;
	if (f->column >= 0)
		members_int(&attributes, "column", (int64_t)f->column + 1);
	if (f->script.size && !text_equal(f->script, TEXT_LITERAL("0")))
		members_text(&attributes, "script_id", f->script);
	row.attributes = members_end(&attributes);
	ok = c->in->sink->routine(c->in->sink, c->in->set, &row, c->in->err);
	strbuf_release(&name);
	strbuf_release(&attributes);
	return ok;
}

static enum cpu_kind
kind_of(const struct cpu_function *f)
{
	if (text_equal(f->name, TEXT_LITERAL("(root)")))
		return CPU_ROOT;
	if (text_equal(f->name, TEXT_LITERAL("(idle)")))
		return CPU_IDLE;
	if (text_equal(f->name, TEXT_LITERAL("(program)")) ||
		text_equal(f->name, TEXT_LITERAL("(garbage collector)")))
		return CPU_ATTACHED;
	return text_equal(f->url, TEXT_LITERAL("native dummy.js")) ? CPU_NATIVE : CPU_CALL;
}

/* Functions with the same name and script are distinguished by their place. */
bool
cpu_set_function(struct cpu_calls *c, uint32_t node, const struct cpu_function *f)
{
	const int32_t place[] = { f->line, f->column };
	const struct text key[] = { f->name, f->url, { (const char *)place, sizeof(place) } };
	struct cpu_node *n = &c->nodes[node];
	bool added;

	n->kind = (uint8_t)kind_of(f);
	return routine_number(c->frames, key, 3, &n->routine, &added, c->in->err) &&
	       (!added || add_routine(c, f, n->routine));
}

/* --- callers ------------------------------------------------------------------------- */

bool
cpu_set_id(struct cpu_calls *c, uint32_t node, uint64_t offset)
{
	const int64_t id = c->nodes[node].id;
	bool added;

	if (id == MODEL_NULL)
		return true;
	pair_map_add(&c->by_id, id, 0, node, &added);
	return added || c->duplicates++ ||
	       reader_issue_at(c->in, ISSUE_DUPLICATE_ID, offset,
		       "several nodes have the id %" PRId64 ": the first one is used", id);
}

void
cpu_set_child(struct cpu_calls *c, uint32_t node, int64_t child)
{
	pair_map_add(&c->callers, child, 0, node, NULL);
}

uint32_t
cpu_find(const struct cpu_calls *c, int64_t id)
{
	return pair_map_get(&c->by_id, id, 0);
}

/* Returns the caller of `n`. This is the first of these nodes that exists: the node that encloses `n`, the node that
 * the parent id of `n` names, and the node that lists `n` as a child. */
static uint32_t
caller_of(const struct cpu_calls *c, const struct cpu_node *n)
{
	uint32_t caller = n->parent;

	if (caller == CPU_NONE && n->parent_id != MODEL_NULL)
		caller = pair_map_get(&c->by_id, n->parent_id, 0);
	if (caller == CPU_NONE && n->id != MODEL_NULL)
		caller = pair_map_get(&c->callers, n->id, 0);
	return caller;
}

/* Walks from `start` to its callers. If this walk comes back to one of its nodes, cuts the cycle there.
 * pass[i] is 0 until a walk reaches node i. After that it is 1 + the node at which that walk began. */
static bool
cut_cycle(struct cpu_calls *c, uint32_t *pass, uint32_t start)
{
	uint32_t at = start, last = CPU_NONE;

	while (at != CPU_NONE && !pass[at]) {
		pass[at] = start + 1;
		last = at;
		at = c->nodes[at].parent;
	}
	if (at == CPU_NONE || pass[at] != start + 1)
		return true;
	c->nodes[last].parent = CPU_NONE;
	return c->cycles++ || reader_issue_at(c->in, ISSUE_PARENT_CYCLE, 0,
				      "node %" PRId64 " calls itself", c->nodes[last].id);
}

/* Returns whether the path to the node becomes a stack. In CPU profiles, the path to a node such as
 * (root) or (idle) does not. */
static bool
is_frame(const struct cpu_calls *c, const struct cpu_node *n)
{
	return c->whole_paths || n->kind == CPU_CALL || n->kind == CPU_ATTACHED;
}

/* Sets `same` and `depth` in the node and its callers, beginning with the outermost caller. path[]
 * stores the nodes on the way to the outermost caller. */
static void
find_same(struct cpu_calls *c, struct pair_map *paths, uint32_t *path, uint32_t node)
{
	size_t depth = 0;

	for (; node != CPU_NONE && c->nodes[node].same == CPU_NONE; node = c->nodes[node].parent)
		path[depth++] = node;
	while (depth) {
		struct cpu_node *n = &c->nodes[path[--depth]];
		const struct cpu_node *caller = n->parent == CPU_NONE ? NULL : &c->nodes[n->parent];

		n->same = pair_map_add(
			paths, caller ? caller->same : CPU_NONE, n->routine, path[depth], NULL);
		n->depth = is_frame(c, n) ? 1 + (caller ? caller->depth : 0) : 0;
	}
}

/* Finds, for each node, the first node with the same path. Nodes with the same path have the same stack.
 * A stack can have 65,536 frames, so it is built only for the first node. */
static void
find_all_same(struct cpu_calls *c, uint32_t *path)
{
	struct pair_map paths = { 0 };

	for (size_t i = 0; i < c->count; i++)
		c->nodes[i].same = CPU_NONE;
	for (uint32_t i = 0; i < c->count; i++)
		find_same(c, &paths, path, i);
	pair_map_release(&paths);
}

bool
cpu_link(struct cpu_calls *c)
{
	uint32_t *pass;
	bool ok = true;

	for (size_t i = 0; i < c->count; i++)
		c->nodes[i].parent = caller_of(c, &c->nodes[i]);
	pass = xcalloc(c->count + 1, sizeof(*pass));
	for (uint32_t i = 0; ok && i < c->count; i++)
		ok = cut_cycle(c, pass, i);
	find_all_same(c, pass);
	free(pass);
	c->frames_left = DEEP_FRAMES + c->count * SHALLOW_FRAMES;
	return ok;
}

/* --- stacks -------------------------------------------------------------------------- */

bool
cpu_can_emit(struct cpu_calls *c, uint32_t depth)
{
	if (depth <= SHALLOW_FRAMES)
		return true;
	if (depth > c->frames_left)
		return false;
	c->frames_left -= depth;
	return true;
}

uint32_t
cpu_stack_owner(const struct cpu_calls *c, uint32_t node)
{
	while (c->nodes[node].same != node)
		node = c->nodes[node].same;
	return node;
}

bool
cpu_push_path(struct cpu_calls *c, uint32_t node)
{
	uint32_t at = node == CPU_NONE ? CPU_NONE : cpu_stack_owner(c, node);

	while (at != CPU_NONE && stack_depth(c->frames) < STACK_MAX_FRAMES) {
		const struct cpu_node *n = &c->nodes[at];

		if (!is_frame(c, n))
			return true;
		stack_push_routine(c->frames, n->routine);
		at = n->parent;
	}
	return at == CPU_NONE;
}

/* Gives the node, and the callers on the way, the stack of the nearest caller that has a stack or is shallow. Because
 * these callers get the stack, too, later walks are short. Returns that caller. */
static uint32_t
merge_with_caller(struct cpu_calls *c, uint32_t node)
{
	uint32_t at = node, caller;

	while (!c->nodes[at].stack && c->nodes[at].depth > SHALLOW_FRAMES)
		at = cpu_stack_owner(c, c->nodes[at].parent);
	caller = at;
	for (at = node; at != caller; at = node) {
		node = cpu_stack_owner(c, c->nodes[at].parent);
		c->nodes[at].same = caller;
		c->merged++;
	}
	return caller;
}

/* Builds the stack of the first node with this path. */
static bool
build(struct cpu_calls *c, struct cpu_node *first)
{
	int64_t *routines = stack_begin_routines(c->frames, first->depth);
	uint32_t at = (uint32_t)(first - c->nodes);

	c->cut_stacks += first->depth > STACK_MAX_FRAMES;
	for (uint32_t i = 0; i < first->depth && i < STACK_MAX_FRAMES; i++) {
		routines[i] = c->nodes[at].routine;
		at = c->nodes[at].parent;
	}
	return stack_end(c->frames, false, &first->stack, NULL, c->in->err);
}

bool
cpu_stack_of(struct cpu_calls *c, uint32_t node, stack_number *stack)
{
	uint32_t owner = cpu_stack_owner(c, node);

	if (!c->nodes[owner].stack && !cpu_can_emit(c, c->nodes[owner].depth))
		owner = merge_with_caller(c, owner);
	if (!c->nodes[owner].stack && !build(c, &c->nodes[owner]))
		return false;
	*stack = c->nodes[owner].stack;
	return true;
}

bool
cpu_calls_finish(struct cpu_calls *c)
{
	if (c->cut_stacks &&
		!reader_issue_at(c->in, ISSUE_STACK_CUT, 0,
			"%llu %s more than %d frames: the outermost were left out",
			(unsigned long long)c->cut_stacks,
			by_count(c->cut_stacks, "stack has", "stacks have"), STACK_MAX_FRAMES))
		return false;
	return !c->merged ||
	       reader_issue_at(c->in, ISSUE_STACK_CUT, 0,
		       "the calls are nested too deeply: %llu %s attributed to a caller",
		       (unsigned long long)c->merged, by_count(c->merged, "call is", "calls are"));
}
