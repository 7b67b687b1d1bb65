/* Budgets: chooses facts, judges limits, and finds the stacks that cause a breach. */
#include "analysis/budget.h"

#include "base/array.h"
#include "base/strbuf.h"

#include <stdlib.h>

enum {
	LABEL_MAX_BYTES = 64 * 1024
};

const struct budget_limit_info budget_limits[] = {
#define BUDGET_LIMIT_ROW(code, key, figure, mode) { key, figure, mode },
	BUDGET_LIMIT_TABLE(BUDGET_LIMIT_ROW)
#undef BUDGET_LIMIT_ROW
};

static bool
limit_needs_base(size_t limit)
{
	return budget_limits[limit].mode != BUDGET_MOST ||
	       budget_limits[limit].figure == BUDGET_NEW;
}

bool
budget_needs_base(const struct budget *b)
{
	for (size_t i = 0; i < BUDGET_LIMITS; i++)
		if (b->limits[i].set && limit_needs_base(i))
			return true;
	return false;
}

/* --- chosen facts ---------------------------------------------------------------------------- */

static bool
matches(struct text t, const struct option_list *globs)
{
	for (size_t i = 0; i < globs->count; i++)
		if (text_glob(t, globs->items[i]))
			return true;
	return globs->count == 0;
}

/* Returns whether a glob matches the module's name, with or without its folders. */
static bool
module_matches(struct text module, const struct option_list *globs)
{
	return matches(module, globs) || matches(text_file_name(module), globs);
}

/* Returns whether a glob matches the frame's routine, Class.routine, class or module. */
static bool
frame_matches(const struct table_frame *f, const struct option_list *globs, struct strbuf *label)
{
	if (matches(f->routine_name, globs) || module_matches(f->module_name, globs) ||
		(!text_is_empty(f->class_name) && matches(f->class_name, globs)))
		return true;
	strbuf_reset(label);
	strbuf_append_text(label, f->class_name);
	strbuf_append_char(label, '.');
	strbuf_append_text(label, f->routine_name);
	return matches(strbuf_text(label), globs);
}

/* Returns one flag per frame: true if the frame matches the globs. */
static bool *
mark_frames(struct arena *a, const struct facts *f, const struct option_list *globs)
{
	bool *marks = arena_alloc_array(a, f->frame_count, sizeof(*marks));
	struct strbuf label = STRBUF_INIT(LABEL_MAX_BYTES);

	for (size_t i = 0; i < f->frame_count; i++)
		marks[i] = frame_matches(&f->frames[i], globs, &label);
	strbuf_release(&label);
	return marks;
}

struct choosing {
	const struct facts *facts;
	enum facts_family family;
	const struct budget *budget;
	const unsigned char *own; /* for each frame: its owner */
	/* For each frame: whether it matches the budget's `own` (own_chosen) or `routine` (routines). NULL means that
	 * all frames match. */
	const bool *own_chosen;
	const bool *routines;
};

static bool
is_chosen(const struct choosing *c, const struct fact *fact)
{
	static const struct table_frame none = { .source_line = TABLE_NO_LINE };
	const struct table_frame *inner =
		fact->stack == FACTS_NO_STACK
			? &none
			: &c->facts->frames[c->facts->nodes[fact->stack].frame];
	bool objects = c->family == FACTS_OBJECTS;
	uint32_t frame;

	if (!matches(objects ? fact->class_name : inner->class_name, &c->budget->classes) ||
		!module_matches(
			objects ? fact->module_name : inner->module_name, &c->budget->modules) ||
		!matches(fact->kind, &c->budget->kinds) ||
		(c->routines && !facts_holds(c->facts, c->routines, fact->stack)))
		return false;
	if (!c->own_chosen)
		return true;
	frame = c->own ? facts_first_own(c->facts, c->own, fact->stack) : FACTS_NONE;
	return frame != FACTS_NONE && c->own_chosen[frame];
}

/* Returns the facts in f that the budget applies to. They share f's dictionary. */
static const struct facts *
choose(struct arena *a, const struct facts *f, enum facts_family family, const struct budget *b,
	const unsigned char *own)
{
	struct choosing c = { .facts = f, .family = family, .budget = b, .own = own };
	struct facts *chosen = arena_alloc(a, sizeof(*chosen));

	if (b->own.count)
		c.own_chosen = mark_frames(a, f, &b->own);
	if (b->routines.count)
		c.routines = mark_frames(a, f, &b->routines);
	*chosen = *f;
	for (int side = 0; side < FACTS_SIDES; side++) {
		chosen->rows[side] = arena_alloc_array(a, f->row_count[side], sizeof(struct fact));
		chosen->row_count[side] = 0;
		for (size_t i = 0; i < f->row_count[side]; i++)
			if (is_chosen(&c, &f->rows[side][i]))
				chosen->rows[side][chosen->row_count[side]++] = f->rows[side][i];
	}
	return chosen;
}

/* --- limits ---------------------------------------------------------------------------------- */

bool
budget_breaks(const struct budget_limit *limit, enum budget_mode mode, wide_int base, wide_int now,
	wide_int *measured)
{
	double percent;

	switch (mode) {
	case BUDGET_MOST:
		*measured = now;
		break;
	case BUDGET_GROWTH:
		*measured = fixed_subtract(now, base);
		break;
	case BUDGET_PERCENT:
		*measured = WIDE_MAX;
		if (now <= base)
			*measured = 0;
		else if (compare_percent(base, now, &percent) && percent < 1e15)
			*measured = (wide_int)(percent * 1e6) * 1000000000000;
		break;
	}
	/* A decrease is never a breach, because limits are not negative. */
	return *measured > limit->value;
}

/* The figure of a group or of all facts, as a fixed-point number. */
static wide_int
figure_of(const struct compare_sums *s, enum budget_figure figure)
{
	return figure == BUDGET_COUNT ? fixed_from_wide(s->count) : s->value;
}

struct judging {
	struct arena *arena;
	const struct facts *facts; /* the facts that the budget applies to */
	enum facts_family family;
	const struct budget *budget;
	const unsigned char *own;
	struct comparison *groups; /* NULL if the budget limits the total of all facts */
	struct comparison *stacks;
	struct compare_row total;
	struct budget_breach *breaches;
	size_t count, room;
	bool unknown; /* see struct budget_verdict */
};

static bool
same_frame(const struct facts *f, uint32_t x, uint32_t y)
{
	if (x == FACTS_NONE || y == FACTS_NONE)
		return x == y;
	return f->match == MATCH_NAMES ? f->names[x] == f->names[y] : x == y;
}

/* Sets *class_name and *module_name to the names that decide which group the row belongs to. */
static void
names_of(const struct judging *j, const struct compare_row *row, struct text *class_name,
	struct text *module_name)
{
	const struct facts *f = j->facts;

	*class_name = row->class_name;
	*module_name = row->module_name;
	if (j->family == FACTS_OBJECTS || row->stack == FACTS_NO_STACK)
		return;
	*class_name = f->frames[f->nodes[row->stack].frame].class_name;
	*module_name = f->frames[f->nodes[row->stack].frame].module_name;
}

static bool
same_names(const struct judging *j, const struct compare_row *group, const struct compare_row *row)
{
	struct text class_name, module_name;

	if (j->family == FACTS_ERRORS && j->budget->each == COMPARE_BY_CLASS)
		return text_compare(row->kind, group->kind) == 0;
	if (j->family != FACTS_OBJECTS && (row->stack == FACTS_NO_STACK) != (group->bare != NULL))
		return false;
	names_of(j, row, &class_name, &module_name);
	return text_compare(text_file_name(module_name), text_file_name(group->module_name)) == 0 &&
	       (j->budget->each == COMPARE_BY_MODULE ||
		       text_compare(class_name, group->class_name) == 0);
}

/* Returns whether the row, which has the sums of one stack, belongs to the group. */
static bool
in_group(const struct judging *j, const struct compare_row *group, const struct compare_row *row)
{
	const struct facts *f = j->facts;
	uint32_t inner = row->stack == FACTS_NO_STACK ? FACTS_NONE : f->nodes[row->stack].frame;

	switch (j->budget->each) {
	case COMPARE_BY_CLASS:
	case COMPARE_BY_MODULE:
		return same_names(j, group, row);
	case COMPARE_BY_ROUTINE:
		return inner == FACTS_NONE || group->frame == FACTS_NONE
			       ? inner == group->frame
			       : f->names[inner] == f->names[group->frame];
	case COMPARE_BY_OWN:
		return same_frame(f, j->own ? facts_first_own(f, j->own, row->stack) : FACTS_NONE,
			group->frame);
	default: /* the total */
		return true;
	}
}

/* A stack and its contribution to a breach. */
struct culprit {
	const struct compare_row *row;
	wide_int weight;
	size_t place;
};

static int
compare_culprits(const void *a, const void *b)
{
	const struct culprit *x = a;
	const struct culprit *y = b;

	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

static wide_int
weight_of(const struct compare_row *r, enum budget_limit_code limit)
{
	enum budget_figure figure = budget_limits[limit].figure;
	const struct compare_sums *now = &r->sums[FACTS_NEW];
	const struct compare_sums *base = &r->sums[FACTS_BASE];

	if (figure == BUDGET_NEW)
		return r->status == COMPARE_ADDED ? fixed_from_wide(now->count) + 1 : 0;
	if (budget_limits[limit].mode == BUDGET_MOST)
		return now->present ? figure_of(now, figure) : 0;
	return fixed_subtract(figure_of(now, figure), figure_of(base, figure));
}

/* Finds the stacks that cause a breach. For a limit on growth, these are the stacks that grew; for any other limit,
 * they are all stacks that contribute to the figure. */
static void
find_culprits(struct judging *j, struct budget_breach *breach)
{
	struct culprit *culprits;
	size_t n = 0;

	if (j->budget->each == COMPARE_BY_STACK) {
		breach->stacks = &breach->group;
		breach->stack_count = 1;
		return;
	}
	culprits = xcalloc(j->stacks->row_count + 1, sizeof(*culprits));
	for (size_t i = 0; i < j->stacks->row_count; i++) {
		const struct compare_row *r = &j->stacks->rows[i];
		wide_int weight = weight_of(r, breach->limit);

		if ((weight > 0 ||
			    (r->sums[FACTS_NEW].present && !limit_needs_base(breach->limit))) &&
			in_group(j, &breach->group, r))
			culprits[n++] = (struct culprit){ r, weight, i };
	}
	qsort(culprits, n, sizeof(*culprits), compare_culprits);
	breach->stacks = arena_alloc_array(j->arena, n, sizeof(*breach->stacks));
	breach->stack_count = n;
	for (size_t i = 0; i < n; i++)
		breach->stacks[i] = *culprits[i].row;
	free(culprits);
}

/* Counts the new stacks in a group. */
static wide_int
count_new(const struct judging *j, const struct compare_row *group)
{
	wide_int n = 0;

	for (size_t i = 0; i < j->stacks->row_count; i++)
		n += j->stacks->rows[i].status == COMPARE_ADDED &&
		     in_group(j, group, &j->stacks->rows[i]);
	return n;
}

/* Judges a group whose figure contains the sizes that are known. Each unknown size can only add to the figure of its
 * side. Therefore unknown sizes of the newer side can hide a breach, and unknown sizes of the base can look like growth. */
static void
judge_group(struct judging *j, enum budget_limit_code code, const struct compare_row *group)
{
	const struct budget_limit_info *info = &budget_limits[code];
	struct budget_breach breach = { .limit = code, .group = *group };
	bool sizes = info->figure == BUDGET_SIZE;
	bool more_now = sizes && group->sums[FACTS_NEW].parts & FACTS_UNKNOWN;
	bool more_before =
		sizes && info->mode != BUDGET_MOST && group->sums[FACTS_BASE].parts & FACTS_UNKNOWN;
	bool breaks;

	if (info->figure == BUDGET_NEW) {
		breach.now = fixed_from_wide(count_new(j, group));
	} else {
		breach.now = figure_of(&group->sums[FACTS_NEW], info->figure);
		breach.base = figure_of(&group->sums[FACTS_BASE], info->figure);
	}
	breaks = budget_breaks(
		&j->budget->limits[code], info->mode, breach.base, breach.now, &breach.measured);
	if (breaks ? more_before : more_now)
		j->unknown = true;
	else if (breaks)
		*ARRAY_ADD(j->breaches, j->count, j->room) = breach;
}

static int
compare_breaches(const void *a, const void *b)
{
	const struct budget_breach *x = a;
	const struct budget_breach *y = b;
	const struct compare_row *v = &x->group;
	const struct compare_row *w = &y->group;
	int c;

	if (x->measured != y->measured)
		return x->measured > y->measured ? -1 : 1;
	if (x->now != y->now)
		return x->now > y->now ? -1 : 1;
	c = text_compare(v->class_name, w->class_name);
	if (!c)
		c = text_compare(v->module_name, w->module_name);
	if (!c)
		c = text_compare(v->kind, w->kind);
	if (!c)
		c = (v->frame > w->frame) - (v->frame < w->frame);
	return c ? c : (v->stack > w->stack) - (v->stack < w->stack);
}

static void
judge_limit(struct judging *j, enum budget_limit_code code)
{
	size_t first = j->count;

	if (!j->groups)
		judge_group(j, code, &j->total);
	for (size_t i = 0; j->groups && i < j->groups->row_count; i++)
		judge_group(j, code, &j->groups->rows[i]);
	if (j->count > first + 1)
		qsort(&j->breaches[first], j->count - first, sizeof(*j->breaches),
			compare_breaches);
}

struct budget_verdict
budget_judge(struct arena *a, const struct facts *f, enum facts_family family,
	const struct budget *b, const unsigned char *own, bool compared)
{
	const struct facts *chosen = choose(a, f, family, b, own);
	struct compare_question q = { .family = family, .own_frames = own, .kinds = true };
	struct budget_verdict verdict;
	struct judging j = {
		.arena = a, .facts = chosen, .family = family, .budget = b, .own = own
	};

	q.value_first = family == FACTS_SAMPLES || family == FACTS_SPANS;
	q.by = COMPARE_BY_STACK;
	j.stacks = facts_compare(a, chosen, &q);
	j.total.frame = FACTS_NONE;
	j.total.sums[FACTS_NEW] = j.stacks->all[FACTS_NEW];
	j.total.sums[FACTS_BASE] = j.stacks->all[FACTS_BASE];
	if (b->each != BUDGET_TOTAL) {
		q.by = (enum compare_by)b->each;
		q.kinds = q.by == COMPARE_BY_STACK;
		j.groups = facts_compare(a, chosen, &q);
	}
	for (size_t i = 0; i < BUDGET_LIMITS; i++)
		if (b->limits[i].set && (compared || !limit_needs_base(i)))
			judge_limit(&j, (enum budget_limit_code)i);
	verdict = (struct budget_verdict){ arena_alloc_array(a, j.count, sizeof(*verdict.breaches)),
		j.count, j.unknown };
	for (size_t i = 0; i < j.count; i++) {
		verdict.breaches[i] = j.breaches[i];
		find_culprits(&j, &verdict.breaches[i]);
	}
	free(j.breaches);
	return verdict;
}
