/* The rows of a page: records with their stacks, and grid rows. */
#include "html_private.h"

void
html_put(FILE *out, struct text t)
{
	struct strbuf visible = STRBUF_INIT(RENDER_CELL_MAX_BYTES);

	render_visible(&visible, t);
	for (size_t i = 0; i < visible.size; i++) {
		const char *entity = render_entity(visible.data[i]);

		if (entity)
			fputs(entity, out);
		else
			putc(visible.data[i], out);
	}
	strbuf_release(&visible);
}

/* Writes the cell in readable form. */
static void
put_cell(FILE *out, const struct table_column *c, const struct table_cell *cell, bool figure)
{
	struct strbuf b = STRBUF_INIT(RENDER_CELL_MAX_BYTES);

	if (figure)
		render_figure(&b, c, cell);
	else
		render_cell(&b, c, cell);
	html_put(out, strbuf_text(&b));
	strbuf_release(&b);
}

/* The html.css class of a word that is shown in colour, or NULL. */
static const char *
badge_of(struct text t)
{
	static const char *const classes[] = { [RENDER_CALM] = "calm",
		[RENDER_BAD] = "bad",
		[RENDER_WARNING] = "warn",
		[RENDER_GOOD] = "good" };

	return classes[render_style_of(t)];
}

const char *
html_direction(struct text t)
{
	bool zero = true;

	for (size_t i = 0; i < t.size; i++)
		zero = zero && (t.data[i] < '1' || t.data[i] > '9');
	return text_is_empty(t) || zero ? "" : t.data[0] == '-' ? " down" : " up";
}

static struct text
find_text(const struct table_head *head, const struct table_cell *cells, const char *key)
{
	for (size_t i = 0; i < head->column_count; i++)
		if (strcmp(head->columns[i].key, key) == 0 && head->columns[i].kind == TABLE_TEXT)
			return cells[i].text;
	return TEXT_NULL;
}

/* --- stacks ---------------------------------------------------------------------------------- */

static void
put_frames(FILE *out, const struct table_frame *frames, size_t count)
{
	struct strbuf b = STRBUF_INIT(RENDER_CELL_MAX_BYTES);

	if (!count) {
		fputs("<p class=\"none\">stack unknown</p>\n", out);
		return;
	}
	fputs("<ol class=\"frames\">\n", out);
	for (size_t i = 0; i < count; i++) {
		const struct table_frame *f = &frames[i];

		fputs("<li><span class=\"fn\">", out);
		strbuf_reset(&b);
		render_routine(&b, f);
		html_put(out, strbuf_text(&b));
		fputs("</span> <span class=\"at\">", out);
		strbuf_reset(&b);
		render_place(&b, f);
		html_put(out, strbuf_text(&b));
		fputs("</span> <span class=\"in\">", out);
		html_put(out, f->module_name);
		fputs("</span></li>\n", out);
	}
	fputs("</ol>\n", out);
	strbuf_release(&b);
}

static bool
has_stack(const struct table_column *c)
{
	return c->kind == TABLE_FRAMES || c->kind == TABLE_STACKS;
}

static void
put_stacks(FILE *out, const struct table_head *head, const struct table_cell *cells)
{
	for (size_t i = 0; i < head->column_count; i++) {
		if (head->columns[i].kind == TABLE_FRAMES)
			put_frames(out, cells[i].frames, cells[i].frame_count);
		for (size_t k = 0; k < cells[i].stack_count; k++) {
			const struct table_stack *s = &cells[i].stacks[k];

			fputs("<h4>", out);
			html_put(out, s->heading);
			fputs("</h4>\n", out);
			if (s->frame_count)
				put_frames(out, s->frames, s->frame_count);
		}
	}
}

/* --- records --------------------------------------------------------------------------------- */

static bool
is_figure(const struct table_column *c)
{
	return c->unit != TABLE_UNIT_NONE && c->unit != TABLE_UNIT_HEX && c->unit != TABLE_UNIT_ID;
}

/* Writes the numbers by which the page sorts records, including numbers in hidden columns. */
static void
put_data(FILE *out, const struct table_head *head, const struct table_cell *cells)
{
	for (size_t i = 0; i < head->column_count; i++) {
		const struct table_column *c = &head->columns[i];

		if (!is_figure(c) || text_is_null(cells[i].text))
			continue;
		fprintf(out, " data-%s=\"", c->key);
		html_put(out, cells[i].text);
		putc('"', out);
	}
}

static void
put_badge(FILE *out, struct text t)
{
	const char *class = badge_of(t);

	if (text_is_empty(t))
		return;
	fprintf(out, "<span class=\"badge %s\">", class ? class : "calm");
	html_put(out, t);
	fputs("</span> ", out);
}

/* Writes a folded stack's summary line. */
static void
put_summary(FILE *out, const struct table_head *head, const struct table_cell *cells)
{
	if (head->layout == TABLE_FINDINGS)
		put_badge(out, find_text(head, cells, "kind"));
	for (size_t i = 0; i < head->column_count; i++) {
		const struct table_column *c = &head->columns[i];

		if (!render_shows(c) || has_stack(c) || text_is_empty(cells[i].text))
			continue;
		if (i == 0 && c->kind == TABLE_INTEGER) {
			fputs("<span class=\"no\">", out);
			put_cell(out, c, &cells[i], false);
			fputs("</span> ", out);
		} else if (strcmp(c->key, "status") == 0) {
			put_badge(out, cells[i].text);
		} else if (c->change) {
			fprintf(out, "<span class=\"delta%s\">", html_direction(cells[i].text));
			put_cell(out, c, &cells[i], false);
			fputs("</span> ", out);
		} else {
			fprintf(out, "<span class=\"%s\">", is_figure(c) ? "fig" : "what");
			put_cell(out, c, &cells[i], true);
			fputs("</span> ", out);
		}
	}
}

void
html_record(FILE *out, const struct table_head *head, const struct table_cell *cells)
{
	fputs("<li class=\"record\"", out);
	put_data(out, head, cells);
	fputs("><details><summary>", out);
	put_summary(out, head, cells);
	fputs("</summary>\n", out);
	put_stacks(out, head, cells);
	fputs("</details></li>\n", out);
}

/* --- grids ----------------------------------------------------------------------------------- */

bool
html_in_grid(const struct table_head *head, size_t column)
{
	const struct table_column *c = &head->columns[column];

	return !c->machine && c->kind != TABLE_STACKS &&
	       !(head->layout == TABLE_SECTIONS && column == 0);
}

void
html_grid_head(FILE *out, const struct table_head *head)
{
	fputs("<div class=\"scroll\" tabindex=\"0\"><table class=\"grid\"><thead><tr>", out);
	for (size_t i = 0; i < head->column_count; i++) {
		if (!html_in_grid(head, i))
			continue;
		fprintf(out, "<th scope=\"col\"%s>",
			table_column_is_right(&head->columns[i]) ? " class=\"n\"" : "");
		html_put(out, text_from(head->columns[i].title));
		fputs("</th>", out);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
}

static void
put_stack_cell(
	FILE *out, const struct table_head *head, size_t column, const struct table_cell *cells)
{
	const struct table_cell *cell = &cells[column];
	const struct table_frame *f = cell->frames;

	fputs("<td class=\"stack\">", out);
	if (cell->frame_count) {
		fputs("<details><summary>", out);
		html_put(out, text_is_empty(f->routine_name) ? f->module_name : f->routine_name);
		fputs("</summary>\n", out);
		put_stacks(out, head, cells);
		fputs("</details>", out);
	} else {
		fputs("<span class=\"none\">unknown</span>", out);
	}
	fputs("</td>", out);
}

static void
put_text_cell(FILE *out, const struct table_column *c, const struct table_cell *cell)
{
	const char *class = badge_of(cell->text);
	bool badge =
		class && (strcmp(c->key, "status") == 0 || strcmp(c->key, "state") == 0 ||
				 strcmp(c->key, "kind") == 0 || strcmp(c->key, "severity") == 0);

	if (badge)
		fprintf(out, "<td><span class=\"badge %s\">", class);
	else
		fputs("<td>", out);
	put_cell(out, c, cell, false);
	fputs(badge ? "</span></td>" : "</td>", out);
}

void
html_grid_row(FILE *out, const struct table_head *head, const struct table_cell *cells)
{
	fputs("<tr>", out);
	for (size_t i = 0; i < head->column_count; i++) {
		const struct table_column *c = &head->columns[i];

		if (!html_in_grid(head, i))
			continue;
		if (c->kind == TABLE_FRAMES) {
			put_stack_cell(out, head, i, cells);
		} else if (table_column_is_right(c)) {
			fprintf(out, "<td class=\"n%s%s\" data-v=\"", is_figure(c) ? " fig" : "",
				c->change ? html_direction(cells[i].text) : "");
			html_put(out, cells[i].text);
			fputs("\">", out);
			put_cell(out, c, &cells[i], false);
			fputs("</td>", out);
		} else {
			put_text_cell(out, c, &cells[i]);
		}
	}
	fputs("</tr>\n", out);
}

void
html_part_row(FILE *out, const struct table_head *head, const struct table_part *part)
{
	const char *class = badge_of(part->value);

	fprintf(out, "<tr><td><span class=\"badge %s\">", class ? class : "calm");
	html_put(out, part->name);
	fprintf(out, "</span></td><td class=\"n\" data-v=\"%llu\">%llu</td>",
		(unsigned long long)part->rows, (unsigned long long)part->rows);
	for (size_t i = 0; i < head->column_count; i++) {
		struct strbuf b;

		if (!head->columns[i].summed)
			continue;
		strbuf_init(&b, RENDER_CELL_MAX_BYTES);
		if (head->columns[i].unit == TABLE_UNIT_BYTES)
			render_exact(&b, &head->columns[i], &part->totals[i]);
		else
			render_cell(&b, &head->columns[i], &part->totals[i]);
		fputs("<td class=\"n fig\" data-v=\"", out);
		html_put(out, part->totals[i].text);
		fputs("\">", out);
		html_put(out, strbuf_text(&b));
		fputs("</td>", out);
		strbuf_release(&b);
	}
	fputs("</tr>\n", out);
}

void
html_card(FILE *out, struct text name, const char *direction, struct text value, struct text beside)
{
	fputs("<div class=\"card\"><dt>", out);
	html_put(out, name);
	fprintf(out, "</dt><dd class=\"figure%s\">", direction);
	html_put(out, value);
	if (!text_is_empty(beside)) {
		fputs(" <small>", out);
		html_put(out, beside);
		fputs("</small>", out);
	}
	fputs("</dd></div>\n", out);
}
