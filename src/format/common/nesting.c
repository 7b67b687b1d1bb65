/* Nests the intervals of a track by their times. */
#include "format/common/nesting.h"

#include "base/arena.h"
#include "base/array.h"

#include <stdlib.h>

/* --- the order of intervals that start together -------------------------------------------- */

/* Returns whether the interval keeps its place in the file. This is the case for intervals without
 * a length or an end, because they cannot be ordered by length. */
static bool
keeps_place(const struct nest_span *s)
{
	return s->end == s->start || s->end == WIDE_MAX;
}

static int
compare_lengths(const struct nest_span *a, const struct nest_span *b)
{
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

/* Compares two intervals, for sorting. The intervals that get new places from place_long come first, ordered from
 * longest to shortest. After them come all intervals that keep their place in the file. */
static int
longest_first(const void *x, const void *y)
{
	const struct nest_span *a = x, *b = y;

	if (keeps_place(a) != keeps_place(b))
		return keeps_place(a) ? 1 : -1;
	return compare_lengths(a, b);
}

/* An interval and the place at which it is added. */
struct placed {
	struct nest_span span;
	uint32_t place;
};

static int
compare_placed(const void *x, const void *y)
{
	const struct placed *a = x, *b = y;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return compare_lengths(&a->span, &b->span);
}

static int
compare_numbers(const void *x, const void *y)
{
	const uint32_t *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

/* Gives new places to the intervals that have a length. `spans` is sorted, longest first. The places of
 * the intervals' begin events are dealt out again: the longest interval gets the first place, and so on. An
 * interval without events gets the place of the next longer interval, and is added right after that interval. */
static void
place_long(struct placed *placed, const struct nest_span *spans, size_t count)
{
	uint32_t *places = xcalloc(count + 1, sizeof(*places));
	uint32_t place = 0;
	size_t events = 0, next = 0;

	for (size_t i = 0; i < count; i++)
		if (spans[i].ended)
			places[events++] = spans[i].place;
	if (events)
		qsort(places, events, sizeof(*places), compare_numbers);
	for (size_t i = 0; i < count; i++) {
		if (spans[i].ended)
			place = places[next++];
		placed[i] = (struct placed){ spans[i], place };
	}
	free(places);
}

void
nest_sort(struct nest_span *spans, size_t count)
{
	struct placed *placed;
	size_t with_length = 0;

	if (count < 2)
		return;
	qsort(spans, count, sizeof(*spans), longest_first);
	while (with_length < count && !keeps_place(&spans[with_length]))
		with_length++;
	if (with_length == count)
		return;
	placed = xcalloc(count, sizeof(*placed));
	place_long(placed, spans, with_length);
	for (size_t i = with_length; i < count; i++)
		placed[i] = (struct placed){ spans[i],
			spans[i].ended || spans[i].end == WIDE_MAX ? spans[i].place : UINT32_MAX };
	qsort(placed, count, sizeof(*placed), compare_placed);
	for (size_t i = 0; i < count; i++)
		spans[i] = placed[i].span;
	free(placed);
}

/* --- nesting ------------------------------------------------------------------------------- */

void
nest_release(struct nest *n)
{
	free(n->open);
	*n = (struct nest){ 0 };
}

/* Returns whether `open` has ended when s starts. If s starts at the end of `open`, s is within `open`
 * only if s has no length and its begin event comes before the end event of `open`. */
static bool
has_ended(const struct nest_span *open, const struct nest_span *s)
{
	if (open->end != s->start)
		return open->end < s->start;
	return s->end > s->start || open->ended < s->place;
}

uint32_t
nest_add(struct nest *n, const struct nest_span *span, bool *crosses)
{
	struct nest_span s = *span;
	uint32_t parent;

	*crosses = false;
	while (n->depth && has_ended(&n->open[n->depth - 1], &s))
		n->depth--;
	if (s.end == WIDE_MAX && n->depth) {
		s.end = n->open[n->depth - 1].end;
		s.ended = n->open[n->depth - 1].ended;
	}
	/* Drop the intervals that end before s ends. A later interval within one of them is also within s. */
	for (; n->depth && n->open[n->depth - 1].end < s.end; n->depth--)
		*crosses = true;
	parent = n->depth ? n->open[n->depth - 1].item : NEST_NONE;
	*ARRAY_ADD(n->open, n->depth, n->room) = s;
	return parent;
}

/* --- begin and end events -------------------------------------------------------------------- */

struct nest_begin {
	uint32_t key, item;
	size_t older; /* 1 + the index of the key's next older begin event, or 0 */
	bool ended;
};

void
nest_begins_init(struct nest_begins *b, size_t key_count)
{
	*b = (struct nest_begins){ .newest = xcalloc(key_count + 1, sizeof(*b->newest)) };
}

void
nest_begins_release(struct nest_begins *b)
{
	free(b->open);
	free(b->newest);
	*b = (struct nest_begins){ 0 };
}

void
nest_begins_add(struct nest_begins *b, uint32_t key, uint32_t item)
{
	const struct nest_begin begin = { .key = key, .item = item, .older = b->newest[key] };

	*ARRAY_ADD(b->open, b->count, b->room) = begin;
	b->newest[key] = b->count;
}

uint32_t
nest_begins_end(struct nest_begins *b, uint32_t key)
{
	size_t at = key == NEST_NONE ? b->count : b->newest[key];
	uint32_t item;

	if (!at)
		return NEST_NONE;
	at--;
	item = b->open[at].item;
	b->open[at].ended = true;
	b->newest[b->open[at].key] = b->open[at].older;
	while (b->count && b->open[b->count - 1].ended)
		b->count--;
	return item;
}

uint32_t
nest_begins_find(const struct nest_begins *b, uint32_t key)
{
	const size_t at = key == NEST_NONE ? b->count : b->newest[key];

	return at ? b->open[at - 1].item : NEST_NONE;
}

void
nest_begins_clear(struct nest_begins *b)
{
	while (b->count)
		b->newest[b->open[--b->count].key] = 0;
}
