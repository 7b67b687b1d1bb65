/* Writes call trees for other programs: as JSON for d3-flame-graph, as a data frame for Grafana, and as folded stacks. */
#include "flame_private.h"

#include "base/json_writer.h"
#include "render_private.h"

#include <stdlib.h>

const struct flame_writer flame_writers[] = {
#define FLAME_ROW(name, content_type) { #name, content_type, flame_##name##_write },
	FLAME_TABLE(FLAME_ROW)
#undef FLAME_ROW
		{ NULL, NULL, NULL },
};

const struct flame_writer *
flame_writer_find(const char *name)
{
	for (const struct flame_writer *w = flame_writers; w->name; w++)
		if (strcmp(w->name, name) == 0)
			return w;
	return NULL;
}

static void
put_number(struct json_writer *w, const char *key, wide_int v)
{
	char digits[DECIMAL_FIXED_TEXT_MAX];

	json_key_raw(w, key, (struct text){ digits, fixed_format(v, digits) });
}

static bool
name_too_long(const struct strbuf *label, struct error *err)
{
	return error_set(
		err, ERROR_LIMIT, "a frame's name is longer than %zu MiB", label->max >> 20);
}

/* Writes the metric and the units of the values. */
static void
put_units(struct json_writer *w, const struct tree *t)
{
	static const char *const keys[] = { "value", "delta", "base" };
	static const char *const titles[] = { "Value", "Change", "Value Before" };

	json_key_object(w, "metric");
	json_key_depot_text(w, "name", t->metric);
	json_key_depot_text(w, "unit", t->unit);
	json_key_string(w, "kind", "additive");
	json_end_object(w);
	json_key_array(w, "columns");
	for (size_t i = 0; i < (tree_is_compared(t) ? 3U : 1U); i++) {
		json_begin_object(w);
		json_key_string(w, "key", keys[i]);
		json_key_string(w, "title", titles[i]);
		json_key_string(w, "kind", "decimal");
		json_key_depot_text(
			w, "unit", text_is_empty(t->unit) ? TEXT_LITERAL("none") : t->unit);
		json_end_object(w);
	}
	json_end_array(w);
}

static void
open_node(struct json_writer *w, const struct tree *t, size_t i, struct strbuf *label)
{
	const struct tree_node *n = &t->nodes[i];

	strbuf_reset(label);
	tree_node_label(t, i, label);
	json_begin_object(w);
	json_key_depot_text(w, "name", strbuf_text(label));
	put_number(w, "value", n->total);
	if (tree_is_compared(t)) {
		put_number(w, "delta", n->total - n->base_total);
		put_number(w, "base", n->base_total);
	}
	if (n->depth > 0 && !text_is_empty(t->names[n->name].module_name))
		json_key_depot_text(w, "module", text_file_name(t->names[n->name].module_name));
	if (i == 0 && w->answer)
		put_units(w, t);
	if (i + 1 < t->count && t->nodes[i + 1].depth > n->depth) {
		json_key_array(w, "children");
	}
}

bool
flame_json_write(FILE *out, const struct tree *t, const struct flame_options *o, struct error *err)
{
	struct json_writer w;
	struct strbuf label = STRBUF_INIT(TREE_LABEL_MAX_BYTES);
	bool ok;

	if (o && o->part)
		json_writer_init(&w, out, false);
	else
		json_writer_init_answer(&w, out, false);
	for (size_t i = 0; i < t->count && !label.failed; i++) {
		uint32_t next = i + 1 < t->count ? t->nodes[i + 1].depth : 0;
		uint32_t depth = t->nodes[i].depth;

		open_node(&w, t, i, &label);
		if (next > depth)
			continue;
		json_end_object(&w);
		for (; depth > next; depth--) {
			json_end_array(&w);
			json_end_object(&w);
		}
	}
	if (!o || !o->part)
		putc('\n', out);
	ok = label.failed ? name_too_long(&label, err) : render_check(out, err);
	strbuf_release(&label);
	return ok;
}

/* --- Grafana --- */

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

/* Writes Grafana's name of the unit. */
static void
put_unit(struct json_writer *w, const struct tree *t)
{
	static const char *const names[][2] = { { "bytes", "bytes" }, { "seconds", "s" },
		{ "milliseconds", "ms" }, { "microseconds", "\xc2\xb5s" },
		{ "nanoseconds", "ns" } };
	const char *name = "short"; /* a number without a unit */

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (text_equal(t->unit, text_from(names[i][0])))
			name = names[i][1];
	json_key_object(w, "config");
	json_key_string(w, "unit", name);
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
flame_grafana_write(
	FILE *out, const struct tree *t, const struct flame_options *o, struct error *err)
{
	struct json_writer w;

	(void)o;
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
	return render_check(out, err);
}

/* --- folded stacks --- */

/* The number of trailing zeros in a fixed-point value; 18 or more for an integer. */
static int
zeros(wide_int v)
{
	int n = 0;

	while (n < DECIMAL_FIXED_SCALE && v % 10 == 0) {
		v /= 10;
		n++;
	}
	return n;
}

int
flame_folded_scale(const struct tree *t)
{
	int fewest = DECIMAL_FIXED_SCALE;

	for (size_t i = 0; i < t->count && fewest > 0; i++) {
		int n = t->nodes[i].self ? zeros(t->nodes[i].self) : DECIMAL_FIXED_SCALE;

		fewest = n < fewest ? n : fewest;
	}
	return DECIMAL_FIXED_SCALE - fewest;
}

/* Appends the label of node i. Replaces ';' in it, because ';' separates frames. render_visible replaces line
 * breaks, because a line break ends a stack. */
static void
put_frame(struct strbuf *b, const struct tree *t, size_t i, struct strbuf *label)
{
	size_t at = b->size;

	strbuf_reset(label);
	tree_node_label(t, i, label);
	render_visible(b, strbuf_text(label));
	for (; at < b->size; at++)
		if (b->data[at] == ';')
			b->data[at] = ':';
}

/* Writes an integer of any size; returns a pointer to its first digit in out. */
static const char *
format_whole(wide_int v, char out[DECIMAL_FIXED_TEXT_MAX])
{
	wide_bits rest = v < 0 ? -(wide_bits)v : (wide_bits)v;
	char *p = &out[DECIMAL_FIXED_TEXT_MAX - 1];

	*p = '\0';
	do
		*--p = (char)('0' + (int)(rest % 10));
	while (rest /= 10);
	if (v < 0)
		*--p = '-';
	return p;
}

struct folding {
	const struct tree *t;
	struct strbuf path, label;
	size_t *ends;  /* for each depth: the length of `path` up to this depth */
	wide_int unit; /* self values are divided by this number */
};

static bool
put_line(struct folding *f, size_t i, FILE *out, struct error *err)
{
	const struct tree_node *n = &f->t->nodes[i];
	char digits[DECIMAL_FIXED_TEXT_MAX];

	if (n->depth > 0) {
		f->path.size = f->ends[n->depth - 1];
		if (f->path.size)
			strbuf_append_char(&f->path, ';');
		put_frame(&f->path, f->t, i, &f->label);
		f->ends[n->depth] = f->path.size;
	}
	if (f->label.failed)
		return name_too_long(&f->label, err);
	if (f->path.failed)
		return error_set(err, ERROR_LIMIT, "a stack is longer than %zu MiB when folded",
			f->path.max >> 20);
	if (n->self == 0)
		return true;
	if (n->depth == 0)
		fputs("(unknown)", out);
	fwrite(strbuf_str(&f->path), 1, n->depth ? f->path.size : 0, out);
	fprintf(out, " %s\n", format_whole(n->self / f->unit, digits));
	return true;
}

bool
flame_folded_write(
	FILE *out, const struct tree *t, const struct flame_options *o, struct error *err)
{
	struct folding f = { .t = t, .unit = 1 };
	size_t deepest = 0;
	bool ok = true;

	(void)o;
	for (size_t i = 0; i < t->count; i++)
		deepest = t->nodes[i].depth > deepest ? t->nodes[i].depth : deepest;
	f.ends = xcalloc(deepest + 1, sizeof(*f.ends));
	for (int i = flame_folded_scale(t); i < DECIMAL_FIXED_SCALE; i++)
		f.unit *= 10;
	strbuf_init(&f.path, 1024UL * 1024 * 1024);
	strbuf_init(&f.label, TREE_LABEL_MAX_BYTES);
	for (size_t i = 0; ok && i < t->count; i++)
		ok = put_line(&f, i, out, err);
	strbuf_release(&f.label);
	strbuf_release(&f.path);
	free(f.ends);
	return ok && render_check(out, err);
}
