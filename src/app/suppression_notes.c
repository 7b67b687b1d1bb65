/* Notes for the foot of a report. They are about the records that suppressions hid. */
#include "suppressions_private.h"

enum {
	LINES_MAX = 20, /* lines per kind of note; the suppressions report lists all entries */
	NAME_MAX_BYTES = 200
};

struct notes {
	struct arena *arena;
	const char **lines;
	size_t count;
};

static const char *
use_words(struct arena *a, const struct suppress_use *u, bool leaks)
{
	const char *records = arena_printf(a, "%llu %s", (unsigned long long)u->records,
		by_count(u->records, "record", "records"));

	if (!leaks)
		return u->blocks == u->records ? records
					       : arena_printf(a, "%s, seen %llu times", records,
							 (unsigned long long)u->blocks);
	return arena_printf(a, "%s, %llu %s, %llu %s", records, (unsigned long long)u->blocks,
		by_count(u->blocks, "block", "blocks"), (unsigned long long)u->bytes,
		by_count(u->bytes, "byte", "bytes"));
}

static const char *
entry_words(struct arena *a, const struct suppression *s)
{
	struct text name = s->name;

	name.size = (size_t)text_precision(name, NAME_MAX_BYTES);
	return arena_printf(a, "%s (%s)", suppression_line(a, name), suppression_place(a, s));
}

static void
add(struct notes *n, const char *line)
{
	n->lines[n->count++] = line;
}

/* Adds a line that says how many entries the foot omits. */
static void
add_rest(struct notes *n, size_t total, const char *what)
{
	if (total > LINES_MAX)
		add(n, arena_printf(n->arena, "%s: %zu more, see report suppressions", what,
			       total - LINES_MAX));
}

static void
add_matches(struct notes *n, const struct suppressed *s, bool leaks, bool errors)
{
	size_t shown = 0;

	for (size_t i = 0; i < s->list->count; i++) {
		const struct suppress_use *u = &s->uses[i];

		if (!u->records || (s->of_leaks[i] ? !leaks : !errors) || shown++ >= LINES_MAX)
			continue;
		add(n, arena_printf(n->arena, "suppressed by %s: %s",
			       entry_words(n->arena, &s->list->items[i]),
			       use_words(n->arena, u, s->of_leaks[i])));
	}
	add_rest(n, shown, "suppressed");
}

/* Returns whether a user wrote the suppression and can therefore delete it when it no longer matches. */
static bool
is_somebodys(const struct suppression *s)
{
	return s->place.origin == SUPPRESS_OF_FILE || s->place.origin == SUPPRESS_OF_DEPOT;
}

static void
add_unused(struct notes *n, const struct suppressed *s, bool expired, const char *what,
	const char *what_rest)
{
	size_t count = 0;

	for (size_t i = 0; i < s->list->count; i++) {
		const struct suppression *e = &s->list->items[i];

		if (e->place.expired != expired ||
			(!expired && (s->uses[i].records || !is_somebodys(e))) ||
			count++ >= LINES_MAX)
			continue;
		add(n, arena_printf(n->arena, "%s: %s", what, entry_words(n->arena, e)));
	}
	add_rest(n, count, what_rest);
}

const char *const *
suppressions_notes(const struct suppressed *s, struct arena *a, bool leaks, bool errors)
{
	struct notes n = { .arena = a,
		.lines = arena_alloc_array(a, 3 * LINES_MAX + 8, sizeof(*n.lines)) };

	if (!s->list->count)
		return n.lines;
	if (leaks && s->leak_use.records)
		add(&n, arena_printf(a, "suppressed: %s", use_words(a, &s->leak_use, true)));
	if (errors && s->error_use.records)
		add(&n, arena_printf(a, "suppressed: %s", use_words(a, &s->error_use, false)));
	add_matches(&n, s, leaks, errors);
	add_unused(&n, s, false, "matches nothing", "matches nothing");
	add_unused(&n, s, true, "expired, hides nothing", "expired");
	return n.lines;
}
