/* Classifies frames with the depot's functions is_system_frame and is_allocator_frame. */
#ifndef PROFDEPOT_STORE_FRAME_OWNERS_H
#define PROFDEPOT_STORE_FRAME_OWNERS_H

#include "base/error.h"
#include "model/table.h"

struct db;

struct frame_owner {
	bool system;    /* the frame is in an allocator, a runtime or a system library */
	bool allocator; /* a system frame that only allocates or frees memory */
};

/* Classifies each frame. `owners` must have room for `count` items. */
bool frame_owners_find(struct db *db, const struct table_frame *frames, size_t count,
	struct frame_owner *owners, struct error *err);

#endif
