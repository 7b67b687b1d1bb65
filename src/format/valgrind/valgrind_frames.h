/*
 * Known frames of valgrind's XML by a hash of their bytes. Nearly every frame of a large file is
 * looked up: that touches a small table and one item.
 */
#ifndef PROFDEPOT_FORMAT_VALGRIND_VALGRIND_FRAMES_H
#define PROFDEPOT_FORMAT_VALGRIND_VALGRIND_FRAMES_H

#include "base/hash.h"
#include "format/common/frame_dictionary.h"

struct vg_frame {
	struct frame_numbers numbers;
	uint64_t ip; /* of a frame without a function; else 0 */
};

struct vg_known_frame {
	struct hash128 hash;
	struct vg_frame frame;
};

/* Empty if all members are 0. */
struct vg_known_frames {
	struct vg_known_frame *items;
	size_t count, room;
	uint32_t *slots; /* index + 1 below upper bits of the hash; 0 if free */
	size_t slot_count;
};

/* NULL if unknown. Valid until the next one is added. The hash must have a secret seed. */
const struct vg_frame *valgrind_frames_find(const struct vg_known_frames *k, struct hash128 hash);

/* Adds a frame that was not found; does nothing if there are too many. */
void valgrind_frames_add(struct vg_known_frames *k, struct hash128 hash, struct vg_frame frame);

void valgrind_frames_release(struct vg_known_frames *k);

#endif
