/* Sample blocks: arrays of mantissas with one unit, or of exact numbers. */
#include "sample_block.h"

#include "base/arena.h"

#include <stdlib.h>

struct decimal
block_keep_decimal(struct decimal d)
{
	if (d.kind == DECIMAL_TEXT) {
		char *copy = xmalloc(d.text.size);

		memcpy(copy, d.text.data, d.text.size);
		d.text.data = copy;
	}
	return d;
}

void
block_drop_decimals(struct decimal *items, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (items[i].kind == DECIMAL_TEXT)
			free((void *)(uintptr_t)items[i].text.data);
}

int
block_largest_scale(const struct decimal *items, size_t count)
{
	int scale = 0;

	for (size_t i = 0; i < count; i++)
		if (items[i].scale > scale)
			scale = items[i].scale;
	return scale;
}

bool
block_fit(const struct decimal *items, size_t count, int scale, int64_t *out)
{
	for (size_t i = 0; i < count; i++) {
		const struct decimal *d = &items[i];

		out[i] = d->mantissa;
		if (d->kind == DECIMAL_NULL)
			out[i] = INT64_MIN;
		else if (d->kind == DECIMAL_TEXT ||
			 (d->scale != scale &&
				 __builtin_mul_overflow(d->mantissa,
					 decimal_power((unsigned)(scale - d->scale)), &out[i])) ||
			 out[i] == INT64_MIN)
			return false;
	}
	return true;
}

static bool
are_null(const struct decimal *items, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (items[i].kind != DECIMAL_NULL)
			return false;
	return true;
}

void
block_put_unit(struct copier *c, int scale)
{
	copier_decimal(
		c, (struct decimal){
			   .mantissa = 1, .scale = (uint8_t)scale, .kind = DECIMAL_COMPACT });
}

/* Writes three columns: unit, mantissas and exact numbers. */
static void
put_column(struct copier *c, const struct decimal *items, size_t count)
{
	int64_t mantissas[SAMPLES_PER_BLOCK];
	int scale = block_largest_scale(items, count);
	bool absent = are_null(items, count);
	bool fits = !absent && block_fit(items, count, scale, mantissas);

	if (fits)
		block_put_unit(c, scale);
	else
		copier_null(c);
	copier_int64_array(c, fits ? mantissas : NULL, count);
	copier_decimal_array(c, fits || absent ? NULL : items, count);
}

bool
sample_block_is_full(const struct sample_block *b, int32_t track)
{
	bool mixed = b->mixed || (b->count && b->tracks[0] != track);

	return b->count >= (size_t)(mixed ? SAMPLES_PER_MIXED_BLOCK : SAMPLES_PER_BLOCK);
}

bool
sample_block_has_scale(const struct sample_block *b, struct decimal at)
{
	return !b->count || (b->times[0].scale == at.scale && b->times[0].kind == at.kind);
}

void
sample_block_add(struct sample_block *b, int64_t id, const struct sample_row *row)
{
	if (!b->count)
		b->first_id = id;
	b->tracks[b->count] = row->track;
	b->stacks[b->count] = row->stack;
	b->times[b->count] = block_keep_decimal(row->at);
	b->weights[b->count] = block_keep_decimal(row->values[0]);
	b->mixed = b->mixed || row->track != b->tracks[0];
	b->count++;
}

void
sample_block_put(const struct sample_block *b, struct copier *c)
{
	copier_int64(c, b->first_id);
	if (b->mixed)
		copier_null(c);
	else
		copier_int32(c, b->tracks[0]);
	copier_int32_array(c, b->stacks, b->count);
	put_column(c, b->times, b->count);
	put_column(c, b->weights, b->count);
	copier_int32_array(c, b->mixed ? b->tracks : NULL, b->count);
}

void
sample_block_clear(struct sample_block *b)
{
	block_drop_decimals(b->times, b->count);
	block_drop_decimals(b->weights, b->count);
	b->count = 0;
	b->mixed = false;
}
