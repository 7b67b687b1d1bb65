/*
 * Pictures of a tree of calls, and the files that other viewers read. A
 * writer sees a tree, never the database.
 *
 * - svg: a flame graph that needs nothing from outside; reads without its
 *   script, which adds search, zoom and keys.
 * - html: the same in a page, with figures and the hottest frames; its
 *   Content-Security-Policy allows nothing but its own script and style.
 * - json: {"name", "value", "children"} as d3-flame-graph reads it, values
 *   inclusive and exact; "delta" and "base" when two result sets are compared.
 * - folded: "all the frames;from the outermost;inwards N", N what the
 *   innermost has itself. ';' in a name becomes ':'. N is whole: when some
 *   value is not, all are multiplied by 10^flame_folded_scale.
 */
#ifndef PROFDEPOT_RENDER_FLAME_H
#define PROFDEPOT_RENDER_FLAME_H

#include "model/tree.h"

#include <stdio.h>

#define FLAME_TABLE(X) \
	X(svg, "image/svg+xml") \
	X(html, "text/html; charset=utf-8") \
	X(json, "application/json") \
	X(folded, "text/plain; charset=utf-8")

#define FLAME_CHOICES "svg|html|json|folded"

enum flame_layout {
	FLAME_AUTO, /* root below; above when inverted or more than FLAME_TALL levels */
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
	const char *title;               /* NULL: made from the metric and the result set */
	const struct tree_frame *frames; /* the page's table, in its order; may be none */
	size_t frame_count;
};

struct flame_writer {
	const char *name; /* also the end of a file's name */
	const char *content_type;
	bool (*write)(
		FILE *out, const struct tree *t, const struct flame_options *o, struct error *err);
};

/* Ends with .name == NULL. */
extern const struct flame_writer flame_writers[];

/* NULL when there is none of that name. */
const struct flame_writer *flame_writer_find(const char *name);

/* Digits behind the point that folded output of t shifts; 0: none has any. */
int flame_folded_scale(const struct tree *t);

#endif
