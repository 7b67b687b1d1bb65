/*
 * Writes reports as text for people. A grid's column widths are computed from its first rows, which
 * are held in memory. Further rows are streamed with the same widths.
 */
#include "render_private.h"

#include "base/arena.h"

#include <stdlib.h>

enum {
	HELD_ROWS = 10000,
	HELD_BYTES = 8 * 1024 * 1024,
	GAP = 2,
	NARROWEST = 8, /* minimum width of a column */
};

struct text_renderer {
	struct table_sink sink;
	FILE *out;
	struct render_options options;
	const struct table_head *head; /* of the current set */
	struct render_head heads;
	struct strbuf line;
	struct strbuf cell;
	struct arena held; /* rows, each a struct text[column_count] */
	struct text **rows;
	size_t row_count;
	size_t *widths;
	bool streaming;
	bool after_set;
	struct text section; /* section of the last row, in section_buffer */
	struct strbuf section_buffer;
};

static void
put_line(struct text_renderer *r)
{
	while (r->line.size && r->line.data[r->line.size - 1] == ' ')
		r->line.size--;
	strbuf_append_char(&r->line, '\n');
	fwrite(strbuf_str(&r->line), 1, r->line.size, r->out);
	strbuf_reset(&r->line);
}

/* In sections, the first column is used as a heading, not as a column. */
static bool
in_grid(const struct text_renderer *r, size_t column)
{
	return render_shows(&r->head->columns[column]) &&
	       !(r->head->layout == TABLE_SECTIONS && column == 0);
}

static void
put_padded(struct text_renderer *r, size_t column, struct text t)
{
	size_t width = r->widths[column];
	size_t own;
	bool right = table_column_is_right(&r->head->columns[column]);

	strbuf_reset(&r->cell);
	if (r->options.width)
		render_cut(&r->cell, t, width);
	else
		strbuf_append_text(&r->cell, t);
	own = render_width(strbuf_text(&r->cell));
	for (size_t i = own; right && i < width; i++)
		strbuf_append_char(&r->line, ' ');
	strbuf_append_text(&r->line, strbuf_text(&r->cell));
	for (size_t i = own; !right && i < width; i++)
		strbuf_append_char(&r->line, ' ');
	strbuf_append(&r->line, "  ", GAP);
}

static void
put_grid_row(struct text_renderer *r, const struct text *cells)
{
	if (r->head->layout == TABLE_SECTIONS && !text_equal(cells[0], r->section)) {
		if (!text_is_null(r->section))
			put_line(r);
		strbuf_append_text(&r->line, cells[0]);
		put_line(r);
		strbuf_reset(&r->section_buffer);
		strbuf_append_text(&r->section_buffer, cells[0]);
		r->section = strbuf_text(&r->section_buffer);
	}
	if (r->head->layout == TABLE_SECTIONS)
		strbuf_append_str(&r->line, "  ");
	for (size_t i = 0; i < r->head->column_count; i++)
		if (in_grid(r, i))
			put_padded(r, i, cells[i]);
	put_line(r);
}

static bool
has_totals(const struct text_renderer *r)
{
	for (size_t i = 0; i < r->head->column_count; i++)
		if (r->head->columns[i].summed)
			return true;
	return false;
}

/* Narrows the widest columns until the grid fits the terminal. */
static void
fit_widths(struct text_renderer *r)
{
	size_t total = 0;
	size_t widest;

	for (size_t i = 0; i < r->head->column_count; i++)
		total += in_grid(r, i) ? r->widths[i] + GAP : 0;
	while (r->options.width && total > r->options.width + GAP) {
		widest = r->head->column_count;
		for (size_t i = 0; i < r->head->column_count; i++)
			if (in_grid(r, i) && !table_column_is_right(&r->head->columns[i]) &&
				r->widths[i] > NARROWEST &&
				(widest == r->head->column_count ||
					r->widths[i] > r->widths[widest]))
				widest = i;
		if (widest == r->head->column_count)
			break;
		r->widths[widest]--;
		total--;
	}
}

static void
put_grid_head(struct text_renderer *r)
{
	for (size_t i = 0; i < r->head->column_count; i++)
		if (in_grid(r, i))
			put_padded(r, i, text_from(r->head->columns[i].title));
	put_line(r);
	for (size_t i = 0; i < r->head->column_count; i++) {
		if (!in_grid(r, i))
			continue;
		for (size_t n = 0; n < r->widths[i]; n++)
			strbuf_append_char(&r->line, '-');
		strbuf_append(&r->line, "  ", GAP);
	}
	put_line(r);
}

static void
widen(struct text_renderer *r, size_t column, size_t width)
{
	if (width > r->widths[column])
		r->widths[column] = width;
}

/* Computes the widths from the held rows, and from the totals if no more rows follow (otherwise
 * foot is NULL). */
static void
measure(struct text_renderer *r, const struct table_foot *foot)
{
	const struct table_head *head = r->head;
	bool labelled = false;

	for (size_t i = 0; i < head->column_count; i++) {
		const struct table_column *c = &head->columns[i];

		r->widths[i] =
			head->layout == TABLE_SECTIONS ? 0 : render_width(text_from(c->title));
		for (size_t n = 0; n < r->row_count; n++)
			widen(r, i, render_width(r->rows[n][i]));
		strbuf_reset(&r->cell);
		if (foot && c->summed)
			render_cell(&r->cell, c, &foot->totals[i]);
		else if (!labelled && in_grid(r, i) && has_totals(r))
			strbuf_append_str(&r->cell, "Total");
		labelled |= in_grid(r, i);
		widen(r, i, render_width(strbuf_text(&r->cell)));
	}
}

static void
flush_held(struct text_renderer *r, const struct table_foot *foot)
{
	if (r->streaming)
		return;
	r->streaming = true;
	measure(r, foot);
	fit_widths(r);
	if (r->head->layout == TABLE_GRID)
		put_grid_head(r);
	for (size_t n = 0; n < r->row_count; n++)
		put_grid_row(r, r->rows[n]);
	r->row_count = 0;
	arena_reset(&r->held);
}

static struct text *
format_row(struct text_renderer *r, const struct table_cell *cells)
{
	struct text *row = arena_alloc_array(&r->held, r->head->column_count, sizeof(*row));

	for (size_t i = 0; i < r->head->column_count; i++) {
		strbuf_reset(&r->cell);
		if (render_shows(&r->head->columns[i]))
			render_cell(&r->cell, &r->head->columns[i], &cells[i]);
		row[i] = arena_text(&r->held, strbuf_text(&r->cell));
	}
	return row;
}

static void
put_stack(struct text_renderer *r, const struct table_frame *frames, size_t count)
{
	bool trace = r->head->layout == TABLE_FINDINGS;

	if (count == 0) {
		strbuf_append_str(&r->line, "    (stack unknown)");
		put_line(r);
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
		put_line(r);
	}
}

/* Writes "  freed by thread 2:" and the frames; a heading without frames is just a remark. */
static void
put_further(struct text_renderer *r, const struct table_stack *stack)
{
	strbuf_append_str(&r->line, "  ");
	render_visible(&r->line, stack->heading);
	if (stack->frame_count)
		strbuf_append_char(&r->line, ':');
	put_line(r);
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

		if (!render_shows(c))
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
	put_line(r);
	put_stacks(r, cells);
	put_line(r);
}

static bool
text_begin(struct table_sink *s, const struct table_head *head, struct error *err)
{
	struct text_renderer *r = (struct text_renderer *)s;

	(void)err;
	r->head = render_head_begin(&r->heads, head);
	r->widths = xcalloc(head->column_count + 1, sizeof(*r->widths));
	r->rows = xcalloc(HELD_ROWS, sizeof(*r->rows));
	return true;
}

static bool
text_set_begin(struct table_sink *s, const struct table_set *set, struct error *err)
{
	struct text_renderer *r = (struct text_renderer *)s;

	if (r->after_set)
		put_line(r);
	r->after_set = true;
	render_head_set(&r->heads, set);
	strbuf_append_str(&r->line, r->head->title);
	if (!text_is_null(set->inst_id)) {
		strbuf_append_str(&r->line, ": ");
		render_set(&r->line, set);
	}
	put_line(r);
	put_line(r);
	r->streaming = false;
	r->section = TEXT_NULL;
	return render_check(r->out, err);
}

static bool
text_row(struct table_sink *s, const struct table_cell *cells, struct error *err)
{
	struct text_renderer *r = (struct text_renderer *)s;

	if (render_is_records(r->head)) {
		put_record(r, cells);
	} else if (r->streaming) {
		put_grid_row(r, format_row(r, cells));
		arena_reset(&r->held);
	} else {
		r->rows[r->row_count++] = format_row(r, cells);
		if (r->row_count == HELD_ROWS || r->held.total > HELD_BYTES)
			flush_held(r, NULL);
	}
	return render_check(r->out, err);
}

static void
put_grid_totals(struct text_renderer *r, const struct table_foot *foot)
{
	bool labelled = false;

	for (size_t i = 0; i < r->head->column_count; i++) {
		struct strbuf *cell = &r->section_buffer;

		if (!in_grid(r, i))
			continue;
		strbuf_reset(cell);
		if (r->head->columns[i].summed)
			render_cell(cell, &r->head->columns[i], &foot->totals[i]);
		else if (!labelled)
			strbuf_append_str(cell, "Total");
		labelled = true;
		put_padded(r, i, strbuf_text(cell));
	}
	put_line(r);
}

/* Writes "total: 8 records, 131 blocks, 6,977 bytes", then the same for each part. */
static void
put_findings_totals(struct text_renderer *r, const struct table_foot *foot)
{
	strbuf_append_str(&r->line, "total: ");
	render_findings_totals(&r->line, r->head, foot->all_rows, foot->totals);
	put_line(r);
	for (size_t i = 0; render_has_parts(foot) && i < foot->part_count; i++) {
		const struct table_part *p = &foot->parts[i];

		strbuf_append_str(&r->line, "  ");
		render_visible(&r->line, p->name);
		strbuf_append_str(&r->line, ": ");
		render_findings_totals(&r->line, r->head, p->rows, p->totals);
		put_line(r);
	}
}

/* Writes "total: 29 records, 150 objects, 41.2 GiB". */
static void
put_record_totals(struct text_renderer *r, const struct table_foot *foot)
{
	strbuf_printf(&r->line, "total: %llu %s", (unsigned long long)foot->all_rows,
		foot->all_rows == 1 ? "record" : "records");
	for (size_t i = 0; i < r->head->column_count; i++) {
		if (!r->head->columns[i].summed || r->head->columns[i].machine)
			continue;
		if (r->head->columns[i].change) {
			put_change(r, &r->head->columns[i], &foot->totals[i]);
			continue;
		}
		strbuf_append_str(&r->line, ", ");
		render_figure(&r->line, &r->head->columns[i], &foot->totals[i]);
	}
	put_line(r);
}

static bool
text_set_end(struct table_sink *s, const struct table_foot *foot, struct error *err)
{
	struct text_renderer *r = (struct text_renderer *)s;

	if (!render_is_records(r->head))
		flush_held(r, foot);
	if (r->head->layout == TABLE_FINDINGS)
		put_findings_totals(r, foot);
	else if (render_is_records(r->head))
		put_record_totals(r, foot);
	else if (foot->rows && has_totals(r))
		put_grid_totals(r, foot);
	else if (!foot->rows) {
		strbuf_append_str(&r->line, "(none)");
		put_line(r);
	}
	if (foot->rows < foot->all_rows) {
		strbuf_printf(&r->line, "shown: %llu of %llu", (unsigned long long)foot->rows,
			(unsigned long long)foot->all_rows);
		put_line(r);
	}
	for (const char *const *note = foot->notes; note && *note; note++) {
		strbuf_append_str(&r->line, *note);
		put_line(r);
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
	arena_release(&r->held);
	free(r->widths);
	free(r->rows);
	free(r);
}
