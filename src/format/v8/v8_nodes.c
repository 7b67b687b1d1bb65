#include "v8_profile.h"

#include "base/hash.h"
#include "base/json_string.h"

#include <inttypes.h>
#include <stdlib.h>

/* A node that is being read: those that it called stand inside. */
struct v8_level {
	uint32_t node;
	uint32_t name, url, script; /* strings */
	int32_t line, column;       /* from 0; -1: unknown */
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
	enum v8_key k = KEY_FRAME;

	while (k < KEY_OTHER && !text_equal(key, text_from(names[k])))
		k++;
	return k;
}

/* --- strings and functions --------------------------------------------------------- */

static uint32_t
intern(struct v8_profile *v, struct text t)
{
	const struct hash128 h = hash128_seeded(t.data, t.size, v->string_map.seed);
	uint32_t number;
	bool added;

	number = pair_map_add(
		&v->string_map, (int64_t)h.low, (int64_t)h.high, (uint32_t)v->string_count, &added);
	if (!added)
		return number;
	if (v->string_count == v->string_room) {
		v->string_room = v->string_room ? v->string_room * 2 : 256;
		v->strings = xrealloc(v->strings, v->string_room * sizeof(*v->strings));
	}
	v->strings[v->string_count++] = arena_text(&v->arena, t);
	return number;
}

/* What stands behind the last slash of a path or URL. */
static struct text
base_of(struct text path)
{
	size_t i = path.size;

	while (i > 0 && path.data[i - 1] != '/')
		i--;
	return (struct text){ path.data + i, path.size - i };
}

static struct text
name_of(struct v8_profile *v, const struct v8_level *l, struct strbuf *b)
{
	const struct text url = v->strings[l->url], base = base_of(url);

	if (v->strings[l->name].size)
		return v->strings[l->name];
	if (!url.size)
		return TEXT_LITERAL("(anonymous)");
	strbuf_append_str(b, "(anonymous ");
	strbuf_append_text(b, base.size ? base : url);
	strbuf_printf(b, ":%" PRId64 ")", (int64_t)l->line + 1);
	return strbuf_text(b);
}

static bool
tell_routine(struct v8_profile *v, const struct v8_level *l, uint32_t id)
{
	struct routine_row row = { .id = id,
		.parent_id = MODEL_NULL,
		.rec_id = id,
		.hit_count = MODEL_NULL,
		.compiler = MODEL_NULL,
		.profile_lines = MODEL_NULL,
		.source_line = l->line < 0 ? MODEL_NULL : (int64_t)l->line + 1,
		.token = MODEL_NULL,
		.address = NUMBER_NULL };
	struct strbuf name, attributes;
	bool ok;

	strbuf_init(&name, 2 * (size_t)V8_MAX_STRING_BYTES);
	strbuf_init(&attributes, SIZE_MAX / 2);
	row.routine_name = name_of(v, l, &name);
	if (v->strings[l->url].size)
		row.source_file = v->strings[l->url];
	if (l->column >= 0)
		strbuf_printf(&attributes, "{\"column\":%" PRId64, (int64_t)l->column + 1);
	if (v->strings[l->script].size && !text_equal(v->strings[l->script], TEXT_LITERAL("0"))) {
		strbuf_append_str(
			&attributes, attributes.size ? ",\"script_id\":" : "{\"script_id\":");
		json_append_text(&attributes, v->strings[l->script]);
	}
	if (attributes.size) {
		strbuf_append_char(&attributes, '}');
		row.attributes = strbuf_text(&attributes);
	}
	ok = v->sink->routine(v->sink, v->set, &row, v->err);
	strbuf_release(&name);
	strbuf_release(&attributes);
	return ok;
}

static uint8_t
kind_of(const struct v8_profile *v, const struct v8_level *l)
{
	const struct text name = v->strings[l->name];

	if (text_equal(name, TEXT_LITERAL("(root)")))
		return V8_ROOT;
	if (text_equal(name, TEXT_LITERAL("(idle)")))
		return V8_IDLE;
	if (text_equal(name, TEXT_LITERAL("(program)")) ||
		text_equal(name, TEXT_LITERAL("(garbage collector)")))
		return V8_ATTACHED;
	return text_equal(v->strings[l->url], TEXT_LITERAL("native dummy.js")) ? V8_NATIVE
									       : V8_CALL;
}

/* All members of the node are known. */
static bool
end_node(struct v8_profile *v)
{
	const struct v8_level *l = &v->levels[--v->level_count];
	struct v8_node *n = &v->nodes[l->node];
	bool added;

	n->kind = kind_of(v, l);
	n->routine = pair_map_add(&v->routine_map, (int64_t)((uint64_t)l->name << 32 | l->url),
		(int64_t)((uint64_t)(uint32_t)l->line << 32 | (uint32_t)l->column),
		(uint32_t)v->routine_map.count, &added);
	if (added && !tell_routine(v, l, n->routine))
		return false;
	if (n->id == MODEL_NULL)
		return true;
	pair_map_add(&v->by_id, n->id, 0, l->node, &added);
	return added || v->duplicates++ ||
	       v8_issue(v, ISSUE_DUPLICATE_ID, json_offset(v->json),
		       "several nodes have the id %" PRId64 "; the first one counts", n->id);
}

/* --- a node ------------------------------------------------------------------------ */

static bool
odd(struct v8_profile *v, const char *what)
{
	const uint64_t offset = json_offset(v->json);

	return json_skip(v->json, v->err) &&
	       (v->odd_nodes++ >= ISSUE_ROWS_PER_CODE ||
		       v8_issue(v, ISSUE_ODD_VALUE, offset, "%s", what));
}

/* Leaves the value as it was when there is no integer. */
static bool
read_integer(struct v8_profile *v, int64_t *value, const char *what)
{
	enum json_type type;
	int64_t read;
	bool ok;

	if (!json_peek(v->json, &type, v->err))
		return false;
	if (type == JSON_NULL)
		return json_skip(v->json, v->err);
	if (type != JSON_NUMBER)
		return odd(v, what);
	if (!json_read_int64(v->json, &read, &ok, v->err))
		return false;
	if (ok && read != MODEL_NULL)
		*value = read;
	else if (!v8_issue(v, ISSUE_NUMBER_RANGE, json_value_offset(v->json), "%s", what))
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

/* A string, or the number of a script. */
static bool
read_string(struct v8_profile *v, uint32_t *string)
{
	enum json_type type;
	struct text t;

	if (!json_peek(v->json, &type, v->err))
		return false;
	if (type != JSON_STRING && type != JSON_NUMBER)
		return json_skip(v->json, v->err);
	if (!(type == JSON_STRING ? json_read_string(v->json, &t, v->err)
				  : json_read_number(v->json, &t, v->err)))
		return false;
	*string = intern(v, t);
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
		return read_place(v, &l->line, "the line is no number");
	if (key == KEY_COLUMN)
		return read_place(v, &l->column, "the column is no number");
	return json_skip(v->json, v->err);
}

static bool
read_frame(struct v8_profile *v, struct v8_level *l)
{
	enum json_type type;
	struct text key;
	bool more;

	if (!json_peek(v->json, &type, v->err))
		return false;
	if (type != JSON_OBJECT)
		return odd(v, "a node's \"callFrame\" is no object");
	if (!json_enter(v->json, v->err))
		return false;
	for (;;) {
		if (!json_next_key(v->json, &key, &more, v->err))
			return false;
		if (!more)
			return true;
		if (!read_frame_member(v, l, key_of(key)))
			return false;
	}
}

/* Into the object that is next. */
static bool
begin_node(struct v8_profile *v, uint32_t parent)
{
	const uint32_t empty = intern(v, TEXT_LITERAL(""));

	if (v->node_count >= V8_MAX_NODES) {
		v8_refuse(v, json_offset(v->json), "more than %d nodes", V8_MAX_NODES);
		v->err->code = ERROR_LIMIT;
		return false;
	}
	if (v->node_count == v->node_room) {
		v->node_room = v->node_room ? v->node_room * 2 : 256;
		v->nodes = xrealloc(v->nodes, v->node_room * sizeof(*v->nodes));
	}
	if (v->level_count == v->level_room) {
		v->level_room = v->level_room ? v->level_room * 2 : 64;
		v->levels = xrealloc(v->levels, v->level_room * sizeof(*v->levels));
	}
	v->levels[v->level_count++] = (struct v8_level){ .node = (uint32_t)v->node_count,
		.name = empty,
		.url = empty,
		.script = empty,
		.line = -1,
		.column = -1 };
	v->nodes[v->node_count++] =
		(struct v8_node){ .id = MODEL_NULL, .parent_id = MODEL_NULL, .parent = parent };
	v8_tick(v, v->json);
	return json_enter(v->json, v->err);
}

static bool
begin_children(struct v8_profile *v, struct v8_level *l)
{
	enum json_type type;

	if (!json_peek(v->json, &type, v->err))
		return false;
	if (type == JSON_NULL)
		return json_skip(v->json, v->err);
	if (type != JSON_ARRAY)
		return odd(v, "a node's \"children\" are no array");
	l->in_children = true;
	return json_enter(v->json, v->err);
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
		return read_integer(v, &n->id, "the id of a node is no integer");
	if (key == KEY_PARENT)
		return read_integer(v, &n->parent_id, "the parent of a node is no integer");
	if (key == KEY_SIZE)
		return read_integer(v, &n->self_size, "the size of a node is no integer");
	return read_frame_member(v, l, key);
}

/* A child is a node, or the number of one. */
static bool
read_child(struct v8_profile *v, uint32_t parent)
{
	enum json_type type;
	int64_t id = MODEL_NULL;

	if (!json_peek(v->json, &type, v->err))
		return false;
	if (type == JSON_OBJECT)
		return begin_node(v, parent);
	if (type != JSON_NUMBER)
		return odd(v, "a child of a node is neither a node nor its id");
	if (!read_integer(v, &id, "the id of a child is no integer"))
		return false;
	if (id != MODEL_NULL)
		pair_map_add(&v->callers, id, 0, parent, NULL);
	return true;
}

/* One step inside the innermost node that is being read. */
static bool
step(struct v8_profile *v)
{
	struct v8_level *l = &v->levels[v->level_count - 1];
	struct text key;
	bool more;

	if (l->in_children) {
		if (!json_next_item(v->json, &more, v->err))
			return false;
		if (more)
			return read_child(v, l->node);
		l->in_children = false;
		return true;
	}
	if (!json_next_key(v->json, &key, &more, v->err))
		return false;
	return more ? read_member(v, l, key_of(key)) : end_node(v);
}

bool
v8_read_head(struct v8_profile *v)
{
	const size_t outside = v->level_count;
	enum json_type type;

	if (!json_peek(v->json, &type, v->err))
		return false;
	if (type != JSON_OBJECT)
		return v8_refuse(v, json_offset(v->json), "a node is %s, not an object",
			json_type_name(type));
	if (!begin_node(v, V8_NONE))
		return false;
	while (v->level_count > outside)
		if (!step(v))
			return false;
	return true;
}

bool
v8_read_nodes(struct v8_profile *v)
{
	enum json_type type;
	bool more;

	if (!json_peek(v->json, &type, v->err))
		return false;
	if (type != JSON_ARRAY)
		return v8_refuse(v, json_offset(v->json), "\"nodes\" is %s, not an array",
			json_type_name(type));
	if (!json_enter(v->json, v->err))
		return false;
	for (;;) {
		if (!json_next_item(v->json, &more, v->err))
			return false;
		if (!more)
			return true;
		if (!v8_read_head(v))
			return false;
	}
}

/* --- callers and stacks -------------------------------------------------------------- */

uint32_t
v8_find(const struct v8_profile *v, int64_t id)
{
	return pair_map_get(&v->by_id, id, 0);
}

/* A node's caller, unless it was read inside of it. */
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

/* Cuts what calls itself in a circle: pass[i] is the walk that came by first. */
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
	return v->cycles++ || v8_issue(v, ISSUE_PARENT_CYCLE, 0,
				      "the node %" PRId64 " calls itself", v->nodes[last].id);
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
	struct stack_row row = { 0 };
	uint32_t at;

	*stack = v->nodes[node].stack;
	if (*stack)
		return true;
	if (!v->frames)
		v->frames = xcalloc(STACK_MAX_FRAMES, sizeof(*v->frames));
	for (at = node; at != V8_NONE && row.count < STACK_MAX_FRAMES; at = v->nodes[at].parent)
		v->frames[row.count++] = v->nodes[at].routine;
	v->cut_stacks += at != V8_NONE;
	row.routine_ids = v->frames;
	if (!v->sink->stack(v->sink, v->set, &row, stack, v->err))
		return false;
	v->nodes[node].stack = *stack;
	return true;
}
