/* V8's profiles: reads the nodes. See v8_profile.h. */
#include "v8_profile.h"

#include "base/array.h"
#include "format/common/text_scan.h"

#include <inttypes.h>
#include <stdlib.h>

/* A string of an open node: a range of v->strings. */
struct v8_string {
	size_t at, size;
};

/* An open node. The next item of v->levels is its open child. */
struct v8_level {
	uint32_t node;
	size_t strings; /* size of v->strings when the node began */
	struct v8_string name, url, script;
	int32_t line, column; /* numbered from 0; -1 if unknown */
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

static struct text
text_of(const struct v8_profile *v, struct v8_string t)
{
	return (struct text){ strbuf_str(&v->strings) + t.at, t.size };
}

/* Ends the innermost open node. Call this function after the last member of the node. */
static bool
end_node(struct v8_profile *v)
{
	const struct v8_level *l = &v->levels[--v->level_count];
	const struct cpu_function f = { .name = text_of(v, l->name),
		.url = text_of(v, l->url),
		.script = text_of(v, l->script),
		.line = l->line,
		.column = l->column };

	if (!cpu_set_function(&v->calls, l->node, &f))
		return false;
	v->strings.size = l->strings;
	return cpu_set_id(&v->calls, l->node, json_offset(v->json));
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

/* Sets *value if the next value is an integer. Otherwise, reports `what`, unless the value is null. */
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
	if (v->calls.count >= V8_MAX_NODES) {
		reader_refuse_at(v->in, json_offset(v->json), "more than %d nodes", V8_MAX_NODES);
		v->in->err->code = ERROR_LIMIT;
		return false;
	}
	*ARRAY_ADD(v->levels, v->level_count, v->level_room) =
		(struct v8_level){ .node = cpu_add(&v->calls, parent),
			.strings = v->strings.size,
			.line = -1,
			.column = -1 };
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
	struct cpu_node *n = &v->calls.nodes[l->node];

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
		cpu_set_child(&v->calls, parent, id);
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

	if (!v8_expect(v, v->json, 0, JSON_OBJECT, "node") || !begin_node(v, CPU_NONE))
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
