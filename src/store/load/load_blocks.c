/*
 * Samples and frames in blocks of arrays. A block's numbers are 64-bit mantissas with a common
 * unit, or have the type numeric if mantissas do not fit.
 */
#include "base/array.h"
#include "load_measures.h"
#include "store/sample_block.h"

#include <stdlib.h>

enum {
	SHORT_BLOCK = 32, /* a block is short if the track changes before this number of samples */
	SHORT_BLOCKS_MAX = 16, /* after this number of short blocks, tracks share blocks */
};

bool
block_flush_samples(struct load *l, struct load_set *set, struct error *err)
{
	struct sample_block *b = set->samples;
	bool ok = true;

	if (!b || !b->count)
		return true;
	set->counts[REL_SAMPLE_BLOCKS].rows++;
	if (load_row(l, set, REL_SAMPLE_BLOCKS)) {
		sample_block_put(b, l->copier);
		ok = load_row_end(l, err);
	}
	sample_block_clear(b);
	return ok;
}

/* Whether the block must end because the track changes. If tracks often alternate, they share blocks,
 * because a block with a single sample costs more than a row. */
static bool
ends_run(struct load_set *set, const struct sample_block *b, int32_t track)
{
	if (b->mixed || b->tracks[0] == track)
		return false;
	if (b->count >= SHORT_BLOCK)
		return true;
	if (set->short_blocks == SHORT_BLOCKS_MAX)
		return false;
	set->short_blocks++;
	return true;
}

/* True if the block must be written before the sample is added. One reason is a time with a different
 * number of digits: all times of a block are shown with the same number of digits, but an event time must
 * keep its number of digits. */
static bool
must_flush(const struct load *l, struct load_set *set, const struct sample_block *b, int64_t id,
	const struct sample_row *row)
{
	return b->count &&
	       (sample_block_is_full(b, row->track) || b->first_id + (int64_t)b->count != id ||
		       ends_run(set, b, row->track) ||
		       (l->config.format && strcmp(l->config.format, "kernelscope") == 0 &&
			       !sample_block_has_scale(b, row->at)));
}

bool
block_add_sample(struct load *l, struct load_set *set, int64_t id, const struct sample_row *row,
	struct error *err)
{
	if (!set->samples)
		set->samples = xcalloc(1, sizeof(*set->samples));
	if (must_flush(l, set, set->samples, id, row) && !block_flush_samples(l, set, err))
		return false;
	sample_block_add(set->samples, id, row);
	return true;
}

static bool
flush_frames(struct load *l, struct load_set *set, struct frame_block *b, struct error *err)
{
	int64_t starts[FRAMES_PER_BLOCK];
	int64_t stops[FRAMES_PER_BLOCK];
	int start_scale = block_largest_scale(b->starts, b->count);
	int stop_scale = block_largest_scale(b->stops, b->count);
	int scale = start_scale > stop_scale ? start_scale : stop_scale;
	struct copier *c = l->copier;
	size_t count = b->count;
	bool ok = true;
	bool fits;

	if (!count)
		return true;
	set->counts[REL_SPAN_BLOCKS].rows++;
	if (load_row(l, set, REL_SPAN_BLOCKS)) {
		fits = block_fit(b->starts, count, scale, starts) &&
		       block_fit(b->stops, count, scale, stops);
		copier_int32(c, (int32_t)set->counts[REL_SPAN_BLOCKS].rows);
		copier_int32(c, b->track);
		copier_int64(c, b->base_id);
		if (fits)
			block_put_unit(c, scale);
		else
			copier_null(c);
		copier_int32_array(c, b->ids, count);
		copier_int32_array(c, b->backs, count);
		copier_int32_array(c, b->routines, count);
		copier_int64_array(c, fits ? starts : NULL, count);
		copier_int64_array(c, fits ? stops : NULL, count);
		copier_decimal_array(c, fits ? NULL : b->starts, count);
		copier_decimal_array(c, fits ? NULL : b->stops, count);
		ok = load_row_end(l, err);
	}
	block_drop_decimals(b->starts, count);
	block_drop_decimals(b->stops, count);
	b->count = 0;
	return ok;
}

static void
close_block(struct frame_block *b)
{
	block_drop_decimals(b->starts, b->count);
	block_drop_decimals(b->stops, b->count);
	free(b->ids);
	free(b->backs);
	free(b->routines);
	free(b->starts);
	free(b->stops);
	*b = (struct frame_block){ .track = b->track };
}

bool
block_flush_frames(struct load *l, struct load_set *set, struct error *err)
{
	for (size_t i = 0; i < set->block_count; i++) {
		if (!flush_frames(l, set, &set->blocks[i], err))
			return false;
		close_block(&set->blocks[i]);
	}
	set->open_blocks = 0;
	return true;
}

void
blocks_free(struct load_set *set)
{
	for (size_t i = 0; i < set->block_count; i++)
		close_block(&set->blocks[i]);
	free(set->blocks);
	if (set->samples)
		sample_block_clear(set->samples);
	free(set->samples);
}

/* A block's arrays grow with the number of its frames, because in files with many tracks most tracks have
 * few frames. */
static void
grow_block(struct frame_block *b)
{
	b->room = b->room ? b->room * 3 : FRAMES_PER_BLOCK / 27;
	if (b->room > FRAMES_PER_BLOCK)
		b->room = FRAMES_PER_BLOCK;
	b->ids = xrealloc(b->ids, b->room * sizeof(*b->ids));
	b->backs = xrealloc(b->backs, b->room * sizeof(*b->backs));
	b->routines = xrealloc(b->routines, b->room * sizeof(*b->routines));
	b->starts = xrealloc(b->starts, b->room * sizeof(*b->starts));
	b->stops = xrealloc(b->stops, b->room * sizeof(*b->stops));
}

static struct frame_block *
block_of(struct load *l, struct load_set *set, int32_t track, struct error *err)
{
	bool added;
	uint32_t i =
		pair_map_add(&set->block_by_track, track, 0, (uint32_t)set->block_count, &added);

	if (added) {
		*ARRAY_ADD(set->blocks, set->block_count, set->block_room) =
			(struct frame_block){ .track = track };
	}
	if (!set->blocks[i].room) {
		if (set->open_blocks == OPEN_BLOCKS_MAX && !block_flush_frames(l, set, err))
			return NULL;
		set->open_blocks++;
	}
	return &set->blocks[i];
}

/* a - b; false if it does not fit into 32 bits. */
static bool
distance(int64_t a, int64_t b, int32_t *out)
{
	return !__builtin_sub_overflow(a, b, out);
}

bool
block_add_frame(struct load *l, struct load_set *set, const struct frame_row *row, bool *fits,
	struct error *err)
{
	struct frame_block *b;
	int32_t offset;
	int32_t back = 0;

	*fits = row->routine_id >= INT32_MIN && row->routine_id <= INT32_MAX &&
		(row->parent_id == MODEL_NULL ||
			(distance(row->id, row->parent_id, &back) && back != 0));
	if (!*fits)
		return true;
	b = block_of(l, set, row->track, err);
	if (!b)
		return false;
	if (b->count && (b->count == FRAMES_PER_BLOCK || !distance(row->id, b->base_id, &offset)))
		if (!flush_frames(l, set, b, err))
			return false;
	if (b->count == b->room)
		grow_block(b);
	if (!b->count)
		b->base_id = row->id;
	b->ids[b->count] = (int32_t)(row->id - b->base_id);
	b->backs[b->count] = back;
	b->routines[b->count] = (int32_t)row->routine_id;
	b->starts[b->count] = block_keep_decimal(row->start);
	b->stops[b->count] = block_keep_decimal(row->stop);
	b->count++;
	return true;
}
