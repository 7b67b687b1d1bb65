/*
 * Frames of valgrind's XML that were read before, by a hash of their bytes. Nearly all of a large
 * file asks for one: a look-up touches a small table and one item.
 */
#ifndef PROFDEPOT_FORMAT_VALGRIND_VALGRIND_FRAMES_H
#define PROFDEPOT_FORMAT_VALGRIND_VALGRIND_FRAMES_H

#include "base/hash.h"
#include "format/common/frame_dictionary.h"

struct vg_frame {
	struct frame_numbers numbers;
	uint64_t ip; /* of a frame without function; 0: it has one */
};

struct vg_known_frame {
	struct hash128 hash;
	struct vg_frame frame;
};

/* All 0: none. */
struct vg_known_frames {
	struct vg_known_frame *items;
	size_t count, room;
	uint32_t *slots; /* index + 1, with upper bits of the hash above it; 0: free */
	size_t slot_count;
};

/* NULL: unknown. Good until the next one is added. The hash is of a secret seed. */
const struct vg_frame *valgrind_frames_find(const struct vg_known_frames *k, struct hash128 hash);

/* One that was not found; nothing happens when there are too many. */
void valgrind_frames_add(struct vg_known_frames *k, struct hash128 hash, struct vg_frame frame);

void valgrind_frames_release(struct vg_known_frames *k);

#endif
