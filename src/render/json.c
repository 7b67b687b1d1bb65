/* Writes reports as JSON. */
#include "render_private.h"

#include <stdlib.h>

struct json {
	struct table_sink sink;
	FILE *out;
	struct json_writer w;
	const struct table_head *head;
	bool open; /* the document has begun */
};

static void
json_name(struct json_writer *w, const char *key, struct text t)
{
	json_key_text(w, key, text_is_null(t) ? TEXT_LITERAL("") : t);
}

void
render_stacks_json(struct json_writer *w, const struct table_stack *stacks, size_t count)
{
	json_begin_array(w);
	for (size_t i = 0; i < count; i++) {
		json_begin_object(w);
		json_name(w, "role", stacks[i].role);
		json_name(w, "heading", stacks[i].heading);
		json_key(w, "stack");
		render_frames_json(w, stacks[i].frames, stacks[i].frame_count);
		json_end_object(w);
	}
	json_end_array(w);
}

void
render_frames_json(struct json_writer *w, const struct table_frame *frames, size_t count)
{
	json_begin_array(w);
	for (size_t i = 0; i < count; i++) {
		const struct table_frame *f = &frames[i];

		json_begin_object(w);
		json_name(w, "module", f->module_name);
		json_name(w, "class", f->class_name);
		json_name(w, "routine", f->routine_name);
		json_name(w, "unit", f->unit_name);
		json_name(w, "file", f->source_file);
		json_key(w, "line");
		if (f->source_line == TABLE_NO_LINE)
			json_null(w);
		else
			json_int(w, f->source_line);
		json_end_object(w);
	}
	json_end_array(w);
}

void
render_columns_json(
	struct json_writer *w, const struct table_column *columns, size_t count, bool summed)
{
	json_key_array(w, "columns");
	for (size_t i = 0; i < count; i++) {
		json_begin_object(w);
		json_key_string(w, "key", columns[i].key);
		json_key_string(w, "title", columns[i].title);
		json_key_string(w, "kind", table_kind_names[columns[i].kind]);
		json_key_string(w, "unit", table_column_unit(&columns[i]));
		if (summed)
			json_key_bool(w, "summed", columns[i].summed);
		json_end_object(w);
	}
	json_end_array(w);
}

static void
put_labels(struct json_writer *w, struct text labels)
{
	struct strbuf name = STRBUF_INIT(RENDER_CELL_MAX_BYTES);
	struct text key;
	struct text value;

	json_begin_object(w);
	while (render_next_label(&labels, &key, &value)) {
		strbuf_reset(&name);
		strbuf_append_text(&name, key);
		json_key(w, strbuf_str(&name));
		json_text(w, value);
	}
	json_end_object(w);
	strbuf_release(&name);
}

static void
put_cell(struct json_writer *w, const struct table_column *c, const struct table_cell *cell)
{
	if (c->kind == TABLE_FRAMES) {
		render_frames_json(w, cell->frames, cell->frame_count);
		return;
	}
	if (c->kind == TABLE_STACKS) {
		render_stacks_json(w, cell->stacks, cell->stack_count);
		return;
	}
	if (c->kind == TABLE_LABELS) {
		put_labels(w, cell->text);
		return;
	}
	if (text_is_null(cell->text)) {
		json_null(w);
		return;
	}
	switch (c->kind) {
	case TABLE_INTEGER:
	case TABLE_DECIMAL:
		/* Many readers round numbers above 2^53, so an address is written as text. */
		if (c->unit == TABLE_UNIT_HEX)
			json_text(w, cell->text);
		else
			json_raw(w, cell->text);
		break;
	case TABLE_BOOL:
		json_bool(w, text_equal(cell->text, TEXT_LITERAL("t")));
		break;
	case TABLE_TEXT:
	case TABLE_TIME:
	case TABLE_FRAMES:
	case TABLE_STACKS:
	case TABLE_LABELS:
	case TABLE_KINDS:
		json_text(w, cell->text);
		break;
	}
}

static bool
json_begin(struct table_sink *s, const struct table_head *head, struct error *err)
{
	struct json *j = (struct json *)s;

	(void)err;
	j->head = head;
	return true;
}

/* Begins the document, unless it has already begun. json_begin does not call this function, so a
 * request that fails before its first result set writes nothing. */
static void
open_document(struct json *j)
{
	if (j->open)
		return;
	j->open = true;
	json_writer_init_answer(&j->w, j->out, false);
	json_begin_object(&j->w);
	json_key_string(&j->w, "report", j->head->report);
	json_key_array(&j->w, "result_sets");
}

/* Writes the columns with this result set's units. An answer without rows has them, too. */
static void
put_columns(struct json_writer *w, const struct table_head *head, const struct table_set *set)
{
	render_columns_json(
		w, set->columns ? set->columns : head->columns, head->column_count, false);
}

static bool
json_set_begin(struct table_sink *s, const struct table_set *set, struct error *err)
{
	struct json *j = (struct json *)s;

	open_document(j);
	putc('\n', j->out);
	json_begin_object(&j->w);
	if (!text_is_null(set->inst_id)) {
		json_key_raw(&j->w, "inst_id", set->inst_id);
		json_key_text(&j->w, "caption", set->caption);
	}
	if (!text_is_null(set->base_inst_id)) {
		json_key_raw(&j->w, "base_inst_id", set->base_inst_id);
		json_key_text(&j->w, "base_caption", set->base_caption);
	}
	if (!text_is_null(set->subject))
		json_key_text(&j->w, "subject", set->subject);
	if (!text_is_null(set->metric.name)) {
		json_key_object(&j->w, "metric");
		json_key_text(&j->w, "name", set->metric.name);
		json_key_text(&j->w, "unit", set->metric.unit);
		json_key_string(&j->w, "kind", set->metric.gauge ? "gauge" : "additive");
		json_end_object(&j->w);
	}
	put_columns(&j->w, j->head, set);
	if (set->members)
		set->members(&j->w, set->members_self);
	json_key_array(&j->w, "rows");
	return render_check(j->out, err);
}

static bool
json_row(struct table_sink *s, const struct table_cell *cells, struct error *err)
{
	struct json *j = (struct json *)s;

	putc('\n', j->out);
	json_begin_object(&j->w);
	for (size_t i = 0; i < j->head->column_count; i++) {
		json_key(&j->w, j->head->columns[i].key);
		put_cell(&j->w, &j->head->columns[i], &cells[i]);
	}
	json_end_object(&j->w);
	return render_check(j->out, err);
}

static void
put_suppressed(struct json_writer *w, const struct suppress_use *u)
{
	json_key_object(w, "suppressed");
	json_key_int(w, "records", (int64_t)u->records);
	json_key_int(w, "blocks", (int64_t)u->blocks);
	json_key_int(w, "bytes", u->bytes > INT64_MAX ? INT64_MAX : (int64_t)u->bytes);
	json_end_object(w);
}

static void
put_sums(struct json *j, const struct table_cell *totals)
{
	for (size_t i = 0; i < j->head->column_count; i++) {
		if (!j->head->columns[i].summed)
			continue;
		json_key(&j->w, j->head->columns[i].key);
		put_cell(&j->w, &j->head->columns[i], &totals[i]);
	}
}

/* Writes "by_kind":[{"kind":"definite","rows":4,"count":7,"size":296},...]. */
static void
put_parts(struct json *j, const struct table_foot *foot)
{
	const struct table_head *head = j->head;
	const char *key = head->columns[foot->part_column].key;
	char by[64];

	snprintf(by, sizeof(by), "by_%s", key);
	json_key_array(&j->w, by);
	for (size_t n = 0; n < foot->part_count; n++) {
		const struct table_part *p = &foot->parts[n];
		const struct table_cell value = { .text = p->value };

		json_begin_object(&j->w);
		json_key(&j->w, key);
		put_cell(&j->w, &head->columns[foot->part_column], &value);
		json_key_int(&j->w, "rows", (int64_t)p->rows);
		put_sums(j, p->totals);
		json_end_object(&j->w);
	}
	json_end_array(&j->w);
}

/* Writes the reasons why figures may be too low, if there are any. */
static void
put_gaps(struct json *j, const char *const *gaps)
{
	if (!gaps || !*gaps)
		return;
	json_key_array(&j->w, "incomplete");
	for (; *gaps; gaps++)
		json_string(&j->w, *gaps);
	json_end_array(&j->w);
}

static bool
json_set_end(struct table_sink *s, const struct table_foot *foot, struct error *err)
{
	struct json *j = (struct json *)s;

	json_end_array(&j->w);
	put_gaps(j, foot->gaps);
	json_key_object(&j->w, "totals");
	json_key(&j->w, "rows");
	if (foot->more)
		json_null(&j->w);
	else
		json_int(&j->w, (int64_t)foot->all_rows);
	json_key_int(&j->w, "shown", (int64_t)foot->rows);
	if (foot->suppressed)
		put_suppressed(&j->w, foot->suppressed);
	put_sums(j, foot->totals);
	if (foot->parts)
		put_parts(j, foot);
	json_end_object(&j->w);
	json_end_object(&j->w);
	return render_check(j->out, err);
}

static bool
json_end(struct table_sink *s, struct error *err)
{
	struct json *j = (struct json *)s;

	open_document(j);
	json_end_array(&j->w);
	json_end_object(&j->w);
	putc('\n', j->out);
	return render_check(j->out, err);
}

struct table_sink *
render_json_new(FILE *out, const struct render_options *options)
{
	struct json *j = xcalloc(1, sizeof(*j));

	(void)options;
	j->sink =
		(struct table_sink){ json_begin, json_set_begin, json_row, json_set_end, json_end };
	j->out = out;
	return &j->sink;
}

void
render_json_free(struct table_sink *s)
{
	free(s);
}
