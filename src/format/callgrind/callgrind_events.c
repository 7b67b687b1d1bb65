/* Events in callgrind profiles: the file's events, and events derived from them. */
#include "callgrind_private.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	METRIC_NAME_BYTES = 64
};

/* Xdebug puts units into names: "Time_(10ns)". valgrind's heap profiles put units into titles:
 * "Reachable Bytes". */
static const struct {
	const char *suffix, *unit;
	uint64_t scale;
} units[] = {
	{ "_(10ns)", "nanoseconds", 10 },
	{ "_(ns)", "nanoseconds", 1 },
	{ "_(us)", "microseconds", 1 },
	{ "_(\302\265s)", "microseconds", 1 },
	{ "_(ms)", "milliseconds", 1 },
	{ "_(s)", "seconds", 1 },
	{ "_(bytes)", "bytes", 1 },
};

/* Whether the text ends with `end` and has more bytes before it. */
static bool
ends_with(struct text t, const char *end)
{
	return t.size > strlen(end) && text_ends(t, end);
}

/* Returns whether the title says that the event counts `what`. Valgrind's heap trees have titles
 * such as "Definitely lost Bytes (direct plus indirect)". */
static bool
counts(struct text title, const char *what)
{
	const char *bracket = title.size ? memchr(title.data, '(', title.size) : NULL;

	if (bracket && title.data[title.size - 1] == ')')
		title = text_trim(text_up_to(title, (size_t)(bracket - title.data)));
	return ends_with(title, what);
}

static void
add_event(struct callgrind *c, struct text name)
{
	struct callgrind_event *e = &c->events[c->event_count + c->derived_count];

	*e = (struct callgrind_event){ .unit = TEXT_LITERAL("none"), .scale = 1 };
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (ends_with(name, units[i].suffix)) {
			name.size -= strlen(units[i].suffix);
			e->unit = text_from(units[i].unit);
			e->scale = units[i].scale;
			break;
		}
	e->name = arena_text(&c->arena, name);
}

bool
callgrind_read_events(struct callgrind *c, struct text names)
{
	struct text rest = names;
	struct text word;

	names = text_trim(names);
	if (c->event_count) {
		if (text_equal(names, c->events_line))
			return true;
		return reader_refuse(c->in, "\"events:\" differs from the first one");
	}
	while ((word = scan_token(&rest)).size) {
		if (c->event_count == CALLGRIND_MAX_METRICS)
			return error_set(c->in->err, ERROR_LIMIT, "%s: more than %d events",
				c->in->name, (int)CALLGRIND_MAX_METRICS);
		add_event(c, word);
		c->event_count++;
	}
	if (!c->event_count)
		return reader_refuse(c->in, "\"events:\" names no event");
	c->events_line = arena_text(&c->arena, names);
	c->part_sums = arena_alloc_array(&c->arena, c->event_count, sizeof(*c->part_sums));
	c->part_stated = arena_alloc_array(&c->arena, c->event_count, sizeof(*c->part_stated));
	return true;
}

static size_t
find_event(const struct callgrind *c, struct text name)
{
	size_t i = 0;

	while (i < c->event_count && !text_equal(c->events[i].name, name))
		i++;
	return i;
}

static struct text
part_before(struct text *t, const char *stop)
{
	struct text part = text_up_to(*t, text_find(*t, stop));

	*t = text_from_at(*t, part.size + 1);
	return text_trim(part);
}

/* "2 Ir", "2*Ir", "Ir" */
static bool
read_term(const struct callgrind *c, struct text term, uint64_t *factors)
{
	size_t digits = 0;
	uint64_t factor = 1;
	size_t event;

	while (digits < term.size && char_is_digit(term.data[digits]))
		digits++;
	if (digits && !callgrind_number(text_up_to(term, digits), &factor))
		return false;
	term = text_trim(text_from_at(term, digits));
	if (digits && term.size && *term.data == '*')
		term = text_trim(text_from_at(term, 1));
	event = find_event(c, term);
	return event < c->event_count &&
	       !__builtin_add_overflow(factors[event], factor, &factors[event]);
}

static bool
add_derived(struct callgrind *c, struct text name, struct text formula, struct text title)
{
	uint64_t *factors = arena_alloc_array(&c->arena, c->event_count, sizeof(*factors));

	while (formula.size)
		if (!read_term(c, part_before(&formula, "+"), factors))
			return reader_issue(c->in, ISSUE_ODD_VALUE,
				"event \"%.*s\" left out: its formula is not understood",
				text_precision(name, 60), name.data);
	if (c->event_count + c->derived_count == CALLGRIND_MAX_METRICS)
		return reader_issue(c->in, ISSUE_ODD_VALUE, "event left out: more than %d",
			(int)CALLGRIND_MAX_METRICS);
	add_event(c, name);
	c->events[c->event_count + c->derived_count].title = title;
	c->events[c->event_count + c->derived_count].factors = factors;
	c->derived_count++;
	return true;
}

/* "NAME = FORMULA : TITLE" or "NAME : TITLE". An event's title may precede "events:", so
 * definitions are read at the end of the document. */
bool
callgrind_read_event(struct callgrind *c, struct text definition)
{
	struct text title = definition;
	struct text formula = part_before(&title, ":");
	struct text name = part_before(&formula, "=");
	size_t known;

	title = arena_text(&c->arena, text_trim(title));
	known = find_event(c, name);
	if (known == c->event_count)
		return !name.size || !formula.size || add_derived(c, name, formula, title);
	c->events[known].title = title;
	if (counts(title, "Bytes"))
		c->events[known].unit = TEXT_LITERAL("bytes");
	else if (counts(title, "Blocks"))
		c->events[known].unit = TEXT_LITERAL("count");
	return true;
}

static bool
is_taken(const char *name, char (*names)[METRIC_NAME_BYTES], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return strcmp(name, "live_count") == 0 || strcmp(name, "live_size") == 0 ||
	       strcmp(name, "live") == 0 || strcmp(name, "errors") == 0;
}

static bool
add_metric(struct callgrind *c, size_t event, char (*names)[METRIC_NAME_BYTES])
{
	const struct callgrind_event *e = &c->events[event];
	struct metric_row row = { .family = METRIC_OF_SAMPLES, .unit = e->unit };
	metric_number number;
	char *name = names[event];
	size_t size;

	metric_name(e->name, name, METRIC_NAME_BYTES - 32);
	size = strlen(name);
	for (size_t i = event + 1; is_taken(name, names, event); i++)
		snprintf(name + size, METRIC_NAME_BYTES - size, "_event%zu", i);
	row.name = text_from(name);
	row.title = e->title.size ? e->title : e->name;
	return emit_metric(c->in, &row, &number);
}

bool
callgrind_add_metrics(struct callgrind *c)
{
	char names[CALLGRIND_MAX_METRICS][METRIC_NAME_BYTES];

	for (size_t i = 0; i < c->event_count + c->derived_count; i++)
		if (!add_metric(c, i, names))
			return false;
	return true;
}

bool
callgrind_values(struct callgrind *c, const uint64_t *costs, struct decimal *values, char *text)
{
	for (size_t i = 0; i < c->event_count + c->derived_count; i++) {
		const struct callgrind_event *e = &c->events[i];
		uint64_t value = e->factors ? 0 : costs[i];
		bool over = false;

		for (size_t k = 0; e->factors && k < c->event_count; k++) {
			uint64_t product;

			over |= __builtin_mul_overflow(e->factors[k], costs[k], &product);
			over |= __builtin_add_overflow(value, product, &value);
		}
		over |= __builtin_mul_overflow(value, e->scale, &value);
		if (over)
			return reader_refuse(c->in, "cost exceeds 64 bits");
		values[i] = callgrind_decimal(value, text + i * CALLGRIND_VALUE_BYTES);
	}
	return true;
}
