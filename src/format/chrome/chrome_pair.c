/* Pairs the begin and end events of timings, and puts the spans in DevTools' order. */
#include "base/array.h"
#include "chrome_private.h"

#include <math.h>
#include <stdlib.h>

/* The open begin events of one key, and the instants that wait for the key's end. */
struct open_key {
	uint32_t begin;       /* the newest open begin event, or CHROME_NONE */
	uint32_t first, last; /* the waiting instants, or CHROME_NONE if there are none */
};

struct pairing {
	struct chrome *c;
	struct open_key *keys;
	uint32_t *next;   /* for each timing: the next timing in its key's stack or list */
	uint32_t *before; /* for each timing: the previous waiting instant with the same key */
	uint32_t *begun;  /* keys in the order of their first begin events */
	size_t begun_count;
	uint32_t emitted;
};

struct sort_item {
	double ts, end;
	uint32_t timing;
	bool console;
};

/* Orders by start time. If intervals start together, longer ones come first. Of equal intervals,
 * measures come before console timings. Intervals of the same kind keep the order of the file. */
static int
compare_items(const void *x, const void *y)
{
	const struct sort_item *a = x, *b = y;
	int r = chrome_compare_times(a->ts, a->end, b->ts, b->end);

	if (r == 0)
		r = (int)a->console - (int)b->console;
	return r ? r : (a->timing > b->timing) - (a->timing < b->timing);
}

static enum chrome_lost
first_reason(enum chrome_lost a, enum chrome_lost b)
{
	return a ? a : b;
}

/* Adds a span that consists of one event. */
static void
add_single(struct chrome *c, uint32_t timing, enum chrome_lost reason)
{
	const struct chrome_timing *t = &c->timings[timing];
	struct chrome_span s = { .begin = timing,
		.end = CHROME_NONE,
		.kind = t->kind,
		.lost = first_reason(t->lost, reason),
		.payload = t->payload,
		.ts = t->ts,
		.end_ts = t->kind == CHROME_MARK ? t->ts + t->dur : t->ts };

	if (reason == CHROME_NEVER_BEGUN) {
		s.begin = CHROME_NONE;
		s.end = timing;
	}
	if (t->kind == CHROME_STAMP) {
		s.ts = t->stamp->start;
		s.end_ts = t->stamp->end;
	}
	*ARRAY_ADD(c->spans, c->span_count, c->span_room) = s;
}

static void
push(struct pairing *p, uint32_t timing)
{
	struct chrome_timing *t = &p->c->timings[timing];
	struct open_key *k = &p->keys[t->key];

	if (k->begin == CHROME_NONE)
		p->begun[p->begun_count++] = t->key;
	p->next[timing] = k->begin;
	k->begin = timing;
}

static void
wait(struct pairing *p, uint32_t timing)
{
	struct open_key *k = &p->keys[p->c->timings[timing].key];

	p->next[timing] = CHROME_NONE;
	p->before[timing] = k->last;
	if (k->last == CHROME_NONE)
		k->first = timing;
	else
		p->next[k->last] = timing;
	k->last = timing;
}

static void
emit(struct pairing *p, uint32_t begin, uint32_t end, uint32_t instants)
{
	struct chrome *c = p->c;
	const struct chrome_timing *b = &c->timings[begin];
	const struct chrome_timing *e = end == CHROME_NONE ? b : &c->timings[end];
	struct chrome_span s = { .begin = begin,
		.end = end,
		.instant = instants,
		.count = (uint32_t)c->instant_count - instants,
		.kind = b->kind,
		.lost = b->lost,
		.payload = b->payload,
		.ts = b->ts,
		.emitted = p->emitted++ };
	const double dur = e->ts - s.ts;

	s.end_ts = s.ts + dur;
	if (dur < 0)
		s.lost = first_reason(s.lost, CHROME_NEGATIVE);
	if (strchr("SF", b->ph))
		s.lost = first_reason(s.lost, CHROME_OLD_PHASE);
	*ARRAY_ADD(c->spans, c->span_count, c->span_room) = s;
}

static void
close_begin(struct pairing *p, uint32_t timing)
{
	struct chrome *c = p->c;
	struct open_key *k = &p->keys[c->timings[timing].key];
	const uint32_t begin = k->begin;
	const uint32_t instants = (uint32_t)c->instant_count;

	if (begin == CHROME_NONE) {
		add_single(c, timing, CHROME_NEVER_BEGUN);
		return;
	}
	k->begin = p->next[begin];
	while (k->first != CHROME_NONE && c->timings[k->first].ts >= c->timings[begin].ts) {
		const uint32_t newest = k->last;

		*ARRAY_ADD(c->instants, c->instant_count, c->instant_room) = newest;
		k->last = p->before[newest];
		if (k->last == CHROME_NONE)
			k->first = CHROME_NONE;
		else
			p->next[k->last] = CHROME_NONE;
	}
	emit(p, begin, timing, instants);
}

/* Returns whether the phase is one of those that traces used before 2013. These phases pair only with
 * each other. */
static bool
is_old(char ph)
{
	return strchr("STFp", ph) != NULL;
}

static void
walk(struct pairing *p, const struct sort_item *items, size_t count, bool old)
{
	struct chrome *c = p->c;

	for (size_t i = 0; i < count; i++) {
		const uint32_t n = items[i].timing;
		const struct chrome_timing *t = &c->timings[n];

		if (is_old(t->ph) != old)
			continue;
		if (t->key == CHROME_NONE)
			add_single(c, n, CHROME_NO_ID);
		else if (t->ph == 'b' || t->ph == 'S')
			push(p, n);
		else if (t->ph == 'n')
			wait(p, n);
		else if (t->ph == 'e' || t->ph == 'F')
			close_begin(p, n);
		else
			add_single(c, n, CHROME_OLD_PHASE);
	}
}

/* Ends a key's open begin events and waiting instants. If the key has both kinds, the newest
 * begin event and the instants make a pair. */
static void
finish_key(struct pairing *p, struct open_key *k, bool old)
{
	struct chrome *c = p->c;

	if (k->begin != CHROME_NONE && k->first != CHROME_NONE) {
		const uint32_t begin = k->begin, instants = (uint32_t)c->instant_count;

		for (uint32_t n = k->first; n != CHROME_NONE; n = p->next[n])
			*ARRAY_ADD(c->instants, c->instant_count, c->instant_room) = n;
		k->first = k->last = CHROME_NONE;
		k->begin = p->next[begin];
		emit(p, begin, CHROME_NONE, instants);
	}
	for (; k->begin != CHROME_NONE; k->begin = p->next[k->begin])
		add_single(c, k->begin, old ? CHROME_OLD_PHASE : CHROME_NEVER_ENDED);
}

static void
finish(struct pairing *p, bool old)
{
	struct chrome *c = p->c;

	for (size_t i = 0; i < p->begun_count; i++)
		finish_key(p, &p->keys[p->begun[i]], old);
	for (size_t k = 0; k < c->strings.count; k++) {
		for (uint32_t n = p->keys[k].first; n != CHROME_NONE; n = p->next[n])
			add_single(c, n, CHROME_ZERO_LENGTH);
		p->keys[k] = (struct open_key){ CHROME_NONE, CHROME_NONE, CHROME_NONE };
	}
	p->begun_count = 0;
}

static void
pair_intervals(struct chrome *c)
{
	struct sort_item *items = xcalloc(c->timing_count + 1, sizeof(*items));
	struct pairing p = { .c = c,
		.keys = xcalloc(c->strings.count + 1, sizeof(*p.keys)),
		.next = xcalloc(c->timing_count + 1, sizeof(*p.next)),
		.before = xcalloc(c->timing_count + 1, sizeof(*p.before)),
		.begun = xcalloc(c->timing_count + 1, sizeof(*p.begun)) };
	size_t count = 0;

	for (size_t i = 0; i < c->timing_count; i++) {
		const struct chrome_timing *t = &c->timings[i];

		if (t->kind != CHROME_MEASURE && t->kind != CHROME_CONSOLE)
			continue;
		items[count++] = (struct sort_item){ t->ts, t->ts + t->dur, (uint32_t)i,
			t->kind == CHROME_CONSOLE };
	}
	qsort(items, count, sizeof(*items), compare_items);
	for (size_t i = 0; i < c->strings.count; i++)
		p.keys[i] = (struct open_key){ CHROME_NONE, CHROME_NONE, CHROME_NONE };
	walk(&p, items, count, false);
	finish(&p, false);
	walk(&p, items, count, true);
	finish(&p, true);
	free(items);
	free(p.keys);
	free(p.next);
	free(p.before);
	free(p.begun);
}

/* A span of one of DevTools' lists, with its sort key (ts, end, emitted). */
struct order_item {
	double ts, end;
	uint32_t emitted, span, track;
};

static int
compare_order(const void *x, const void *y)
{
	const struct order_item *a = x, *b = y;
	const int r = chrome_compare_times(a->ts, a->end, b->ts, b->end);

	return r ? r : (a->emitted > b->emitted) - (a->emitted < b->emitted);
}

/* Reverses each run of items that have equal intervals and the same track, as DevTools does. */
static void
reverse_ties(struct order_item *items, size_t count)
{
	for (size_t from = 0; from < count;) {
		size_t to = from + 1;

		while (to < count && chrome_compare(items[to].ts, items[from].ts) == 0 &&
			chrome_compare(items[to].end, items[from].end) == 0 &&
			items[to].track == items[from].track)
			to++;
		for (size_t i = from, j = to - 1; i < j; i++, j--) {
			const struct order_item swap = items[i];

			items[i] = items[j];
			items[j] = swap;
		}
		from = to;
	}
}

static void
number_list(struct chrome *c, struct order_item *items, size_t count)
{
	int64_t orders[CHROME_KINDS] = { 0 };

	qsort(items, count, sizeof(*items), compare_order);
	reverse_ties(items, count);
	for (size_t i = 0; i < count; i++) {
		struct chrome_span *s = &c->spans[items[i].span];

		s->order = ++orders[s->kind];
	}
}

static bool
is_interval_kind(enum chrome_kind k)
{
	return k == CHROME_MEASURE || k == CHROME_CONSOLE;
}

/* Orders the list of stamps or, if `stamps` is false, the list of measures and console timings. These
 * are DevTools' two lists. */
static void
order_sorted(struct chrome *c, bool stamps)
{
	struct order_item *items = xcalloc(c->span_count + 1, sizeof(*items));
	size_t count = 0;

	for (size_t i = 0; i < c->span_count; i++) {
		const struct chrome_span *s = &c->spans[i];
		uint32_t track = CHROME_NONE;

		if (s->lost || (stamps ? s->kind != CHROME_STAMP : !is_interval_kind(s->kind)))
			continue;
		if (s->begin != CHROME_NONE && s->kind != CHROME_CONSOLE)
			track = c->timings[s->begin].tie_track;
		items[count++] = (struct order_item){ s->ts, s->end_ts,
			stamps ? (uint32_t)i : s->emitted, (uint32_t)i, track };
	}
	number_list(c, items, count);
	free(items);
}

/* Orders the calls as DevTools does. Of several calls with the same traceId, DevTools shows only the last
 * one, at the position of the first one. The number 12 and the text "12" are different traceIds. */
static void
order_calls(struct chrome *c)
{
	uint32_t *newest = xcalloc(c->strings.count + 1, sizeof(*newest));
	int64_t *place = xcalloc(c->strings.count + 1, sizeof(*place));
	int64_t order = 0;

	for (size_t i = 0; i < c->span_count; i++) {
		struct chrome_span *s = &c->spans[i];
		uint32_t id;

		if (s->kind != CHROME_MEASURE_CALL || s->lost)
			continue;
		id = c->timings[s->begin].key;
		if (place[id]) {
			struct chrome_span *earlier = &c->spans[newest[id]];

			earlier->lost = CHROME_REPEATED;
			earlier->order = 0;
		} else {
			place[id] = ++order;
		}
		s->order = place[id];
		newest[id] = (uint32_t)i;
	}
	free(newest);
	free(place);
}

void
chrome_pair(struct chrome *c)
{
	int64_t marks = 0;

	for (size_t i = 0; i < c->timing_count; i++) {
		const struct chrome_timing *t = &c->timings[i];

		if (is_interval_kind(t->kind))
			continue;
		add_single(c, (uint32_t)i, CHROME_SHOWN);
		if (t->kind == CHROME_MARK && !t->lost)
			c->spans[c->span_count - 1].order = ++marks;
	}
	pair_intervals(c);
	order_sorted(c, false);
	order_sorted(c, true);
	order_calls(c);
}
