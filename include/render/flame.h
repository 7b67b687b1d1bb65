/*
 * Flame graphs, and call tree files for other viewers. A writer receives a tree and does not use
 * the database.
 *
 * - svg: a self-contained flame graph. It is readable without its script, which adds search, zoom
 *   and keyboard control.
 * - html: a page with this graph, some figures and a table of the hottest frames. Its
 *   Content-Security-Policy allows only its own script and style.
 * - json: {"name", "value", "children"}, which d3-flame-graph reads. Values are inclusive and
 *   exact. If two result sets are compared, also "delta" and "base". The root also has "metric" and "columns", as in
 *   render/render.h, and ends with "complete": true.
 * - grafana: a data frame for Grafana's flame graph panel, {"fields", "nodes", "trimmed"}. Format:
 *   https://grafana.com/docs/grafana/latest/panels-visualizations/visualizations/flame-graph/
 *   The nodes are in preorder. Each field has one element per node: level (0 is the root), value (inclusive), self,
 *   label. In a comparison, a node's value and self are sums: its value in the tree plus its value in the base.
 *   valueRight and selfRight are its values in the tree alone.
 * - folded: "outermost;...;innermost N", where N is the innermost frame's self value. ';' in a name
 *   becomes ':'. N is an integer: if a value has a fraction, all values are multiplied by
 *   10^flame_folded_scale.
 */
#ifndef PROFDEPOT_RENDER_FLAME_H
#define PROFDEPOT_RENDER_FLAME_H

#include "model/tree.h"

#include <stdio.h>

#define FLAME_TABLE(X) \
	X(svg, "image/svg+xml") \
	X(html, "text/html; charset=utf-8") \
	X(json, "application/json") \
	X(grafana, "application/json") \
	X(folded, "text/plain; charset=utf-8")

#define FLAME_CHOICES "svg|html|json|grafana|folded"

enum flame_layout {
	/* The root is at the top if the tree is inverted or has more than FLAME_TALL levels;
	 * otherwise it is at the bottom. */
	FLAME_AUTO,
	FLAME_ROOT_BELOW,
	FLAME_ROOT_ABOVE
};

enum {
	FLAME_WIDTH = 1200, /* pixels */
	FLAME_MIN_WIDTH = 300,
	FLAME_MAX_WIDTH = 20000,
	FLAME_TALL = 40
};

struct flame_options {
	unsigned width; /* pixels */
	enum flame_layout layout;
	const char *title;               /* NULL: composed from the metric and the result set */
	const struct tree_frame *frames; /* rows of the page's table, in this order; may be empty */
	size_t frame_count;
	bool part; /* json: the tree is a part of another document */
};

struct flame_writer {
	const char *name; /* also the file name extension */
	const char *content_type;
	bool (*write)(
		FILE *out, const struct tree *t, const struct flame_options *o, struct error *err);
};

/* Ends with .name == NULL. */
extern const struct flame_writer flame_writers[];

/* Returns NULL if no writer has this name. */
const struct flame_writer *flame_writer_find(const char *name);

/* Returns n: folded output multiplies all values by 10^n. n is 0 if all values are whole numbers. */
int flame_folded_scale(const struct tree *t);

#endif
