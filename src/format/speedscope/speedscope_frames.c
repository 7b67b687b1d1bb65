/* Reads "shared". Its frames become routines, whose REC_ID is the index of the frame. */
#include "base/array.h"
#include "base/hash.h"
#include "base/pair_map.h"
#include "speedscope_private.h"

#include <inttypes.h>
#include <stdlib.h>

enum frame_key {
	FRAME_NAME,
	FRAME_FILE,
	FRAME_LINE,
	FRAME_KEY,
	FRAME_OTHER,
};

/* Sets *text if the value is a string. Other values are stored as attributes. */
static bool
read_text_member(struct speedscope_file *f, struct text key, struct text *text)
{
	struct text value;
	enum speedscope_value v = speedscope_read_text(f, &value);

	if (v == SPEEDSCOPE_GOOD)
		*text = arena_text(&f->frame_arena, value);
	else if (v != SPEEDSCOPE_FAILED)
		speedscope_item_member(f, key);
	return v != SPEEDSCOPE_FAILED;
}

static bool
read_line(struct speedscope_file *f, struct text key, int64_t *line)
{
	enum json_type type;
	struct text t;
	struct decimal d;

	if (!json_peek(f->json, &type, f->in->err))
		return false;
	if (type != JSON_NUMBER) {
		if (!speedscope_read_raw(f))
			return false;
		speedscope_item_member(f, key);
		return true;
	}
	if (!json_read_number(f->json, &t, f->in->err))
		return false;
	if (decimal_parse(t, &d) == DECIMAL_OK && d.kind == DECIMAL_COMPACT && d.scale == 0 &&
		d.mantissa != MODEL_NULL) {
		*line = d.mantissa;
		return true;
	}
	speedscope_set_scratch(f, t);
	speedscope_item_member(f, key);
	return true;
}

static bool
read_frame_member(struct speedscope_file *f, struct text borrowed, struct routine_row *row)
{
	static const char *const names[] = { "name", "file", "line", "key" };
	struct text key = arena_text(&f->frame_arena, borrowed);
	enum frame_key k = (enum frame_key)text_among(key, names, FRAME_OTHER);

	if (k == FRAME_NAME || k == FRAME_FILE)
		return read_text_member(
			f, key, k == FRAME_NAME ? &row->routine_name : &row->source_file);
	if (k == FRAME_LINE)
		return read_line(f, key, &row->source_line);
	if (!speedscope_read_raw(f))
		return false;
	if (k == FRAME_KEY) {
		ARRAY_RESERVE_ZEROED(f->keys, f->key_room, (size_t)f->frame_count + 1);
		f->keys[f->frame_count] = arena_text(&f->arena, strbuf_text(&f->scratch));
	}
	speedscope_item_member(f, key);
	return true;
}

static bool
add_frame(struct speedscope_file *f, struct routine_row *row, uint64_t offset)
{
	if (!row->routine_name.data && !reader_issue_at(f->in, ISSUE_ODD_VALUE, offset,
					       "frame %" PRIu32 " has no name", f->frame_count))
		return false;
	if (f->item.size) {
		strbuf_append_char(&f->item, '}');
		row->attributes = strbuf_text(&f->item);
	}
	return emit_routine(f->in, row);
}

static bool
read_frame(struct speedscope_file *f)
{
	uint64_t offset = json_offset(f->json);
	struct routine_row row = blank_routine(f->frame_count);
	struct text key;

	if (f->frame_count == SPEEDSCOPE_MAX_FRAMES)
		return error_set(f->in->err, ERROR_LIMIT, "%s: more than %d frames", f->in->name,
			SPEEDSCOPE_MAX_FRAMES);
	arena_reset(&f->frame_arena);
	strbuf_reset(&f->item);
	if (!speedscope_enter(f, JSON_OBJECT, "frame", f->frame_count))
		return false;
	while (json_more_keys(f->json, &key, f->in->err))
		if (!read_frame_member(f, key, &row))
			return false;
	if (f->in->err->code != ERROR_NONE || !add_frame(f, &row, offset))
		return false;
	f->frame_count++;
	reader_tick(f->in, json_offset(f->json));
	return true;
}

/* For each frame, finds the first frame with the same key. This first frame stands for all frames with
 * this key. If a frame has no "key", its index is its key. */
static void
find_equal_keys(struct speedscope_file *f)
{
	struct pair_map seen = { 0 };

	if (!f->keys)
		return;
	f->canonical = xcalloc(f->frame_count ? f->frame_count : 1, sizeof(*f->canonical));
	for (uint32_t i = 0; i < f->frame_count; i++) {
		char digits[24];
		struct text key = i < f->key_room ? f->keys[i] : TEXT_NULL;

		if (!key.data)
			key = (struct text){ digits, number_format_int64(i, digits) };
		f->canonical[i] = pair_map_add_bytes(&seen, key.data, key.size, i, NULL);
	}
	pair_map_release(&seen);
}

static bool
read_frames(struct speedscope_file *f)
{
	const uint64_t offset = json_offset(f->json);

	if (f->has_frames)
		return reader_refuse_at(f->in, offset, "\"frames\" appears twice");
	f->has_frames = true;
	if (!speedscope_enter(f, JSON_ARRAY, "\"frames\"", -1))
		return false;
	while (json_more_items(f->json, f->in->err))
		if (!read_frame(f))
			return false;
	find_equal_keys(f);
	return f->in->err->code == ERROR_NONE;
}

bool
speedscope_read_shared(struct speedscope_file *f)
{
	uint64_t offset = json_offset(f->json);
	struct text key;
	bool ok;

	if (!speedscope_enter(f, JSON_OBJECT, "\"shared\"", -1))
		return false;
	while (json_more_keys(f->json, &key, f->in->err)) {
		if (text_equal(key, TEXT_LITERAL("frames"))) {
			ok = read_frames(f);
		} else {
			key = arena_text(&f->frame_arena, key);
			ok = speedscope_read_raw(f) &&
			     speedscope_odd_member(f, &f->shared_members, key);
		}
		if (!ok)
			return false;
	}
	if (!f->has_frames && f->in->err->code == ERROR_NONE)
		return reader_refuse_at(f->in, offset, "\"shared\" has no \"frames\"");
	return f->in->err->code == ERROR_NONE;
}
