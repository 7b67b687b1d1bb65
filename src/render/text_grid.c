/*
 * Grids of the text renderer. Column widths are computed from the first rows, which are held in memory;
 * further rows are streamed. If the output has a limited width, these steps make the grid fit:
 *
 * 1. Columns without values, and columns with the same value in every row, are left out. A note names
 *    them. The first column, columns of a series, and columns with a total are always kept.
 * 2. Pictures, such as bars, are left out.
 * 3. Titles are broken into lines.
 * 4. Modules and files lose their folders.
 * 5. Names are cut, the widest first, down to NARROWEST columns. Numbers and times are never cut.
 * 6. If that is not enough, each row becomes a block of "name: value" lines.
 */
#include "text_private.h"

enum {
	HELD_ROWS = 10000,
	HELD_BYTES = 8 * 1024 * 1024,
	GAP = 2,
	NARROWEST = 12 /* minimum width of a long name */
};

/* --- lines and cells, for text.c too ---------------------------------------------------------- */

void
text_put_line(struct text_renderer *r)
{
	while (r->line.size && r->line.data[r->line.size - 1] == ' ')
		r->line.size--;
	strbuf_append_char(&r->line, '\n');
	fwrite(strbuf_str(&r->line), 1, r->line.size, r->out);
	strbuf_reset(&r->line);
}

void
text_put_wrapped(struct text_renderer *r, size_t indent, enum render_style style)
{
	strbuf_reset(&r->cell);
	render_wrap(&r->cell, strbuf_text(&r->line), indent, r->options.width);
	strbuf_reset(&r->line);
	render_styled(&r->line, strbuf_text(&r->cell), r->options.color ? style : RENDER_PLAIN);
	text_put_line(r);
}

void
text_cell(struct text_renderer *r, struct strbuf *b, const struct table_column *c,
	const struct table_cell *cell)
{
	if (r->options.width && c->kind == TABLE_TIME)
		render_short_time(b, cell->text);
	else
		render_cell(b, c, cell);
}

struct text *
text_format_row(struct text_renderer *r, const struct table_cell *cells)
{
	struct text *row = arena_alloc_array(&r->held, r->head->column_count, sizeof(*row));

	for (size_t i = 0; i < r->head->column_count; i++) {
		strbuf_reset(&r->cell);
		if (render_shows(&r->head->columns[i]))
			text_cell(r, &r->cell, &r->head->columns[i], &cells[i]);
		row[i] = arena_text(&r->held, strbuf_text(&r->cell));
	}
	return row;
}

/* --- the grid -------------------------------------------------------------------------------- */

static bool
in_grid(const struct text_renderer *r, size_t column)
{
	return r->uses[column] == TEXT_SHOWN;
}

static bool
is_sections(const struct text_renderer *r)
{
	return r->head->layout == TABLE_SECTIONS;
}

/* Returns whether the column's values may be cut. Numbers and times are never cut. */
static bool
is_name(const struct table_column *c)
{
	return c->kind == TABLE_TEXT && !c->picture;
}

/* --- choosing columns ------------------------------------------------------------------------ */

static bool
has_no_values(const struct text_renderer *r, size_t column)
{
	for (size_t n = 0; n < r->row_count; n++)
		if (!text_is_empty(r->rows[n][column]))
			return false;
	return true;
}

static bool
is_same(const struct text_renderer *r, size_t column)
{
	for (size_t n = 1; n < r->row_count; n++)
		if (!text_equal(r->rows[n][column], r->rows[0][column]))
			return false;
	return r->row_count > 1;
}

/* Returns whether the column's total shows nothing new: it is missing, empty, or the same as the
 * first row's value. */
static bool
total_is_same(struct text_renderer *r, size_t column, const struct table_foot *foot)
{
	const struct table_column *c = &r->head->columns[column];

	if (!c->summed)
		return true;
	strbuf_reset(&r->cell);
	text_cell(r, &r->cell, c, &foot->totals[column]);
	return r->cell.size == 0 || text_equal(strbuf_text(&r->cell), r->rows[0][column]);
}

static enum text_use
judge(struct text_renderer *r, size_t column, const struct table_foot *foot)
{
	if (has_no_values(r, column))
		return total_is_same(r, column, foot) ? TEXT_NO_VALUES : TEXT_SHOWN;
	if (!is_sections(r) && !r->head->columns[column].series && is_same(r, column) &&
		total_is_same(r, column, foot))
		return TEXT_SAME;
	return TEXT_SHOWN;
}

/* Decides which columns are shown. If the rows form sections, the first column is the heading of each
 * section and is not shown as a column. */
static void
choose_columns(struct text_renderer *r, const struct table_foot *foot)
{
	bool first = true;

	for (size_t i = 0; i < r->head->column_count; i++) {
		r->uses[i] = TEXT_SHOWN;
		if (!render_shows(&r->head->columns[i]) || (is_sections(r) && i == 0)) {
			r->uses[i] = TEXT_HIDDEN;
			continue;
		}
		if (!first && r->options.width && foot && r->row_count)
			r->uses[i] = judge(r, i, foot);
		first = false;
	}
}

static void
note_columns(struct text_renderer *r, enum text_use use, const char *words)
{
	bool any = false;

	for (size_t i = 0; i < r->head->column_count; i++) {
		if (r->uses[i] != use)
			continue;
		if (!any && r->note.size)
			strbuf_append_str(&r->note, "; ");
		strbuf_append_str(&r->note, any ? ", " : words);
		strbuf_append_str(&r->note, r->head->columns[i].title);
		if (use == TEXT_SAME) {
			strbuf_append_char(&r->note, ' ');
			strbuf_append_text(&r->note, r->rows[0][i]);
		}
		any = true;
	}
}

/* "the same in every row: State closed; no values: Version, Host" */
static void
write_note(struct text_renderer *r)
{
	strbuf_reset(&r->note);
	note_columns(r, TEXT_SAME, "the same in every row: ");
	if (!is_sections(r))
		note_columns(r, TEXT_NO_VALUES, "no values: ");
	note_columns(r, TEXT_TOO_WIDE, "too wide: ");
}

/* --- widths ---------------------------------------------------------------------------------- */

static void
widen(struct text_renderer *r, size_t column, size_t width)
{
	if (width > r->widths[column])
		r->widths[column] = width;
}

/* Returns whether a total may follow the rows. If `foot` is not NULL, it contains the totals. */
static bool
has_totals(const struct text_renderer *r, const struct table_foot *foot)
{
	for (size_t i = 0; i < r->head->column_count; i++)
		if (r->head->columns[i].summed && r->uses[i] != TEXT_NO_VALUES &&
			r->uses[i] != TEXT_SAME && !(foot && text_is_null(foot->totals[i].text)))
			return true;
	return false;
}

/* The width of the title or, if the title may be broken into lines, of its longest word. */
static size_t
title_width(const struct text_renderer *r, size_t column, bool broken)
{
	const char *title = r->head->columns[column].title;
	size_t longest = 0;

	if (is_sections(r))
		return 0;
	if (!broken)
		return render_width(text_from(title));
	while (*title) {
		size_t n = strcspn(title, " ");
		size_t width = render_width((struct text){ title, n });

		longest = width > longest ? width : longest;
		title += n + (title[n] == ' ');
	}
	return longest;
}

/* Computes the widths from the held rows. If no more rows follow, also uses the totals in `foot`;
 * otherwise `foot` is NULL. */
static void
measure(struct text_renderer *r, const struct table_foot *foot, bool broken_titles)
{
	bool labelled = false;

	for (size_t i = 0; i < r->head->column_count; i++) {
		const struct table_column *c = &r->head->columns[i];

		r->widths[i] = title_width(r, i, broken_titles);
		for (size_t n = 0; n < r->row_count; n++)
			widen(r, i, render_width(r->rows[n][i]));
		strbuf_reset(&r->cell);
		if (foot && c->summed)
			text_cell(r, &r->cell, c, &foot->totals[i]);
		else if (!labelled && in_grid(r, i) && has_totals(r, foot))
			strbuf_append_str(&r->cell, "Total");
		labelled |= in_grid(r, i);
		widen(r, i, render_width(strbuf_text(&r->cell)));
	}
}

/* The number of terminal columns by which the grid is too wide; 0 if the grid fits. */
static size_t
excess(const struct text_renderer *r)
{
	size_t total = is_sections(r) ? 2 : 0;

	for (size_t i = 0; i < r->head->column_count; i++)
		total += in_grid(r, i) ? r->widths[i] + GAP : 0;
	return r->options.width && total > r->options.width + GAP ? total - r->options.width - GAP
								  : 0;
}

static void
leave_out_pictures(struct text_renderer *r)
{
	for (size_t i = 0; i < r->head->column_count && excess(r); i++)
		if (in_grid(r, i) && r->head->columns[i].picture)
			r->uses[i] = TEXT_TOO_WIDE;
}

static bool
is_path(const struct table_column *c)
{
	return strcmp(c->key, "module") == 0 || strcmp(c->key, "file") == 0;
}

/* Removes the folders from the row's modules and files. */
static void
remove_folders(const struct text_renderer *r, struct text *row)
{
	for (size_t i = 0; i < r->head->column_count; i++) {
		size_t start = row[i].size;

		while (start && row[i].data[start - 1] != '/' && row[i].data[start - 1] != '\\')
			start--;
		if (is_path(&r->head->columns[i]) && start < row[i].size)
			row[i] = (struct text){ row[i].data + start, row[i].size - start };
	}
}

/* Cuts the widest names until the grid fits. Returns false if it cannot fit. */
static bool
narrow_names(struct text_renderer *r)
{
	for (size_t over = excess(r); over; over--) {
		size_t widest = r->head->column_count;

		for (size_t i = 0; i < r->head->column_count; i++)
			if (in_grid(r, i) && is_name(&r->head->columns[i]) &&
				r->widths[i] > NARROWEST &&
				(widest == r->head->column_count ||
					r->widths[i] > r->widths[widest]))
				widest = i;
		if (widest == r->head->column_count)
			return false;
		r->widths[widest]--;
	}
	return true;
}

/* --- rows ------------------------------------------------------------------------------------ */

static void
put_padded(struct text_renderer *r, size_t column, struct text t, enum render_style style)
{
	const struct table_column *c = &r->head->columns[column];
	size_t width = r->widths[column];
	bool right = table_column_is_right(c);
	size_t own;

	strbuf_reset(&r->cell);
	if (r->options.width && is_name(c))
		render_cut(&r->cell, t, width);
	else
		strbuf_append_text(&r->cell, t);
	own = render_width(strbuf_text(&r->cell));
	for (size_t i = own; right && i < width; i++)
		strbuf_append_char(&r->line, ' ');
	render_styled(&r->line, strbuf_text(&r->cell), r->options.color ? style : RENDER_PLAIN);
	for (size_t i = own; !right && i < width; i++)
		strbuf_append_char(&r->line, ' ');
	strbuf_append(&r->line, "  ", GAP);
}

/* Writes "Caption:  run 4". */
static void
put_field(struct text_renderer *r, size_t column, struct text t)
{
	size_t label = 0;

	if (text_is_empty(t))
		return;
	for (size_t i = 0; i < r->head->column_count; i++)
		if (in_grid(r, i) && render_width(text_from(r->head->columns[i].title)) > label)
			label = render_width(text_from(r->head->columns[i].title));
	strbuf_append_str(&r->line, r->head->columns[column].title);
	strbuf_append_char(&r->line, ':');
	for (size_t i = render_width(text_from(r->head->columns[column].title)); i < label + 1; i++)
		strbuf_append_char(&r->line, ' ');
	strbuf_append_text(&r->line, t);
	text_put_wrapped(r, label + GAP, RENDER_PLAIN);
}

static void
put_section(struct text_renderer *r, struct text name)
{
	if (text_equal(name, r->section))
		return;
	if (!text_is_null(r->section))
		text_put_line(r);
	strbuf_append_text(&r->line, name);
	text_put_wrapped(r, 0, RENDER_HEAD);
	strbuf_reset(&r->section_buffer);
	strbuf_append_text(&r->section_buffer, name);
	r->section = strbuf_text(&r->section_buffer);
}

static void
put_row(struct text_renderer *r, const struct text *cells)
{
	if (is_sections(r)) {
		put_section(r, cells[0]);
		if (!r->as_records)
			strbuf_append_str(&r->line, "  ");
	}
	for (size_t i = 0; i < r->head->column_count; i++) {
		if (!in_grid(r, i))
			continue;
		if (r->as_records)
			put_field(r, i, cells[i]);
		else
			put_padded(r, i, cells[i], render_style_of(cells[i]));
	}
	text_put_line(r);
}

/* Breaks a title into lines of its column's width. Increases *height if the title needs more lines. */
static struct text
break_title(struct text_renderer *r, size_t column, size_t *height)
{
	struct text title;
	size_t lines = 1;

	strbuf_reset(&r->cell);
	render_wrap(&r->cell, text_from(r->head->columns[column].title), 0,
		r->options.width ? r->widths[column] : 0);
	title = arena_text(&r->held, strbuf_text(&r->cell));
	for (size_t i = 0; i < title.size; i++)
		lines += title.data[i] == '\n';
	*height = lines > *height ? lines : *height;
	return title;
}

/* Returns one line of a title that was broken into lines. `below` is the number of lines after it. */
static struct text
title_line(struct text title, size_t below)
{
	size_t end = title.size;
	size_t start;

	for (;; below--) {
		start = end;
		while (start && title.data[start - 1] != '\n')
			start--;
		if (!below)
			return (struct text){ title.data + start, end - start };
		if (!start)
			return TEXT_LITERAL("");
		end = start - 1;
	}
}

static void
put_head(struct text_renderer *r)
{
	struct text *titles = arena_alloc_array(&r->held, r->head->column_count, sizeof(*titles));
	size_t height = 1;

	for (size_t i = 0; i < r->head->column_count; i++)
		if (in_grid(r, i))
			titles[i] = break_title(r, i, &height);
	for (; height; height--) {
		for (size_t i = 0; i < r->head->column_count; i++)
			if (in_grid(r, i))
				put_padded(r, i, title_line(titles[i], height - 1), RENDER_HEAD);
		text_put_line(r);
	}
	for (size_t i = 0; i < r->head->column_count; i++) {
		if (!in_grid(r, i))
			continue;
		for (size_t n = 0; n < r->widths[i]; n++)
			strbuf_append_char(&r->line, '-');
		strbuf_append(&r->line, "  ", GAP);
	}
	text_put_line(r);
}

static void
flush_held(struct text_renderer *r, const struct table_foot *foot)
{
	if (r->streaming)
		return;
	r->streaming = true;
	choose_columns(r, foot);
	measure(r, foot, false);
	leave_out_pictures(r);
	if (excess(r))
		measure(r, foot, true);
	r->short_paths = excess(r) > 0;
	for (size_t n = 0; r->short_paths && n < r->row_count; n++)
		remove_folders(r, r->rows[n]);
	if (r->short_paths)
		measure(r, foot, true);
	r->as_records = !narrow_names(r);
	write_note(r);
	if (r->head->layout == TABLE_GRID && !r->as_records)
		put_head(r);
	for (size_t n = 0; n < r->row_count; n++)
		put_row(r, r->rows[n]);
	r->row_count = 0;
	arena_reset(&r->held);
}

/* Writes a row that comes after the held rows. Widens the columns if the row's numbers need it. */
static void
stream_row(struct text_renderer *r, struct text *cells)
{
	if (r->short_paths)
		remove_folders(r, cells);
	for (size_t i = 0; i < r->head->column_count; i++)
		if (in_grid(r, i) && !is_name(&r->head->columns[i]))
			widen(r, i, render_width(cells[i]));
	if (!r->as_records)
		r->as_records = !narrow_names(r);
	put_row(r, cells);
}

void
text_grid_row(struct text_renderer *r, const struct table_cell *cells)
{
	if (r->streaming) {
		stream_row(r, text_format_row(r, cells));
		arena_reset(&r->held);
		return;
	}
	if (!r->rows)
		r->rows = xcalloc(HELD_ROWS, sizeof(*r->rows));
	r->rows[r->row_count++] = text_format_row(r, cells);
	if (r->row_count == HELD_ROWS || r->held.total > HELD_BYTES)
		flush_held(r, NULL);
}

static void
put_totals(struct text_renderer *r, const struct table_foot *foot)
{
	struct strbuf *cell = &r->section_buffer;
	bool labelled = r->as_records;

	if (r->as_records) {
		strbuf_append_str(&r->line, "Total");
		text_put_line(r);
	}
	for (size_t i = 0; i < r->head->column_count; i++) {
		if (!in_grid(r, i))
			continue;
		strbuf_reset(cell);
		if (r->head->columns[i].summed)
			text_cell(r, cell, &r->head->columns[i], &foot->totals[i]);
		else if (!labelled)
			strbuf_append_str(cell, "Total");
		labelled = true;
		if (r->as_records)
			put_field(r, i, strbuf_text(cell));
		else
			put_padded(r, i, strbuf_text(cell), RENDER_HEAD);
	}
	if (!r->as_records)
		text_put_line(r);
}

void
text_grid_end(struct text_renderer *r, const struct table_foot *foot)
{
	flush_held(r, foot);
	if (foot->rows && has_totals(r, foot))
		put_totals(r, foot);
}
