/*
 * A report as one self-contained page with figures, a picture of the stacks, and tables that can be
 * sorted and folded. The page is readable without its script. Its Content-Security-Policy allows
 * only its own script and style.
 */
#include "html_private.h"

#include "flame_private.h"
#include "render/page.h"

#include <stdlib.h>
#include <time.h>

enum {
	CARDS_MAX = 3, /* maximum number of rows in a section that is shown as figures */
	NOTES_OPEN = 6 /* longer lists of notes are folded */
};

struct html {
	struct table_sink sink;
	FILE *out;
	const char *part;              /* id of the part of a page; NULL for a whole page */
	const struct table_head *head; /* head of the current result set */
	struct render_head heads;
	struct html_flame *flame; /* NULL if the report has no flame graph */
	struct html_series *series;
	FILE *rows;            /* rows of the result set, until its foot is known */
	struct strbuf section; /* name of the current section */
	char *cards, *grid;    /* rows of that section, held in memory */
	size_t cards_size, grid_size;
	FILE *card_stream, *grid_stream;
	size_t section_rows;
	bool open; /* a table or list has begun in `rows` and has not ended */
};

/* --- the page's frame ------------------------------------------------------------------------- */

static const char *const styles[] = { html_css_text, flame_css_text, NULL };
static const char *const scripts[] = { html_js_text, flame_js_text, NULL };

void
page_open(FILE *out, struct text title)
{
	page_begin(out, styles, scripts);
	fputs("<title>", out);
	html_put(out, title);
	fprintf(out, " - profdepot</title>\n<style>%s%s</style>\n", html_css_text, flame_css_text);
	fputs("</head>\n<body>\n<header class=\"top\"><p class=\"brand\">profdepot</p>\n<h1>", out);
	html_put(out, title);
	fputs("</h1></header>\n<main>\n", out);
}

static void
put_fact(FILE *out, bool *any, const char *what, struct text value)
{
	struct strbuf b;

	if (text_is_empty(value))
		return;
	fprintf(out, "%s%s ", *any ? ", " : "", what);
	*any = true;
	strbuf_init(&b, RENDER_CELL_MAX_BYTES);
	render_short_time(&b, value);
	html_put(out, strbuf_text(&b));
	strbuf_release(&b);
}

/* Writes "loaded 2026-11-23 22:25, version 5.2.2, labels branch=main". */
static void
put_origin(FILE *out, const char *prefix, const struct table_origin *o)
{
	bool any = false;

	if (text_is_empty(o->loaded_at))
		return;
	fprintf(out, "<p class=\"origin\">%s", prefix);
	put_fact(out, &any, "loaded", o->loaded_at);
	put_fact(out, &any, "run started", o->started_at);
	put_fact(out, &any, "version", o->version);
	put_fact(out, &any, "labels", o->labels);
	fputs("</p>\n", out);
}

static void
put_base(FILE *out, const struct table_set *set)
{
	struct strbuf b;

	strbuf_init(&b, RENDER_CELL_MAX_BYTES);
	render_base(&b, set);
	if (b.size) {
		fputs("<span class=\"inst\">", out);
		html_put(out, strbuf_text(&b));
		fputs("</span>", out);
	}
	strbuf_release(&b);
}

static void
put_base_origin(FILE *out, const struct table_set *set)
{
	put_origin(out, "before: ", &set->base_origin);
}

void
page_put_set(FILE *out, const struct table_set *set)
{
	fputs("<h2><span class=\"inst\">Result set ", out);
	html_put(out, set->inst_id);
	fputs("</span> ", out);
	html_put(out, set->caption);
	put_base(out, set);
	fputs("</h2>\n", out);
	put_origin(out, "", &set->origin);
	put_base_origin(out, set);
}

void
page_put_contents(FILE *out, const struct page_part *parts, size_t count)
{
	fputs("<nav class=\"contents\" aria-label=\"Contents\"><ul>\n", out);
	for (size_t i = 0; i < count; i++) {
		fprintf(out, "<li><a href=\"#%s\">", parts[i].anchor);
		html_put(out, text_from(parts[i].title));
		fputs("</a></li>\n", out);
	}
	fputs("</ul></nav>\n", out);
}

void
page_close(FILE *out, const char *what)
{
	time_t now = time(NULL);
	struct tm utc;
	char created[32] = "";

	if (gmtime_r(&now, &utc))
		strftime(created, sizeof(created), "%Y-%m-%d %H:%M UTC", &utc);
	fprintf(out,
		"</main>\n<footer>%s of profdepot, created %s</footer>\n<script>%s%s</script>\n",
		what, created, html_js_text, flame_js_text);
	fputs("</body>\n</html>\n", out);
}

/* --- a report ---------------------------------------------------------------------------------- */

static bool
html_begin(struct table_sink *s, const struct table_head *head, struct error *err)
{
	struct html *h = (struct html *)s;

	h->head = render_head_begin(&h->heads, head);
	h->flame = html_flame_new(h->head);
	h->series = html_series_new(h->head);
	if (!h->part)
		page_open(h->out, text_from(head->title));
	return render_check(h->out, err);
}

/* The heading of a part of a page. The page shows the result set's caption elsewhere. */
static void
put_part_heading(struct html *h, const struct table_set *set)
{
	fputs("<h2>", h->out);
	html_put(h->out, text_from(h->head->title));
	put_base(h->out, set);
	fputs("</h2>\n", h->out);
	put_base_origin(h->out, set);
}

static bool
html_set_begin(struct table_sink *s, const struct table_set *set, struct error *err)
{
	struct html *h = (struct html *)s;

	render_head_set(&h->heads, set);
	if (h->flame)
		html_flame_set(h->flame, set);
	fputs("<section class=\"set\"", h->out);
	if (h->part)
		fprintf(h->out, " id=\"%s\"", h->part);
	/* The page's bars show the default metric, as its flame graph does. */
	if (text_equal(set->metric.unit, TEXT_LITERAL("count")))
		fputs(" data-unit=\"count\"", h->out);
	fputs(">\n", h->out);
	if (h->part)
		put_part_heading(h, set);
	else if (!text_is_null(set->inst_id))
		page_put_set(h->out, set);
	if (!text_is_null(set->inst_id) && !text_is_null(set->subject)) {
		fputs("<p class=\"note\">", h->out);
		html_put(h->out, set->subject);
		fputs("</p>\n", h->out);
	}
	h->rows = tmpfile();
	if (!h->rows)
		return error_set_errno(
			err, ERROR_FILE, "cannot create a temporary file for the page");
	h->open = false;
	strbuf_reset(&h->section);
	return true;
}

/* --- rows ------------------------------------------------------------------------------------ */

static void
open_list(struct html *h)
{
	if (h->open)
		return;
	h->open = true;
	if (render_is_records(h->head))
		fputs("<ol class=\"records\">\n", h->rows);
	else
		html_grid_head(h->rows, h->head);
}

static void
close_list(struct html *h)
{
	if (h->open)
		fputs(render_is_records(h->head) ? "</ol>\n" : "</tbody></table></div>\n", h->rows);
	h->open = false;
}

/* Shows a section with few rows as figures, and a longer section as a table. */
static void
flush_section(struct html *h)
{
	bool few = h->section_rows <= CARDS_MAX;

	if (!h->card_stream)
		return;
	fclose(h->card_stream);
	fclose(h->grid_stream);
	fputs(few ? "<div class=\"panel few\"><h3>" : "<div class=\"panel\"><h3>", h->rows);
	html_put(h->rows, strbuf_text(&h->section));
	fputs("</h3>\n", h->rows);
	if (few) {
		fprintf(h->rows, "<dl class=\"cards\">\n%s</dl>\n", h->cards ? h->cards : "");
	} else {
		html_grid_head(h->rows, h->head);
		fwrite(h->grid, 1, h->grid_size, h->rows);
		fputs("</tbody></table></div>\n", h->rows);
	}
	fputs("</div>\n", h->rows);
	free(h->cards);
	free(h->grid);
	h->cards = h->grid = NULL;
	h->card_stream = h->grid_stream = NULL;
	h->section_rows = 0;
}

/* Shows the first number as the figure, with the other cells next to it. */
static void
put_section_card(struct html *h, const struct table_cell *cells)
{
	struct strbuf value, beside;
	struct text name = TEXT_NULL;

	strbuf_init(&value, RENDER_CELL_MAX_BYTES);
	strbuf_init(&beside, RENDER_CELL_MAX_BYTES);
	for (size_t i = 1; i < h->head->column_count; i++) {
		const struct table_column *c = &h->head->columns[i];
		bool number = table_column_is_right(c) && !value.size;

		if (!render_shows(c) || text_is_empty(cells[i].text))
			continue;
		if (i == 1) {
			name = cells[i].text;
			continue;
		}
		if (!number && beside.size)
			strbuf_append_str(&beside, ", ");
		render_cell(number ? &value : &beside, c, &cells[i]);
	}
	if (name.size)
		html_card(h->card_stream, name, "", strbuf_text(&value), strbuf_text(&beside));
	strbuf_release(&value);
	strbuf_release(&beside);
}

static bool
section_row(struct html *h, const struct table_cell *cells, struct error *err)
{
	if (!h->card_stream || !text_equal(strbuf_text(&h->section), cells[0].text)) {
		flush_section(h);
		strbuf_reset(&h->section);
		strbuf_append_text(&h->section, cells[0].text);
		h->card_stream = open_memstream(&h->cards, &h->cards_size);
		h->grid_stream = open_memstream(&h->grid, &h->grid_size);
		if (!h->card_stream || !h->grid_stream)
			return error_set_errno(err, ERROR_FILE, "out of memory for the page");
	}
	if (h->section_rows++ < CARDS_MAX)
		put_section_card(h, cells);
	html_grid_row(h->grid_stream, h->head, cells);
	return true;
}

static bool
html_row(struct table_sink *s, const struct table_cell *cells, struct error *err)
{
	struct html *h = (struct html *)s;

	if (h->flame)
		html_flame_row(h->flame, cells);
	if (h->series)
		html_series_row(h->series, cells);
	if (h->head->layout == TABLE_SECTIONS)
		return section_row(h, cells, err);
	open_list(h);
	if (render_is_records(h->head))
		html_record(h->rows, h->head, cells);
	else
		html_grid_row(h->rows, h->head, cells);
	return render_check(h->rows, err);
}

/* --- the foot, which the page shows above the rows -------------------------------------------- */

static void
put_suppressed(struct html *h, const struct suppress_use *u)
{
	char value[32], beside[64];

	if (!u || !u->records)
		return;
	snprintf(value, sizeof(value), "%llu", (unsigned long long)u->records);
	snprintf(beside, sizeof(beside), "%llu %s", (unsigned long long)u->blocks,
		by_count(u->blocks, "block", "blocks"));
	html_card(h->out, TEXT_LITERAL("Suppressed"), "", text_from(value), text_from(beside));
}

/* Writes the parts of the totals, such as kinds: a small table, one row per part. */
static void
put_parts(struct html *h, const struct table_foot *foot)
{
	const struct table_head *head = h->head;

	if (!render_has_parts(foot))
		return;
	fputs("<div class=\"panel parts\"><div class=\"scroll\" tabindex=\"0\"><table class=\"grid\">"
	      "<thead><tr><th scope=\"col\">",
		h->out);
	html_put(h->out, text_from(head->columns[foot->part_column].title));
	fputs("</th><th scope=\"col\" class=\"n\">Records</th>", h->out);
	for (size_t i = 0; i < head->column_count; i++)
		if (head->columns[i].summed) {
			fputs("<th scope=\"col\" class=\"n\">", h->out);
			html_put(h->out, text_from(head->columns[i].title));
			fputs("</th>", h->out);
		}
	fputs("</tr></thead>\n<tbody>\n", h->out);
	for (size_t i = 0; i < foot->part_count; i++)
		html_part_row(h->out, head, &foot->parts[i]);
	fputs("</tbody></table></div></div>\n", h->out);
}

static void
put_figures(struct html *h, const struct table_foot *foot)
{
	char rows[32], shown[64] = "";

	snprintf(rows, sizeof(rows), "%llu", (unsigned long long)foot->all_rows);
	if (foot->rows < foot->all_rows)
		snprintf(shown, sizeof(shown), "%llu shown", (unsigned long long)foot->rows);
	fputs("<dl class=\"cards\">\n", h->out);
	html_card(h->out, text_from(render_is_records(h->head) ? "Records" : "Rows"), "",
		text_from(rows), text_from(shown));
	for (size_t i = 0; i < h->head->column_count; i++) {
		const struct table_column *c = &h->head->columns[i];
		struct strbuf b, exact;

		if (!c->summed || text_is_null(foot->totals[i].text))
			continue;
		strbuf_init(&b, RENDER_CELL_MAX_BYTES);
		render_cell(&b, c, &foot->totals[i]);
		strbuf_init(&exact, RENDER_CELL_MAX_BYTES);
		if (h->head->layout == TABLE_FINDINGS && c->unit == TABLE_UNIT_BYTES)
			render_exact(&exact, c, &foot->totals[i]);
		html_card(h->out, text_from(c->title),
			c->change ? html_direction(foot->totals[i].text) : "", strbuf_text(&b),
			strbuf_text(&exact));
		strbuf_release(&b);
		strbuf_release(&exact);
	}
	put_suppressed(h, foot->suppressed);
	fputs("</dl>\n", h->out);
	put_parts(h, foot);
}

static void
put_notes(struct html *h, const struct table_foot *foot)
{
	const char *const *note = foot->notes;

	size_t count = 0;

	while (note && note[count])
		count++;
	if (!count)
		return;
	fprintf(h->out, "<details class=\"notes\"%s><summary>%zu %s</summary>\n<ul>\n",
		count <= NOTES_OPEN ? " open" : "", count, by_count(count, "note", "notes"));
	for (; *note; note++) {
		fputs("<li>", h->out);
		html_put(h->out, text_from(*note));
		fputs("</li>\n", h->out);
	}
	fputs("</ul></details>\n", h->out);
}

static bool
copy_rows(struct html *h, struct error *err)
{
	char block[65536];
	size_t n;

	if (!render_check(h->rows, err) || fflush(h->rows) != 0 || fseeko(h->rows, 0, SEEK_SET))
		return error_set_errno(err, ERROR_FILE, "cannot write the page's temporary file");
	while ((n = fread(block, 1, sizeof(block), h->rows)) > 0)
		fwrite(block, 1, n, h->out);
	fclose(h->rows);
	h->rows = NULL;
	return render_check(h->out, err);
}

static bool
html_set_end(struct table_sink *s, const struct table_foot *foot, struct error *err)
{
	struct html *h = (struct html *)s;
	bool sections = h->head->layout == TABLE_SECTIONS;

	flush_section(h);
	close_list(h);
	if (!sections && !render_is_unknown(foot))
		put_figures(h, foot);
	put_notes(h, foot);
	if (h->flame && !html_flame_write(h->flame, h->out, err))
		return false;
	if (h->series)
		html_series_write(h->series, h->out);
	fputs(sections ? "<div class=\"sections\">\n" : "<div class=\"rows\">\n", h->out);
	if (!foot->rows && !render_is_unknown(foot))
		fputs("<p class=\"none\">none</p>\n", h->out);
	if (!copy_rows(h, err))
		return false;
	fputs("</div>\n</section>\n", h->out);
	return render_check(h->out, err);
}

static bool
html_end(struct table_sink *s, struct error *err)
{
	struct html *h = (struct html *)s;
	char what[64];

	if (!h->part) {
		snprintf(what, sizeof(what), "report %s", h->head->report);
		page_close(h->out, what);
	}
	return render_check(h->out, err);
}

struct table_sink *
render_html_new(FILE *out, const struct render_options *options)
{
	struct html *h = xcalloc(1, sizeof(*h));

	h->part = options->part;
	h->sink =
		(struct table_sink){ html_begin, html_set_begin, html_row, html_set_end, html_end };
	h->out = out;
	strbuf_init(&h->section, RENDER_CELL_MAX_BYTES);
	return &h->sink;
}

void
render_html_free(struct table_sink *s)
{
	struct html *h = (struct html *)s;

	if (!h)
		return;
	html_flame_free(h->flame);
	html_series_free(h->series);
	if (h->card_stream)
		fclose(h->card_stream);
	if (h->grid_stream)
		fclose(h->grid_stream);
	if (h->rows)
		fclose(h->rows);
	free(h->cards);
	free(h->grid);
	strbuf_release(&h->section);
	free(h);
}
