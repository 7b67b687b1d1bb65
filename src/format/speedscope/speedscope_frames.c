#include "base/hash.h"
#include "base/pair_map.h"
#include "format/common/demangle.h"
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

static enum frame_key
frame_key(struct text key)
{
	static const char *const names[] = { "name", "file", "line", "key" };
	enum frame_key k = FRAME_NAME;

	while (k < FRAME_OTHER && !text_equal(key, text_from(names[k])))
		k++;
	return k;
}

/* Of a frame with a key of its own; others are their index. */
static void
keep_key(struct speedscope_file *f, uint32_t frame)
{
	if (!f->keys) {
		f->key_room = 64;
		f->keys = xcalloc(f->key_room, sizeof(*f->keys));
	}
	if (frame >= f->key_room) {
		size_t room = f->key_room;

		while (frame >= room)
			room *= 2;
		f->keys = xrealloc(f->keys, room * sizeof(*f->keys));
		memset(f->keys + f->key_room, 0, (room - f->key_room) * sizeof(*f->keys));
		f->key_room = room;
	}
	f->keys[frame] = arena_text(&f->arena, strbuf_text(&f->scratch));
}

static void
item_member(struct speedscope_file *f, struct text key)
{
	strbuf_append_char(&f->item, f->item.size ? ',' : '{');
	json_append_depot_text(&f->item, key);
	strbuf_append_char(&f->item, ':');
	strbuf_append_text(&f->item, strbuf_text(&f->scratch));
}

/* Into *text when it is a string, else among what is odd. */
static bool
read_text_member(struct speedscope_file *f, struct text key, struct text *text)
{
	struct text value;
	enum speedscope_value v = speedscope_read_text(f, &value);

	if (v == SPEEDSCOPE_GOOD)
		*text = arena_text(&f->frame_arena, value);
	else if (v != SPEEDSCOPE_FAILED)
		item_member(f, key);
	return v != SPEEDSCOPE_FAILED;
}

static bool
read_line(struct speedscope_file *f, struct text key, int64_t *line)
{
	enum json_type type;
	bool ok = false;
	struct text t;
	struct decimal d;

	if (!json_peek(f->json, &type, f->err))
		return false;
	if (type != JSON_NUMBER) {
		if (!speedscope_read_raw(f))
			return false;
		item_member(f, key);
		return true;
	}
	if (!json_read_number(f->json, &t, f->err))
		return false;
	ok = decimal_parse(t, &d) == DECIMAL_OK && d.kind == DECIMAL_COMPACT && d.scale == 0 &&
	     d.mantissa != MODEL_NULL;
	if (ok) {
		*line = d.mantissa;
		return true;
	}
	strbuf_reset(&f->scratch);
	strbuf_append_text(&f->scratch, t);
	item_member(f, key);
	return true;
}

static bool
read_frame_member(struct speedscope_file *f, struct text borrowed, struct routine_row *row)
{
	struct text key = arena_text(&f->frame_arena, borrowed);
	enum frame_key k = frame_key(key);

	if (k == FRAME_NAME || k == FRAME_FILE)
		return read_text_member(
			f, key, k == FRAME_NAME ? &row->routine_name : &row->source_file);
	if (k == FRAME_LINE)
		return read_line(f, key, &row->source_line);
	if (!speedscope_read_raw(f))
		return false;
	if (k == FRAME_KEY)
		keep_key(f, f->frame_count);
	item_member(f, key);
	return true;
}

static bool
tell_frame(struct speedscope_file *f, struct routine_row *row, uint64_t offset)
{
	struct strbuf plain;
	struct text name = row->routine_name;
	bool ok = true;

	if (!name.data)
		ok = speedscope_issue(f, ISSUE_ODD_VALUE, offset, "frame %" PRIu32 " has no name",
			f->frame_count);
	strbuf_init(&plain, DEMANGLE_MAX_BYTES);
	if (name.data && demangle(name, &plain, &row->routine_name))
		row->symbol_moniker = name;
	if (f->item.size) {
		strbuf_append_char(&f->item, '}');
		row->attributes = strbuf_text(&f->item);
	}
	ok = ok && f->sink->routine(f->sink, f->set, row, f->err);
	strbuf_release(&plain);
	return ok;
}

static bool
read_frame(struct speedscope_file *f)
{
	uint64_t offset = json_offset(f->json);
	struct routine_row row = { .id = f->frame_count,
		.parent_id = -1,
		.rec_id = f->frame_count,
		.hit_count = MODEL_NULL,
		.compiler = MODEL_NULL,
		.profile_lines = MODEL_NULL,
		.source_line = MODEL_NULL,
		.token = MODEL_NULL,
		.address = NUMBER_NULL };
	enum json_type type;
	struct text key;
	bool more;

	if (!json_peek(f->json, &type, f->err))
		return false;
	if (type != JSON_OBJECT)
		return speedscope_refuse(f, offset, "frame %" PRIu32 " is %s, not an object",
			f->frame_count, json_type_name(type));
	if (f->frame_count == SPEEDSCOPE_MAX_FRAMES)
		return error_set(f->err, ERROR_LIMIT, "%s: more than %d frames", f->name,
			SPEEDSCOPE_MAX_FRAMES);
	arena_reset(&f->frame_arena);
	strbuf_reset(&f->item);
	if (!json_enter(f->json, f->err))
		return false;
	for (;;) {
		if (!json_next_key(f->json, &key, &more, f->err))
			return false;
		if (!more)
			break;
		if (!read_frame_member(f, key, &row))
			return false;
	}
	if (!tell_frame(f, &row, offset))
		return false;
	f->frame_count++;
	speedscope_tick(f);
	return true;
}

/* The key of a frame as two words: its index when it has none of its own. */
static struct hash128
key_of(const struct speedscope_file *f, uint32_t frame)
{
	char digits[24];

	if (frame < f->key_room && f->keys[frame].data)
		return hash128(f->keys[frame].data, f->keys[frame].size);
	number_format_int64(frame, digits);
	return hash128(digits, strlen(digits));
}

/* Frames with equal keys are one: the first. */
static void
find_equal_keys(struct speedscope_file *f)
{
	struct pair_map seen;

	if (!f->keys)
		return;
	pair_map_init(&seen);
	f->canonical = xcalloc(f->frame_count ? f->frame_count : 1, sizeof(*f->canonical));
	for (uint32_t i = 0; i < f->frame_count; i++) {
		struct hash128 h = key_of(f, i);

		f->canonical[i] = pair_map_add(&seen, (int64_t)h.low, (int64_t)h.high, i, NULL);
	}
	pair_map_release(&seen);
}

static bool
read_frames(struct speedscope_file *f)
{
	enum json_type type;
	bool more;

	if (!json_peek(f->json, &type, f->err))
		return false;
	if (type != JSON_ARRAY)
		return speedscope_refuse(f, json_offset(f->json), "\"frames\" is %s, not an array",
			json_type_name(type));
	if (f->has_frames)
		return speedscope_refuse(f, json_offset(f->json), "\"frames\" stands there twice");
	f->has_frames = true;
	if (!json_enter(f->json, f->err))
		return false;
	for (;;) {
		if (!json_next_item(f->json, &more, f->err))
			return false;
		if (!more)
			break;
		if (!read_frame(f))
			return false;
	}
	find_equal_keys(f);
	return true;
}

bool
speedscope_read_shared(struct speedscope_file *f)
{
	uint64_t offset = json_offset(f->json);
	enum json_type type;
	struct text key;
	bool more;

	if (!json_peek(f->json, &type, f->err))
		return false;
	if (type != JSON_OBJECT)
		return speedscope_refuse(
			f, offset, "\"shared\" is %s, not an object", json_type_name(type));
	if (!json_enter(f->json, f->err))
		return false;
	for (;;) {
		bool ok;

		if (!json_next_key(f->json, &key, &more, f->err))
			return false;
		if (!more)
			break;
		if (text_equal(key, TEXT_LITERAL("frames"))) {
			ok = read_frames(f);
		} else {
			key = arena_text(&f->frame_arena, key);
			ok = speedscope_read_raw(f) && speedscope_odd_member(f, &f->shared_members,
							       key, strbuf_text(&f->scratch));
		}
		if (!ok)
			return false;
	}
	if (!f->has_frames)
		return speedscope_refuse(f, offset, "\"shared\" has no \"frames\"");
	return true;
}
