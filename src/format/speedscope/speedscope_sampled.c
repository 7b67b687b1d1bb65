/* Reads the samples and weights of a sampled profile, in either order. */
#include "speedscope_private.h"

#include "base/array.h"
#include "base/double.h"
#include "base/hash.h"

#include <inttypes.h>
#include <stdlib.h>

/* A stack with a missing frame; accepted if its weight is 0. */
static const stack_number BAD_STACK = -1;

/* --- weights in the spool ------------------------------------------------------------ */

struct stored_weight {
	int64_t mantissa; /* or, for DECIMAL_TEXT, the size of the text after the struct */
	uint8_t scale, kind, value;
};

static bool
store_weight(struct speedscope_file *f, struct decimal d, enum speedscope_value value)
{
	struct stored_weight w;

	memset(&w, 0, sizeof(w));
	w.mantissa = d.kind == DECIMAL_TEXT ? (int64_t)d.text.size : d.mantissa;
	w.scale = d.scale;
	w.kind = d.kind;
	w.value = (uint8_t)value;
	return spool_write(f->weights, &w, sizeof(w), f->in->err) &&
	       (d.kind != DECIMAL_TEXT ||
		       spool_write(f->weights, d.text.data, d.text.size, f->in->err));
}

static bool
fetch_weight(struct speedscope_file *f, struct decimal *d, enum speedscope_value *value)
{
	struct stored_weight w;
	char *room;

	if (!spool_read(f->weights, &w, sizeof(w), f->in->err))
		return false;
	*d = (struct decimal){ .mantissa = w.mantissa, .scale = w.scale, .kind = w.kind };
	*value = w.value;
	if (w.kind != DECIMAL_TEXT)
		return true;
	d->mantissa = 0;
	strbuf_reset(&f->value_text);
	room = strbuf_reserve(&f->value_text, (size_t)w.mantissa);
	if (!spool_read(f->weights, room, (size_t)w.mantissa, f->in->err))
		return false;
	f->value_text.size = (size_t)w.mantissa;
	d->text = strbuf_text(&f->value_text);
	return true;
}

/* --- a stack and its weight ---------------------------------------------------------- */

static void
add_weight(struct speedscope_file *f, struct decimal weight)
{
	f->weight_double += decimal_to_double(weight);
	if (weight.kind != DECIMAL_COMPACT ||
		__builtin_add_overflow(f->weight_sum, decimal_to_fixed(weight), &f->weight_sum))
		f->weight_inexact = true;
}

static bool
bad_weight(struct speedscope_file *f, uint64_t index, uint64_t offset, enum speedscope_value value)
{
	return reader_tolerate_at(f->in, value == SPEEDSCOPE_ODD ? ISSUE_ODD_VALUE : ISSUE_LEFT_OUT,
		offset, "weight %" PRIu64 " is %s", index,
		value == SPEEDSCOPE_ODD ? "a string" : "not a number");
}

static bool
add_sample(struct speedscope_file *f, uint64_t index, uint64_t offset, stack_number stack,
	struct decimal weight, enum speedscope_value value)
{
	const struct sample_row row = { .track = (int32_t)f->profile + 1,
		.stack = stack == BAD_STACK ? 0 : stack,
		.metric = f->metric,
		.values = &weight,
		.value_count = 1 };
	const struct decimal zero = decimal_from_int64(0);
	int sign;

	if (value == SPEEDSCOPE_NULL) {
		weight = zero;
		if (!reader_issue_at(f->in, ISSUE_ODD_VALUE, offset,
			    "weight %" PRIu64 " is null, read as 0", index))
			return false;
	} else if (value != SPEEDSCOPE_GOOD) {
		if (!bad_weight(f, index, offset, value))
			return false;
		if (value == SPEEDSCOPE_BAD)
			return true;
	}
	sign = decimal_compare(weight, zero);
	if (sign < 0)
		return reader_tolerate_at(
			f->in, ISSUE_LEFT_OUT, offset, "weight %" PRIu64 " is negative", index);
	if (stack == BAD_STACK && sign != 0) {
		if (f->bad_sample == index && f->bad_frame >= 0)
			return reader_tolerate_at(f->in, ISSUE_LEFT_OUT, f->bad_offset,
				"sample %" PRIu64 " names frame %" PRId64
				", but there are %" PRIu32,
				index, f->bad_frame, f->frame_count);
		return reader_tolerate_at(f->in, ISSUE_LEFT_OUT, offset,
			"sample %" PRIu64 " names a missing frame", index);
	}
	add_weight(f, weight);
	return emit_sample(f->in, &row);
}

/* --- samples ------------------------------------------------------------------------- */

static void
odd_frame(struct speedscope_file *f, size_t depth)
{
	/* The stack so far, as in the file: [0,"1",7 */
	if (!f->item.size) {
		strbuf_append_char(&f->item, '[');
		for (size_t i = 0; i < depth; i++)
			strbuf_printf(&f->item, "%s%" PRId64, i ? "," : "", f->ids[i]);
	}
	if (depth)
		strbuf_append_char(&f->item, ',');
	strbuf_append_text(&f->item, strbuf_text(&f->scratch));
}

/* Reads one frame of a stack into f->ids. */
static bool
read_stack_frame(struct speedscope_file *f, size_t depth, bool *bad)
{
	int64_t frame;
	enum speedscope_value v = speedscope_read_frame(f, &frame);

	if (v == SPEEDSCOPE_FAILED)
		return false;
	if (v == SPEEDSCOPE_GOOD &&
		(f->item.size || (f->canonical && f->canonical[frame] != frame))) {
		speedscope_set_scratch_int(f, frame);
		odd_frame(f, depth);
	} else if (v != SPEEDSCOPE_GOOD) {
		odd_frame(f, depth);
	}
	if (v == SPEEDSCOPE_BAD) {
		if (f->bad_sample == UINT64_MAX) {
			f->bad_sample = f->sample_count;
			f->bad_offset = json_value_offset(f->json);
			f->bad_frame = frame;
		}
		*bad = true;
		frame = 0;
	}
	f->ids[depth] = f->canonical && !*bad ? f->canonical[frame] : frame;
	return true;
}

static bool
read_frames(struct speedscope_file *f, uint64_t offset, size_t *count, bool *bad)
{
	if (!speedscope_enter(f, JSON_ARRAY, "sample", (int64_t)f->sample_count))
		return false;
	for (*count = 0; json_more_items(f->json, f->in->err); (*count)++) {
		if (*count == STACK_MAX_FRAMES) {
			reader_refuse_at(f->in, offset,
				"sample %" PRIu64 " has more than %d frames", f->sample_count,
				STACK_MAX_FRAMES);
			f->in->err->code = ERROR_LIMIT;
			return false;
		}
		ARRAY_RESERVE(f->ids, f->id_room, *count + 1);
		if (!read_stack_frame(f, *count, bad))
			return false;
	}
	return f->in->err->code == ERROR_NONE;
}

static bool
add_stack(struct speedscope_file *f, size_t count, stack_number *number)
{
	const struct stack_row row = { .count = count, .routine_ids = f->ids };

	*number = 0;
	if (!count)
		return true;
	for (size_t i = 0; i < count / 2; i++) {
		int64_t outer = f->ids[i];

		f->ids[i] = f->ids[count - 1 - i];
		f->ids[count - 1 - i] = outer;
	}
	return emit_stack(f->in, &row, number);
}

/* The text of the next stack if the buffer contains it completely; otherwise NULL. */
static struct text
stack_text(struct speedscope_file *f)
{
	struct text window = json_window(f->json);
	const char *end;

	if (f->canonical || !window.size || *window.data != '[')
		return TEXT_NULL;
	end = memchr(window.data, ']', window.size);
	return end ? (struct text){ window.data, (size_t)(end + 1 - window.data) } : TEXT_NULL;
}

/* Reads a stack in its usual form: [1,2,3]. */
static bool
scan_stack(struct speedscope_file *f, struct text text, size_t *count)
{
	const char *p = text.data + 1;
	size_t n = 0;

	while (*p != ']') {
		if (n && *p++ != ',')
			return false;
		while (*p == ' ')
			p++;
		if (n == f->id_room)
			return false;
		p = speedscope_scan_index(p, f->frame_count, &f->ids[n++]);
		if (!p)
			return false;
	}
	json_take(f->json, text.size);
	*count = n;
	return true;
}

/* Reads a stack without the JSON parser if possible. Most stacks repeat the text of an earlier stack
 * of the profile, so their number is known. If *done is false, the caller must parse the stack. */
static bool
read_plain_stack(struct speedscope_file *f, stack_number *number, bool *done)
{
	struct text text = stack_text(f);
	struct hash128 key;
	uint32_t known;
	size_t count;

	*done = false;
	if (!text.size)
		return true;
	key = hash128_seeded(text.data, text.size, process_seed());
	known = pair_map_get(&f->stack_texts, (int64_t)key.low, (int64_t)key.high);
	if (known != PAIR_MAP_NONE) {
		json_take(f->json, text.size);
		*number = (stack_number)known;
		*done = true;
		return true;
	}
	if (!scan_stack(f, text, &count))
		return true;
	*done = true;
	if (!add_stack(f, count, number))
		return false;
	if (f->stack_texts.count == SPEEDSCOPE_MAX_STACK_TEXTS)
		pair_map_release(&f->stack_texts);
	pair_map_add(&f->stack_texts, (int64_t)key.low, (int64_t)key.high, (uint32_t)*number, NULL);
	return true;
}

static bool
read_stack(struct speedscope_file *f, stack_number *number, uint64_t offset)
{
	bool bad = false;
	bool done;
	size_t count;

	if (!read_plain_stack(f, number, &done))
		return false;
	if (done)
		return true;
	strbuf_reset(&f->item);
	if (!read_frames(f, offset, &count, &bad))
		return false;
	if (f->item.size) {
		strbuf_append_char(&f->item, ']');
		if (!speedscope_odd_item(f, &f->p_samples, f->sample_count, strbuf_text(&f->item),
			    SPEEDSCOPE_PLAIN))
			return false;
	}
	*number = BAD_STACK;
	return bad || add_stack(f, count, number);
}

/* Adds the sample of a stack. If the weights come after the samples, the spool keeps the stack until
 * the weights are read. */
static bool
take_stack(struct speedscope_file *f, stack_number stack, uint64_t offset)
{
	struct decimal weight;
	enum speedscope_value value;

	if (!f->has_weights)
		return spool_write(f->stacks, &stack, sizeof(stack), f->in->err);
	if (f->sample_count >= f->weight_count)
		return true; /* one sample too many, reported at the end */
	return fetch_weight(f, &weight, &value) &&
	       add_sample(f, f->sample_count, offset, stack, weight, value);
}

bool
speedscope_read_samples(struct speedscope_file *f)
{
	stack_number stack = BAD_STACK;

	if (!speedscope_enter(f, JSON_ARRAY, "\"samples\"", -1) ||
		(f->has_weights && !spool_rewind(f->weights, f->in->err)))
		return false;
	for (; json_more_items(f->json, f->in->err); f->sample_count++) {
		const uint64_t offset = json_offset(f->json);

		if (!read_stack(f, &stack, offset) || !take_stack(f, stack, offset))
			return false;
		reader_tick(f->in, json_offset(f->json));
	}
	f->has_samples = true;
	return f->in->err->code == ERROR_NONE;
}

/* --- weights ------------------------------------------------------------------------- */

static bool
take_weight(struct speedscope_file *f, struct decimal weight, enum speedscope_value value,
	uint64_t offset)
{
	stack_number stack;

	if (value > SPEEDSCOPE_GOOD && !speedscope_odd_item(f, &f->p_weights, f->weight_count,
					       strbuf_text(&f->scratch), SPEEDSCOPE_PLAIN))
		return false;
	if (!f->has_samples)
		return store_weight(f, weight, value);
	if (f->weight_count >= f->sample_count)
		return true;
	return spool_read(f->stacks, &stack, sizeof(stack), f->in->err) &&
	       add_sample(f, f->weight_count, offset, stack, weight, value);
}

bool
speedscope_read_weights(struct speedscope_file *f)
{
	struct decimal weight;

	if (!speedscope_enter(f, JSON_ARRAY, "\"weights\"", -1) ||
		(f->has_samples && !spool_rewind(f->stacks, f->in->err)))
		return false;
	for (; json_more_items(f->json, f->in->err); f->weight_count++) {
		const enum speedscope_value value = speedscope_read_number(f, &weight);

		if (value == SPEEDSCOPE_FAILED ||
			!take_weight(f, weight, value, json_value_offset(f->json)))
			return false;
		reader_tick(f->in, json_offset(f->json));
	}
	f->has_weights = true;
	return f->in->err->code == ERROR_NONE;
}

bool
speedscope_end_sampled(struct speedscope_file *f, struct decimal *total)
{
	char text[DECIMAL_FIXED_TEXT_MAX];

	if (f->sample_count != f->weight_count &&
		!reader_tolerate_at(f->in, ISSUE_LEFT_OUT, json_offset(f->json),
			"%" PRIu64 " %s but %" PRIu64 " %s", f->sample_count,
			by_count(f->sample_count, "sample", "samples"), f->weight_count,
			by_count(f->weight_count, "weight", "weights")))
		return false;
	if (f->weight_inexact)
		double_format(f->weight_double, text);
	else
		fixed_format(f->weight_sum, text);
	if (decimal_parse(text_from(text), total) != DECIMAL_OK)
		*total = decimal_from_int64(0);
	*total = speedscope_keep(&f->arena, *total);
	return true;
}
