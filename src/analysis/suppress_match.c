/*
 * Finds the entry that hides a leak or an error.
 *
 * An entry's key is the most selective of its patterns. Each key is compared with each routine
 * only once. Then a stack is compared only with the entries whose keys match one of the stack's
 * routines. The results of the other patterns are cached in a fixed-size table.
 */
#include "suppress_private.h"

#include "base/hash.h"
#include "base/pair_map.h"

#include <stdlib.h>

enum {
	MEMO_SLOTS = 1 << 18 /* 2 MiB */
};

/* A pattern that is prepared for comparisons with routines. */
struct held_pattern {
	const struct suppress_pattern *p;
	/* the pattern for demangled names; its glob is NULL if *p is not mangled */
	struct suppress_pattern plain;
	uint32_t number;
};

struct key {
	uint32_t entry;
	uint32_t pattern; /* index of the pattern */
};

/* A key without wildcards. Keys whose names have equal hashes form a chain. */
struct exact_slot {
	struct text name;
	uint32_t entry;
	uint32_t next; /* index of the next slot in the chain, plus 1; 0 at the end */
};

struct candidates {
	const uint32_t *entries; /* ascending */
	size_t count;
	bool known;
};

struct suppress_matcher {
	const struct suppress_list *list;
	const struct suppress_routine *routines;
	size_t routine_count;
	struct arena arena;
	struct held_pattern *patterns; /* the patterns of all entries, concatenated */
	size_t *first_pattern;         /* for each entry: index of its first pattern in patterns */
	struct key *scanned;           /* keys with wildcards */
	size_t scanned_count;
	struct exact_slot *exact;
	size_t exact_count;
	uint32_t *buckets; /* for each chain: index of its first slot, plus 1; 0 if empty */
	size_t bucket_count;
	uint32_t *always; /* entries without a key */
	size_t always_count;
	struct candidates *by_routine;
	uint32_t *found; /* collects candidates */
	uint64_t *memo;
	uint64_t *stamps; /* for each entry: value of `stamp` in the last search that reached it */
	uint64_t stamp;
	struct suppress_use *uses;
};

/* --- one pattern, one routine ---------------------------------------------------------------- */

enum {
	JOINED_BYTES = 1024
};

/* Builds "Class::routine" or "Class.routine"; NULL if there is no class or not enough space. */
static struct text
join_names(const struct suppress_routine *r, struct text by, char name[JOINED_BYTES])
{
	const struct text parts[] = { r->class_name, by, r->name };
	size_t n = 0;

	if (!r->class_name.size || r->class_name.size + by.size + r->name.size > JOINED_BYTES)
		return TEXT_NULL;
	for (size_t i = 0; i < 3; i++) {
		if (parts[i].size)
			memcpy(name + n, parts[i].data, parts[i].size);
		n += parts[i].size;
	}
	return (struct text){ name, n };
}

static bool
joined_matches(const struct suppress_pattern *p, const struct suppress_routine *r, struct text by)
{
	char name[JOINED_BYTES];
	struct text joined = join_names(r, by, name);

	return joined.size && pattern_glob(p, joined);
}

static bool
function_matches(const struct held_pattern *h, const struct suppress_routine *r)
{
	const struct suppress_pattern *p = h->p;
	struct text target = interceptor_target(r->name);

	/* valgrind and the sanitizers write "???" for an unnamed frame. */
	if (!r->symbol.size && !r->name.size)
		return p->part == PATTERN_FUNCTION && pattern_glob(p, TEXT_LITERAL("???"));
	return (r->symbol.size && pattern_glob(p, r->symbol)) ||
	       (r->name.size && pattern_glob(p, r->name)) ||
	       (target.size && pattern_glob(p, target)) ||
	       (r->name.size && h->plain.glob.data && pattern_glob(&h->plain, r->name)) ||
	       (r->name.size && (joined_matches(p, r, TEXT_LITERAL("::")) ||
					joined_matches(p, r, TEXT_LITERAL("."))));
}

/* Returns whether the pattern matches the file with or without its folder. valgrind ignores the folder. */
static bool
file_matches(const struct suppress_pattern *p, struct text file)
{
	return file.size && (pattern_glob(p, file) || pattern_glob(p, text_file_name(file)));
}

static bool
part_matches(const struct held_pattern *h, const struct suppress_routine *r)
{
	const struct suppress_pattern *p = h->p;

	switch (p->part) {
	case PATTERN_FUNCTION:
		return function_matches(h, r);
	case PATTERN_MODULE:
		return pattern_glob(p, r->module.size ? r->module : TEXT_LITERAL("???"));
	case PATTERN_FILE:
		return file_matches(p, r->file);
	case PATTERN_ANY:
		return function_matches(h, r) || (r->file.size && pattern_glob(p, r->file)) ||
		       (r->module.size && pattern_glob(p, r->module));
	case PATTERN_MORE:
		break;
	}
	return true;
}

static const struct suppress_routine *
routine_of(const struct suppress_matcher *m, uint32_t routine)
{
	static const struct suppress_routine unknown = { 0 };

	return routine < m->routine_count ? &m->routines[routine] : &unknown;
}

/* Returns whether the pattern matches the routine. The result is cached if the routine is known. */
static bool
pattern_matches(struct suppress_matcher *m, const struct held_pattern *h, uint32_t routine)
{
	uint64_t key = (uint64_t)h->number << 32 | routine;
	uint64_t *slot = &m->memo[(key * UINT64_C(0x9e3779b97f4a7c15)) >> 46];
	bool matches;

	if (routine >= m->routine_count)
		return part_matches(h, routine_of(m, routine));
	if (*slot >> 1 == key + 1)
		return *slot & 1;
	matches = part_matches(h, &m->routines[routine]);
	*slot = (key + 1) << 1 | matches;
	return matches;
}

static bool
frame_matches(
	struct suppress_matcher *m, const struct held_pattern *h, const struct suppress_frame *f)
{
	return (!h->p->line || h->p->line == f->line) && pattern_matches(m, h, f->routine);
}

/* --- an entry and a subject ------------------------------------------------------------------ */

/* Returns whether the entry's patterns match the beginning of the stack. "..." matches as few frames as possible. */
static bool
prefix_matches(struct suppress_matcher *m, size_t entry, const struct suppress_stack *stack)
{
	const struct held_pattern *p = m->patterns + m->first_pattern[entry];
	size_t count = m->list->items[entry].pattern_count;
	size_t pi = 0, fi = 0, more = SIZE_MAX, from = 0;

	while (pi < count) {
		if (p[pi].p->part == PATTERN_MORE) {
			more = pi++;
			from = fi;
		} else if (fi < stack->count && frame_matches(m, &p[pi], &stack->frames[fi])) {
			pi++;
			fi++;
		} else if (more != SIZE_MAX && from < stack->count) {
			pi = more + 1;
			fi = ++from;
		} else {
			return false;
		}
	}
	return true;
}

static bool
some_frame_matches(
	struct suppress_matcher *m, size_t entry, const struct suppress_subject *s, bool top_only)
{
	const struct held_pattern *p = m->patterns + m->first_pattern[entry];

	for (size_t k = 0; k < s->stack_count; k++) {
		size_t count = s->stacks[k].count;

		for (size_t i = 0; i < (top_only && count > 1 ? 1 : count); i++)
			if (frame_matches(m, p, &s->stacks[k].frames[i]))
				return true;
	}
	return false;
}

static bool
entry_matches(struct suppress_matcher *m, size_t entry, const struct suppress_subject *s)
{
	const struct suppression *e = &m->list->items[entry];
	const struct suppress_pattern *p = e->patterns;

	if (!kind_fits(e, s))
		return false;
	switch (e->of ? e->of->scope : SCOPE_PREFIX) {
	case SCOPE_PREFIX:
		return s->stack_count && prefix_matches(m, entry, &s->stacks[0]);
	case SCOPE_FRAMES:
		return some_frame_matches(m, entry, s, false);
	case SCOPE_TOP:
		return some_frame_matches(m, entry, s, true);
	case SCOPE_DESCRIPTION:
		break;
	}
	return s->what.size && pattern_glob(p, s->what);
}

/* --- keys ------------------------------------------------------------------------------------ */

/* How selective a pattern is; 0 means that it matches everything. */
static size_t
selectivity(const struct suppress_pattern *p)
{
	if (p->part == PATTERN_MORE || !p->literal.size)
		return 0;
	/* Function names are the most specific, module names the least. */
	return p->literal.size + (p->exact && p->part == PATTERN_FUNCTION ? 1000000 : 0) +
	       (p->part == PATTERN_FUNCTION || p->part == PATTERN_ANY ? 10000
		       : p->part == PATTERN_FILE                      ? 100
								      : 0);
}

/* Returns whether the pattern names an allocator or main, which occur in most stacks. */
static bool
is_common(const struct suppress_pattern *p)
{
	static const char *const names[] = { "malloc", "calloc", "realloc", "_Znwm", "_Znam",
		"_Znwj", "_Znaj", "main", "memalign", "posix_memalign" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (text_equal(p->literal, text_from(names[i])))
			return true;
	return false;
}

static size_t
key_pattern(const struct suppression *s)
{
	size_t best = SIZE_MAX, best_score = 0;

	if (s->of && s->of->scope == SCOPE_DESCRIPTION)
		return SIZE_MAX;
	for (size_t i = 0; i < s->pattern_count; i++) {
		size_t score = selectivity(&s->patterns[i]);

		if (score && is_common(&s->patterns[i]))
			score = 1;
		if (score > best_score) {
			best = i;
			best_score = score;
		}
	}
	return best;
}

static size_t
bucket_of(const struct suppress_matcher *m, struct text name)
{
	return (size_t)hash128_seeded(name.data, name.size, 1).low & (m->bucket_count - 1);
}

static void
add_exact(struct suppress_matcher *m, uint32_t entry, struct text name)
{
	size_t b = bucket_of(m, name);

	m->exact[m->exact_count] = (struct exact_slot){ name, entry, m->buckets[b] };
	m->buckets[b] = (uint32_t)++m->exact_count;
}

static void
add_key(struct suppress_matcher *m, uint32_t entry)
{
	const struct suppression *s = &m->list->items[entry];
	size_t at = key_pattern(s);
	const struct held_pattern *h;

	if (s->place.expired)
		return;
	if (at == SIZE_MAX) {
		m->always[m->always_count++] = entry;
		return;
	}
	h = &m->patterns[m->first_pattern[entry] + at];
	if (h->p->part == PATTERN_FUNCTION && h->p->exact &&
		(!h->plain.glob.data || h->plain.exact)) {
		add_exact(m, entry, h->p->glob);
		if (h->plain.glob.data)
			add_exact(m, entry, h->plain.glob);
		return;
	}
	m->scanned[m->scanned_count++] =
		(struct key){ entry, (uint32_t)(m->first_pattern[entry] + at) };
}

/* --- candidates ------------------------------------------------------------------------------ */

static size_t
collect_exact(struct suppress_matcher *m, struct text name, size_t n)
{
	if (!name.size)
		return n;
	for (uint32_t s = m->buckets[bucket_of(m, name)]; s; s = m->exact[s - 1].next) {
		const struct exact_slot *e = &m->exact[s - 1];

		if (text_equal(e->name, name) && m->stamps[e->entry] != m->stamp) {
			m->stamps[e->entry] = m->stamp;
			m->found[n++] = e->entry;
		}
	}
	return n;
}

static size_t
collect_joined(
	struct suppress_matcher *m, const struct suppress_routine *r, struct text by, size_t n)
{
	char name[JOINED_BYTES];

	return collect_exact(m, join_names(r, by, name), n);
}

static int
compare_entries(const void *a, const void *b)
{
	const uint32_t *x = a;
	const uint32_t *y = b;

	return (*x > *y) - (*x < *y);
}

static void
find_candidates(struct suppress_matcher *m, uint32_t routine, struct candidates *c)
{
	const struct suppress_routine *r = routine_of(m, routine);
	size_t n = 0;

	m->stamp++;
	n = collect_exact(m, r->symbol, n);
	n = collect_exact(m, r->name, n);
	n = collect_exact(m, interceptor_target(r->name), n);
	if (!r->symbol.size && !r->name.size)
		n = collect_exact(m, TEXT_LITERAL("???"), n);
	n = collect_joined(m, r, TEXT_LITERAL("::"), n);
	n = collect_joined(m, r, TEXT_LITERAL("."), n);
	for (size_t i = 0; i < m->scanned_count; i++)
		if (part_matches(&m->patterns[m->scanned[i].pattern], r))
			m->found[n++] = m->scanned[i].entry;
	if (n > 1)
		qsort(m->found, n, sizeof(*m->found), compare_entries);
	*c = (struct candidates){ arena_copy_array(&m->arena, m->found, n, sizeof(*m->found)), n,
		true };
}

/* Returns the entries whose keys match the routine. All frames without a routine share the last element of
 * m->by_routine. */
static const struct candidates *
candidates_of(struct suppress_matcher *m, uint32_t routine)
{
	size_t i = routine < m->routine_count ? routine : m->routine_count;

	if (!m->by_routine[i].known)
		find_candidates(m, routine, &m->by_routine[i]);
	return &m->by_routine[i];
}

/* Compares the subject with the entries whose numbers are below `best`. Skips entries that were already
 * compared with this subject. Returns the first entry that matches, or `best` if none matches. */
static size_t
try_entries(struct suppress_matcher *m, const uint32_t *entries, size_t count,
	const struct suppress_subject *s, size_t best)
{
	for (size_t i = 0; i < count && entries[i] < best; i++) {
		if (m->stamps[entries[i]] == m->stamp)
			continue;
		m->stamps[entries[i]] = m->stamp;
		if (entry_matches(m, entries[i], s))
			return entries[i];
	}
	return best;
}

size_t
suppress_match(struct suppress_matcher *m, const struct suppress_subject *s)
{
	size_t best = SUPPRESS_NONE;

	/* First find the candidates of all frames. This changes m->stamp, which must stay the same below. */
	for (size_t k = 0; k < s->stack_count; k++)
		for (size_t i = 0; i < s->stacks[k].count; i++)
			candidates_of(m, s->stacks[k].frames[i].routine);
	m->stamp++;
	best = try_entries(m, m->always, m->always_count, s, best);
	for (size_t k = 0; k < s->stack_count; k++)
		for (size_t i = 0; i < s->stacks[k].count; i++) {
			const struct candidates *c =
				candidates_of(m, s->stacks[k].frames[i].routine);

			if (c->count)
				best = try_entries(m, c->entries, c->count, s, best);
		}
	if (best != SUPPRESS_NONE)
		suppress_use_add(&m->uses[best], &s->weight);
	return best;
}

const struct suppress_use *
suppress_uses(const struct suppress_matcher *m)
{
	return m->uses;
}

/* --- making ---------------------------------------------------------------------------------- */

static void
hold_pattern(struct suppress_matcher *m, struct held_pattern *h, const struct suppress_pattern *p,
	uint32_t number, suppress_demangle *demangle)
{
	bool names = p->part == PATTERN_FUNCTION && p->glob.size > 2 &&
		     (memcmp(p->glob.data, "_Z", 2) == 0 || memcmp(p->glob.data, "_R", 2) == 0);
	const char *plain = NULL;

	*h = (struct held_pattern){ .p = p, .number = number };
	if (!names)
		return;
	h->plain = (struct suppress_pattern){ .part = PATTERN_FUNCTION };
	if (p->exact && demangle)
		plain = demangle(&m->arena, p->glob);
	if (plain) {
		/* In a demangled name, * and ? are not wildcards. */
		h->plain.glob = text_from(plain);
		h->plain.exact = true;
		return;
	}
	h->plain.glob = mangled_glob(&m->arena, p->glob);
	h->plain.question = true;
	if (h->plain.glob.data)
		pattern_compile(&h->plain);
}

struct suppress_matcher *
suppress_matcher_new(const struct suppress_list *l, const struct suppress_routine *routines,
	size_t routine_count, suppress_demangle *demangle)
{
	struct suppress_matcher *m = xcalloc(1, sizeof(*m));
	struct arena *a = &m->arena;
	size_t patterns = 0, n = 0;

	*m = (struct suppress_matcher){
		.list = l, .routines = routines, .routine_count = routine_count, .arena = ARENA_INIT
	};
	for (size_t i = 0; i < l->count; i++)
		patterns += l->items[i].pattern_count;
	for (m->bucket_count = 64; m->bucket_count < 2 * l->count;)
		m->bucket_count *= 2;
	m->patterns = arena_alloc_array(a, patterns, sizeof(*m->patterns));
	m->first_pattern = arena_alloc_array(a, l->count, sizeof(*m->first_pattern));
	m->scanned = arena_alloc_array(a, l->count, sizeof(*m->scanned));
	m->exact = arena_alloc_array(a, 2 * l->count, sizeof(*m->exact));
	m->buckets = arena_alloc_array(a, m->bucket_count, sizeof(*m->buckets));
	m->always = arena_alloc_array(a, l->count, sizeof(*m->always));
	m->found = arena_alloc_array(a, l->count, sizeof(*m->found));
	m->stamps = arena_alloc_array(a, l->count, sizeof(*m->stamps));
	m->uses = arena_alloc_array(a, l->count, sizeof(*m->uses));
	m->by_routine = arena_alloc_array(a, routine_count + 1, sizeof(*m->by_routine));
	m->memo = xcalloc(MEMO_SLOTS, sizeof(*m->memo));
	for (size_t i = 0; i < l->count; i++) {
		m->first_pattern[i] = n;
		for (size_t k = 0; k < l->items[i].pattern_count; k++, n++)
			hold_pattern(m, &m->patterns[n], &l->items[i].patterns[k], (uint32_t)n,
				demangle);
	}
	for (size_t i = 0; i < l->count; i++)
		add_key(m, (uint32_t)i);
	return m;
}

void
suppress_matcher_free(struct suppress_matcher *m)
{
	if (!m)
		return;
	free(m->memo);
	arena_release(&m->arena);
	free(m);
}
