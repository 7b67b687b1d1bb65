/* The positions and colours of a flame graph's frames. */
#include "flame_private.h"

#include "base/hash.h"

#include <stdlib.h>

static const double min_px = 0.1;

void
flame_layout_init(struct flame_layout_result *l, const struct tree *t,
	const struct flame_options *o, double chart_px)
{
	double all = (double)t->nodes[0].weight;
	double *next = xmalloc(t->count * sizeof(*next)); /* where a node's next child begins */

	*l = (struct flame_layout_result){ .levels = 1 };
	l->start = xcalloc(t->count, sizeof(*l->start));
	l->width = xcalloc(t->count, sizeof(*l->width));
	l->drawn = xcalloc(t->count, sizeof(*l->drawn));
	l->width[0] = 1;
	l->drawn[0] = true;
	l->drawn_count = 1;
	next[0] = 0;
	for (size_t i = 1; i < t->count; i++) {
		const struct tree_node *n = &t->nodes[i];

		l->start[i] = next[i] = next[n->parent];
		l->width[i] = all > 0 ? (double)n->weight / all : 0;
		next[n->parent] += l->width[i];
		l->drawn[i] = l->drawn[n->parent] && l->width[i] * chart_px >= min_px;
		if (!l->drawn[i])
			continue;
		l->drawn_count++;
		if (n->depth + 1UL > l->levels)
			l->levels = n->depth + 1UL;
	}
	free(next);
	l->root_above = o->layout == FLAME_ROOT_ABOVE ||
			(o->layout == FLAME_AUTO && (t->inverted || l->levels > FLAME_TALL));
}

void
flame_layout_release(struct flame_layout_result *l)
{
	free(l->drawn);
	free(l->width);
	free(l->start);
}

enum {
	HUES = 8,
	SHADES = 3
};

static unsigned
pick(struct text name, unsigned choices)
{
	return (unsigned)(hash128(name.data ? name.data : "", name.size).low % choices);
}

/* The growth relative to the larger of the two values: -1 means gone, 1 means new. */
static double
change(const struct tree_node *n)
{
	wide_int larger = n->total > n->base_total ? n->total : n->base_total;

	if (larger > 0)
		return (double)(n->total - n->base_total) / (double)larger;
	return n->total == n->base_total ? 0 : n->total > n->base_total ? 1 : -1;
}

static unsigned
diff_colour(double c)
{
	static const double steps[] = { 0.01, 0.1, 0.3, 0.7 };
	unsigned strength = 0;
	double size = c < 0 ? -c : c;

	while (strength < 4 && size >= steps[strength])
		strength++;
	return c < 0 ? 4 - strength : 4 + strength;
}

void
flame_colour(const struct tree *t, size_t node, char out[8])
{
	const struct table_frame *f;

	if (tree_is_compared(t)) {
		snprintf(out, 8, "d%u", diff_colour(change(&t->nodes[node])));
		return;
	}
	if (node == 0) {
		snprintf(out, 8, "r");
		return;
	}
	f = &t->names[t->nodes[node].name];
	snprintf(out, 8, "c%u",
		pick(text_is_empty(f->module_name) ? f->source_file : f->module_name, HUES) *
				SHADES +
			pick(f->routine_name, SHADES));
}
