/* A page that contains a flame graph, figures, the hottest frames and the script. */
#include "flame_private.h"

#include "base/hash.h"
#include "render_private.h"

enum {
	NAME_MAX_PX = 1500 /* the table truncates names to this width */
};

enum {
	CSP_HASH_BYTES = 64
};

/* The "sha256-..." source for an inline script or style in a Content-Security-Policy. The script or
 * style is the concatenation of `parts`, a list that ends with NULL. */
static void
csp_hash(const char *const *parts, char out[CSP_HASH_BYTES])
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	struct sha256 *s = sha256_new();
	uint8_t hash[SHA256_BYTES + 1] = { 0 }; /* the spare byte makes the size a multiple of 3 */
	char *p = out + snprintf(out, CSP_HASH_BYTES, "sha256-");

	for (; *parts; parts++)
		sha256_update(s, *parts, strlen(*parts));
	sha256_finish(s, hash);
	sha256_free(s);
	for (size_t i = 0; i < SHA256_BYTES; i += 3) {
		uint32_t v = (uint32_t)hash[i] << 16 | (uint32_t)hash[i + 1] << 8 | hash[i + 2];

		for (int shift = 18; shift >= 0; shift -= 6)
			*p++ = digits[v >> shift & 63];
	}
	p[-1] = '='; /* 32 bytes fill only three of the last four Base64 characters */
	*p = '\0';
}

void
page_begin(FILE *out, const char *const *styles, const char *const *scripts)
{
	char style[CSP_HASH_BYTES], script[CSP_HASH_BYTES];

	csp_hash(styles, style);
	csp_hash(scripts, script);
	fprintf(out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
		style, script);
}

static const char *const page_styles[] = { flame_page_css_text, flame_css_text, NULL };
static const char *const page_scripts[] = { flame_js_text, NULL };

static void
put(FILE *out, struct strbuf *b, const char *before, struct text t, const char *behind)
{
	strbuf_reset(b);
	flame_escape(b, t);
	fprintf(out, "%s%s%s", before, strbuf_str(b), behind);
}

static void
put_head(FILE *out, const struct tree *t, const struct flame_options *o)
{
	struct strbuf title, b;

	strbuf_init(&title, FLAME_TEXT_MAX_BYTES);
	strbuf_init(&b, FLAME_TEXT_MAX_BYTES);
	flame_title(&title, t, o);
	page_begin(out, page_styles, page_scripts);
	put(out, &b, "<title>", strbuf_text(&title), "</title>\n");
	fprintf(out, "<style>%s%s</style>\n", flame_page_css_text, flame_css_text);
	fprintf(out, "<script>%s</script>\n</head>\n<body>\n", flame_js_text);
	put(out, &b, "<h1>", strbuf_text(&title), "</h1>\n");
	strbuf_release(&b);
	strbuf_release(&title);
}

static void
put_fact(FILE *out, const char *name, const struct strbuf *value)
{
	struct strbuf b = STRBUF_INIT(FLAME_TEXT_MAX_BYTES);

	fprintf(out, "<div><dt>%s</dt>", name);
	put(out, &b, "<dd>", strbuf_text(value), "</dd></div>\n");
	strbuf_release(&b);
}

static void
put_figure(FILE *out, const char *name, const struct tree *t, wide_int v, bool is_change)
{
	struct strbuf b = STRBUF_INIT(256);
	char digits[DECIMAL_FIXED_TEXT_MAX];

	if (is_change && v > 0)
		strbuf_append_char(&b, '+');
	flame_figure(&b, t->unit, v);
	if (text_equal(t->unit, TEXT_LITERAL("bytes"))) {
		strbuf_append_str(&b, " (");
		strbuf_append(&b, digits, fixed_format(v, digits));
		strbuf_append_str(&b, " bytes)");
	}
	put_fact(out, name, &b);
	strbuf_release(&b);
}

static void
put_facts(FILE *out, const struct tree *t, const struct flame_options *o)
{
	const struct tree_node *root = &t->nodes[0];
	struct flame_layout_result layout;
	struct strbuf b = STRBUF_INIT(FLAME_TEXT_MAX_BYTES);

	fputs("<dl>\n", out);
	strbuf_append_text(&b, t->metric);
	put_fact(out, "Metric", &b);
	if (tree_is_compared(t))
		put_figure(out, "Before", t, root->base_total, false);
	put_figure(out, tree_is_compared(t) ? "Now" : "Total", t, root->total, false);
	if (tree_is_compared(t))
		put_figure(out, "Change", t, root->total - root->base_total, true);
	strbuf_reset(&b);
	flame_factor(&b, t, "");
	if (b.size)
		put_fact(out, "Compared", &b);
	strbuf_reset(&b);
	flame_layout_init(&layout, t, o, flame_chart_px(o));
	flame_trimmed(&b, t, layout.drawn_count);
	flame_layout_release(&layout);
	put_fact(out, "Picture", &b);
	fputs("</dl>\n", out);
	strbuf_release(&b);
}

/* Appends the value, and its change or its share of the total. */
static void
put_values(FILE *out, const struct tree *t, wide_int now, wide_int base)
{
	struct strbuf b = STRBUF_INIT(256);

	flame_figure(&b, t->unit, now);
	fprintf(out, "<td class=\"n\">%s</td>", strbuf_str(&b));
	strbuf_reset(&b);
	if (tree_is_compared(t)) {
		if (now > base)
			strbuf_append_char(&b, '+');
		flame_figure(&b, t->unit, now - base);
		fprintf(out, "<td class=\"n\">%s</td>", strbuf_str(&b));
	} else {
		flame_share(&b, now, t->nodes[0].total);
		fprintf(out, "<td class=\"n share\">%s</td>", strbuf_str(&b));
	}
	strbuf_release(&b);
}

/* Writes the cell of a name. If the name is long, the cell shows only its beginning. */
static void
put_name(FILE *out, struct strbuf *b, const char *class, struct text name)
{
	struct strbuf cut = STRBUF_INIT(FLAME_TEXT_MAX_BYTES);

	fprintf(out, "<td class=\"%s\"", class);
	if (!flame_text_cut(&cut, name, NAME_MAX_PX))
		put(out, b, " title=\"", name, "\"");
	put(out, b, ">", strbuf_text(&cut), "</td>");
	strbuf_release(&cut);
}

static void
put_row(FILE *out, const struct tree *t, const struct tree_frame *f, struct strbuf *b)
{
	const struct table_frame *name = &t->names[f->name];
	struct strbuf label = STRBUF_INIT(TREE_LABEL_MAX_BYTES);

	fputs("<tr>", out);
	put_values(out, t, f->self, f->base_self);
	put_values(out, t, f->total, f->base_total);
	tree_label(name, &label);
	put_name(out, b, "name", strbuf_text(&label));
	put_name(out, b, "name module", name->module_name);
	fputs("</tr>\n", out);
	strbuf_release(&label);
}

static void
put_table(FILE *out, const struct tree *t, const struct flame_options *o)
{
	const char *second = tree_is_compared(t) ? "Change" : "Share";
	const char *class = tree_is_compared(t) ? "n" : "n share";
	struct strbuf b = STRBUF_INIT(FLAME_TEXT_MAX_BYTES);

	if (!o->frame_count)
		return;
	fprintf(out,
		"<h2>Hottest frames</h2>\n<div class=\"hot\"><table>\n<thead><tr>"
		"<th class=\"n\" scope=\"col\">Self</th><th class=\"%s\" scope=\"col\">%s</th>"
		"<th class=\"n\" scope=\"col\">Total</th><th class=\"%s\" scope=\"col\">%s</th>"
		"<th scope=\"col\">Frame</th><th class=\"module\" scope=\"col\">Module</th>"
		"</tr></thead>\n<tbody>\n",
		class, second, class, second);
	for (size_t i = 0; i < o->frame_count; i++)
		put_row(out, t, &o->frames[i], &b);
	fputs("</tbody>\n</table></div>\n", out);
	strbuf_release(&b);
}

bool
flame_html_write(FILE *out, const struct tree *t, const struct flame_options *o, struct error *err)
{
	put_head(out, t, o);
	put_facts(out, t, o);
	fputs("<div class=\"bar\"><p class=\"detail\" role=\"status\"></p>\n"
	      "<div class=\"flame-tools\" role=\"search\"></div></div>\n<main>\n<div "
	      "class=\"picture\">\n",
		out);
	if (!flame_picture(out, t, o, false, err))
		return false;
	fputs("</div>\n", out);
	put_table(out, t, o);
	fputs("</main>\n</body>\n</html>\n", out);
	return render_check(out, err);
}
