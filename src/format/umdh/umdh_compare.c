/* Emits UMDH's comparisons of two snapshots, and finds the radix of their numbers; see umdh.c. */
#include "format/common/heap_facts.h"
#include "umdh_private.h"

#include "base/array.h"

#include <stdlib.h>

void
umdh_trace_name(struct strbuf *to, struct umdh_trace trace)
{
	strbuf_printf(to, "BackTrace%0*llX", trace.digits, (unsigned long long)trace.number);
}

bool
umdh_compare_begin(struct umdh_comparison *c, struct reader *in)
{
	static const struct heap_metric metrics[] = {
		{ "bytes_delta", "bytes", "Change of bytes" },
		{ "bytes_new", "bytes", "Bytes in the new snapshot" },
		{ "bytes_old", "bytes", "Bytes in the old snapshot" },
		{ "count_new", "count", "Blocks in the new snapshot" },
		{ "count_old", "count", "Blocks in the old snapshot" },
	};

	c->count = 0;
	return !in->wanted ||
	       heap_emit_comparison(in, metrics, sizeof(metrics) / sizeof(metrics[0]), &c->metric);
}

void
umdh_compare_release(struct umdh_comparison *c)
{
	free(c->rows);
	*c = (struct umdh_comparison){ 0 };
}

/* --- numbers ------------------------------------------------------------------------------------- */

bool
umdh_value(uint64_t hex, int radix, int64_t *out)
{
	uint64_t value = 0, unit = 1;

	if (radix == 16)
		value = hex;
	for (; radix == 10 && hex; hex >>= 4, unit *= 10) {
		if ((hex & 15) > 9)
			return false;
		value += (hex & 15) * unit;
	}
	*out = (int64_t)value;
	return value <= INT64_MAX;
}

static bool
values_of(const struct umdh_change *c, int radix, int64_t out[UMDH_NUMBERS])
{
	for (size_t i = 0; i < UMDH_NUMBERS; i++)
		if (!umdh_value(c->numbers[i], radix, &out[i]))
			return false;
	if (c->decrease)
		out[UMDH_DELTA] = -out[UMDH_DELTA];
	return true;
}

static bool
holds(const struct umdh_change *c, int radix)
{
	int64_t v[UMDH_NUMBERS];

	return values_of(c, radix, v) && v[UMDH_NEW] - v[UMDH_OLD] == v[UMDH_DELTA];
}

/* Finds the radix of the numbers. A row is evidence for the radix 10 if NEW - OLD = DELTA holds only in
 * decimal. The majority of the rows decides, because a row may be damaged. */
static int
find_radix(const struct umdh_comparison *c)
{
	size_t decimal = 0, hexadecimal = 0;

	for (size_t i = 0; i < c->count; i++) {
		const struct umdh_change *const changes[] = { &c->rows[i].bytes,
			&c->rows[i].counts };

		for (size_t k = 0; k < 1U + c->rows[i].has_counts; k++) {
			bool in_decimal = holds(changes[k], 10);
			bool in_hexadecimal = holds(changes[k], 16);

			decimal += in_decimal && !in_hexadecimal;
			hexadecimal += in_hexadecimal && !in_decimal;
		}
	}
	return decimal > hexadecimal ? 10 : 16;
}

/* --- rows ------------------------------------------------------------------------------------------ */

static bool
emit_row(const struct umdh_comparison *c, struct reader *in, const struct umdh_row *row,
	const int64_t bytes[UMDH_NUMBERS], int64_t new_count, const int64_t counts[UMDH_NUMBERS])
{
	struct strbuf name = STRBUF_INIT(64);
	struct strbuf attributes = STRBUF_INIT(128);
	const struct decimal values[] = { decimal_from_int64(bytes[UMDH_DELTA]),
		decimal_from_int64(bytes[UMDH_NEW]), decimal_from_int64(bytes[UMDH_OLD]),
		decimal_from_int64(new_count), decimal_from_int64(counts[UMDH_OLD]) };
	struct sample_row sample = { .track = 1,
		.stack = row->stack,
		.metric = c->metric,
		.values = values,
		.value_count = row->has_counts ? 5 : 4 };
	bool ok;

	umdh_trace_name(&name, row->trace);
	members_text(&attributes, "trace", strbuf_text(&name));
	sample.attributes = members_end(&attributes);
	ok = emit_sample(in, &sample);
	strbuf_release(&name);
	strbuf_release(&attributes);
	return ok;
}

/* Emits a row, and adds its change to *sum. */
static bool
take_row(const struct umdh_comparison *c, struct reader *in, const struct umdh_row *row, int radix,
	wide_int *sum)
{
	int64_t bytes[UMDH_NUMBERS];
	int64_t counts[UMDH_NUMBERS] = { 0 };
	int64_t new_count;

	if (!values_of(&row->bytes, radix, bytes) || !umdh_value(row->count, radix, &new_count) ||
		(row->has_counts && !values_of(&row->counts, radix, counts)))
		return reader_issue(in, ISSUE_RECORD_BROKEN,
			"BackTrace%0*llX is left out: a number has more than 63 bits or is not %s",
			row->trace.digits, (unsigned long long)row->trace.number,
			radix == 10 ? "decimal" : "hexadecimal");
	*sum += bytes[UMDH_DELTA];
	if (bytes[UMDH_NEW] - bytes[UMDH_OLD] != bytes[UMDH_DELTA] &&
		!reader_issue(in, ISSUE_TOTALS_DIFFER,
			"the bytes of BackTrace%0*llX change by %lld, but %lld - %lld = %lld",
			row->trace.digits, (unsigned long long)row->trace.number,
			(long long)bytes[UMDH_DELTA], (long long)bytes[UMDH_NEW],
			(long long)bytes[UMDH_OLD], (long long)(bytes[UMDH_NEW] - bytes[UMDH_OLD])))
		return false;
	return emit_row(c, in, row, bytes, new_count, counts);
}

static bool
check_total(struct reader *in, const struct umdh_total *total, int radix, wide_int sum)
{
	int64_t stated;

	if (!umdh_value(total->requested, radix, &stated))
		return reader_issue(in, ISSUE_RECORD_BROKEN, "the total is not a number");
	if (total->decrease)
		stated = -stated;
	return stated == sum || reader_issue(in, ISSUE_TOTALS_DIFFER,
					"the total is %lld bytes, but the changes add up to %lld",
					(long long)stated, (long long)sum);
}

bool
umdh_compare_end(
	struct umdh_comparison *c, struct reader *in, const struct umdh_total *total, int *radix)
{
	wide_int sum = 0;
	bool ok = true;

	*radix = find_radix(c);
	if (!in->wanted)
		return true;
	for (size_t i = 0; ok && i < c->count; i++)
		ok = take_row(c, in, &c->rows[i], *radix, &sum);
	return ok && (!total || check_total(in, total, *radix, sum));
}
