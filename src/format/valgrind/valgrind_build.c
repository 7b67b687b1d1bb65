/* Turns the elements that expat reports into records. */
#include "base/array.h"
#include "format/common/text_scan.h"
#include "valgrind_private.h"

#include <stdlib.h>

/* The fields of a frame, as indexes of its places in the record's text. */
enum frame_field {
	FRAME_IP,
	FRAME_OBJ,
	FRAME_FN,
	FRAME_DIR,
	FRAME_FILE,
	FRAME_LINE,
	FRAME_FIELDS
};

void
valgrind_builder_init(struct vg_builder *b)
{
	*b = (struct vg_builder){ 0 };
	strbuf_init(&b->record.text, VG_MAX_RECORD_BYTES);
}

void
valgrind_builder_release(struct vg_builder *b)
{
	strbuf_release(&b->record.text);
	free(b->record.leaves);
	free(b->record.stacks);
	free(b->record.frames);
}

static void
clear_record(struct vg_record *r)
{
	strbuf_reset(&r->text);
	r->leaf_count = 0;
	r->stack_count = 0;
	r->frame_count = 0;
}

void
valgrind_builder_restart(struct vg_builder *b, bool inside)
{
	clear_record(&b->record);
	b->broken = NULL;
	b->in_stack = false;
	b->root_ended = false;
	b->misplaced = false;
	b->depth = inside ? 1 : 0;
	b->path[0] = VG_ROOT;
	b->has_child[0] = true;
}

static bool
has_room(struct vg_builder *b, size_t count)
{
	if (count < VG_MAX_RECORD_ITEMS)
		return true;
	b->broken = "it has too many parts";
	return false;
}

static void
add_frame(struct vg_builder *b, struct vg_frame frame)
{
	struct vg_record *r = &b->record;

	if (!has_room(b, r->frame_count))
		return;
	*ARRAY_ADD(r->frames, r->frame_count, r->frame_room) = frame;
	r->stacks[r->stack_count - 1].count++;
}

static void
add_stack(struct vg_builder *b, enum vg_element parent)
{
	struct vg_record *r = &b->record;

	if (!has_room(b, r->stack_count))
		return;
	*ARRAY_ADD(r->stacks, r->stack_count, r->stack_room) = (struct vg_stack){
		.parent = parent, .leaves = r->leaf_count, .first = r->frame_count
	};
	b->in_stack = true;
}

static void
add_leaf(struct vg_builder *b, struct vg_leaf leaf)
{
	struct vg_record *r = &b->record;

	if (!has_room(b, r->leaf_count))
		return;
	*ARRAY_ADD(r->leaves, r->leaf_count, r->leaf_room) = leaf;
}

/* --- frames ------------------------------------------------------------------------------ */

bool
valgrind_builder_between_frames(const struct vg_builder *b)
{
	return b->in_stack && b->depth && b->path[b->depth - 1] == VG_STACK;
}

void
valgrind_builder_frame(struct vg_builder *b, struct vg_frame frame)
{
	add_frame(b, frame);
}

static int
frame_field(enum vg_element e)
{
	switch ((int)e) {
	case VG_IP:
		return FRAME_IP;
	case VG_OBJ:
		return FRAME_OBJ;
	case VG_FN:
		return FRAME_FN;
	case VG_DIR:
		return FRAME_DIR;
	case VG_FILE:
		return FRAME_FILE;
	case VG_LINE:
		return FRAME_LINE;
	default:
		return FRAME_FIELDS;
	}
}

/* NULL if the frame has no such field. */
static struct text
field_text(const struct vg_builder *b, enum frame_field f)
{
	if (!b->fields[f].size)
		return TEXT_NULL;
	return (struct text){ b->record.text.data + b->fields[f].begin, b->fields[f].size };
}

/* Folder and file, valid until the record ends. */
static struct text
source_file(struct vg_builder *b)
{
	struct strbuf *text = &b->record.text;
	struct text dir = field_text(b, FRAME_DIR);
	struct text file = field_text(b, FRAME_FILE);
	size_t begin = text->size;

	if (text_is_empty(file) || text_is_empty(dir))
		return file;
	/* The fields are in the same buffer, which may move as it grows. */
	if (!strbuf_reserve(text, dir.size + file.size + 2))
		return file;
	strbuf_append_text(text, field_text(b, FRAME_DIR));
	if (text->data[text->size - 1] != '/')
		strbuf_append_char(text, '/');
	strbuf_append_text(text, field_text(b, FRAME_FILE));
	return (struct text){ text->data + begin, text->size - begin };
}

/* Is it valgrind's own replacement for the allocator? */
static bool
is_preloaded(struct text module)
{
	return text_begins(text_basename(module), "vgpreload_");
}

static void
note_routine(struct vg_document *d, int64_t number, const struct frame *frame)
{
	ARRAY_RESERVE_ZEROED(d->routines, d->routine_room, (size_t)number + 1);
	if (d->routines[number].known)
		return;
	d->routines[number] =
		(struct vg_routine){ .function = arena_text(&d->arena, frame->function),
			.module = arena_text(&d->arena, frame->module),
			.allocates = is_allocator(frame->function),
			.preloaded = is_preloaded(frame->module),
			.known = true };
}

static void
end_frame(struct vg_builder *b)
{
	struct vg_document *d = b->document;
	struct frame frame = { .module = field_text(b, FRAME_OBJ),
		.function = field_text(b, FRAME_FN) };
	struct text ip = field_text(b, FRAME_IP);
	struct text line = field_text(b, FRAME_LINE);
	uint64_t number;

	if (!text_is_null(line) && valgrind_number(line, &number) && number <= INT32_MAX)
		frame.line = (int64_t)number;
	/* An address is valid for one run only, so it must not be part of a stack's identity. */
	b->last_frame = (struct vg_frame){ .numbers = { 0, 0 } };
	if (text_is_null(frame.function) && !text_is_null(ip) && valgrind_number(ip, &number))
		b->last_frame.ip = number;
	frame.file = source_file(b);
	/* source_file may have moved the text. */
	frame.module = field_text(b, FRAME_OBJ);
	frame.function = field_text(b, FRAME_FN);
	if (!valgrind_document_set(d)) {
		b->failed = true;
		return;
	}
	if (d->frames) {
		if (!frame_intern(d->frames, &frame, &b->last_frame.numbers, d->in->err)) {
			b->failed = true;
			return;
		}
		note_routine(d, b->last_frame.numbers.routine, &frame);
	}
	b->frames_ended++;
	add_frame(b, b->last_frame);
}

/* --- elements ---------------------------------------------------------------------------- */

static bool
in_comment(const struct vg_builder *b)
{
	return b->depth > 1 && b->path[1] == VG_USERCOMMENT;
}

/* Records must not be nested: after a cut one, the caller starts again at the next. */
static bool
is_misplaced(const struct vg_builder *b, enum vg_element e)
{
	if (in_comment(b))
		return false;
	if (b->depth == 0)
		return false;
	return e == VG_ROOT || (b->depth > 1 && valgrind_is_record(e));
}

void
valgrind_builder_start(struct vg_builder *b, enum vg_element e, const char *name, uint64_t offset)
{
	struct strbuf *text = &b->record.text;
	enum vg_element parent = b->depth ? b->path[b->depth - 1] : VG_OTHER;

	if (is_misplaced(b, e)) {
		b->broken = "another one begins inside it";
		b->misplaced = true;
		return;
	}
	if (b->depth == VG_MAX_DEPTH) {
		b->broken = "elements are nested too deep";
		return;
	}
	if (b->depth == 0 && e != VG_ROOT) {
		b->broken = "the document element is not valgrindoutput";
		return;
	}
	if (b->depth == 1) {
		clear_record(&b->record);
		b->record.element = e;
		b->record.offset = offset;
	} else if (b->depth && !b->has_child[b->depth - 1]) {
		/* Removes the blanks before the first child. */
		text->size = b->begins[b->depth - 1];
	}
	if (b->depth)
		b->has_child[b->depth - 1] = true;
	else
		b->document->rooted = true;
	b->path[b->depth] = e;
	b->has_child[b->depth] = false;
	b->names[b->depth] = (uint32_t)text->size;
	strbuf_append(text, name, strlen(name) + 1);
	b->begins[b->depth] = (uint32_t)text->size;
	b->depth++;
	if (e == VG_STACK && b->depth > 1 && !b->in_stack)
		add_stack(b, parent);
	else if (e == VG_FRAME)
		memset(b->fields, 0, sizeof(b->fields));
}

void
valgrind_builder_text(struct vg_builder *b, const char *data, size_t size)
{
	struct strbuf *text = &b->record.text;
	size_t from = 0;

	if (b->depth < 2 || b->has_child[b->depth - 1])
		return;
	for (size_t i = 0; b->repair && i < size; i++) {
		if (data[i] != 0x7F)
			continue;
		strbuf_append(text, data + from, i - from);
		strbuf_append_str(text, "\xEF\xBF\xBD");
		from = i + 1;
	}
	strbuf_append(text, data + from, size - from);
	if (text->failed)
		b->broken = "its text is too long";
}

static void
end_leaf(struct vg_builder *b, enum vg_element e, enum vg_element parent)
{
	struct strbuf *text = &b->record.text;
	struct vg_leaf leaf = { .element = e,
		.parent = parent,
		.name = b->names[b->depth],
		.parent_name = b->names[b->depth - 1],
		.begin = b->begins[b->depth],
		.size = (uint32_t)text->size - b->begins[b->depth] };
	int field = parent == VG_FRAME && b->in_stack ? frame_field(e) : FRAME_FIELDS;

	if (field < FRAME_FIELDS) {
		b->fields[field].begin = leaf.begin;
		b->fields[field].size = leaf.size;
		return;
	}
	strbuf_append_char(text, '\0');
	add_leaf(b, leaf);
}

/* There may be as many counts as errors, so the leaves are removed after each count. */
static void
end_pair(struct vg_builder *b)
{
	struct vg_record *r = &b->record;
	uint64_t count = 0;
	uint64_t unique = 0;
	bool has_count = false;
	bool has_unique = false;

	for (size_t i = 0; i < r->leaf_count; i++) {
		struct text t = vg_leaf_text(r, &r->leaves[i]);

		if (r->leaves[i].element == VG_COUNT)
			has_count = valgrind_number(t, &count);
		else if (r->leaves[i].element == VG_UNIQUE)
			has_unique = valgrind_number(t, &unique);
	}
	if (has_count && has_unique)
		valgrind_count_add(b->document, unique, count);
	r->leaf_count = 0;
	r->text.size = b->names[b->depth];
}

void
valgrind_builder_end(struct vg_builder *b, uint64_t offset)
{
	enum vg_element e, parent;

	if (b->depth == 0)
		return;
	e = b->path[--b->depth];
	parent = b->depth ? b->path[b->depth - 1] : VG_OTHER;
	if (b->depth == 0) {
		b->root_ended = true;
		return;
	}
	if (e == VG_FRAME && parent == VG_STACK && b->in_stack) {
		end_frame(b);
		b->record.text.size = b->names[b->depth];
	} else if (e == VG_STACK && b->in_stack) {
		b->in_stack = false;
	} else if (!b->has_child[b->depth]) {
		end_leaf(b, e, parent);
	} else if (e == VG_PAIR && parent == VG_ERRORCOUNTS) {
		end_pair(b);
	}
	if (b->record.text.failed)
		b->broken = "its text is too long";
	b->record.end = offset;
	if (b->depth == 1 && !b->broken && !b->failed &&
		!valgrind_document_record(b->document, &b->record))
		b->failed = true;
}
