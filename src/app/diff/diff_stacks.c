/* One page of a comparison of samples or objects by stack. Only the stacks of the page are read with their names. */
#define _GNU_SOURCE /* qsort_r */
#include "analysis/stack_table.h"
#include "base/array.h"
#include "base/strbuf.h"
#include "diff_classes.h"
#include "diff_private.h"
#include "store/stack_filter.h"
#include "store/stack_sums.h"

#include <stdlib.h>

enum {
	/* Maximum number of candidates in addition to the rows of the page. If there are more, narrow_by_innermost
	 * removes some of them before names are read. */
	NAMED_AT_ONCE = 2000,
	STACKS_MAX_BYTES = 512 * 1024 * 1024
};

/* A row that may be on the page. */
struct candidate {
	const struct stack_pair *pair;
	uint32_t rank;         /* rank of the innermost frame; 0 if unknown */
	uint32_t stack, lines; /* the stack in `facts` */
};

struct choice {
	struct db *db;
	const struct diff_plan *plan;
	struct stack_table *table;
	const struct diff_classes *classes; /* NULL in a comparison of samples */
	const struct facts *facts;          /* NULL until the stacks are known */
	struct candidate *rows;
	size_t count;
	size_t first, last; /* the page: rows first to last - 1 */
};

bool
diff_stacks_apply(const struct diff_plan *p, const struct report_request *q)
{
	return q->top && p->by == COMPARE_BY_STACK &&
	       (diff_takes_samples(p, q) || diff_takes_objects(p, q));
}

/* --- sums ------------------------------------------------------------------------------------ */

struct adding {
	struct stack_table *table;
	const struct diff_classes *classes; /* NULL in a comparison of samples */
	enum facts_side side;
	bool unknown; /* at least one stack has no identity, or a sum is too large */
	const struct stack_filter *filter; /* NULL without a filter */
};

static void
add_sum(void *self, const struct stack_sum *sum)
{
	struct adding *a = self;
	struct stack_item item = { .identity = sum->identity.data,
		.stack = sum->stack,
		.count = sum->count,
		.value = sum->value };

	if (a->filter && !stack_filter_passes(a->filter, sum->stack))
		return;
	a->unknown |= sum->stack && !sum->identity.data;
	if (a->classes) {
		item.class_number = diff_classes_find(a->classes, a->side, sum);
		item.parts = diff_parts_of(sum);
	}
	a->unknown = a->unknown || !stack_table_add(a->table, a->side, &item);
}

static bool
add_side(struct db *db, const struct diff_stacks *d, struct adding *adding, struct error *err)
{
	const struct diff_plan *p = d->of.plan;
	const struct option_list *routines = &d->of.request->lists[REPORT_ROUTINE];
	const int64_t inst_id = adding->side == FACTS_NEW ? p->inst_id : p->base_id;
	struct stack_filter filter = { NULL, 0, 0 };
	struct arena a = ARENA_INIT;
	bool ok = !routines->count ||
		  stack_filter_read(db, inst_id, report_patterns(&a, routines), &filter, err);

	adding->filter = routines->count ? &filter : NULL;
	ok = ok && stack_sums_each(db, inst_id, adding->classes ? NULL : p->metric.name,
			   p->match == MATCH_LINES, add_sum, adding, err);
	adding->filter = NULL;
	stack_filter_release(&filter);
	arena_release(&a);
	return ok;
}

/* Adds the sums of both sides to the table. Sets *whole to true if the table has all of them. */
static bool
add_sides(const struct choice *c, const struct diff_stacks *d, bool *whole, struct error *err)
{
	struct adding adding = { .table = c->table, .classes = c->classes };

	for (int side = 0; side < FACTS_SIDES && !adding.unknown; side++) {
		adding.side = (enum facts_side)side;
		if ((c->classes || d->of.plan->metric.present[side]) &&
			!add_side(c->db, d, &adding, err))
			return false;
	}
	*whole = !adding.unknown;
	return true;
}

/* --- names ----------------------------------------------------------------------------------- */

struct wanted {
	uint32_t stack;
	struct candidate *row;
};

/* Those stacks of one side whose names are needed, sorted. */
struct naming {
	struct wanted *next, *end;
	struct facts *facts;
	uint32_t *frames; /* of the current stack, innermost first */
	size_t frame_count, frame_room;
};

static int
compare_wanted(const void *a, const void *b)
{
	uint32_t x = ((const struct wanted *)a)->stack;
	uint32_t y = ((const struct wanted *)b)->stack;

	return (x > y) - (x < y);
}

/* Collects the stacks whose names must be read from this side. The names of a stack that both sides have are read
 * from the newer side. */
static struct stack_list
want(const struct choice *c, enum facts_side side, struct arena *a, struct naming *n)
{
	struct wanted *wanted = arena_alloc_array(a, c->count, sizeof(*wanted));
	struct strbuf ids;
	struct stack_list list = { side == FACTS_NEW ? c->plan->inst_id : c->plan->base_id, NULL };

	n->next = n->end = wanted;
	for (size_t i = 0; i < c->count; i++) {
		const struct stack_pair *p = c->rows[i].pair;

		if (p->stacks[side] != STACK_ABSENT && p->stacks[side] &&
			(side == FACTS_NEW || p->stacks[FACTS_NEW] == STACK_ABSENT))
			*n->end++ = (struct wanted){ p->stacks[side], &c->rows[i] };
	}
	if (n->end > wanted)
		qsort(wanted, (size_t)(n->end - wanted), sizeof(*wanted), compare_wanted);
	strbuf_init(&ids, STACKS_MAX_BYTES);
	for (const struct wanted *w = wanted; w < n->end; w++)
		strbuf_printf(&ids, "%c%u", w > wanted ? ',' : '{', (unsigned)w->stack);
	list.stacks = arena_printf(a, "%s}", ids.size ? strbuf_str(&ids) : "{");
	strbuf_release(&ids);
	return list;
}

/* Adds the current stack to the facts, and stores its number in its row. */
static void
end_stack(struct naming *n)
{
	struct candidate *row = n->next->row;

	row->stack = facts_stack(n->facts, n->frames, n->frame_count, &row->lines);
	n->frame_count = 0;
	n->next++;
}

static void
take_frame(void *self, uint32_t stack, const struct table_frame *frame)
{
	struct naming *n = self;

	while (n->next < n->end && n->next->stack != stack)
		end_stack(n);
	if (n->next < n->end)
		*ARRAY_ADD(n->frames, n->frame_count, n->frame_room) = facts_frame(n->facts, frame);
}

static bool
name_side(const struct choice *c, enum facts_side side, struct facts *facts, struct error *err)
{
	struct arena a = ARENA_INIT;
	struct naming n = { .facts = facts };
	const struct stack_list list = want(c, side, &a, &n);
	bool ok = n.next == n.end || stack_frames_each(c->db, &list, take_frame, &n, err);

	while (ok && n.next < n.end)
		end_stack(&n);
	free(n.frames);
	arena_release(&a);
	return ok;
}

static const struct diff_class *
class_of(const struct choice *c, const struct stack_pair *p)
{
	return &c->classes->items[p->objects.class_number];
}

/* A row shows the names of the newer side. */
static struct text
module_of(const struct choice *c, const struct stack_pair *p)
{
	return class_of(c, p)->modules[p->stacks[FACTS_NEW] == STACK_ABSENT];
}

static int
compare_classes(const struct choice *choice, const struct stack_pair *x, const struct stack_pair *y)
{
	int c = 0;

	if (!choice->classes || x->objects.class_number == y->objects.class_number)
		return 0;
	c = text_compare(class_of(choice, x)->class_name, class_of(choice, y)->class_name);
	return c ? c : text_compare(module_of(choice, x), module_of(choice, y));
}

static int
compare_candidates(const void *a, const void *b, void *self)
{
	const struct candidate *x = a;
	const struct candidate *y = b;
	const struct choice *choice = self;
	int c = stack_pair_compare(choice->table, x->pair, y->pair);

	if (!c)
		c = compare_classes(choice, x->pair, y->pair);
	if (!c)
		c = (x->rank > y->rank) - (x->rank < y->rank);
	return c || !choice->facts ? c : facts_compare_stacks(choice->facts, x->stack, y->stack);
}

static void
sort_rows(struct choice *c)
{
	if (c->count > 1)
		qsort_r(c->rows, c->count, sizeof(*c->rows), compare_candidates, c);
}

static bool
name_rows(struct choice *c, struct facts *facts, struct error *err)
{
	if (!name_side(c, FACTS_NEW, facts, err) || !name_side(c, FACTS_BASE, facts, err))
		return false;
	c->facts = facts;
	sort_rows(c);
	return true;
}

static void
take_rank(void *self, int list, uint32_t stack, uint32_t rank)
{
	struct naming *n = (struct naming *)self + list;

	while (n->next < n->end && n->next->stack < stack)
		n->next++;
	if (n->next < n->end && n->next->stack == stack)
		n->next->row->rank = rank;
}

/* Removes the rows that are neither on the page nor equal to a row of the page. */
static void
narrow(struct choice *c)
{
	size_t begin = c->first;
	size_t end = c->last;

	while (begin && compare_candidates(&c->rows[begin - 1], &c->rows[c->first], c) == 0)
		begin--;
	while (end < c->count && compare_candidates(&c->rows[end], &c->rows[c->last - 1], c) == 0)
		end++;
	c->rows += begin;
	c->count = end - begin;
	c->first -= begin;
	c->last -= begin;
}

/* Lets the server sort equal rows by their innermost frames, so that fewer names have to be read. */
static bool
narrow_by_innermost(struct choice *c, struct error *err)
{
	struct arena a = ARENA_INIT;
	struct naming n[FACTS_SIDES] = { 0 };
	const struct stack_list lists[] = { want(c, FACTS_NEW, &a, &n[FACTS_NEW]),
		want(c, FACTS_BASE, &a, &n[FACTS_BASE]) };
	bool ok = stack_ranks_each(c->db, lists, take_rank, n, err);

	arena_release(&a);
	if (!ok)
		return false;
	sort_rows(c);
	narrow(c);
	return true;
}

/* --- order by name --------------------------------------------------------------------------- */

/* A name of a class on one side. */
struct ranked_name {
	struct text name;
	size_t place;
};

/* The order of classes by one of their names. */
struct name_order {
	uint32_t *ranks; /* for each class and side; equal names have equal ranks */
	bool descending;
};

static int
compare_names(const void *a, const void *b)
{
	return text_compare(
		((const struct ranked_name *)a)->name, ((const struct ranked_name *)b)->name);
}

static struct name_order
order_names(struct arena *a, const struct diff_classes *classes, const struct diff_stacks *d)
{
	size_t count = classes->count * FACTS_SIDES;
	struct ranked_name *names = arena_alloc_array(a, count, sizeof(*names));
	struct name_order order = { arena_alloc_array(a, count, sizeof(*order.ranks)),
		d->descending };
	bool modules = strcmp(d->name, "module") == 0;
	uint32_t rank = 0;

	for (size_t i = 0; i < count; i++) {
		const struct diff_class *c = &classes->items[i / FACTS_SIDES];

		names[i] =
			(struct ranked_name){ modules ? c->modules[i % FACTS_SIDES] : c->class_name,
				i };
	}
	qsort(names, count, sizeof(*names), compare_names);
	for (size_t i = 0; i < count; i++) {
		rank += i && compare_names(&names[i - 1], &names[i]) != 0;
		order.ranks[names[i].place] = rank;
	}
	return order;
}

static wide_int
name_key(void *self, const struct stack_pair *pair, const struct compare_row *row)
{
	const struct name_order *o = self;
	enum facts_side side = row->sums[FACTS_NEW].present ? FACTS_NEW : FACTS_BASE;
	wide_int rank = o->ranks[pair->objects.class_number * FACTS_SIDES + side];

	return o->descending ? rank : -rank;
}

/* --- the page -------------------------------------------------------------------------------- */

/* Chooses the sorted pairs that are on the page or equal to a pair of the page. c->rows stays NULL if
 * the page is empty. */
static void
choose(struct choice *c, struct arena *a, const struct stack_pair *const *sorted, size_t count,
	const struct report_request *q)
{
	size_t begin = (uint64_t)q->skip < count ? (size_t)q->skip : count;
	size_t end = begin + ((uint64_t)q->top < count - begin ? (size_t)q->top : count - begin);

	c->first = begin;
	c->last = end;
	if (begin == end)
		return;
	while (begin && stack_pair_compare(c->table, sorted[begin - 1], sorted[c->first]) == 0)
		begin--;
	while (end < count && stack_pair_compare(c->table, sorted[end], sorted[c->last - 1]) == 0)
		end++;
	c->first -= begin;
	c->last -= begin;
	c->count = end - begin;
	c->rows = arena_alloc_array(a, c->count, sizeof(*c->rows));
	for (size_t i = 0; i < c->count; i++)
		c->rows[i].pair = sorted[begin + i];
}

static bool
fill_page(struct choice *c, struct arena *a, struct facts *facts, struct comparison *page,
	struct error *err)
{
	size_t n = c->last - c->first;

	if (!c->rows)
		return true;
	if (c->classes) {
		sort_rows(c);
		narrow(c);
	}
	if (c->count > n + NAMED_AT_ONCE && !narrow_by_innermost(c, err))
		return false;
	if (!name_rows(c, facts, err))
		return false;
	page->rows = arena_alloc_array(a, n, sizeof(*page->rows));
	for (size_t i = 0; i < n; i++) {
		const struct candidate *from = &c->rows[c->first + i];

		page->rows[i] = stack_table_row(c->table, from->pair);
		page->rows[i].stack = from->stack;
		page->rows[i].lines = from->lines;
		if (!c->classes)
			continue;
		page->rows[i].class_name = class_of(c, from->pair)->class_name;
		page->rows[i].module_name = module_of(c, from->pair);
	}
	return true;
}

static bool
compare_stacks(struct choice *c, struct arena *a, const struct diff_stacks *d, struct facts *facts,
	struct diff_page *page, struct error *err)
{
	const struct stack_pair *const *sorted;
	struct name_order names = { NULL, false };
	long double factor = 0;
	size_t count;

	if (!add_sides(c, d, &page->known, err))
		return false;
	if (!page->known)
		return true;
	if (d->of.plan->normalise)
		factor = stack_table_normalise(c->table);
	if (d->name && c->classes)
		names = order_names(a, c->classes, d);
	sorted =
		stack_table_arrange(c->table, d->of.plan->statuses, names.ranks ? name_key : d->key,
			names.ranks ? &names : d->self, &page->comparison, &page->sum, &count);
	page->comparison.factor = factor;
	page->all = count;
	choose(c, a, sorted, count, d->of.request);
	page->row_count = c->last - c->first;
	return fill_page(c, a, facts, &page->comparison, err);
}

bool
diff_stacks_page(struct db *db, struct arena *a, const struct diff_stacks *d, struct facts *facts,
	struct diff_page *page, struct error *err)
{
	const struct compare_question q = diff_question(d->of.plan);
	const struct diff_plan *p = d->of.plan;
	bool objects = q.family == FACTS_OBJECTS;
	struct diff_classes classes = { NULL };
	struct choice choice = { .db = db, .plan = p, .classes = objects ? &classes : NULL };
	bool ok;

	*page = (struct diff_page){ .known = false };
	if (!stack_identities_are_names(
		    db, p->inst_id, p->base_id, p->match == MATCH_LINES, &page->known, err))
		return false;
	ok = !page->known || !objects ||
	     diff_classes_read(db, a, &d->of, &classes, &page->known, err);
	choice.table = stack_table_new(&q);
	if (ok && page->known)
		ok = compare_stacks(&choice, a, d, facts, page, err);
	stack_table_free(choice.table);
	diff_classes_release(&classes);
	return ok;
}
