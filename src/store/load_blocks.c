/*
 * Samples and frames in blocks of arrays. A block is homogeneous: its numbers
 * are mantissas of one unit, or numeric where these do not fit 64 bits.
 */
#include "load_measures.h"

#include <stdlib.h>

static struct decimal
keep_decimal(struct decimal d)
{
	if (d.kind == DECIMAL_TEXT) {
		char *copy = xmalloc(d.text.size);

		memcpy(copy, d.text.data, d.text.size);
		d.text.data = copy;
	}
	return d;
}

static void
drop_decimals(struct decimal *items, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (items[i].kind == DECIMAL_TEXT)
			free((void *)(uintptr_t)items[i].text.data);
}

static int
largest_scale(const struct decimal *items, size_t count)
{
	int scale = 0;

	for (size_t i = 0; i < count; i++)
		if (items[i].scale > scale)
			scale = items[i].scale;
	return scale;
}

/* Items as mantissas of that scale, INT64_MIN for NULL; false when one does
 * not fit. */
static bool
fit(const struct decimal *items, size_t count, int scale, int64_t *out)
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

static void
put_unit(struct copier *c, int scale)
{
	copier_decimal(
		c, (struct decimal){
			   .mantissa = 1, .scale = (uint8_t)scale, .kind = DECIMAL_COMPACT });
}

/* --- samples --------------------------------------------------------------------------------- */

/* Unit, mantissas, exact numbers: three columns. */
static void
put_column(struct copier *c, const struct decimal *items, size_t count)
{
	int64_t mantissas[SAMPLES_PER_BLOCK];
	int scale = largest_scale(items, count);
	bool absent = are_null(items, count);
	bool fits = !absent && fit(items, count, scale, mantissas);

	if (fits)
		put_unit(c, scale);
	else
		copier_null(c);
	copier_int64_array(c, fits ? mantissas : NULL, count);
	copier_decimal_array(c, fits || absent ? NULL : items, count);
}

bool
block_flush_samples(struct load *l, struct load_set *set, struct error *err)
{
	struct sample_block *b = set->samples;
	bool ok = true;

	if (!b || !b->count)
		return true;
	set->counts[REL_SAMPLE_BLOCKS].rows++;
	if (load_row(l, set, REL_SAMPLE_BLOCKS)) {
		copier_int64(l->copier, b->first_id);
		copier_int32(l->copier, b->track);
		copier_int32_array(l->copier, b->stacks, b->count);
		put_column(l->copier, b->times, b->count);
		put_column(l->copier, b->weights, b->count);
		ok = load_row_end(l, err);
	}
	drop_decimals(b->times, b->count);
	drop_decimals(b->weights, b->count);
	b->count = 0;
	return ok;
}

bool
block_add_sample(struct load *l, struct load_set *set, int64_t id, const struct sample_row *row,
	struct error *err)
{
	struct sample_block *b = set->samples;

	if (!b)
		b = set->samples = xcalloc(1, sizeof(*b));
	if (b->count && (b->track != row->track || b->count == SAMPLES_PER_BLOCK ||
				b->first_id + (int64_t)b->count != id))
		if (!block_flush_samples(l, set, err))
			return false;
	if (!b->count) {
		b->track = row->track;
		b->first_id = id;
	}
	b->stacks[b->count] = row->stack;
	b->times[b->count] = keep_decimal(row->at);
	b->weights[b->count] = keep_decimal(row->values[0]);
	b->count++;
	return true;
}

/* --- frames ---------------------------------------------------------------------------------- */

static bool
flush_frames(struct load *l, struct load_set *set, struct frame_block *b, struct error *err)
{
	int64_t starts[FRAMES_PER_BLOCK];
	int64_t stops[FRAMES_PER_BLOCK];
	int start_scale = largest_scale(b->starts, b->count);
	int stop_scale = largest_scale(b->stops, b->count);
	int scale = start_scale > stop_scale ? start_scale : stop_scale;
	struct copier *c = l->copier;
	size_t count = b->count;
	bool ok = true;
	bool fits;

	if (!count)
		return true;
	set->counts[REL_SPAN_BLOCKS].rows++;
	if (load_row(l, set, REL_SPAN_BLOCKS)) {
		fits = fit(b->starts, count, scale, starts) && fit(b->stops, count, scale, stops);
		copier_int32(c, (int32_t)set->counts[REL_SPAN_BLOCKS].rows);
		copier_int32(c, b->track);
		copier_int64(c, b->base_id);
		if (fits)
			put_unit(c, scale);
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
	drop_decimals(b->starts, count);
	drop_decimals(b->stops, count);
	b->count = 0;
	return ok;
}

static void
close_block(struct frame_block *b)
{
	drop_decimals(b->starts, b->count);
	drop_decimals(b->stops, b->count);
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
	if (set->samples) {
		drop_decimals(set->samples->times, set->samples->count);
		drop_decimals(set->samples->weights, set->samples->count);
		free(set->samples);
	}
}

/* A block grows with the track's frames: most tracks of a file with many have few. */
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
		set->blocks = array_room(
			set->blocks, set->block_count, &set->block_room, sizeof(*set->blocks));
		set->blocks[set->block_count++] = (struct frame_block){ .track = track };
	}
	if (!set->blocks[i].room) {
		if (set->open_blocks == OPEN_BLOCKS_MAX && !block_flush_frames(l, set, err))
			return NULL;
		set->open_blocks++;
	}
	return &set->blocks[i];
}

/* a - b, when 32 bits hold it. */
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
	b->starts[b->count] = keep_decimal(row->start);
	b->stops[b->count] = keep_decimal(row->stop);
	b->count++;
	return true;
}
