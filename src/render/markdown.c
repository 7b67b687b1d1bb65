/* Writes reports in GitHub's Markdown. Names are escaped so that they remain plain text. */
#include "render_private.h"

#include <stdlib.h>

struct markdown {
	struct table_sink sink;
	FILE *out;
	const struct table_head *head; /* head of the current result set */
	struct render_head heads;
	struct strbuf cell;
	bool after_set;
	bool headed; /* the table's head has been written */
};

void
render_markdown_text(FILE *out, struct text t)
{
	for (size_t i = 0; i < t.size; i++) {
		char c = t.data[i];

		if (c == '<' || c == '>' || c == '&') {
			fputs(render_entity(c), out);
		} else {
			if (c != '\0' && strchr("\\`*_{}[]()#+-!|~@$", c))
				putc('\\', out);
			putc(c, out);
		}
	}
}

static void
put_table_head(struct markdown *m)
{
	m->headed = true;
	putc('|', m->out);
	for (size_t i = 0; i < m->head->column_count; i++) {
		if (!render_shows(&m->head->columns[i]))
			continue;
		putc(' ', m->out);
		render_markdown_text(m->out, text_from(m->head->columns[i].title));
		fputs(" |", m->out);
	}
	fputs("\n|", m->out);
	for (size_t i = 0; i < m->head->column_count; i++)
		if (render_shows(&m->head->columns[i]))
			fputs(table_column_is_right(&m->head->columns[i]) ? " ---: |" : " --- |",
				m->out);
	putc('\n', m->out);
}

static bool
markdown_begin(struct table_sink *s, const struct table_head *head, struct error *err)
{
	struct markdown *m = (struct markdown *)s;

	(void)err;
	m->head = render_head_begin(&m->heads, head);
	return true;
}

static bool
markdown_set_begin(struct table_sink *s, const struct table_set *set, struct error *err)
{
	struct markdown *m = (struct markdown *)s;

	render_head_set(&m->heads, set);
	fputs(m->after_set ? "\n## " : "## ", m->out);
	m->after_set = true;
	m->headed = false;
	render_markdown_text(m->out, text_from(m->head->title));
	if (!text_is_null(set->inst_id)) {
		fputs(": ", m->out);
		strbuf_reset(&m->cell);
		render_set(&m->cell, set);
		render_markdown_text(m->out, strbuf_text(&m->cell));
	}
	fputs("\n\n", m->out);
	return render_check(m->out, err);
}

static void
put_figures(struct markdown *m, const struct table_cell *cells)
{
	for (size_t i = 0; i < m->head->column_count; i++) {
		const struct table_column *c = &m->head->columns[i];

		if (!render_shows_in_record(c, &cells[i]))
			continue;
		strbuf_reset(&m->cell);
		if ((c->kind == TABLE_TEXT || c->kind == TABLE_LABELS) &&
			text_is_empty(cells[i].text))
			strbuf_append_str(&m->cell, "(unknown)");
		else if (c->change && (text_is_null(cells[i].text) ||
					      text_equal(cells[i].text, TEXT_LITERAL("0"))))
			continue;
		else
			render_figure(&m->cell, c, &cells[i]);
		if (i)
			fputs(c->change ? " " : ", ", m->out);
		else if (c->kind == TABLE_INTEGER)
			fputs("\\#", m->out);
		render_markdown_text(m->out, strbuf_text(&m->cell));
	}
}

static void
put_stack(struct markdown *m, const struct table_frame *frames, size_t count)
{
	if (!count)
		fputs("(stack unknown)\n", m->out);
	for (size_t n = 0; n < count; n++) {
		strbuf_reset(&m->cell);
		if (m->head->layout == TABLE_FINDINGS)
			render_trace_frame(&m->cell, &frames[n]);
		else
			render_frame(&m->cell, &frames[n]);
		fputs("1. ", m->out);
		render_markdown_text(m->out, strbuf_text(&m->cell));
		putc('\n', m->out);
	}
	putc('\n', m->out);
}

static void
put_record(struct markdown *m, const struct table_cell *cells)
{
	fputs("### ", m->out);
	put_figures(m, cells);
	fputs("\n\n", m->out);
	for (size_t i = 0; i < m->head->column_count; i++) {
		if (m->head->columns[i].kind == TABLE_FRAMES)
			put_stack(m, cells[i].frames, cells[i].frame_count);
		for (size_t n = 0; n < cells[i].stack_count; n++) {
			strbuf_reset(&m->cell);
			render_visible(&m->cell, cells[i].stacks[n].heading);
			render_markdown_text(m->out, strbuf_text(&m->cell));
			fputs(cells[i].stacks[n].frame_count ? ":\n\n" : "\n\n", m->out);
			if (cells[i].stacks[n].frame_count)
				put_stack(m, cells[i].stacks[n].frames,
					cells[i].stacks[n].frame_count);
		}
	}
}

static void
put_table_row(struct markdown *m, const struct table_cell *cells)
{
	if (!m->headed)
		put_table_head(m);
	putc('|', m->out);
	for (size_t i = 0; i < m->head->column_count; i++) {
		if (!render_shows(&m->head->columns[i]))
			continue;
		putc(' ', m->out);
		strbuf_reset(&m->cell);
		render_cell(&m->cell, &m->head->columns[i], &cells[i]);
		render_markdown_text(m->out, strbuf_text(&m->cell));
		fputs(" |", m->out);
	}
	putc('\n', m->out);
}

static bool
markdown_row(struct table_sink *s, const struct table_cell *cells, struct error *err)
{
	struct markdown *m = (struct markdown *)s;

	if (render_is_records(m->head))
		put_record(m, cells);
	else
		put_table_row(m, cells);
	return render_check(m->out, err);
}

/* Writes the totals as text.c does, but the parts as a list. */
static void
put_findings_totals(struct markdown *m, const struct table_foot *foot)
{
	strbuf_reset(&m->cell);
	render_findings_totals(&m->cell, m->head, foot->all_rows, foot->totals);
	fputs("\nTotal: ", m->out);
	render_markdown_text(m->out, strbuf_text(&m->cell));
	if (foot->rows < foot->all_rows)
		fprintf(m->out, "; shown: %llu", (unsigned long long)foot->rows);
	putc('\n', m->out);
	for (size_t i = 0; render_has_parts(foot) && i < foot->part_count; i++) {
		const struct table_part *p = &foot->parts[i];

		strbuf_reset(&m->cell);
		render_visible(&m->cell, p->name);
		strbuf_append_str(&m->cell, ": ");
		render_findings_totals(&m->cell, m->head, p->rows, p->totals);
		fputs(i ? "- " : "\n- ", m->out);
		render_markdown_text(m->out, strbuf_text(&m->cell));
		putc('\n', m->out);
	}
}

static void
put_totals(struct markdown *m, const struct table_foot *foot)
{
	fprintf(m->out, "\nTotal: %llu %s", (unsigned long long)foot->all_rows,
		foot->all_rows == 1 ? "row" : "rows");
	for (size_t i = 0; i < m->head->column_count; i++) {
		const struct table_column *c = &m->head->columns[i];

		if (!c->summed || text_is_null(foot->totals[i].text))
			continue;
		strbuf_reset(&m->cell);
		strbuf_printf(&m->cell, ", %s ", c->title);
		render_cell(&m->cell, c, &foot->totals[i]);
		render_markdown_text(m->out, strbuf_text(&m->cell));
	}
	if (foot->rows < foot->all_rows)
		fprintf(m->out, "; shown: %llu", (unsigned long long)foot->rows);
	putc('\n', m->out);
}

static bool
markdown_set_end(struct table_sink *s, const struct table_foot *foot, struct error *err)
{
	struct markdown *m = (struct markdown *)s;

	if (!render_is_unknown(foot)) {
		if (m->head->layout == TABLE_FINDINGS)
			put_findings_totals(m, foot);
		else
			put_totals(m, foot);
	}
	for (const char *const *note = foot->notes; note && *note; note++) {
		putc('\n', m->out);
		render_markdown_text(m->out, text_from(*note));
		putc('\n', m->out);
	}
	return render_check(m->out, err);
}

static bool
markdown_end(struct table_sink *s, struct error *err)
{
	return render_check(((struct markdown *)s)->out, err);
}

struct table_sink *
render_markdown_new(FILE *out, const struct render_options *options)
{
	struct markdown *m = xcalloc(1, sizeof(*m));

	(void)options;
	m->sink = (struct table_sink){ markdown_begin, markdown_set_begin, markdown_row,
		markdown_set_end, markdown_end };
	m->out = out;
	strbuf_init(&m->cell, RENDER_CELL_MAX_BYTES);
	return &m->sink;
}

void
render_markdown_free(struct table_sink *s)
{
	struct markdown *m = (struct markdown *)s;

	if (!m)
		return;
	strbuf_release(&m->cell);
	free(m);
}
