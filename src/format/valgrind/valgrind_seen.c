/* Looks up frames and stacks by their bytes. */
#define _GNU_SOURCE /* memmem */
#include "valgrind_seen.h"

#include "base/array.h"
#include "base/char.h"

#include <stdlib.h>
#include <string.h>

enum {
	MAX_STACK_BYTES = 16 * 1024,    /* longer stacks are not looked up */
	MAX_STACK_FRAMES = 1024 * 1024, /* of all known stacks together */
};

static const char frame_begin_tag[] = "<frame>";
static const char frame_end_tag[] = "</frame>";
static const char stack_end_tag[] = "</stack>";

void
valgrind_seen_release(struct vg_seen *seen)
{
	pair_map_release(&seen->index);
	pair_map_release(&seen->stack_index);
	arena_release(&seen->arena);
	free(seen->items);
	free(seen->stacks);
	free(seen->stack_frames);
}

void
valgrind_seen_add_frame(struct vg_seen *seen, struct vg_builder *b, uint32_t index)
{
	struct vg_seen_frame *f = &seen->items[index];

	if (f->document == seen->document) {
		valgrind_builder_frame(b, f->interned);
	} else if (valgrind_builder_intern(b, f)) {
		f->document = seen->document;
		f->interned = b->last_frame;
	} else {
		b->failed = true;
	}
}

bool
valgrind_seen_add_stack(struct vg_seen *seen, struct vg_builder *b, struct text bytes)
{
	struct hash128 key = hash128_seeded(bytes.data, bytes.size, process_seed());
	uint32_t known = pair_map_get(&seen->stack_index, (int64_t)key.low, (int64_t)key.high);
	const struct vg_seen_stack *stack;

	if (known == PAIR_MAP_NONE) {
		if (seen->stack_frame_count == MAX_STACK_FRAMES)
			return false;
		seen->pending_key = key;
		seen->pending_bytes = bytes.size;
		seen->pending_first = seen->stack_frame_count;
		return false;
	}
	stack = &seen->stacks[known];
	if (b->record.frame_count + stack->count > VG_MAX_RECORD_ITEMS)
		return false;
	for (uint32_t i = 0; i < stack->count && !b->failed; i++)
		valgrind_seen_add_frame(seen, b, seen->stack_frames[stack->first + i]);
	return true;
}

void
valgrind_seen_drop(struct vg_seen *seen)
{
	if (!seen->pending_bytes)
		return;
	seen->pending_bytes = 0;
	seen->stack_frame_count = seen->pending_first;
}

void
valgrind_seen_note(struct vg_seen *seen, uint32_t index, size_t size)
{
	const struct hash128 *key = &seen->pending_key;
	struct vg_seen_stack stack = { .first = seen->pending_first };

	if (!seen->pending_bytes)
		return;
	if (index == PAIR_MAP_NONE || size > seen->pending_bytes ||
		seen->stack_frame_count == MAX_STACK_FRAMES) {
		valgrind_seen_drop(seen);
		return;
	}
	*ARRAY_ADD(seen->stack_frames, seen->stack_frame_count, seen->stack_frame_room) = index;
	seen->pending_bytes -= size;
	if (seen->pending_bytes)
		return;
	stack.count = (uint32_t)(seen->stack_frame_count - stack.first);
	pair_map_add(&seen->stack_index, (int64_t)key->low, (int64_t)key->high,
		(uint32_t)seen->stack_count, NULL);
	*ARRAY_ADD(seen->stacks, seen->stack_count, seen->stack_room) = stack;
}

/* Returns whether the text's first tag begins a frame. */
static bool
begins_frame(struct text t)
{
	const char *begin = memchr(t.data, '<', t.size);

	return begin && text_begins(text_from_at(t, (size_t)(begin - t.data)), frame_begin_tag);
}

size_t
valgrind_frame_size(struct text t)
{
	const char *end;

	t = text_up_to(t, VG_MAX_FRAME_BYTES);
	if (!begins_frame(t))
		return 0;
	end = memmem(t.data, t.size, frame_end_tag, sizeof(frame_end_tag) - 1);
	return end ? (size_t)(end - t.data) + sizeof(frame_end_tag) - 1 : 0;
}

struct text
valgrind_stack_bytes(struct text t)
{
	const char *tag = NULL;
	size_t end;

	t = text_up_to(t, MAX_STACK_BYTES);
	/* text_find is slower here, because the text has many tags. */
	if (begins_frame(t))
		tag = memmem(t.data, t.size, stack_end_tag, sizeof(stack_end_tag) - 1);
	end = tag ? (size_t)(tag - t.data) : 0;
	while (end && char_is_space(t.data[end - 1]))
		end--;
	return text_up_to(t, end);
}
