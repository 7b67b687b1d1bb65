/* Writes a tree as a data frame for Grafana's flame graph panel. events/event_frames.h describes
 * the format. */
#include "events/event_frames.h"

#include "base/json_writer.h"
#include "base/strbuf.h"

typedef wide_int frame_value(const struct tree_node *n);

static wide_int
level(const struct tree_node *n)
{
	return fixed_from_wide(n->depth);
}

static wide_int
value(const struct tree_node *n)
{
	return fixed_add(n->total, n->base_total);
}

static wide_int
self(const struct tree_node *n)
{
	return fixed_add(n->self, n->base_self);
}

static wide_int
value_right(const struct tree_node *n)
{
	return n->total;
}

static wide_int
self_right(const struct tree_node *n)
{
	return n->self;
}

static const struct column {
	const char *name;
	frame_value *value;
	bool has_unit, compared;
} columns[] = {
	{ "level", level, false, false },
	{ "value", value, true, false },
	{ "self", self, true, false },
	{ "valueRight", value_right, true, true },
	{ "selfRight", self_right, true, true },
};

static void
begin_field(struct json_writer *w, const char *name, const char *type)
{
	json_begin_object(w);
	json_key_string(w, "name", name);
	json_key_string(w, "type", type);
}

static void
put_unit(struct json_writer *w, const struct tree *t)
{
	bool time = text_equal(t->unit, text_from("microseconds"));

	json_key_object(w, "config");
	json_key_string(w, "unit", time ? "\xc2\xb5s" : "short"); /* Grafana's names */
	json_end_object(w);
}

static void
put_column(struct json_writer *w, const struct column *c, const struct tree *t)
{
	char digits[DECIMAL_FIXED_TEXT_MAX] = "";

	begin_field(w, c->name, "number");
	if (c->has_unit)
		put_unit(w, t);
	json_key_array(w, "values");
	for (size_t i = 0; i < t->count; i++)
		json_raw(w, (struct text){ digits, fixed_format(c->value(&t->nodes[i]), digits) });
	json_end_array(w);
	json_end_object(w);
}

static void
put_labels(struct json_writer *w, const struct tree *t)
{
	struct strbuf label;

	strbuf_init(&label, TREE_LABEL_MAX_BYTES);
	begin_field(w, "label", "string");
	json_key_array(w, "values");
	for (size_t i = 0; i < t->count; i++) {
		strbuf_reset(&label);
		tree_node_label(t, i, &label);
		json_depot_text(w, strbuf_text(&label));
	}
	json_end_array(w);
	json_end_object(w);
	strbuf_release(&label);
}

bool
event_frames_write(FILE *out, const struct tree *t)
{
	struct json_writer w;

	json_writer_init(&w, out, false);
	json_begin_object(&w);
	json_key_array(&w, "fields");
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		if (!columns[i].compared || tree_is_compared(t))
			put_column(&w, &columns[i], t);
	put_labels(&w, t);
	json_end_array(&w);
	json_key_int(&w, "nodes", (int64_t)t->count);
	json_key_int(&w, "trimmed", (int64_t)(t->all_nodes - t->count));
	json_end_object(&w);
	putc('\n', out);
	return !ferror(out);
}
