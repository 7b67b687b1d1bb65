/*
 * Samples of open result sets. They are numbered across all result sets, in the order of arrival.
 * Consecutive samples of one set share a block, even across the batches of a transaction.
 */
#include "live_private.h"
#include "store/rows.h"

enum {
	FEW_SAMPLES = 4, /* a block with fewer samples is stored as rows, to save space */
};

static bool
put_row(struct live *l, const struct live_set *set, int64_t id, const struct sample_row *row,
	struct error *err)
{
	live_row(l, set, REL_SAMPLE_ROWS);
	sample_put(l->copier, id, row);
	return copier_row_end(l->copier, err);
}

static bool
put_few(struct live *l, struct error *err)
{
	const struct sample_block *b = &l->block;
	bool ok = true;

	for (size_t i = 0; ok && i < b->count; i++) {
		const struct sample_row row = {
			.track = b->tracks[i],
			.stack = b->stacks[i],
			.at = b->times[i],
			.values = &b->weights[i],
			.value_count = 1,
		};

		ok = put_row(l, l->block_set, b->first_id + (int64_t)i, &row, err);
	}
	return ok;
}

bool
live_flush_samples(struct live *l, struct error *err)
{
	bool ok = true;

	if (l->block.count >= FEW_SAMPLES) {
		live_row(l, l->block_set, REL_SAMPLE_BLOCKS);
		sample_block_put(&l->block, l->copier);
		ok = copier_row_end(l->copier, err);
	} else if (l->block.count) {
		ok = put_few(l, err);
	}
	sample_block_clear(&l->block);
	return ok;
}

bool
live_sample(struct live *l, struct live_set *set, const struct sample_row *row, struct error *err)
{
	struct sample_block *b = &l->block;
	int64_t id = ++l->last_sample;
	bool plain = row->value_count == 1 && text_is_null(row->attributes);

	set->rows_since++;
	set->sample_count++;
	set->last_sample = id;
	/* A report shows all times of a block with the same number of digits. It must show an event time
	 * with as many digits as in the input. Therefore all times of a block must have the same number
	 * of digits. */
	if ((!plain || l->block_set != set || sample_block_is_full(b, row->track) ||
		    !sample_block_has_scale(b, row->at)) &&
		!live_flush_samples(l, err))
		return false;
	if (!plain)
		return put_row(l, set, id, row, err);
	l->block_set = set;
	sample_block_add(b, id, row);
	return true;
}
