/*
 * expat sees what is not plain. Plain are:
 * - frames that came before. Nine tenths of such a file are frames, and most of them come again
 *   byte for byte: between the frames of a stack a frame's bytes are looked up first. What stands
 *   there was a whole element when it was read at such a place, so it is one again.
 * - inside of the document element, tags of nothing but a name, and elements of nothing but ASCII
 *   text between two of these: there is one way only to read them.
 * Where something else comes, expat is told first which elements were opened without it.
 */
#include "valgrind_parser.h"
#include "valgrind_plain.h"

#include "base/hash.h"

#include <stdlib.h>

enum {
	MAX_FRAME_BYTES = 16 * 1024, /* of one that is looked up */
	MAX_TAG_BYTES = 64,          /* of one that expat is given alone */
	FRAME_END_BYTES = sizeof("</frame>") - 1,
};

static const char stack_begin_tag[] = "<stack>";
static const char frame_begin_tag[] = "<frame>";

enum step {
	STEP_TAKEN,
	STEP_MORE, /* bytes are needed to tell */
	STEP_NOT,
};

/* --- feeding expat ----------------------------------------------------------------------- */

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
	/* A tag or comment is held whole, and looked at anew with every piece. */
	if (p->fed - valgrind_token_index(p) > VG_MAX_TOKEN_BYTES) {
		p->builder.broken = "a tag or comment is too long";
		return false;
	}
	return true;
}

/* The elements that were opened without expat. It is between tags then, and says nothing of
 * them. */
static void
catch_up(struct vg_parser *p)
{
	const struct vg_builder *b = &p->builder;
	uint64_t offset = valgrind_input_offset(&p->in);

	p->muted = true;
	for (; p->expat_depth < b->depth; p->expat_depth++) {
		char tag[VG_PLAIN_NAME_BYTES + 2];
		int n = snprintf(
			tag, sizeof(tag), "<%s>", b->record.text.data + b->names[p->expat_depth]);

		valgrind_feed(p, tag, (size_t)n, offset - (uint64_t)n);
		p->event_end = p->fed;
	}
	p->muted = false;
}

/* What stands next. */
static bool
feed(struct vg_parser *p, const char *data, size_t size)
{
	catch_up(p);
	return valgrind_feed(p, data, size, valgrind_input_offset(&p->in));
}

/* --- frames ------------------------------------------------------------------------------ */

/* Behind a tag of the document element's inside. */
static bool
is_between_tags(const struct vg_parser *p)
{
	return p->event_end == p->fed && p->builder.depth > 0;
}

static bool
is_ready(const struct vg_parser *p)
{
	return is_between_tags(p) && valgrind_builder_between_frames(&p->builder);
}

/* What is near a limit or out of place is expat's: it tells where. */
static bool
has_room(const struct vg_builder *b)
{
	const struct vg_record *r = &b->record;

	return b->depth > 0 && b->depth + 2 < VG_MAX_DEPTH &&
	       r->text.size < VG_MAX_RECORD_BYTES / 2 && r->leaf_count < VG_MAX_RECORD_ITEMS / 2 &&
	       r->stack_count < VG_MAX_RECORD_ITEMS / 2 && r->frame_count < VG_MAX_RECORD_ITEMS / 2;
}

static bool
is_leaf(enum vg_element e)
{
	return e != VG_ROOT && e != VG_FRAME && e != VG_STACK && !valgrind_is_record(e);
}

/* A child of the document element. */
static bool
is_record_start(const struct vg_builder *b, enum vg_element e)
{
	return b->depth == 1 && e != VG_ROOT && e != VG_STACK && e != VG_FRAME;
}

static void
build_leaf(struct vg_builder *b, enum vg_element e, const char *name, uint64_t offset,
	struct text text, uint64_t text_offset)
{
	valgrind_builder_start(b, e, name, offset);
	valgrind_builder_text(b, text.data, text.size);
	valgrind_builder_end(b, text_offset + text.size);
}

/* The elements of a frame from begin to end tag; false: something else stands in it. build: it
 * was asked before. */
static bool
walk_frame(struct vg_builder *b, const char *data, size_t size, uint64_t offset, bool build)
{
	const size_t end = size - FRAME_END_BYTES;
	size_t at = sizeof(frame_begin_tag) - 1;

	if (build)
		valgrind_builder_start(b, VG_FRAME, "frame", offset);
	for (at += valgrind_blanks(data + at, end - at); at < end;
		at += valgrind_blanks(data + at, end - at)) {
		char name[VG_PLAIN_NAME_BYTES];
		struct text text;
		size_t n = valgrind_plain_element(data + at, end - at, name, &text);
		enum vg_element e = n ? valgrind_element(name) : VG_ROOT;

		if (!is_leaf(e))
			return false;
		if (build)
			build_leaf(b, e, name, offset + at, text,
				offset + (uint64_t)(text.data - data));
		at += n;
	}
	if (build)
		valgrind_builder_end(b, offset + end);
	return true;
}

static bool
take_plain_frame(struct vg_parser *p, const char *data, size_t size, uint64_t offset)
{
	return has_room(&p->builder) && walk_frame(&p->builder, data, size, offset, false) &&
	       walk_frame(&p->builder, data, size, offset, true);
}

/* A frame that begins here, behind blanks. */
static enum step
take_frame(struct vg_parser *p, const char *data, size_t size)
{
	struct vg_document *d = p->document;
	uint64_t before = p->builder.frames_ended;
	size_t blanks = valgrind_blanks(data, size);
	size_t all;
	const char *end;
	struct hash128 h;
	const struct vg_frame *known;

	if (size - blanks < sizeof(frame_begin_tag))
		return blanks < MAX_FRAME_BYTES ? STEP_MORE : STEP_NOT;
	if (memcmp(data + blanks, frame_begin_tag, sizeof(frame_begin_tag) - 1) != 0)
		return STEP_NOT;
	all = size;
	if (all > MAX_FRAME_BYTES)
		all = MAX_FRAME_BYTES;
	end = all > blanks ? valgrind_frame_end(data + blanks, all - blanks) : NULL;
	if (!end)
		return size < MAX_FRAME_BYTES ? STEP_MORE : STEP_NOT;
	all = (size_t)(end - data);
	h = hash128_seeded(data + blanks, all - blanks, p->in.seed);
	known = valgrind_frames_find(&d->known_frames, h);
	/* Where the record has no room for it the others tell that, with its place. */
	if (known && p->builder.record.frame_count < VG_MAX_RECORD_ITEMS)
		valgrind_builder_frame(&p->builder, *known);
	else if ((take_plain_frame(
			  p, data + blanks, all - blanks, valgrind_input_offset(&p->in) + blanks) ||
			 feed(p, data, all)) &&
		 is_ready(p) && p->builder.frames_ended == before + 1 && !known)
		valgrind_frames_add(&d->known_frames, h, p->builder.last_frame);
	valgrind_input_skip(&p->in, all);
	return STEP_TAKEN;
}

/* --- tags -------------------------------------------------------------------------------- */

static bool
is_plain_start(const struct vg_builder *b, enum vg_element e)
{
	return has_room(b) && (is_leaf(e) || e == VG_STACK || is_record_start(b, e));
}

/* Of the innermost element, which expat does not know. */
static bool
is_plain_end(const struct vg_parser *p, const char *name)
{
	const struct vg_builder *b = &p->builder;

	return b->depth > p->expat_depth && has_room(b) &&
	       strcmp(b->record.text.data + b->names[b->depth - 1], name) == 0;
}

static bool
take_leaf(struct vg_parser *p, const char *data, size_t size, size_t blanks)
{
	uint64_t offset = valgrind_input_offset(&p->in);
	char name[VG_PLAIN_NAME_BYTES];
	struct text text;
	size_t n = valgrind_plain_element(data + blanks, size - blanks, name, &text);
	enum vg_element e;

	e = n ? valgrind_element(name) : VG_ROOT;
	if (!has_room(&p->builder) || !(is_leaf(e) || is_record_start(&p->builder, e)))
		return false;
	build_leaf(
		&p->builder, e, name, offset + blanks, text, offset + (uint64_t)(text.data - data));
	valgrind_input_skip(&p->in, blanks + n);
	return true;
}

static bool
take_plain_tag(struct vg_parser *p, const char *data, size_t size, size_t blanks)
{
	struct vg_builder *b = &p->builder;
	uint64_t offset = valgrind_input_offset(&p->in) + blanks;
	char name[VG_PLAIN_NAME_BYTES];
	bool end;
	size_t n = valgrind_plain_tag(data + blanks, size - blanks, name, &end);
	enum vg_element e;

	/* XML makes other line ends of carriage returns. */
	if (!n || memchr(data, '\r', blanks))
		return false;
	if (end) {
		if (!is_plain_end(p, name))
			return false;
		valgrind_builder_text(b, data, blanks);
		valgrind_builder_end(b, offset);
	} else {
		e = valgrind_element(name);
		if (!is_plain_start(b, e))
			return false;
		valgrind_builder_text(b, data, blanks);
		valgrind_builder_start(b, e, name, offset);
	}
	valgrind_input_skip(&p->in, blanks + n);
	return true;
}

/* An element of plain text, or one tag. */
static enum step
take_tag(struct vg_parser *p, const char *data, size_t size)
{
	size_t blanks = valgrind_blanks(data, size);
	const char *tag = data + blanks;
	size_t left = size - blanks;
	const char *end = NULL;

	if (take_leaf(p, data, size, blanks) || take_plain_tag(p, data, size, blanks))
		return STEP_TAKEN;
	if (left > 2 && tag[0] == '<' && (tag[1] == '/' || (tag[1] >= 'a' && tag[1] <= 'z')))
		end = memchr(tag, '>', left < MAX_TAG_BYTES ? left : MAX_TAG_BYTES);
	if (!end)
		return left < VG_NEAR_BYTES ? STEP_MORE : STEP_NOT;
	feed(p, data, (size_t)(end - data) + 1);
	valgrind_input_skip(&p->in, (size_t)(end - data) + 1);
	return STEP_TAKEN;
}

/* Up to the next stack, or all there is. */
static void
take_others(struct vg_parser *p, const char *data, size_t size)
{
	const char *stack = p->blind ? NULL : valgrind_find(data, size, stack_begin_tag);
	size_t n = stack ? (size_t)(stack - data) + sizeof(stack_begin_tag) - 1 : size;

	feed(p, data, n);
	/* In a comment of such tags small pieces would each be a search of all of it. */
	p->blind = stack && !is_ready(p);
	valgrind_input_skip(&p->in, n);
}

bool
valgrind_take(struct vg_parser *p, const char *data, size_t size)
{
	enum step step = is_ready(p) ? take_frame(p, data, size) : STEP_NOT;

	if (step == STEP_NOT && is_between_tags(p))
		step = take_tag(p, data, size);
	if (step == STEP_NOT)
		take_others(p, data, size);
	return step != STEP_MORE;
}

void
valgrind_take_rest(struct vg_parser *p, const char *data, size_t size)
{
	if (!is_between_tags(p) || take_tag(p, data, size) != STEP_TAKEN)
		take_others(p, data, size);
}
