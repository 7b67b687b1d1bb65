/* Draws the flame graph as SVG, for the svg and html formats. */
#include "flame_private.h"

#include "render_private.h"

enum {
	MARGIN_PX = 12,
	HEAD_PX = 68, /* the title, the figures and the details */
	LEGEND_PX = 26,
	FOOT_PX = 12,
	TOOLS_PX = 300,  /* width of the search box that the script adds beside the title */
	NARROW_PX = 724, /* in a narrower picture, the search box is below the title */
	WIDE_PX = 3,     /* frames of at least this width are separated by a line */
	LABEL_PX = 4     /* distance of a label from the frame's edge */
};

/* Title text is wider than label text by this factor, because it is bold and larger. */
static const double head_scale = 1.6;

struct drawing {
	FILE *out;
	const struct tree *t;
	struct flame_layout_result layout;
	double chart_px, chart_height;
	struct strbuf label, escaped;
};

/* "self 1.2 MiB, 3.40 %" */
static void
put_value(struct strbuf *b, const struct drawing *d, const char *what, wide_int v)
{
	strbuf_append_str(b, what);
	flame_figure(b, d->t->unit, v);
	strbuf_append_str(b, ", ");
	flame_share(b, v, d->t->nodes[0].total);
}

static void
put_change(struct strbuf *b, const struct drawing *d, const char *what, wide_int then, wide_int now)
{
	strbuf_append_str(b, what);
	flame_figure(b, d->t->unit, then);
	strbuf_append_str(b, " → ");
	flame_figure(b, d->t->unit, now);
	strbuf_append_str(b, now > then ? " (+" : " (");
	flame_figure(b, d->t->unit, now - then);
	if (then > 0 && now != then)
		strbuf_printf(b, now > then ? ", +%.1f %%" : ", %.1f %%",
			100 * ((double)now / (double)then - 1));
	strbuf_append_char(b, ')');
}

static void
put_place(struct strbuf *b, const struct table_frame *f)
{
	bool file = !text_is_empty(f->source_file);

	if (text_is_empty(f->module_name) && !file)
		return;
	strbuf_append_char(b, '\n');
	flame_escape(b, f->module_name);
	if (!text_is_empty(f->module_name) && file)
		strbuf_append_str(b, ", ");
	flame_escape(b, f->source_file);
	if (file && f->source_line != TABLE_NO_LINE)
		strbuf_printf(b, ":%lld", (long long)f->source_line);
}

/* The tooltip: the full name, then one figure per line. */
static void
put_hover(struct strbuf *b, const struct drawing *d, size_t i)
{
	const struct tree_node *n = &d->t->nodes[i];

	flame_escape(b, strbuf_text(&d->label));
	if (tree_is_compared(d->t)) {
		put_change(b, d, "\n", n->base_total, n->total);
		put_change(b, d, "\nself ", n->base_self, n->self);
		strbuf_append_str(b, "\n");
		flame_share(b, n->base_total, d->t->nodes[0].base_total);
		strbuf_append_str(b, " → ");
		flame_share(b, n->total, d->t->nodes[0].total);
		strbuf_append_str(b, " of all");
	} else {
		put_value(b, d, "\n", n->total);
		put_value(b, d, "\nself ", n->self);
	}
	if (i > 0)
		put_place(b, &d->t->names[n->name]);
	if (n->folded)
		strbuf_append_str(b, "\nincludes omitted calls below this frame");
}

static double
row_y(const struct drawing *d, size_t depth)
{
	size_t row = d->layout.root_above ? depth : d->layout.levels - 1 - depth;

	return (double)row * FLAME_ROW_PX;
}

/* Writes a percentage with enough digits for a deep zoom, without trailing zeros. */
static const char *
percent(char *out, size_t size, double part)
{
	int n = snprintf(out, size, "%.6f", part * 100);

	while (n > 0 && out[n - 1] == '0')
		out[--n] = '\0';
	if (n > 0 && out[n - 1] == '.')
		out[--n] = '\0';
	return out;
}

static bool
draw_frame(struct drawing *d, size_t i, struct error *err)
{
	char colour[8], x[32], width[32];
	double y = row_y(d, d->t->nodes[i].depth);
	double pixels = d->layout.width[i] * d->chart_px;

	strbuf_reset(&d->label);
	strbuf_reset(&d->escaped);
	tree_node_label(d->t, i, &d->label);
	put_hover(&d->escaped, d, i);
	flame_colour(d->t, i, colour);
	percent(x, sizeof(x), d->layout.start[i]);
	percent(width, sizeof(width), d->layout.width[i]);
	if (d->escaped.failed || d->label.failed)
		return error_set(err, ERROR_LIMIT, "a frame's name is too long to draw");
	fprintf(d->out,
		"<g class=\"%s%s\"><title>%s</title><rect x=\"%s%%\" y=\"%.0f\" width=\"%s%%\" "
		"height=\"%d\"/>",
		colour, pixels >= WIDE_PX ? " w" : "", strbuf_str(&d->escaped), x, y, width,
		FLAME_ROW_PX - 1);
	if (pixels > 3 * LABEL_PX) {
		struct strbuf cut = STRBUF_INIT(TREE_LABEL_MAX_BYTES);

		flame_text_cut(&cut, strbuf_text(&d->label), pixels - 2 * LABEL_PX);
		strbuf_reset(&d->escaped);
		flame_escape(&d->escaped, strbuf_text(&cut));
		if (cut.size)
			fprintf(d->out, "<text x=\"%s%%\" dx=\"%d\" y=\"%.0f\">%s</text>", x,
				LABEL_PX, y + FLAME_ROW_PX - 5, strbuf_str(&d->escaped));
		strbuf_release(&cut);
	}
	fputs("</g>\n", d->out);
	return true;
}

static void
put_escaped(struct drawing *d, const char *before, struct text t, const char *behind)
{
	strbuf_reset(&d->escaped);
	flame_escape(&d->escaped, t);
	fprintf(d->out, "%s%s%s", before, strbuf_str(&d->escaped), behind);
}

/* Writes the total and its metric, then a note about the calls that the picture leaves out. */
static void
put_figures(struct strbuf *b, const struct drawing *d)
{
	const struct tree_node *root = &d->t->nodes[0];

	/* In formats without metric names, the metric has the name of its unit. Write "total" instead. */
	strbuf_append_text(
		b, text_equal(d->t->metric, d->t->unit) ? TEXT_LITERAL("total") : d->t->metric);
	if (tree_is_compared(d->t)) {
		put_change(b, d, " ", root->base_total, root->total);
		flame_factor(b, d->t, ", ");
	} else {
		strbuf_append_char(b, ' ');
		flame_figure(b, d->t->unit, root->total);
	}
	if (d->t->all_total != root->total && !tree_is_compared(d->t)) {
		strbuf_append_str(b, ", ");
		flame_share(b, root->total, d->t->all_total);
		strbuf_append_str(b, " of all");
	}
	strbuf_append_str(b, "; ");
	flame_trimmed(b, d->t, d->layout.drawn_count);
}

static void
put_head(struct drawing *d, const struct flame_options *o)
{
	double room = (double)o->width - (o->width < NARROW_PX ? 2 * MARGIN_PX : TOOLS_PX);
	struct strbuf b, title;

	strbuf_init(&b, FLAME_TEXT_MAX_BYTES);
	strbuf_init(&title, FLAME_TEXT_MAX_BYTES);
	flame_title(&title, d->t, o);
	flame_text_cut(&b, strbuf_text(&title), room / head_scale);
	put_escaped(d, "<text class=\"head\" x=\"12\" y=\"22\">", strbuf_text(&b), "</text>\n");
	strbuf_reset(&title);
	put_figures(&title, d);
	put_escaped(d, "<text class=\"note\" x=\"12\" y=\"40\" data-text=\"", strbuf_text(&title),
		"\">");
	strbuf_reset(&b);
	flame_text_cut(&b, strbuf_text(&title), d->chart_px);
	put_escaped(d, "", strbuf_text(&b), "</text>\n");
	fputs("<text class=\"detail\" x=\"12\" y=\"58\"></text>\n", d->out);
	strbuf_release(&title);
	strbuf_release(&b);
}

static void
put_legend(struct drawing *d, double y)
{
	static const char *const names[] = { "(almost) gone", "at least 30 % less",
		"10 to 30 % less", "1 to 10 % less", "the same", "1 to 10 % more",
		"10 to 30 % more", "at least 30 % more", "(almost) new" };

	fprintf(d->out,
		"<g class=\"legend\" role=\"img\" aria-label=\"Colours: blue less than before, grey "
		"the same, orange more\">\n<text x=\"12\" y=\"%.0f\">less</text>\n",
		y + 12);
	for (int i = 0; i < FLAME_DIFF_COLOURS; i++)
		fprintf(d->out,
			"<g class=\"d%d\"><title>%s, relative to the larger value</title>"
			"<rect x=\"%d\" y=\"%.0f\" width=\"26\" height=\"15\"/></g>\n",
			i, names[i], 42 + 27 * i, y);
	fprintf(d->out,
		"<text x=\"%d\" y=\"%.0f\">more<tspan class=\"wordy\"> than before; a frame is as "
		"wide as the larger value</tspan></text>\n</g>\n",
		42 + 27 * FLAME_DIFF_COLOURS + 6, y + 12);
}

static bool
put_chart(struct drawing *d, double y, struct error *err)
{
	fprintf(d->out,
		"<svg class=\"chart\" x=\"%d\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" "
		"role=\"group\" aria-label=\"Frames\" data-row=\"%d\" data-levels=\"%zu\" "
		"data-above=\"%d\">\n",
		MARGIN_PX, y, d->chart_px, d->chart_height, FLAME_ROW_PX, d->layout.levels,
		d->layout.root_above);
	for (size_t i = 0; i < d->t->count; i++)
		if (d->layout.drawn[i] && !draw_frame(d, i, err))
			return false;
	fputs("</svg>\n", d->out);
	return true;
}

/* Describes the picture in words, for screen readers. */
static void
put_description(struct drawing *d, const struct flame_options *o)
{
	struct strbuf b = STRBUF_INIT(FLAME_TEXT_MAX_BYTES);

	flame_title(&b, d->t, o);
	put_escaped(d, "<title>", strbuf_text(&b), "</title>\n");
	strbuf_reset(&b);
	strbuf_append_str(&b, "Flame graph: a frame is as wide as its share, its ");
	strbuf_append_str(&b, d->t->inverted ? "callers" : "callees");
	strbuf_append_str(&b, d->layout.root_above ? " are below it. " : " are above it. ");
	put_figures(&b, d);
	put_escaped(d, "<desc>", strbuf_text(&b), "</desc>\n");
	strbuf_release(&b);
}

double
flame_chart_px(const struct flame_options *o)
{
	return (double)o->width - 2 * MARGIN_PX;
}

bool
flame_picture(FILE *out, const struct tree *t, const struct flame_options *o, bool standalone,
	struct error *err)
{
	struct drawing d = { .out = out, .t = t, .chart_px = flame_chart_px(o) };
	double top = standalone ? HEAD_PX : 0;
	double height;
	bool ok;

	strbuf_init(&d.label, TREE_LABEL_MAX_BYTES);
	strbuf_init(&d.escaped, FLAME_TEXT_MAX_BYTES);
	flame_layout_init(&d.layout, t, o, d.chart_px);
	d.chart_height = (double)d.layout.levels * FLAME_ROW_PX;
	if (tree_is_compared(t))
		top += LEGEND_PX;
	height = top + d.chart_height + FOOT_PX;
	fprintf(out,
		"<svg%s class=\"flame\" width=\"%u\" height=\"%.0f\" viewBox=\"0 0 %u %.0f\">\n",
		standalone ? " xmlns=\"http://www.w3.org/2000/svg\"" : "", o->width, height,
		o->width, height);
	put_description(&d, o);
	if (standalone) {
		fprintf(out, "<style><![CDATA[\n%s]]></style>\n", flame_css_text);
		fputs("<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n", out);
		put_head(&d, o);
	}
	if (tree_is_compared(t))
		put_legend(&d, top - LEGEND_PX);
	ok = put_chart(&d, top, err);
	if (standalone)
		fprintf(out, "<script><![CDATA[\n%s]]></script>\n", flame_js_text);
	fputs("</svg>\n", out);
	flame_layout_release(&d.layout);
	strbuf_release(&d.label);
	strbuf_release(&d.escaped);
	return ok && render_check(out, err);
}

bool
flame_svg_write(FILE *out, const struct tree *t, const struct flame_options *o, struct error *err)
{
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
	return flame_picture(out, t, o, true, err);
}
