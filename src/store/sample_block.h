/* Blocks that hold samples with one value and no attributes. A block is a row of sample_blocks.
 * Loads write blocks, and so do transactions on open result sets. */
#ifndef PROFDEPOT_SRC_STORE_SAMPLE_BLOCK_H
#define PROFDEPOT_SRC_STORE_SAMPLE_BLOCK_H

#include "db/copy.h"
#include "model/measures.h"

enum {
	/* A row must fit into a page, because blocks are not compressed. It has 20 bytes per sample, or
	 * 24 if tracks differ, and 300 bytes of headers. */
	SAMPLES_PER_BLOCK = 380,
	SAMPLES_PER_MIXED_BLOCK = 320,
};

/* Consecutive samples of a result set. A zeroed block is empty. Decimal texts are copies. */
struct sample_block {
	size_t count;
	int64_t first_id;
	bool mixed; /* the block has samples of several tracks */
	int32_t tracks[SAMPLES_PER_BLOCK];
	int32_t stacks[SAMPLES_PER_BLOCK];
	struct decimal times[SAMPLES_PER_BLOCK];
	struct decimal weights[SAMPLES_PER_BLOCK];
};

/* Returns whether the block has no room for another sample of this track. */
bool sample_block_is_full(const struct sample_block *b, int32_t track);
/* Returns whether the time has as many fraction digits as the block's times. All times in a block must have
 * the same number of digits. */
bool sample_block_has_scale(const struct sample_block *b, struct decimal at);
/* Adds a sample to a block that has room. The ID of the first sample becomes first_id. */
void sample_block_add(struct sample_block *b, int64_t id, const struct sample_row *row);
/* Writes all columns except inst_id, which the caller has written. */
void sample_block_put(const struct sample_block *b, struct copier *c);
void sample_block_clear(struct sample_block *b);

struct decimal block_keep_decimal(struct decimal d);
void block_drop_decimals(struct decimal *items, size_t count);
int block_largest_scale(const struct decimal *items, size_t count);
/* Converts items to mantissas with `scale` fraction digits, and NULL to INT64_MIN. Returns false if an item
 * does not fit. */
bool block_fit(const struct decimal *items, size_t count, int scale, int64_t *out);
void block_put_unit(struct copier *c, int scale);

#endif
