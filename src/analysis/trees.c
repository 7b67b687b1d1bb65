/* Cuts and filters call trees. */
#include "trees_private.h"

#include "base/strbuf.h"

#include <stdlib.h>
#include <string.h>

/* Returns a tree with the root and the nodes that `keep` selects. The ancestors of a selected node
 * must also be selected. Adds the self value of every other node to its nearest kept ancestor. If
 * `mark` is true, marks this ancestor as folded. */
static struct tree *
fold(struct arena *a, const struct tree *t, const bool *keep, bool mark)
{
	/* for each node: its index in the result, or the index of the node that receives its value */
	uint32_t *place = xcalloc(t->count, sizeof(*place));
	struct tree *out;
	size_t kept = 1;

	for (size_t i = 1; i < t->count; i++)
		kept += keep[i];
	out = tree_new_like(a, t, kept);
	out->nodes[0] = t->nodes[0];
	for (size_t i = 1; i < t->count; i++) {
		const struct tree_node *n = &t->nodes[i];
		uint32_t above = place[n->parent];

		if (keep[i]) {
			place[i] = (uint32_t)out->count;
			out->nodes[out->count] = *n;
			out->nodes[out->count++].parent = above;
			continue;
		}
		place[i] = above;
		out->nodes[above].self += n->self;
		out->nodes[above].base_self += n->base_self;
		out->nodes[above].folded |= mark;
	}
	free(place);
	tree_sum(out);
	return out;
}

int
trees_compare_ranks(const void *a, const void *b)
{
	const struct rank *x = a;
	const struct rank *y = b;

	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

struct tree *
tree_cut(struct arena *a, const struct tree *t, size_t max_nodes)
{
	struct rank *ranks;
	struct tree *out;
	bool *keep;

	if (max_nodes == 0 || max_nodes > t->count)
		max_nodes = t->count;
	ranks = xmalloc(t->count * sizeof(*ranks));
	keep = xcalloc(t->count, sizeof(*keep));
	for (size_t i = 0; i < t->count; i++)
		ranks[i] = (struct rank){ t->nodes[i].weight, i };
	qsort(ranks, t->count, sizeof(*ranks), trees_compare_ranks);
	for (size_t i = 0; i < max_nodes; i++)
		keep[ranks[i].index] = true;
	out = fold(a, t, keep, true);
	free(keep);
	free(ranks);
	return out;
}

struct tree *
tree_narrow(struct arena *a, const struct tree *t, double percent)
{
	bool *keep = xcalloc(t->count, sizeof(*keep));
	double least = percent / 100 * (double)t->nodes[0].weight;
	struct tree *out;

	for (size_t i = 0; i < t->count; i++)
		keep[i] = (double)t->nodes[i].weight >= least;
	out = fold(a, t, keep, true);
	free(keep);
	return out;
}

static bool
matches(const struct option_list *globs, const struct table_frame *f, struct strbuf *label)
{
	strbuf_reset(label);
	tree_label(f, label);
	for (size_t i = 0; i < globs->count; i++)
		if (text_glob(strbuf_text(label), globs->items[i]) ||
			text_glob(f->routine_name, globs->items[i]) ||
			text_glob(f->module_name, globs->items[i]))
			return true;
	return false;
}

bool *
tree_matches(const struct tree *t, const struct option_list *globs)
{
	bool *hit = xcalloc(t->name_count + 1, sizeof(*hit));
	struct strbuf label = STRBUF_INIT(TREE_LABEL_MAX_BYTES);

	for (size_t i = 0; globs->count && i < t->name_count; i++)
		hit[i] = matches(globs, &t->names[i], &label);
	strbuf_release(&label);
	return hit;
}

/* Returns one flag per node: true if the name of the node, or of a node above it, matches the globs. */
static bool *
mark_below(const struct tree *t, const struct option_list *globs)
{
	bool *hit = tree_matches(t, globs);
	bool *below = xcalloc(t->count, sizeof(*below));

	for (size_t i = 1; i < t->count; i++)
		below[i] = below[t->nodes[i].parent] || hit[t->nodes[i].name];
	free(hit);
	return below;
}

struct tree *
tree_filter(struct arena *a, const struct tree *t, const struct option_list *focus,
	const struct option_list *ignore)
{
	bool *in = mark_below(t, focus);
	bool *out = mark_below(t, ignore);
	bool *keep = xcalloc(t->count, sizeof(*keep));
	struct tree *part = tree_new_like(a, t, t->count);
	struct tree *done;

	part->count = t->count;
	memcpy(part->nodes, t->nodes, t->count * sizeof(*t->nodes));
	for (size_t i = 0; i < t->count; i++) {
		if ((!focus->count || in[i]) && !out[i])
			continue;
		part->nodes[i].self = 0;
		part->nodes[i].base_self = 0;
	}
	tree_sum(part);
	for (size_t i = 0; i < t->count; i++)
		keep[i] = part->nodes[i].weight != 0;
	done = trees_in_preorder(a, fold(a, part, keep, false));
	done->all_nodes = done->count;
	free(keep);
	free(out);
	free(in);
	return done;
}
