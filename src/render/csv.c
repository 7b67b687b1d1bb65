/* Writes reports as CSV (RFC 4180): CRLF ends a record, quotes are doubled, values are exact. */
#define _DEFAULT_SOURCE /* fwrite_unlocked */
#include "render_private.h"

#include <stdlib.h>
#include <string.h>

struct csv {
	struct table_sink sink;
	FILE *out;
	bool several_sets;
	bool safe; /* csv-safe */
	const struct table_head *head;
	struct text inst_id;
};

static bool
needs_quotes(struct text t)
{
	for (size_t i = 0; i < t.size; i++)
		switch (t.data[i]) {
		case '"':
		case ',':
		case '\n':
		case '\r':
			return true;
		default:
			break;
		}
	return false;
}

/* Writes a field without locking the stream, because only this renderer uses the stream. When every byte was
 * written under a lock, a report with stacks spent a third of its time on locking. */
static void
put_field(FILE *out, struct text t)
{
	if (!needs_quotes(t)) {
		if (t.size)
			fwrite_unlocked(t.data, 1, t.size, out);
		return;
	}
	putc_unlocked('"', out);
	for (size_t i = 0; i < t.size; i++) {
		if (t.data[i] == '"')
			putc_unlocked('"', out);
		putc_unlocked(t.data[i], out);
	}
	putc_unlocked('"', out);
}

/* Whether a spreadsheet would take the text for a formula. */
static bool
is_formula(struct text t)
{
	return t.size && t.data[0] && strchr("=+-@\t\r", t.data[0]);
}

static void
put_text(const struct csv *c, struct text t)
{
	struct strbuf b;

	if (!c->safe || !is_formula(t)) {
		put_field(c->out, t);
		return;
	}
	strbuf_init(&b, RENDER_CELL_MAX_BYTES);
	strbuf_append_char(&b, '\'');
	strbuf_append(&b, t.data, t.size);
	put_field(c->out, strbuf_text(&b));
	strbuf_release(&b);
}

static void
put_labels(const struct csv *c, struct text labels)
{
	struct strbuf b = STRBUF_INIT(RENDER_CELL_MAX_BYTES);

	render_labels(&b, labels);
	put_text(c, strbuf_text(&b));
	strbuf_release(&b);
}

static bool
put_frames(FILE *out, enum table_kind kind, const struct table_cell *cell, struct error *err)
{
	char *data = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&data, &size);
	struct json_writer w;

	if (!memory)
		return error_set_errno(err, ERROR_INTERNAL, "cannot write a call stack");
	json_writer_init(&w, memory, false);
	if (kind == TABLE_STACKS)
		render_stacks_json(&w, cell->stacks, cell->stack_count);
	else
		render_frames_json(&w, cell->frames, cell->frame_count);
	fclose(memory);
	put_field(out, (struct text){ data, size });
	free(data);
	return true;
}

static bool
csv_begin(struct table_sink *s, const struct table_head *head, struct error *err)
{
	struct csv *c = (struct csv *)s;

	c->head = head;
	if (c->several_sets)
		fputs("inst_id,", c->out);
	for (size_t i = 0; i < head->column_count; i++)
		fprintf(c->out, "%s%s", i ? "," : "", head->columns[i].key);
	fputs("\r\n", c->out);
	return render_check(c->out, err);
}

static bool
csv_set_begin(struct table_sink *s, const struct table_set *set, struct error *err)
{
	struct csv *c = (struct csv *)s;

	(void)err;
	c->inst_id = set->inst_id;
	return true;
}

static bool
csv_row(struct table_sink *s, const struct table_cell *cells, struct error *err)
{
	struct csv *c = (struct csv *)s;

	if (c->several_sets) {
		put_field(c->out, c->inst_id);
		putc_unlocked(',', c->out);
	}
	for (size_t i = 0; i < c->head->column_count; i++) {
		enum table_kind kind = c->head->columns[i].kind;

		if (i)
			putc_unlocked(',', c->out);
		if (kind == TABLE_TEXT)
			put_text(c, cells[i].text);
		else if (kind == TABLE_LABELS)
			put_labels(c, cells[i].text);
		else if (kind != TABLE_FRAMES && kind != TABLE_STACKS)
			put_field(c->out, cells[i].text);
		else if (!put_frames(c->out, kind, &cells[i], err))
			return false;
	}
	fwrite_unlocked("\r\n", 1, 2, c->out);
	return render_check(c->out, err);
}

static bool
csv_set_end(struct table_sink *s, const struct table_foot *foot, struct error *err)
{
	(void)s;
	(void)foot;
	(void)err;
	return true;
}

static bool
csv_end(struct table_sink *s, struct error *err)
{
	return render_check(((struct csv *)s)->out, err);
}

struct table_sink *
render_csv_new(FILE *out, const struct render_options *options)
{
	struct csv *c = xcalloc(1, sizeof(*c));

	c->sink = (struct table_sink){ csv_begin, csv_set_begin, csv_row, csv_set_end, csv_end };
	c->out = out;
	c->several_sets = options->several_sets;
	return &c->sink;
}

struct table_sink *
render_csv_safe_new(FILE *out, const struct render_options *options)
{
	struct table_sink *s = render_csv_new(out, options);

	((struct csv *)s)->safe = true;
	return s;
}

void
render_csv_safe_free(struct table_sink *s)
{
	free(s);
}

void
render_csv_free(struct table_sink *s)
{
	free(s);
}
