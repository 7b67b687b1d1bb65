/* The frames and stacks that the documents of a file share, and their bytes in the file. */
#ifndef PROFDEPOT_FORMAT_VALGRIND_VALGRIND_SEEN_H
#define PROFDEPOT_FORMAT_VALGRIND_VALGRIND_SEEN_H

#include "base/hash.h"
#include "valgrind_records.h"

enum {
	VG_MAX_FRAME_BYTES = 16 * 1024, /* longer frames are not looked up */
};

/* A frame that expat has read in any document of the file except the first. */
struct vg_seen_frame {
	struct frame frame;
	uint64_t ip; /* as in struct vg_frame */
	struct vg_routine routine;
	size_t document; /* number of the document that interned it last; 0 for none */
	struct vg_frame interned;
};

struct vg_seen_stack {
	size_t first; /* an index into stack_frames */
	uint32_t count;
};

/* The known frames and stacks of earlier documents. Most of a file's stacks occur in several documents. A zeroed
 * struct is empty. */
struct vg_seen {
	size_t document;       /* number of the current document in the file, from 1 */
	struct arena arena;    /* memory for the texts */
	struct pair_map index; /* maps a frame's bytes to an index into items */
	struct vg_seen_frame *items;
	size_t count, room;
	struct pair_map stack_index; /* maps the bytes of a stack's frames into stacks */
	struct vg_seen_stack *stacks;
	size_t stack_count, stack_room;
	uint32_t *stack_frames; /* indices into items */
	size_t stack_frame_count, stack_frame_room;
	/* The unknown stack whose frames are being read. */
	struct hash128 pending_key;
	size_t pending_bytes; /* the bytes that follow; 0 if there is no such stack */
	size_t pending_first; /* its first frame in stack_frames */
};

void valgrind_seen_release(struct vg_seen *seen);
/* Adds a known frame to the open stack. */
void valgrind_seen_add_frame(struct vg_seen *seen, struct vg_builder *b, uint32_t index);
/* If the stack with these bytes is known, adds its frames to the open stack and returns true. Otherwise, the next
 * frames will become a known stack if valgrind_seen_note is called for each of them. */
bool valgrind_seen_add_stack(struct vg_seen *seen, struct vg_builder *b, struct text bytes);
/* Notes that a frame of `size` bytes follows in the unknown stack. `index` may be PAIR_MAP_NONE. */
void valgrind_seen_note(struct vg_seen *seen, uint32_t index, size_t size);
/* Drops the unknown stack. */
void valgrind_seen_drop(struct vg_seen *seen);

/* The length of the first frame and the blanks before it; 0 if the text does not begin with a whole frame. */
size_t valgrind_frame_size(struct text t);
/* If the text begins with a frame, returns the bytes up to the end of the open stack, without the blanks before its
 * end tag. Otherwise, or if the end is too far, returns an empty text. */
struct text valgrind_stack_bytes(struct text t);

#endif
