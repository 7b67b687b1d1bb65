/* Writes reports as text for people: headings, records, totals, notes. text_grid.c writes grids. */
#include "text_private.h"

#include "base/arena.h"

#include <stdlib.h>

static void
put_stack(struct text_renderer *r, const struct table_frame *frames, size_t count)
{
	bool trace = r->head->layout == TABLE_FINDINGS;

	if (count == 0) {
		strbuf_append_str(&r->line, "    (stack unknown)");
		text_put_line(r);
	}
	for (size_t i = 0; i < count; i++) {
		strbuf_reset(&r->cell);
		if (trace) {
			strbuf_append_str(&r->cell, i ? "by " : "at ");
			render_trace_frame(&r->cell, &frames[i]);
		} else {
			render_frame(&r->cell, &frames[i]);
		}
		strbuf_append_str(&r->line, "    ");
		if (r->options.width > 4)
			render_cut(&r->line, strbuf_text(&r->cell), r->options.width - 4);
		else
			strbuf_append_text(&r->line, strbuf_text(&r->cell));
		text_put_line(r);
	}
}

/* Writes "  freed by thread 2:" and the frames. If there are no frames, writes the heading without a
 * colon. */
static void
put_further(struct text_renderer *r, const struct table_stack *stack)
{
	strbuf_append_str(&r->line, "  ");
	render_visible(&r->line, stack->heading);
	if (stack->frame_count)
		strbuf_append_char(&r->line, ':');
	text_put_wrapped(r, 4, RENDER_PLAIN);
	if (stack->frame_count)
		put_stack(r, stack->frames, stack->frame_count);
}

static void
put_stacks(struct text_renderer *r, const struct table_cell *cells)
{
	for (size_t i = 0; i < r->head->column_count; i++) {
		if (r->head->columns[i].kind == TABLE_FRAMES)
			put_stack(r, cells[i].frames, cells[i].frame_count);
		for (size_t n = 0; n < cells[i].stack_count; n++)
			put_further(r, &cells[i].stacks[n]);
	}
}

/* " (+7)" */
static void
put_change(struct text_renderer *r, const struct table_column *c, const struct table_cell *cell)
{
	if (text_is_null(cell->text) || text_equal(cell->text, TEXT_LITERAL("0")))
		return;
	strbuf_append_str(&r->line, " (");
	render_cell(&r->line, c, cell);
	strbuf_append_char(&r->line, ')');
}

/* Writes "#1  27 objects, 2.6 MiB  Registry  gdi32.dll", then the stacks. */
static void
put_record(struct text_renderer *r, const struct table_cell *cells)
{
	bool figure_before = false;

	for (size_t i = 0; i < r->head->column_count; i++) {
		const struct table_column *c = &r->head->columns[i];
		bool figure = c->unit == TABLE_UNIT_COUNT || c->unit == TABLE_UNIT_BYTES;

		if (!render_shows_in_record(c, &cells[i]))
			continue;
		if (c->change) {
			put_change(r, c, &cells[i]);
			continue;
		}
		if (i)
			strbuf_append_str(&r->line, figure && figure_before ? ", " : "  ");
		if (i == 0 && c->kind == TABLE_INTEGER)
			strbuf_append_char(&r->line, '#');
		if (c->kind == TABLE_TEXT && text_is_empty(cells[i].text))
			strbuf_append_str(&r->line, "(unknown)");
		else
			render_figure(&r->line, c, &cells[i]);
		figure_before = figure;
	}
	text_put_wrapped(r, 4, RENDER_HEAD);
	put_stacks(r, cells);
	text_put_line(r);
}

static bool
text_begin(struct table_sink *s, const struct table_head *head, struct error *err)
{
	struct text_renderer *r = (struct text_renderer *)s;

	(void)err;
	r->head = render_head_begin(&r->heads, head);
	r->widths = xcalloc(head->column_count + 1, sizeof(*r->widths));
	r->uses = xcalloc(head->column_count + 1, sizeof(*r->uses));
	return true;
}

static bool
text_set_begin(struct table_sink *s, const struct table_set *set, struct error *err)
{
	struct text_renderer *r = (struct text_renderer *)s;

	if (r->after_set)
		text_put_line(r);
	r->after_set = true;
	render_head_set(&r->heads, set);
	strbuf_append_str(&r->line, r->head->title);
	if (!text_is_null(set->inst_id)) {
		strbuf_append_str(&r->line, ": ");
		render_set(&r->line, set);
	}
	text_put_wrapped(r, 4, RENDER_HEAD);
	text_put_line(r);
	r->streaming = false;
	r->section = TEXT_NULL;
	return render_check(r->out, err);
}

static bool
text_row(struct table_sink *s, const struct table_cell *cells, struct error *err)
{
	struct text_renderer *r = (struct text_renderer *)s;

	if (render_is_records(r->head))
		put_record(r, cells);
	else
		text_grid_row(r, cells);
	return render_check(r->out, err);
}

/* Writes "total: 8 records, 131 blocks, 6,977 bytes", then the same for each part. */
static void
put_findings_totals(struct text_renderer *r, const struct table_foot *foot)
{
	strbuf_append_str(&r->line, "total: ");
	render_findings_totals(&r->line, r->head, foot->all_rows, foot->totals);
	text_put_wrapped(r, 4, RENDER_HEAD);
	for (size_t i = 0; render_has_parts(foot) && i < foot->part_count; i++) {
		const struct table_part *p = &foot->parts[i];

		strbuf_append_str(&r->line, "  ");
		render_visible(&r->line, p->name);
		strbuf_append_str(&r->line, ": ");
		render_findings_totals(&r->line, r->head, p->rows, p->totals);
		text_put_wrapped(r, 4, RENDER_PLAIN);
	}
}

/* Writes "total: 29 records, 150 objects, 41.2 GiB". */
static void
put_record_totals(struct text_renderer *r, const struct table_foot *foot)
{
	strbuf_printf(&r->line, "total: %llu %s", (unsigned long long)foot->all_rows,
		foot->all_rows == 1 ? "record" : "records");
	for (size_t i = 0; i < r->head->column_count; i++) {
		if (!r->head->columns[i].summed || r->head->columns[i].machine ||
			text_is_null(foot->totals[i].text))
			continue;
		if (r->head->columns[i].change) {
			put_change(r, &r->head->columns[i], &foot->totals[i]);
			continue;
		}
		strbuf_append_str(&r->line, ", ");
		render_figure(&r->line, &r->head->columns[i], &foot->totals[i]);
	}
	text_put_wrapped(r, 4, RENDER_HEAD);
}

static bool
text_set_end(struct table_sink *s, const struct table_foot *foot, struct error *err)
{
	struct text_renderer *r = (struct text_renderer *)s;

	bool unknown = render_is_unknown(foot);

	if (r->head->layout == TABLE_FINDINGS && !unknown)
		put_findings_totals(r, foot);
	else if (!render_is_records(r->head))
		text_grid_end(r, foot);
	else if (!unknown)
		put_record_totals(r, foot);
	if (!foot->rows && !unknown && !render_is_records(r->head)) {
		strbuf_append_str(&r->line, "(none)");
		text_put_line(r);
	}
	if (foot->rows < foot->all_rows) {
		strbuf_printf(&r->line, "shown: %llu of %llu", (unsigned long long)foot->rows,
			(unsigned long long)foot->all_rows);
		text_put_line(r);
	}
	if (r->note.size) {
		strbuf_append_text(&r->line, strbuf_text(&r->note));
		text_put_wrapped(r, 4, RENDER_CALM);
	}
	for (const char *const *note = foot->notes; note && *note; note++) {
		strbuf_append_str(&r->line, *note);
		text_put_wrapped(r, 4, RENDER_PLAIN);
	}
	return render_check(r->out, err);
}

static bool
text_end(struct table_sink *s, struct error *err)
{
	return render_check(((struct text_renderer *)s)->out, err);
}

struct table_sink *
render_text_new(FILE *out, const struct render_options *options)
{
	struct text_renderer *r = xcalloc(1, sizeof(*r));

	r->sink =
		(struct table_sink){ text_begin, text_set_begin, text_row, text_set_end, text_end };
	r->out = out;
	r->options = *options;
	r->held = ARENA_INIT;
	strbuf_init(&r->line, RENDER_CELL_MAX_BYTES);
	strbuf_init(&r->cell, RENDER_CELL_MAX_BYTES);
	strbuf_init(&r->section_buffer, RENDER_CELL_MAX_BYTES);
	strbuf_init(&r->note, RENDER_CELL_MAX_BYTES);
	return &r->sink;
}

void
render_text_free(struct table_sink *s)
{
	struct text_renderer *r = (struct text_renderer *)s;

	if (!r)
		return;
	strbuf_release(&r->line);
	strbuf_release(&r->cell);
	strbuf_release(&r->section_buffer);
	strbuf_release(&r->note);
	arena_release(&r->held);
	free(r->uses);
	free(r->widths);
	free(r->rows);
	free(r);
}
