/* Turns the elements that expat reports into records. */
#include "base/array.h"
#include "format/common/text_scan.h"
#include "valgrind_private.h"
#include "valgrind_seen.h"

#include <stdlib.h>

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

void
valgrind_builder_frame(struct vg_builder *b, struct vg_frame frame)
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

/* The field of the current frame; NULL if the frame has no such field. */
static struct text
frame_field(const struct vg_builder *b, enum vg_element element)
{
	const struct vg_record *r = &b->record;

	for (size_t i = b->frame_leaves; i < r->leaf_count; i++)
		if (r->leaves[i].element == element && r->leaves[i].size)
			return vg_leaf_text(r, &r->leaves[i]);
	return TEXT_NULL;
}

/* The path of the current frame's source file, valid until the record ends. */
static struct text
source_file(const struct vg_builder *b)
{
	struct strbuf *path = &b->document->notes;
	struct text dir = frame_field(b, VG_DIR);
	struct text file = frame_field(b, VG_FILE);

	if (text_is_empty(file) || text_is_empty(dir))
		return file;
	strbuf_reset(path);
	strbuf_append_text(path, dir);
	if (dir.data[dir.size - 1] != '/')
		strbuf_append_char(path, '/');
	strbuf_append_text(path, file);
	return strbuf_text(path);
}

/* Returns whether the module is valgrind's own replacement for the allocator. */
static bool
is_preloaded(struct text module)
{
	return text_begins(text_basename(module), "vgpreload_");
}

static struct vg_routine
new_routine(struct text function, struct text module)
{
	return (struct vg_routine){ .function = function,
		.module = module,
		.allocates = is_allocator(function),
		.preloaded = is_preloaded(module),
		.known = true };
}

static void
note_routine(struct vg_document *d, int64_t number, const struct vg_seen_frame *f)
{
	const struct frame *frame = &f->frame;

	ARRAY_RESERVE_ZEROED(d->routines, d->routine_room, (size_t)number + 1);
	if (d->routines[number].known)
		return;
	if (f->routine.known) {
		d->routines[number] = f->routine;
		return;
	}
	d->routines[number] = new_routine(
		arena_text(&d->arena, frame->function), arena_text(&d->arena, frame->module));
}

bool
valgrind_builder_intern(struct vg_builder *b, const struct vg_seen_frame *f)
{
	struct vg_document *d = b->document;

	/* An address is valid for one run only, so it must not be part of a stack's identity. */
	b->last_frame = (struct vg_frame){ .numbers = { 0, 0 }, .ip = f->ip };
	if (!valgrind_document_set(d))
		return false;
	if (d->frames) {
		if (!frame_intern(d->frames, &f->frame, &b->last_frame.numbers, d->in->err))
			return false;
		note_routine(d, b->last_frame.numbers.routine, f);
	}
	valgrind_builder_frame(b, b->last_frame);
	return true;
}

/* Copies the frame, so that later documents can use it. */
static void
keep_frame(struct vg_seen *seen, const struct vg_seen_frame *f)
{
	struct vg_seen_frame *item = ARRAY_ADD(seen->items, seen->count, seen->room);
	struct frame *frame = &item->frame;

	*item = *f;
	frame->module = arena_text(&seen->arena, frame->module);
	frame->function = arena_text(&seen->arena, frame->function);
	frame->file = arena_text(&seen->arena, frame->file);
	item->routine = new_routine(frame->function, frame->module);
}

static bool
end_frame(struct vg_builder *b)
{
	struct vg_seen_frame f = { .frame = { .module = frame_field(b, VG_OBJ),
					   .function = frame_field(b, VG_FN),
					   .file = source_file(b) } };
	uint64_t number;

	if (valgrind_number(frame_field(b, VG_LINE), &number) && number <= INT32_MAX)
		f.frame.line = (int64_t)number;
	if (text_is_null(f.frame.function) && valgrind_number(frame_field(b, VG_IP), &number))
		f.ip = number;
	if (b->seen)
		keep_frame(b->seen, &f);
	b->frames_ended++;
	b->record.leaf_count = b->frame_leaves;
	return valgrind_builder_intern(b, &f);
}

/* Returns whether a record begins inside another record. Records are never nested, except in
 * comments. The outer record was therefore cut off, and parsing must restart at the inner
 * record. */
static bool
is_misplaced(const struct vg_builder *b, enum vg_element e)
{
	if (b->depth < 2)
		return b->depth && e == VG_ROOT;
	return b->path[1] != VG_USERCOMMENT && (e == VG_ROOT || valgrind_is_record(e));
}

void
valgrind_builder_start(struct vg_builder *b, enum vg_element e, const char *name, uint64_t offset)
{
	struct strbuf *text = &b->record.text;
	enum vg_element parent = b->depth ? b->path[b->depth - 1] : VG_OTHER;

	if (is_misplaced(b, e)) {
		b->broken = "another record begins inside it";
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
		b->frame_leaves = b->record.leaf_count;
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
	struct vg_record *r = &b->record;
	struct strbuf *text = &r->text;
	struct vg_leaf leaf = { .element = e,
		.parent = parent,
		.name = b->names[b->depth],
		.parent_name = b->names[b->depth - 1],
		.begin = b->begins[b->depth],
		.size = (uint32_t)text->size - b->begins[b->depth] };

	strbuf_append_char(text, '\0');
	if (has_room(b, r->leaf_count))
		*ARRAY_ADD(r->leaves, r->leaf_count, r->leaf_room) = leaf;
}

/* Reads a <pair>, which has an error's count. A document may have as many pairs as errors, so the
 * leaves of each pair are removed after they have been read. */
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
		b->failed |= !end_frame(b);
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
