/*
 * Makes bottom-up trees from stacks that are read in parts. The self values of routines give the first level. A
 * routine's stacks are needed only when its callers are added, and most routines are too light for this.
 */
#include "base/array.h"
#include "tree_invert_private.h"

#include <stdlib.h>
#include <string.h>

/* The first part has the stacks of the heaviest routines, up to this part of the total. */
static const double first_part = 0.25;

#define UNREAD SIZE_MAX /* `first` of a run whose stacks have not been read */

struct parts {
	struct inversion v;
	const struct stack_source *source;
	wide_int *selfs; /* for each name: self value of all routines with this name */
	wide_int *alone; /* for each name: value of the stacks that have only this frame */
	bool *wanted;    /* for each name: whether the next part contains its stacks */
	struct stacks stacks;
	size_t name_count, cursor_room;
	bool differs; /* the stacks do not add up to the self values */
};

/* Returns the names that have a self value, the heaviest first. */
static struct rank *
rank_names(const struct parts *p, size_t *count)
{
	struct rank *names = xmalloc((p->name_count + 1) * sizeof(*names));

	*count = 0;
	for (size_t i = 0; i < p->name_count; i++)
		if (p->selfs[i] != 0)
			names[(*count)++] = (struct rank){ p->selfs[i], i };
	if (*count > 1)
		qsort(names, *count, sizeof(*names), trees_compare_ranks);
	return names;
}

/* Adds a node for each name that has a self value, and chooses the first part: names that weigh at least `least`, or,
 * without this limit, the heaviest names. It contains all names if they leave most nodes to their callers, because then
 * the callers of nearly all names will be needed. */
static void
add_routines(struct parts *p, double least)
{
	const struct tree *t = p->source->routines;
	double left = first_part * (double)t->nodes[0].total;
	struct rank *names;
	size_t count;
	bool all;

	for (size_t i = 1; i < t->count; i++)
		p->selfs[p->source->same[t->nodes[i].name]] += t->nodes[i].self;
	names = rank_names(p, &count);
	all = count < p->v.max_nodes / 4;
	inversion_make_room(&p->v, count);
	for (size_t i = 0; i < count; i++) {
		const double weight = (double)names[i].weight;

		if (p->v.to->count == p->v.max_nodes) {
			p->v.to->nodes[0].self += names[i].weight;
			p->v.to->nodes[0].folded = true;
			continue;
		}
		p->wanted[names[i].index] = least > 0 ? weight >= least : all || left > 0;
		left -= weight;
		inversion_add(&p->v, 0, (uint32_t)names[i].index,
			(struct run){ UNREAD, UNREAD, names[i].weight, 0 });
	}
	free(names);
}

static uint32_t
name_of(const struct parts *p, const struct run *r)
{
	return p->v.to->nodes[r->node].name;
}

/* Wants all names that were not read. */
static void
want_rest(struct parts *p)
{
	memset(p->wanted, 0, p->name_count * sizeof(*p->wanted));
	for (size_t i = 0; i < p->v.heap_count; i++)
		if (p->v.heap[i].first == UNREAD)
			p->wanted[name_of(p, &p->v.heap[i])] = true;
}

/* Adds a cursor for each stack from `from` on, grouped by the innermost frame. ends[n] becomes the end of the cursors
 * of name n, which begin at ends[n - 1], or at `from` for n = 0. */
static void
place_cursors(struct parts *p, size_t from, size_t *ends)
{
	const struct stacks *s = &p->stacks;

	ARRAY_RESERVE(p->v.cursors, p->cursor_room, s->count);
	for (size_t i = from; i < s->count; i++)
		ends[s->frames[s->items[i].first] + 1]++;
	ends[0] = from;
	for (size_t i = 0; i < p->name_count; i++)
		ends[i + 1] += ends[i];
	/* Now ends[n] is the start of name n. */
	for (size_t i = from; i < s->count; i++) {
		const uint32_t name = s->frames[s->items[i].first];

		p->v.cursors[ends[name]++] =
			(struct cursor){ name, s->items[i].first, (uint32_t)i };
	}
}

/* Gives the runs of wanted routines their cursors. */
static void
fill_runs(struct parts *p, size_t from)
{
	size_t *ends = xcalloc(p->name_count + 1, sizeof(*ends));

	place_cursors(p, from, ends);
	for (size_t i = 0; i < p->v.heap_count; i++) {
		struct run *r = &p->v.heap[i];
		const uint32_t name = name_of(p, r);
		wide_int sum = 0;

		if (r->first != UNREAD || !p->wanted[name])
			continue;
		r->first = name ? ends[name - 1] : from;
		r->end = ends[name];
		for (size_t k = r->first; k < r->end; k++)
			sum += p->stacks.items[p->v.cursors[k].leaf].value;
		p->differs |= sum != r->weight;
	}
	free(ends);
}

static bool
read_wanted(struct parts *p, struct error *err)
{
	const size_t from = p->stacks.count;

	if (!p->source->read(p->source->self, p->wanted, p->alone, &p->stacks, err))
		return false;
	fill_runs(p, from);
	return true;
}

/* Gives the values of unread routines to their nodes. */
static void
fold_unread(struct parts *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->v.heap_count; i++) {
		const struct run *r = &p->v.heap[i];
		struct tree_node *n = &p->v.to->nodes[r->node];

		if (r->first != UNREAD) {
			p->v.heap[kept++] = *r;
			continue;
		}
		n->self += r->weight;
		n->folded = r->weight != p->alone[n->name];
	}
	p->v.heap_count = kept;
}

static bool
invert(struct parts *p, double least, struct error *err)
{
	if (!read_wanted(p, err))
		return false;
	while (!p->differs && inversion_goes_on(&p->v, least)) {
		if (p->v.heap[0].first != UNREAD) {
			inversion_step(&p->v);
			continue;
		}
		want_rest(p);
		if (!read_wanted(p, err))
			return false;
	}
	return true;
}

bool
tree_invert_stacks(struct arena *a, const struct stack_source *s, size_t max_nodes, double percent,
	struct tree **out, struct error *err)
{
	const size_t names = s->routines->name_count;
	const double least = percent / 100 * (double)s->routines->nodes[0].total;
	struct parts p = { .v = { .from = s->routines },
		.source = s,
		.selfs = xcalloc(names + 1, sizeof(*p.selfs)),
		.alone = xcalloc(names + 1, sizeof(*p.alone)),
		.wanted = xcalloc(names + 1, sizeof(*p.wanted)),
		.name_count = names };
	struct tree work;
	struct tree *done;
	bool ok;

	p.v.stacks = &p.stacks;
	inversion_begin(&p.v, &work, max_nodes);
	add_routines(&p, least);
	ok = invert(&p, least, err);
	fold_unread(&p);
	done = inversion_end(&p.v, a);
	*out = ok && !p.differs ? done : NULL;
	free(p.stacks.items);
	free(p.stacks.frames);
	free(p.wanted);
	free(p.alone);
	free(p.selfs);
	return ok;
}
