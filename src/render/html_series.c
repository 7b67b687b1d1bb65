/*
 * A column's values as a line chart, in row order. Positions are in per cent of the page's
 * width, because text must keep its size on narrow pages, and the page's policy forbids inline
 * styles.
 */
#include "html_private.h"

#include "base/decimal.h"

#include <stdlib.h>

enum {
	POINTS_MAX = 2000,
	TOP = 22, /* top of the plot, pixels */
	BOTTOM = 182,
	HEIGHT = 210,
	NAMES_MAX = 16 /* maximum number of names below the line */
};

struct point {
	bool known;
	double value;
	struct text name, words, figure; /* such as "7"; "7, nightly"; "2.6 MiB" */
};

struct html_series {
	const struct table_head *head;
	size_t column;
	struct arena arena;
	struct point *points;
	size_t count, known;
	bool too_many;
};

struct html_series *
html_series_new(const struct table_head *head)
{
	for (size_t i = 0; i < head->column_count; i++)
		if (head->columns[i].series) {
			struct html_series *s = xcalloc(1, sizeof(*s));

			s->head = head;
			s->column = i;
			s->arena = ARENA_INIT;
			s->points = xcalloc(POINTS_MAX, sizeof(*s->points));
			return s;
		}
	return NULL;
}

void
html_series_free(struct html_series *s)
{
	if (!s)
		return;
	arena_release(&s->arena);
	free(s->points);
	free(s);
}

static struct text
point_words(struct html_series *s, const struct table_cell *cells)
{
	struct strbuf b = STRBUF_INIT(RENDER_CELL_MAX_BYTES);
	struct text words;

	render_cell(&b, &s->head->columns[0], &cells[0]);
	for (size_t i = 1; i < s->head->column_count; i++)
		if ((s->head->columns[i].kind == TABLE_TEXT ||
			    s->head->columns[i].kind == TABLE_LABELS) &&
			!text_is_empty(cells[i].text)) {
			strbuf_append_str(&b, ", ");
			render_cell(&b, &s->head->columns[i], &cells[i]);
			break;
		}
	words = arena_text(&s->arena, strbuf_text(&b));
	strbuf_release(&b);
	return words;
}

void
html_series_row(struct html_series *s, const struct table_cell *cells)
{
	struct text value = cells[s->column].text;
	struct point *p = &s->points[s->count];
	struct strbuf figure = STRBUF_INIT(RENDER_CELL_MAX_BYTES);
	struct decimal d;

	if (s->count == POINTS_MAX) {
		s->too_many = true;
		return;
	}
	s->count++;
	*p = (struct point){ .name = arena_text(&s->arena, cells[0].text) };
	if (text_is_empty(value) || decimal_parse(value, &d) != DECIMAL_OK)
		return;
	p->known = true;
	p->value = decimal_to_double(d);
	p->words = point_words(s, cells);
	render_cell(&figure, &s->head->columns[s->column], &cells[s->column]);
	p->figure = arena_text(&s->arena, strbuf_text(&figure));
	strbuf_release(&figure);
	s->known++;
}

struct scale {
	double low, high; /* the scale always includes 0 */
	const struct point *least, *most;
};

/* Finds the scale. At least two points must have known values. */
static struct scale
find_scale(const struct html_series *s)
{
	struct scale scale = { 0, 0, s->points, s->points };
	size_t first = 0;

	while (first + 1 < s->count && !s->points[first].known)
		first++;
	scale.least = scale.most = &s->points[first];
	for (size_t i = first; i < s->count; i++) {
		const struct point *p = &s->points[i];

		if (p->known && p->value < scale.least->value)
			scale.least = p;
		if (p->known && p->value > scale.most->value)
			scale.most = p;
	}
	if (scale.least->value < 0)
		scale.low = scale.least->value;
	if (scale.most->value > 0)
		scale.high = scale.most->value;
	if (scale.high <= scale.low)
		scale.high = scale.low + 1;
	return scale;
}

static double
place_x(const struct html_series *s, size_t i)
{
	return ((double)i + 0.5) * 100 / (double)s->count;
}

static double
place_y(const struct scale *scale, double v)
{
	return BOTTOM - (v - scale->low) / (scale->high - scale->low) * (BOTTOM - TOP);
}

static void
put_rule(FILE *out, double y, const char *class, struct text words)
{
	fprintf(out, "<line class=\"%s\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>", class, y,
		y);
	if (text_is_empty(words))
		return;
	fprintf(out, "<text x=\"2\" y=\"%.1f\">", y - 5);
	html_put(out, words);
	fputs("</text>\n", out);
}

static void
put_rules(const struct html_series *s, const struct scale *scale, FILE *out)
{
	put_rule(out, place_y(scale, 0), "base", TEXT_NULL);
	if (scale->most->value > 0)
		put_rule(out, place_y(scale, scale->most->value), "rule", scale->most->figure);
	if (scale->least->value < 0)
		put_rule(out, place_y(scale, scale->least->value), "rule", scale->least->figure);
	for (size_t i = 0, step = (s->count + NAMES_MAX - 1) / NAMES_MAX; i < s->count; i += step) {
		fprintf(out, "<text class=\"name\" x=\"%.3f%%\" y=\"%d\">", place_x(s, i),
			HEIGHT - 8);
		html_put(out, s->points[i].name);
		fputs("</text>\n", out);
	}
}

static void
put_point(FILE *out, const struct point *p)
{
	html_put(out, p->words);
	fputs(": ", out);
	html_put(out, p->figure);
}

static void
put_line(const struct html_series *s, const struct scale *scale, FILE *out)
{
	for (size_t i = 1; i < s->count; i++)
		if (s->points[i - 1].known && s->points[i].known)
			fprintf(out,
				"<line class=\"line\" x1=\"%.3f%%\" y1=\"%.1f\" x2=\"%.3f%%\" "
				"y2=\"%.1f\"/>\n",
				place_x(s, i - 1), place_y(scale, s->points[i - 1].value),
				place_x(s, i), place_y(scale, s->points[i].value));
	for (size_t i = 0; i < s->count; i++) {
		const struct point *p = &s->points[i];

		if (!p->known)
			continue;
		fprintf(out, "<circle cx=\"%.3f%%\" cy=\"%.1f\" r=\"4\"><title>", place_x(s, i),
			place_y(scale, p->value));
		put_point(out, p);
		fputs("</title></circle>\n", out);
	}
}

void
html_series_write(struct html_series *s, FILE *out)
{
	struct scale scale;

	if (s->known > 1 && !s->too_many) {
		scale = find_scale(s);
		fprintf(out,
			"<div class=\"panel series\"><svg role=\"img\" width=\"100%%\" "
			"height=\"%d\" aria-label=\"",
			HEIGHT);
		html_put(out, text_from(s->head->columns[s->column].title));
		fprintf(out, " of %zu rows: lowest ", s->count);
		put_point(out, scale.least);
		fputs(", highest ", out);
		put_point(out, scale.most);
		fputs("\">\n", out);
		put_rules(s, &scale, out);
		put_line(s, &scale, out);
		fputs("</svg></div>\n", out);
	}
	s->count = s->known = 0;
	s->too_many = false;
	arena_reset(&s->arena);
}
