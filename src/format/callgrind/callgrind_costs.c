/* Costs in callgrind profiles: reads numbers, and sums them by place. */
#include "callgrind_private.h"

#include "base/number.h"

#include <stdlib.h>

bool
callgrind_number(struct text t, uint64_t *out)
{
	bool hex = text_begins(t, "0x") || text_begins(t, "0X");

	return (hex ? scan_hex(&t, out) : scan_decimal(&t, out)) && !t.size;
}

int64_t
callgrind_integer(struct text t)
{
	uint64_t v;

	return callgrind_number(t, &v) && v <= INT64_MAX ? (int64_t)v : MODEL_NULL;
}

struct decimal
callgrind_decimal(uint64_t v, char *text)
{
	const struct number n = { .magnitude = v };

	if (v <= INT64_MAX)
		return decimal_from_int64((int64_t)v);
	return (struct decimal){ .kind = DECIMAL_TEXT, .text = { text, number_format(n, text) } };
}

/* NULL on error. */
static struct callgrind_row *
add_row(struct callgrind *c, const struct callgrind_row *place, size_t cells)
{
	struct callgrind_row *row;

	if (c->cell_count + cells > CALLGRIND_MAX_ROWS || c->row_count >= INT32_MAX) {
		error_set(c->in->err, ERROR_LIMIT, "%s: more than %d costs", c->in->name,
			(int)CALLGRIND_MAX_ROWS);
		return NULL;
	}
	ARRAY_RESERVE(c->cells, c->cell_room, c->cell_count + cells + 1);
	row = ARRAY_ADD(c->rows, c->row_count, c->row_room);
	*row = *place;
	row->count = row->followed = 0;
	row->costs = c->cell_count;
	for (size_t i = 0; i < cells; i++)
		c->cells[c->cell_count++] = 0;
	return row;
}

static struct callgrind_row *
row_at(struct callgrind *c, const struct callgrind_row *place)
{
	const int64_t words[] = { place->kind, place->routine, place->file, place->line,
		place->target, place->target_line };
	uint32_t index = (uint32_t)c->row_count;
	bool added;

	index = pair_map_add_bytes(&c->row_by_key, words, sizeof(words), index, &added);
	if (!added)
		return &c->rows[index];
	return add_row(c, place, place->kind <= KIND_CALL ? c->event_count : 0);
}

bool
callgrind_add(struct callgrind *c, const struct callgrind_row *place, const uint64_t *costs)
{
	struct callgrind_row *row = row_at(c, place);
	bool over = false;

	if (!row)
		return false;
	over |= __builtin_add_overflow(row->count, place->count, &row->count);
	over |= __builtin_add_overflow(row->followed, place->followed, &row->followed);
	for (size_t i = 0; row->kind <= KIND_CALL && i < c->event_count; i++) {
		uint64_t *cell = &c->cells[row->costs + i];

		over |= __builtin_add_overflow(*cell, costs[i], cell);
		if (row->kind == KIND_SELF)
			over |= __builtin_add_overflow(c->part_sums[i], costs[i], &c->part_sums[i]);
	}
	if (over)
		return reader_refuse(c->in, "sum of costs exceeds 64 bits");
	return true;
}

/* Sums costs by routine. The sums in `lines` contain the routine's own costs and the costs of the
 * calls that it makes. The sums in `calls` contain the costs of the calls to the routine. */
static void
sum_rows(const struct callgrind *c, wide_int *lines, wide_int *calls)
{
	for (size_t i = 0; i < c->row_count; i++) {
		const struct callgrind_row *r = &c->rows[i];

		for (size_t e = 0; r->kind <= KIND_CALL && e < c->event_count; e++) {
			uint64_t cost = c->cells[r->costs + e];

			lines[r->routine * c->event_count + e] += cost;
			if (r->kind == KIND_CALL)
				calls[r->target * c->event_count + e] += cost;
		}
	}
}

/* If the calls to the routine cost more than the routine's lines, adds the difference to the
 * routine's own cost. */
static bool
add_rest(struct callgrind *c, uint32_t routine, const wide_int *lines, const wide_int *calls,
	size_t *added)
{
	const struct callgrind_row place = {
		.kind = KIND_SELF, .routine = routine, .file = c->routines[routine].file
	};
	uint64_t rest[CALLGRIND_MAX_METRICS] = { 0 };
	bool any = false;

	for (size_t e = 0; e < c->event_count; e++) {
		wide_int more = calls[e] - lines[e];

		if (more > 0 && more <= UINT64_MAX) {
			rest[e] = (uint64_t)more;
			any = true;
		}
	}
	*added += any;
	return !any || callgrind_add(c, &place, rest);
}

bool
callgrind_explain(struct callgrind *c)
{
	size_t count = c->routine_count;
	size_t cells = count * c->event_count + 1;
	wide_int *lines = xcalloc(cells, sizeof(*lines));
	wide_int *calls = xcalloc(cells, sizeof(*calls));
	size_t added = 0;
	bool ok = true;

	sum_rows(c, lines, calls);
	for (uint32_t r = 0; ok && r < count; r++)
		ok = add_rest(c, r, lines + r * c->event_count, calls + r * c->event_count, &added);
	free(lines);
	free(calls);
	if (!ok || !added)
		return ok;
	return reader_issue(c->in, ISSUE_TOTALS_DIFFER,
		"for %zu %s, the calls cost more than the lines: the own cost includes the difference",
		added, by_count(added, "routine", "routines"));
}
