/* V8's profiles: nodes, functions and stacks. See v8_profile.h. */
#include "v8_profile.h"

#include "base/array.h"
#include "base/json_string.h"
#include "format/common/json_members.h"
#include "format/common/text_scan.h"

#include <inttypes.h>
#include <stdlib.h>

/* A string of an open node: a range of v->strings. */
struct v8_string {
	size_t at, size;
};

/* An open node. The next level holds its open child. */
struct v8_level {
	uint32_t node;
	size_t strings; /* size of v->strings when the node began */
	struct v8_string name, url, script;
	int32_t line, column; /* from 0; -1: unknown */
	bool in_children;
};

enum v8_key {
	KEY_FRAME,
	KEY_CHILDREN,
	KEY_ID,
	KEY_PARENT,
	KEY_SIZE,
	KEY_FUNCTION,
	KEY_URL,
	KEY_SCRIPT,
	KEY_LINE,
	KEY_COLUMN,
	KEY_OTHER,
};

static enum v8_key
key_of(struct text key)
{
	static const char *const names[] = { "callFrame", "children", "id", "parent", "selfSize",
		"functionName", "url", "scriptId", "lineNumber", "columnNumber" };

	return (enum v8_key)text_among(key, names, KEY_OTHER);
}

/* --- strings and functions --------------------------------------------------------- */

static struct text
text_of(const struct v8_profile *v, struct v8_string t)
{
	return (struct text){ strbuf_str(&v->strings) + t.at, t.size };
}

static struct text
name_of(struct v8_profile *v, const struct v8_level *l, struct strbuf *b)
{
	const struct text url = text_of(v, l->url), base = text_basename(url);

	if (l->name.size)
		return text_of(v, l->name);
	if (!url.size)
		return TEXT_LITERAL("(anonymous)");
	strbuf_append_str(b, "(anonymous ");
	strbuf_append_text(b, base.size ? base : url);
	strbuf_printf(b, ":%" PRId64 ")", (int64_t)l->line + 1);
	return strbuf_text(b);
}

static bool
add_routine(struct v8_profile *v, const struct v8_level *l, uint32_t id)
{
	const struct text script = text_of(v, l->script);
	struct routine_row row = blank_routine(id);
	struct strbuf name, attributes;
	bool ok;

	strbuf_init(&name, 2 * (size_t)V8_MAX_STRING_BYTES);
	strbuf_init(&attributes, SIZE_MAX / 2);
	row.parent_id = MODEL_NULL;
	row.source_line = l->line < 0 ? MODEL_NULL : (int64_t)l->line + 1;
	row.routine_name = name_of(v, l, &name);
	if (l->url.size)
		row.source_file = text_of(v, l->url);
	if (l->column >= 0)
		members_int(&attributes, "column", (int64_t)l->column + 1);
	if (script.size && !text_equal(script, TEXT_LITERAL("0")))
		members_text(&attributes, "script_id", script);
	row.attributes = members_end(&attributes);
	ok = v->in->sink->routine(v->in->sink, v->in->set, &row, v->in->err);
	strbuf_release(&name);
	strbuf_release(&attributes);
	return ok;
}

/* Functions with the same name and script are distinguished by their place. */
static bool
intern_routine(struct v8_profile *v, const struct v8_level *l, uint32_t *routine)
{
	const int32_t place[] = { l->line, l->column };
	const struct text key[] = { text_of(v, l->name), text_of(v, l->url),
		{ (const char *)place, sizeof(place) } };
	bool added;

	return routine_number(v->frames, key, 3, routine, &added, v->in->err) &&
	       (!added || add_routine(v, l, *routine));
}

static uint8_t
kind_of(const struct v8_profile *v, const struct v8_level *l)
{
	const struct text name = text_of(v, l->name);

	if (text_equal(name, TEXT_LITERAL("(root)")))
		return V8_ROOT;
	if (text_equal(name, TEXT_LITERAL("(idle)")))
		return V8_IDLE;
	if (text_equal(name, TEXT_LITERAL("(program)")) ||
		text_equal(name, TEXT_LITERAL("(garbage collector)")))
		return V8_ATTACHED;
	return text_equal(text_of(v, l->url), TEXT_LITERAL("native dummy.js")) ? V8_NATIVE
									       : V8_CALL;
}

/* Ends the innermost node after its last member. */
static bool
end_node(struct v8_profile *v)
{
	const struct v8_level *l = &v->levels[--v->level_count];
	struct v8_node *n = &v->nodes[l->node];
	bool added;

	n->kind = kind_of(v, l);
	if (!intern_routine(v, l, &n->routine))
		return false;
	v->strings.size = l->strings;
	if (n->id == MODEL_NULL)
		return true;
	pair_map_add(&v->by_id, n->id, 0, l->node, &added);
	return added || v->duplicates++ ||
	       reader_issue_at(v->in, ISSUE_DUPLICATE_ID, json_offset(v->json),
		       "several nodes have the id %" PRId64 ": the first one counts", n->id);
}

/* --- a node ------------------------------------------------------------------------ */

static bool
odd(struct v8_profile *v, const char *what)
{
	const uint64_t offset = json_offset(v->json);

	return json_skip(v->json, v->in->err) &&
	       (v->odd_nodes++ >= ISSUE_ROWS_PER_CODE ||
		       reader_issue_at(v->in, ISSUE_ODD_VALUE, offset, "%s", what));
}

/* Sets *value if the next value is an integer. */
static bool
read_integer(struct v8_profile *v, int64_t *value, const char *what)
{
	enum json_type type;
	int64_t read;
	bool ok;

	if (!json_peek(v->json, &type, v->in->err))
		return false;
	if (type == JSON_NULL)
		return json_skip(v->json, v->in->err);
	if (type != JSON_NUMBER)
		return odd(v, what);
	if (!json_read_int64(v->json, &read, &ok, v->in->err))
		return false;
	if (ok && read != MODEL_NULL)
		*value = read;
	else if (!reader_issue_at(
			 v->in, ISSUE_NUMBER_RANGE, json_value_offset(v->json), "%s", what))
		return false;
	return true;
}

static bool
read_place(struct v8_profile *v, int32_t *place, const char *what)
{
	int64_t read = -1;

	if (!read_integer(v, &read, what))
		return false;
	*place = read >= 0 && read < INT32_MAX ? (int32_t)read : -1;
	return true;
}

/* Reads a string or a script number. */
static bool
read_string(struct v8_profile *v, struct v8_string *string)
{
	enum json_type type;
	struct text t;

	if (!json_peek(v->json, &type, v->in->err))
		return false;
	if (type != JSON_STRING && type != JSON_NUMBER)
		return json_skip(v->json, v->in->err);
	if (!(type == JSON_STRING ? json_read_string(v->json, &t, v->in->err)
				  : json_read_number(v->json, &t, v->in->err)))
		return false;
	*string = (struct v8_string){ v->strings.size, t.size };
	strbuf_append_text(&v->strings, t);
	return true;
}

static bool
read_frame_member(struct v8_profile *v, struct v8_level *l, enum v8_key key)
{
	if (key == KEY_FUNCTION)
		return read_string(v, &l->name);
	if (key == KEY_URL)
		return read_string(v, &l->url);
	if (key == KEY_SCRIPT)
		return read_string(v, &l->script);
	if (key == KEY_LINE)
		return read_place(v, &l->line, "line is not a number");
	if (key == KEY_COLUMN)
		return read_place(v, &l->column, "column is not a number");
	return json_skip(v->json, v->in->err);
}

static bool
read_frame(struct v8_profile *v, struct v8_level *l)
{
	enum json_type type;
	struct text key;

	if (!json_peek(v->json, &type, v->in->err))
		return false;
	if (type != JSON_OBJECT)
		return odd(v, "\"callFrame\" of a node is not an object");
	if (!json_enter(v->json, v->in->err))
		return false;
	while (json_more_keys(v->json, &key, v->in->err))
		if (!read_frame_member(v, l, key_of(key)))
			return false;
	return v->in->err->code == ERROR_NONE;
}

/* Enters the next object. */
static bool
begin_node(struct v8_profile *v, uint32_t parent)
{
	if (v->node_count >= V8_MAX_NODES) {
		reader_refuse_at(v->in, json_offset(v->json), "more than %d nodes", V8_MAX_NODES);
		v->in->err->code = ERROR_LIMIT;
		return false;
	}
	*ARRAY_ADD(v->levels, v->level_count, v->level_room) =
		(struct v8_level){ .node = (uint32_t)v->node_count,
			.strings = v->strings.size,
			.line = -1,
			.column = -1 };
	*ARRAY_ADD(v->nodes, v->node_count, v->node_room) =
		(struct v8_node){ .id = MODEL_NULL, .parent_id = MODEL_NULL, .parent = parent };
	reader_tick(v->in, json_offset(v->json));
	return json_enter(v->json, v->in->err);
}

static bool
begin_children(struct v8_profile *v, struct v8_level *l)
{
	enum json_type type;

	if (!json_peek(v->json, &type, v->in->err))
		return false;
	if (type == JSON_NULL)
		return json_skip(v->json, v->in->err);
	if (type != JSON_ARRAY)
		return odd(v, "\"children\" of a node is not an array");
	l->in_children = true;
	return json_enter(v->json, v->in->err);
}

static bool
read_member(struct v8_profile *v, struct v8_level *l, enum v8_key key)
{
	struct v8_node *n = &v->nodes[l->node];

	if (key == KEY_FRAME)
		return read_frame(v, l);
	if (key == KEY_CHILDREN)
		return begin_children(v, l);
	if (key == KEY_ID)
		return read_integer(v, &n->id, "id of a node is not an integer");
	if (key == KEY_PARENT)
		return read_integer(v, &n->parent_id, "parent of a node is not an integer");
	if (key == KEY_SIZE)
		return read_integer(v, &n->self_size, "size of a node is not an integer");
	return read_frame_member(v, l, key);
}

/* Reads a child, which is a nested node or the id of a node. */
static bool
read_child(struct v8_profile *v, uint32_t parent)
{
	enum json_type type;
	int64_t id = MODEL_NULL;

	if (!json_peek(v->json, &type, v->in->err))
		return false;
	if (type == JSON_OBJECT)
		return begin_node(v, parent);
	if (type != JSON_NUMBER)
		return odd(v, "child of a node is neither a node nor an id");
	if (!read_integer(v, &id, "id of a child is not an integer"))
		return false;
	if (id != MODEL_NULL)
		pair_map_add(&v->callers, id, 0, parent, NULL);
	return true;
}

/* Reads the next member or child of the innermost node. */
static bool
step(struct v8_profile *v)
{
	struct v8_level *l = &v->levels[v->level_count - 1];
	struct text key;
	bool more;

	if (l->in_children) {
		if (!json_next_item(v->json, &more, v->in->err))
			return false;
		if (more)
			return read_child(v, l->node);
		l->in_children = false;
		return true;
	}
	if (!json_next_key(v->json, &key, &more, v->in->err))
		return false;
	return more ? read_member(v, l, key_of(key)) : end_node(v);
}

bool
v8_read_head(struct v8_profile *v)
{
	const size_t outside = v->level_count;

	if (!v8_expect(v, v->json, 0, JSON_OBJECT, "node") || !begin_node(v, V8_NONE))
		return false;
	while (v->level_count > outside)
		if (!step(v))
			return false;
	return true;
}

bool
v8_read_nodes(struct v8_profile *v)
{
	if (!v8_expect(v, v->json, 0, JSON_ARRAY, "\"nodes\"") || !json_enter(v->json, v->in->err))
		return false;
	while (json_more_items(v->json, v->in->err))
		if (!v8_read_head(v))
			return false;
	return v->in->err->code == ERROR_NONE;
}

/* --- callers and stacks -------------------------------------------------------------- */

uint32_t
v8_find(const struct v8_profile *v, int64_t id)
{
	return pair_map_get(&v->by_id, id, 0);
}

/* The caller of a node: the node that encloses it, that its parent id names, or that lists it. */
static uint32_t
caller_of(const struct v8_profile *v, const struct v8_node *n)
{
	uint32_t caller = n->parent;

	if (caller == V8_NONE && n->parent_id != MODEL_NULL)
		caller = pair_map_get(&v->by_id, n->parent_id, 0);
	if (caller == V8_NONE && n->id != MODEL_NULL)
		caller = pair_map_get(&v->callers, n->id, 0);
	return caller;
}

/* Cuts a cycle of callers that begins at `start`. pass[i] is 1 + the start that reached i first. */
static bool
cut_cycle(struct v8_profile *v, uint32_t *pass, uint32_t start)
{
	uint32_t at = start, last = V8_NONE;

	while (at != V8_NONE && !pass[at]) {
		pass[at] = start + 1;
		last = at;
		at = v->nodes[at].parent;
	}
	if (at == V8_NONE || pass[at] != start + 1)
		return true;
	v->nodes[last].parent = V8_NONE;
	return v->cycles++ || reader_issue_at(v->in, ISSUE_PARENT_CYCLE, 0,
				      "node %" PRId64 " calls itself", v->nodes[last].id);
}

bool
v8_link(struct v8_profile *v)
{
	uint32_t *pass;
	bool ok = true;

	for (size_t i = 0; i < v->node_count; i++)
		v->nodes[i].parent = caller_of(v, &v->nodes[i]);
	pass = xcalloc(v->node_count + 1, sizeof(*pass));
	for (uint32_t i = 0; ok && i < v->node_count; i++)
		ok = cut_cycle(v, pass, i);
	free(pass);
	return ok;
}

bool
v8_stack_of(struct v8_profile *v, uint32_t node, stack_number *stack)
{
	uint32_t at;

	*stack = v->nodes[node].stack;
	if (*stack)
		return true;
	stack_begin(v->frames);
	for (at = node; at != V8_NONE && stack_depth(v->frames) < STACK_MAX_FRAMES;
		at = v->nodes[at].parent)
		stack_push_routine(v->frames, v->nodes[at].routine);
	v->cut_stacks += at != V8_NONE;
	if (!stack_end(v->frames, false, stack, NULL, v->in->err))
		return false;
	v->nodes[node].stack = *stack;
	return true;
}
