/* Compares the facts of two result sets. */
#include "analysis/compare.h"

#include "base/array.h"
#include "base/pair_map.h"
#include "base/strbuf.h"

#include <math.h>
#include <stdlib.h>

enum {
	KEY_MAX_BYTES = 64 * 1024 * 1024
};

/* A comparison in progress. */
struct compare_work {
	struct arena *arena;
	const struct facts *facts;
	const struct compare_question *q;
	struct compare_row *rows;
	size_t count, room, seen_room;
	struct pair_map map; /* maps a key's hash to its row */
	struct strbuf key;
	uint32_t *seen; /* for each row: number of the last fact that was added to its total */
	uint32_t fact;  /* number of the current fact, from 1 */
	bool has_totals;
	struct comparison *result;
	uint32_t *frame_rows; /* for each frame of a compared stack: its row plus 1, or 0 */
	size_t frame_room;
};

#define COMPARE_STATUS_WORD(code, word) word,
static const char *const status_words[] = { COMPARE_STATUS_TABLE(COMPARE_STATUS_WORD) };
#undef COMPARE_STATUS_WORD

const char *
compare_status_name(enum compare_status status)
{
	return status_words[status];
}

static bool
add_status(const char *word, size_t n, unsigned *bits)
{
	for (unsigned i = 0; i < COMPARE_STATUSES; i++) {
		if (strlen(status_words[i]) != n || strncmp(word, status_words[i], n) != 0)
			continue;
		*bits |= 1U << i;
		return true;
	}
	return false;
}

bool
compare_parse_statuses(const char *words, unsigned *bits, struct error *err)
{
	const char *s = words;

	*bits = 0;
	for (;;) {
		size_t n = strcspn(s, ",");

		if (!add_status(s, n, bits)) {
			error_set(err, ERROR_USAGE, "\"%.*s\" is not a status",
				n > 40 ? 40 : (int)n, s);
			return error_hint(
				err, "use new, gone, grown, shrunk or same, separated by commas");
		}
		if (!s[n])
			return true;
		s += n + 1;
	}
}

bool
compare_percent(wide_int base, wide_int now, double *percent)
{
	if (base == 0)
		return false;
	*percent = 100 * ((double)now - (double)base) / fabs((double)base);
	return true;
}

/* --- rows by key ----------------------------------------------------------------------------- */

static void
append_part(struct strbuf *b, struct text t)
{
	strbuf_append_text(b, t);
	strbuf_append_char(b, '\x1f');
}

static void
append_number(struct strbuf *b, uint32_t n)
{
	strbuf_append(b, &n, sizeof(n));
}

/* Returns the index of the row whose key is m->key. If the key is new, adds a row and sets *added to true; the caller
 * must then fill in the row. */
static size_t
row_of_key(struct compare_work *m, bool *added)
{
	uint32_t row =
		pair_map_add_bytes(&m->map, m->key.data, m->key.size, (uint32_t)m->count, added);

	if (!*added)
		return row;
	*ARRAY_ADD(m->rows, m->count, m->room) = (struct compare_row){ .frame = FACTS_NONE };
	ARRAY_RESERVE_ZEROED(m->seen, m->seen_room, m->count);
	return row;
}

bool
compare_has_totals(enum compare_by by, enum facts_family family)
{
	return by == COMPARE_BY_ROUTINE || (by == COMPARE_BY_MODULE && family != FACTS_OBJECTS) ||
	       (by == COMPARE_BY_CLASS && (family == FACTS_SAMPLES || family == FACTS_SPANS));
}

/* Returns the row of the frame in a comparison by routine, class or module. */
static size_t
row_of_frame(struct compare_work *m, uint32_t frame)
{
	bool bare = frame == FACTS_NONE;
	const struct table_frame *f = bare ? NULL : &m->facts->frames[m->facts->names[frame]];
	enum compare_by by = m->q->by;
	bool added;
	size_t row;

	strbuf_reset(&m->key);
	strbuf_append_char(&m->key, bare ? '0' : '1');
	if (f) {
		append_part(&m->key, text_file_name(f->module_name));
		if (by != COMPARE_BY_MODULE)
			append_part(&m->key, f->class_name);
		if (by == COMPARE_BY_ROUTINE)
			append_part(&m->key, f->routine_name);
	}
	row = row_of_key(m, &added);
	if (!added)
		return row;
	if (!f) {
		m->rows[row].bare = "(stack unknown)";
		return row;
	}
	if (by == COMPARE_BY_ROUTINE)
		m->rows[row].frame = frame;
	m->rows[row].module_name = f->module_name;
	m->rows[row].class_name = f->class_name;
	return row;
}

/* Returns the row of a stack's own frame. frame: FACTS_NONE if there is no own frame. known: whether there is a stack. */
static size_t
row_of_own(struct compare_work *m, uint32_t frame, bool known)
{
	const struct facts *f = m->facts;
	bool added;
	size_t row;

	strbuf_reset(&m->key);
	append_number(&m->key, frame == FACTS_NONE       ? FACTS_NONE
			       : f->match == MATCH_NAMES ? f->names[frame]
							 : frame);
	append_number(&m->key, !known);
	row = row_of_key(m, &added);
	if (!added)
		return row;
	m->rows[row].frame = frame;
	if (frame == FACTS_NONE)
		m->rows[row].bare = known ? "(no own frame)" : "(stack unknown)";
	return row;
}

static size_t
row_of_fact(struct compare_work *m, const struct fact *fact)
{
	bool added;
	size_t row;

	if (m->q->by == COMPARE_BY_OWN)
		return row_of_own(m,
			m->q->own_frames ? facts_first_own(m->facts, m->q->own_frames, fact->stack)
					 : FACTS_NONE,
			fact->stack != FACTS_NO_STACK);
	strbuf_reset(&m->key);
	append_part(&m->key, text_file_name(fact->module_name));
	if (m->q->by != COMPARE_BY_MODULE)
		append_part(&m->key, fact->class_name);
	if (m->q->family == FACTS_ERRORS || m->q->kinds)
		append_part(&m->key, fact->kind);
	if (m->q->by == COMPARE_BY_OBJECT)
		append_part(&m->key, fact->number);
	if (m->q->by == COMPARE_BY_STACK)
		append_number(&m->key, fact->stack);
	row = row_of_key(m, &added);
	if (!added)
		return row;
	m->rows[row].module_name = fact->module_name;
	if (m->q->by != COMPARE_BY_MODULE)
		m->rows[row].class_name = fact->class_name;
	if (m->q->family != FACTS_OBJECTS || m->q->kinds)
		m->rows[row].kind = fact->kind;
	m->rows[row].description = fact->description;
	m->rows[row].number = fact->number;
	m->rows[row].stack = fact->stack;
	m->rows[row].lines = fact->lines;
	return row;
}

/* --- sums ------------------------------------------------------------------------------------ */

static uint8_t
parts_of(const struct fact *fact)
{
	return fact->parts ? fact->parts : FACTS_KNOWN;
}

static void
add_to_total(struct compare_sums *s, const struct fact *fact)
{
	s->total_count += fact->count;
	s->total_value = fixed_add(s->total_value, fact->value);
	s->total_parts |= parts_of(fact);
	s->present = true;
}

static void
add_to_sum(struct compare_sums *s, const struct fact *fact)
{
	s->count += fact->count;
	s->value = fixed_add(s->value, fact->value);
	s->parts |= parts_of(fact);
	s->present = true;
}

/* Adds the fact to the total of every row that a frame of its stack belongs to. If several frames belong to the same
 * row, for example because of recursion, the fact is added to this row only once. */
static void
add_totals(struct compare_work *m, enum facts_side side, const struct fact *fact)
{
	for (uint32_t at = fact->stack; at != FACTS_NO_STACK; at = m->facts->nodes[at].parent) {
		size_t row = row_of_frame(m, m->facts->nodes[at].frame);

		if (m->seen[row] == m->fact)
			continue;
		m->seen[row] = m->fact;
		add_to_total(&m->rows[row].sums[side], fact);
	}
}

/* Adds a routine whose total is known. */
static void
add_routine(struct compare_work *m, enum facts_side side, const struct fact *fact, wide_int total)
{
	size_t row = row_of_frame(
		m, fact->stack == FACTS_NO_STACK ? FACTS_NONE : m->facts->nodes[fact->stack].frame);
	struct compare_sums *s = &m->rows[row].sums[side];

	m->result->merged |= s->present;
	*s = (struct compare_sums){ .value = fact->value, .total_value = total, .present = true };
}

static void
add_fact(struct compare_work *m, enum facts_side side, const struct fact *fact)
{
	size_t row;

	m->fact++;
	if (m->has_totals) {
		row = row_of_frame(m, fact->stack == FACTS_NO_STACK
					      ? FACTS_NONE
					      : m->facts->nodes[fact->stack].frame);
		add_totals(m, side, fact);
	} else {
		row = row_of_fact(m, fact);
	}
	add_to_sum(&m->rows[row].sums[side], fact);
	if (fact->stack == FACTS_NO_STACK && m->has_totals)
		add_to_total(&m->rows[row].sums[side], fact);
}

/* --- stacks without facts -------------------------------------------------------------------- */

/* Adds the value to the row of the innermost frame, and to the total of each row that a frame belongs to. */
static void
add_stack_totals(struct compare_work *m, enum facts_side side, const uint32_t *frames, size_t count,
	wide_int value)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t *known = &m->frame_rows[frames[i]];
		struct compare_sums *s;

		if (!*known)
			*known = (uint32_t)row_of_frame(m, frames[i]) + 1;
		s = &m->rows[*known - 1].sums[side];
		if (i == 0)
			s->value = fixed_add(s->value, value);
		if (m->seen[*known - 1] == m->fact)
			continue;
		m->seen[*known - 1] = m->fact;
		s->total_value = fixed_add(s->total_value, value);
		s->present = true;
	}
}

/* Returns the innermost own frame, as facts_first_own does. */
static uint32_t
first_own(const struct compare_work *m, const uint32_t *frames, size_t count)
{
	const unsigned char *own = m->q->own_frames;
	uint32_t nearly = FACTS_NONE;

	for (size_t i = 0; own && i < count; i++) {
		if (own[frames[i]] == FACTS_OWN)
			return frames[i];
		if (own[frames[i]] == FACTS_NEARLY_OWN && nearly == FACTS_NONE)
			nearly = frames[i];
	}
	return nearly;
}

static void
add_stack_to_own(struct compare_work *m, enum facts_side side, const uint32_t *frames, size_t count,
	wide_int value)
{
	const uint32_t frame = first_own(m, frames, count);
	uint32_t none = 0;
	uint32_t *known = frame == FACTS_NONE ? &none : &m->frame_rows[frame];
	struct compare_sums *s;

	if (!*known)
		*known = (uint32_t)row_of_own(m, frame, true) + 1;
	s = &m->rows[*known - 1].sums[side];
	s->value = fixed_add(s->value, value);
	s->present = true;
}

void
compare_stack(struct compare_work *m, enum facts_side side, const uint32_t *frames, size_t count,
	wide_int value)
{
	struct compare_sums *all = &m->result->all[side];

	m->fact++;
	ARRAY_RESERVE_ZEROED(m->frame_rows, m->frame_room, m->facts->frame_count);
	if (m->q->by == COMPARE_BY_OWN)
		add_stack_to_own(m, side, frames, count, value);
	else
		add_stack_totals(m, side, frames, count, value);
	all->value = fixed_add(all->value, value);
	all->present = true;
}

/* --- normalised ------------------------------------------------------------------------------ */

long double
compare_factor(wide_int now, wide_int base)
{
	return now > 0 && base > 0 ? (long double)now / (long double)base : 0;
}

wide_int
compare_scaled(wide_int v, long double factor)
{
	static const wide_int step = 1000000000000; /* 10^-6 in units of 10^-18 */
	long double steps = roundl((long double)v * factor / (long double)step);

	if (fabsl(steps) >= 1.0e26L)
		return v;
	return (wide_int)steps * step;
}

static void
normalise(struct compare_work *m, struct comparison *c)
{
	struct compare_sums *base = &c->all[FACTS_BASE];

	c->factor = compare_factor(c->all[FACTS_NEW].value, base->value);
	if (c->factor <= 0)
		return;
	base->value = 0;
	for (size_t i = 0; i < m->count; i++) {
		struct compare_sums *s = &m->rows[i].sums[FACTS_BASE];

		s->value = compare_scaled(s->value, c->factor);
		s->total_value = compare_scaled(s->total_value, c->factor);
		base->value = fixed_add(base->value, s->value);
	}
}

/* --- verdicts and order ---------------------------------------------------------------------- */

static int
sign(wide_int v)
{
	return (v > 0) - (v < 0);
}

void
compare_judge(const struct compare_question *q, struct compare_row *r)
{
	const struct compare_sums *now = &r->sums[FACTS_NEW];
	const struct compare_sums *base = &r->sums[FACTS_BASE];
	bool totals = compare_has_totals(q->by, q->family);
	uint8_t parts = totals ? now->total_parts | base->total_parts : now->parts | base->parts;
	int first, second, third;

	r->count_change = totals ? now->total_count - base->total_count : now->count - base->count;
	r->value_change = parts & FACTS_UNKNOWN ? 0
			  : totals ? fixed_subtract(now->total_value, base->total_value)
				   : fixed_subtract(now->value, base->value);
	first = sign(q->value_first ? r->value_change : r->count_change);
	second = sign(!q->value_first              ? r->value_change
		      : q->family == FACTS_OBJECTS ? r->count_change
						   : 0);
	third = sign(q->value_first ? fixed_subtract(now->value, base->value)
				    : now->count - base->count);
	if (!first)
		first = second ? second : third;
	r->status = !base->present  ? COMPARE_ADDED
		    : !now->present ? COMPARE_GONE
		    : first > 0     ? COMPARE_GROWN
		    : first < 0     ? COMPARE_SHRUNK
				    : COMPARE_SAME;
}

static wide_int
magnitude(wide_int v)
{
	return v < 0 ? -v : v;
}

struct compare_rank
compare_rank_of(const struct compare_question *q, wide_int count_change, wide_int value_change,
	wide_int self)
{
	/* Stored totals of routines and stacks without facts have no counts. */
	bool counted =
		!q->value_first || !(compare_has_totals(q->by, q->family) ||
					   (q->by == COMPARE_BY_OWN && q->family == FACTS_SAMPLES));
	wide_int count = counted ? magnitude(count_change) : 0;
	wide_int value = magnitude(value_change);

	return (struct compare_rank){ { q->value_first ? value : count,
		q->value_first ? count : value, magnitude(self) } };
}

int
compare_ranks(const struct compare_rank *x, const struct compare_rank *y)
{
	for (size_t i = 0; i < sizeof(x->keys) / sizeof(x->keys[0]); i++)
		if (x->keys[i] != y->keys[i])
			return x->keys[i] > y->keys[i] ? -1 : 1;
	return 0;
}

/* A row and its sort keys. */
struct ranked {
	struct compare_row row;
	const struct compare_work *m;
	struct compare_rank rank;
	size_t place;
};

static int
compare_frame_numbers(const struct facts *f, uint32_t x, uint32_t y)
{
	if (x == y || x == FACTS_NONE || y == FACTS_NONE)
		return (x != FACTS_NONE) - (y != FACTS_NONE);
	return facts_compare_frames(&f->frames[x], &f->frames[y]);
}

static int
compare_ranked(const void *a, const void *b)
{
	const struct ranked *x = a;
	const struct ranked *y = b;
	int c = compare_ranks(&x->rank, &y->rank);

	if (!c)
		c = text_compare(x->row.kind, y->row.kind);
	if (!c)
		c = text_compare(x->row.class_name, y->row.class_name);
	if (!c)
		c = text_compare(x->row.module_name, y->row.module_name);
	if (!c)
		c = text_compare(x->row.number, y->row.number);
	if (!c)
		c = compare_frame_numbers(x->m->facts, x->row.frame, y->row.frame);
	if (!c)
		c = facts_compare_stacks(x->m->facts, x->row.stack, y->row.stack);
	return c ? c : (x->place > y->place) - (x->place < y->place);
}

static void
sort_rows(struct compare_work *m, struct compare_row *out)
{
	struct ranked *ranked = xcalloc(m->count + 1, sizeof(*ranked));

	for (size_t i = 0; i < m->count; i++) {
		const struct compare_row *r = &m->rows[i];
		wide_int self = fixed_subtract(r->sums[FACTS_NEW].value, r->sums[FACTS_BASE].value);

		ranked[i] = (struct ranked){ *r, m,
			compare_rank_of(m->q, r->count_change, r->value_change, self), i };
	}
	qsort(ranked, m->count, sizeof(*ranked), compare_ranked);
	for (size_t i = 0; i < m->count; i++)
		out[i] = ranked[i].row;
	free(ranked);
}

static void
add_facts(struct compare_work *m, enum facts_side side)
{
	const struct facts *f = m->facts;
	const wide_int *totals = m->q->totals[side];
	struct compare_sums *all = &m->result->all[side];

	for (size_t i = 0; i < f->row_count[side]; i++) {
		const struct fact *fact = &f->rows[side][i];

		if (totals)
			add_routine(m, side, fact, totals[i]);
		else
			add_fact(m, side, fact);
		add_to_sum(all, fact);
	}
}

struct compare_work *
compare_begin(struct arena *a, const struct facts *f, const struct compare_question *q)
{
	struct compare_work *m = xcalloc(1, sizeof(*m));

	m->arena = a;
	m->facts = f;
	m->q = q;
	m->has_totals = compare_has_totals(q->by, q->family);
	m->result = arena_alloc(a, sizeof(*m->result));
	strbuf_init(&m->key, KEY_MAX_BYTES);
	for (int side = 0; side < FACTS_SIDES; side++)
		add_facts(m, (enum facts_side)side);
	return m;
}

struct comparison *
compare_end(struct compare_work *m)
{
	struct comparison *c = m->result;

	if (m->q->normalise)
		normalise(m, c);
	for (size_t i = 0; i < m->count; i++) {
		compare_judge(m->q, &m->rows[i]);
		c->counts[m->rows[i].status]++;
	}
	c->rows = arena_alloc_array(m->arena, m->count, sizeof(*c->rows));
	c->row_count = m->count;
	sort_rows(m, c->rows);
	free(m->rows);
	free(m->seen);
	free(m->frame_rows);
	strbuf_release(&m->key);
	pair_map_release(&m->map);
	free(m);
	return c;
}

struct comparison *
facts_compare(struct arena *a, const struct facts *f, const struct compare_question *q)
{
	return compare_end(compare_begin(a, f, q));
}
