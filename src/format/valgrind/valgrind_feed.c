/*
 * Feeds a window of the file to expat. Nine tenths of a large file are frames, and most of them
 * repeat byte for byte. So the bytes of each frame are looked up first: if expat has read the same
 * bytes before, the frame is added without calling expat again. The bytes mean the same in both
 * places, because both are between the frames of a stack.
 */
#include "valgrind_parser.h"

#include "base/array.h"

#include <stdlib.h>

enum {
	MAX_FRAME_BYTES = 16 * 1024, /* of a frame that is looked up */
	MAX_KNOWN_FRAMES = 256 * 1024,
	NEAR_BYTES = 2048, /* in which nearly any frame ends */
};

static const char stack_begin_tag[] = "<stack>";
static const char frame_begin_tag[] = "<frame>";
static const char frame_end_tag[] = "</frame>";

uint64_t
valgrind_token_index(struct vg_parser *p)
{
	XML_Index index = XML_GetCurrentByteIndex(p->expat);

	/* In the middle of a token expat may report no position: the last one is still valid. */
	if (index >= 0)
		p->token = (uint64_t)index;
	return p->token;
}

bool
valgrind_feed(struct vg_parser *p, const char *data, size_t size, uint64_t offset)
{
	p->piece_fed = p->fed;
	p->piece_offset = offset;
	p->fed += size;
	if (XML_Parse(p->expat, data, (int)size, 0) != XML_STATUS_OK) {
		p->refused = true;
		return false;
	}
	/* expat holds a tag or comment whole, and scans it again with every piece. */
	if (p->fed - valgrind_token_index(p) > VG_MAX_TOKEN_BYTES) {
		p->builder.broken = "a tag or comment is too long";
		return false;
	}
	return true;
}

static bool
feed_next(struct vg_parser *p, const char *data, size_t size)
{
	return valgrind_feed(p, data, size, valgrind_input_offset(&p->in));
}

/* Has expat reported all it was fed, and is the next thing a frame or the stack's end? */
static bool
is_between_frames(const struct vg_parser *p)
{
	return p->event_end == p->fed && valgrind_builder_between_frames(&p->builder);
}

static size_t
blanks(const char *data, size_t size)
{
	size_t n = 0;

	while (n < size &&
		(data[n] == ' ' || data[n] == '\n' || data[n] == '\t' || data[n] == '\r'))
		n++;
	return n;
}

/*
 * After the frame's end tag, NULL if it is missing. The tag ends a line, and a frame has few
 * lines: checking those is faster than searching all bytes. This may skip an end tag inside a
 * line; expat then reads both frames at once, and neither is kept.
 */
static const char *
frame_end(const char *data, size_t size)
{
	const size_t tag = sizeof(frame_end_tag) - 1;
	const char *end = data + (size < NEAR_BYTES ? size : NEAR_BYTES);

	for (const char *s = data; (s = memchr(s, '\n', (size_t)(end - s))); s++)
		if ((size_t)(s - data) >= tag && memcmp(s - tag, frame_end_tag, tag) == 0)
			return s;
	end = valgrind_find(data, size, frame_end_tag);
	return end ? end + tag : NULL;
}

enum step {
	STEP_FED,
	STEP_MORE, /* needs more bytes */
	STEP_NOT,  /* not a frame that can be looked up */
};

static enum step
feed_frame(struct vg_parser *p, const char *data, size_t size)
{
	struct vg_document *d = p->document;
	uint64_t before = p->builder.frames_ended;
	size_t at = blanks(data, size);
	size_t all = size < MAX_FRAME_BYTES ? size : MAX_FRAME_BYTES;
	const char *end;
	uint32_t known;

	if (size - at < sizeof(frame_begin_tag))
		return at < MAX_FRAME_BYTES ? STEP_MORE : STEP_NOT;
	if (memcmp(data + at, frame_begin_tag, sizeof(frame_begin_tag) - 1) != 0)
		return STEP_NOT;
	end = all > at ? frame_end(data + at, all - at) : NULL;
	if (!end)
		return size < MAX_FRAME_BYTES ? STEP_MORE : STEP_NOT;
	all = (size_t)(end - data);
	known = pair_map_get_bytes(&d->frame_index, data + at, all - at);
	/* If the record is full, expat reads the frame, so that the error has its place. */
	if (known != PAIR_MAP_NONE && p->builder.record.frame_count < VG_MAX_RECORD_ITEMS)
		valgrind_builder_frame(&p->builder, d->known_frames[known]);
	else if (feed_next(p, data, all) && is_between_frames(p) &&
		 p->builder.frames_ended == before + 1 && known == PAIR_MAP_NONE &&
		 d->known_count < MAX_KNOWN_FRAMES) {
		pair_map_add_bytes(
			&d->frame_index, data + at, all - at, (uint32_t)d->known_count, NULL);
		*ARRAY_ADD(d->known_frames, d->known_count, d->known_room) = p->builder.last_frame;
	}
	valgrind_input_skip(&p->in, all);
	return STEP_FED;
}

/* Feeds up to and including the next stack's start tag, or all. */
static void
feed_others(struct vg_parser *p, const char *data, size_t size)
{
	const char *stack = p->blind ? NULL : valgrind_find(data, size, stack_begin_tag);
	size_t n = stack ? (size_t)(stack - data) + sizeof(stack_begin_tag) - 1 : size;

	feed_next(p, data, n);
	/* In a comment full of such tags, expat would scan all of it again for every piece. */
	p->blind = stack && !is_between_frames(p);
	valgrind_input_skip(&p->in, n);
}

bool
valgrind_feed_some(struct vg_parser *p, const char *data, size_t size, bool last)
{
	enum step step = !last && is_between_frames(p) ? feed_frame(p, data, size) : STEP_NOT;

	if (step == STEP_NOT)
		feed_others(p, data, size);
	return step != STEP_MORE;
}
