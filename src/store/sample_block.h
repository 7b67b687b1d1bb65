/*
 * Samples with one value and no attributes, in blocks of arrays: a row of
 * sample_blocks. A load and the open result sets both write them.
 */
#ifndef PROFDEPOT_SRC_STORE_SAMPLE_BLOCK_H
#define PROFDEPOT_SRC_STORE_SAMPLE_BLOCK_H

#include "db/copy.h"
#include "model/measures.h"

enum {
	/* So that a row fits its page, since a block is not compressed: 20 bytes a sample, 24
	 * where tracks differ, beside 300 of headers. */
	SAMPLES_PER_BLOCK = 380,
	SAMPLES_PER_MIXED_BLOCK = 320,
};

/* Consecutive samples of a result set; empty if all zeros. Texts of decimals are copies. */
struct sample_block {
	size_t count;
	int64_t first_id;
	bool mixed; /* of several tracks */
	int32_t tracks[SAMPLES_PER_BLOCK];
	int32_t stacks[SAMPLES_PER_BLOCK];
	struct decimal times[SAMPLES_PER_BLOCK];
	struct decimal weights[SAMPLES_PER_BLOCK];
};

/* Is there no room for one more, of that track? */
bool sample_block_is_full(const struct sample_block *b, int32_t track);
/* Has its time as many digits as those of the others? A block has one unit for all. */
bool sample_block_has_scale(const struct sample_block *b, struct decimal at);
/* There is room; the first gives the block its number. */
void sample_block_add(struct sample_block *b, int64_t id, const struct sample_row *row);
/* The columns after inst_id. */
void sample_block_put(const struct sample_block *b, struct copier *c);
void sample_block_clear(struct sample_block *b);

/* --- numbers of a block: mantissas of one unit, or numeric where these do not fit 64 bits --- */

struct decimal block_keep_decimal(struct decimal d);
void block_drop_decimals(struct decimal *items, size_t count);
int block_largest_scale(const struct decimal *items, size_t count);
/* Items as mantissas of that scale, INT64_MIN for NULL; false when one does not fit. */
bool block_fit(const struct decimal *items, size_t count, int scale, int64_t *out);
void block_put_unit(struct copier *c, int scale);

#endif
