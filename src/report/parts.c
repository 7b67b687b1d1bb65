/* The totals of a report for each value of a column. */
#include "report_private.h"

#include <stdlib.h>

enum {
	PARTS_MAX = 24 /* all further values form one part */
};

struct part {
	struct text value; /* may be NULL */
	uint64_t rows;
	struct total totals[REPORT_MAX_COLUMNS];
};

struct parts {
	const struct report *report;
	struct arena arena; /* holds values and names */
	struct part parts[PARTS_MAX + 1];
	size_t count;
	bool others; /* the last part combines several values */
};

struct parts *
parts_new(const struct report *report)
{
	struct parts *p = xcalloc(1, sizeof(*p));

	p->report = report;
	p->arena = ARENA_INIT;
	return p;
}

void
parts_free(struct parts *p)
{
	if (!p)
		return;
	arena_release(&p->arena);
	free(p);
}

void
parts_forget(struct parts *p)
{
	memset(p->parts, 0, sizeof(p->parts));
	p->count = 0;
	p->others = false;
	arena_reset(&p->arena);
}

static struct part *
find(struct parts *p, struct text value)
{
	for (size_t i = 0; i < p->count && i < PARTS_MAX; i++)
		if (text_equal(p->parts[i].value, value))
			return &p->parts[i];
	if (p->count >= PARTS_MAX) {
		p->others = true;
		p->count = PARTS_MAX + 1;
		return &p->parts[PARTS_MAX];
	}
	p->parts[p->count].value = arena_text(&p->arena, value);
	return &p->parts[p->count++];
}

void
parts_add(struct parts *p, struct text value, uint64_t rows, const struct table_cell *cells)
{
	const struct report *report = p->report;
	struct part *part = find(p, text_is_empty(value) ? TEXT_NULL : value);

	part->rows += rows;
	for (size_t i = 0; i < report->column_count; i++)
		if (report->columns[i].summed)
			total_add(&part->totals[i], cells[i].text);
}

/* The index of a value's name; the number of names if the value has no name. */
static size_t
name_of(const struct report *r, struct text value)
{
	size_t i = 0;

	while (i < r->part_name_count &&
		!(text_is_null(value) ? !*r->part_values[i]
				      : text_equal(value, text_from(r->part_values[i]))))
		i++;
	return i;
}

/* Returns whether part a comes before part b. Named values come first, in the report's order. The
 * other values follow, those with the most rows first. */
static bool
is_before(const struct report *r, const struct table_part *a, const struct table_part *b)
{
	size_t x = name_of(r, a->value);
	size_t y = name_of(r, b->value);

	if (x != y || x < r->part_name_count)
		return x < y;
	if (a->rows != b->rows)
		return a->rows > b->rows;
	return text_compare(a->value, b->value) < 0;
}

static struct table_part
make_part(struct parts *p, const struct part *part, bool others, struct arena *a)
{
	const struct report *r = p->report;
	struct table_cell *totals = arena_alloc_array(a, r->column_count, sizeof(*totals));
	struct table_part done = { .value = part->value, .rows = part->rows, .totals = totals };
	size_t n = name_of(r, part->value);

	done.name = others                   ? TEXT_LITERAL("others")
		    : n < r->part_name_count ? text_from(r->part_names[n])
					     : part->value;
	for (size_t i = 0; i < r->column_count; i++)
		if (r->columns[i].summed)
			totals[i].text = total_text(&part->totals[i], a);
	return done;
}

void
parts_fill(struct parts *p, struct arena *a, struct table_foot *foot)
{
	struct table_part *done = arena_alloc_array(a, p->count, sizeof(*done));

	for (size_t i = 0; i < p->count; i++) {
		bool others = p->others && i == PARTS_MAX;
		struct table_part t = make_part(p, &p->parts[i], others, a);
		size_t at = i;

		while (!others && at > 0 && is_before(p->report, &t, &done[at - 1])) {
			done[at] = done[at - 1];
			at--;
		}
		done[at] = t;
	}
	foot->parts = done;
	foot->part_count = p->count;
	foot->part_column = (size_t)p->report->part_column;
}
