/* The table of known frames, see valgrind_frames.h. */
#include "valgrind_frames.h"

#include "base/arena.h"

#include <stdlib.h>

enum {
	INDEX_BITS = 20, /* of a slot */
	MAX_FRAMES = 256 * 1024,
	FIRST_SLOTS = 1024,
};

_Static_assert(MAX_FRAMES < 1 << INDEX_BITS, "a slot holds every index and 0");

static const uint32_t index_mask = ((uint32_t)1 << INDEX_BITS) - 1;

static uint32_t
slot_of(struct hash128 hash, size_t index)
{
	return (uint32_t)(hash.high << INDEX_BITS) | (uint32_t)(index + 1);
}

const struct vg_frame *
valgrind_frames_find(const struct vg_known_frames *k, struct hash128 hash)
{
	size_t mask = k->slot_count - 1;

	if (!k->slot_count)
		return NULL;
	for (size_t i = hash.low & mask; k->slots[i]; i = (i + 1) & mask) {
		const struct vg_known_frame *f = &k->items[(k->slots[i] & index_mask) - 1];

		/* The upper bits of the hash in the slot spare most look-ups of items. */
		if ((k->slots[i] ^ slot_of(hash, 0)) <= index_mask && f->hash.low == hash.low &&
			f->hash.high == hash.high)
			return &f->frame;
	}
	return NULL;
}

static void
enter(struct vg_known_frames *k, size_t index)
{
	size_t mask = k->slot_count - 1;
	size_t i = k->items[index].hash.low & mask;

	while (k->slots[i])
		i = (i + 1) & mask;
	k->slots[i] = slot_of(k->items[index].hash, index);
}

static void
grow_slots(struct vg_known_frames *k)
{
	free(k->slots);
	k->slot_count = k->slot_count ? k->slot_count * 2 : FIRST_SLOTS;
	k->slots = xcalloc(k->slot_count, sizeof(*k->slots));
	for (size_t i = 0; i < k->count; i++)
		enter(k, i);
}

void
valgrind_frames_add(struct vg_known_frames *k, struct hash128 hash, struct vg_frame frame)
{
	if (k->count == MAX_FRAMES)
		return;
	if (k->count == k->room) {
		k->room = k->room ? k->room * 2 : FIRST_SLOTS / 2;
		k->items = xrealloc(k->items, k->room * sizeof(*k->items));
	}
	if (k->count * 2 >= k->slot_count)
		grow_slots(k);
	k->items[k->count] = (struct vg_known_frame){ hash, frame };
	enter(k, k->count++);
}

void
valgrind_frames_release(struct vg_known_frames *k)
{
	free(k->items);
	free(k->slots);
}
