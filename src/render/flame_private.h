/* Shared by the flame graph writers. */
#ifndef PROFDEPOT_SRC_RENDER_FLAME_PRIVATE_H
#define PROFDEPOT_SRC_RENDER_FLAME_PRIVATE_H

#include "base/strbuf.h"
#include "render/flame.h"

#define FLAME_DECLARE(name, content_type) \
	bool flame_##name##_write(FILE *out, const struct tree *t, const struct flame_options *o, \
		struct error *err);
FLAME_TABLE(FLAME_DECLARE)
#undef FLAME_DECLARE

/* Files in src/render that are compiled in (tools/text2c.awk). */
extern const char flame_css_text[], flame_js_text[], flame_page_css_text[];

enum {
	FLAME_TEXT_MAX_BYTES = 1 << 30,
	FLAME_FONT_PX = 11,
	FLAME_ROW_PX = 18,
	FLAME_COLOURS = 24,    /* classes c0.. in flame.css */
	FLAME_DIFF_COLOURS = 9 /* classes d0..d8 in flame.css, from gone to new */
};

/* Begins a page: doctype and head, with a Content-Security-Policy that allows only one inline style
 * and one inline script. Each list contains the parts of that style or script, then NULL. */
void page_begin(FILE *out, const char *const *styles, const char *const *scripts);

/* Appends XML text: escapes markup, and writes invalid or invisible characters like "\x1f". */
void flame_escape(struct strbuf *b, struct text t);

/* Appends the visible form of t (render_visible) if it fits into `pixels`. Otherwise returns false
 * and appends the first characters of t and "…", or nothing if fewer than three characters would remain. */
bool flame_text_cut(struct strbuf *b, struct text t, double pixels);

/* Appends "2.6 MiB", "1.25 s", "1,234". */
void flame_figure(struct strbuf *b, struct text unit, wide_int v);

/* Appends v as a percentage of `all`, such as "12.34 %"; "0 %" if `all` is 0. */
void flame_share(struct strbuf *b, wide_int v, wide_int all);

/* If base values were scaled, appends `before` and "base values × 1.75 for equal totals". */
void flame_factor(struct strbuf *b, const struct tree *t, const char *before);

/* The picture's title, taken from the options or the tree. */
void flame_title(struct strbuf *b, const struct tree *t, const struct flame_options *o);

/* The positions of the nodes. */
struct flame_layout_result {
	double *start, *width; /* per node, as fractions of the chart's width */
	bool *drawn;
	size_t drawn_count;
	size_t levels;
	bool root_above;
};

/* The width that remains for the frames, in pixels. */
double flame_chart_px(const struct flame_options *o);

void flame_layout_init(struct flame_layout_result *l, const struct tree *t,
	const struct flame_options *o, double chart_px);
void flame_layout_release(struct flame_layout_result *l);

/* The node's class in flame.css: "r", "c7" or "d3". */
void flame_colour(const struct tree *t, size_t node, char out[8]);

/* Writes the picture as an <svg> element without style and script. If standalone, also adds
 * the namespace, the title and the figures. A page shows the title and the figures outside of the picture. */
bool flame_picture(FILE *out, const struct tree *t, const struct flame_options *o, bool standalone,
	struct error *err);

/* Appends "8,192 of 20,000 calls drawn" and the reasons why the other calls are not drawn. */
void flame_trimmed(struct strbuf *b, const struct tree *t, size_t drawn);

#endif
