/*
 * The owners of frames: is_system_frame and is_allocator_frame of the depot.
 */
#ifndef PROFDEPOT_STORE_FRAME_OWNERS_H
#define PROFDEPOT_STORE_FRAME_OWNERS_H

#include "base/error.h"
#include "model/table.h"

struct db;

struct frame_owner {
	bool system;    /* of an allocator, a runtime or a system library */
	bool allocator; /* of these, it only allocates or frees memory */
};

/* owners: room for `count` of them. */
bool frame_owners_find(struct db *db, const struct table_frame *frames, size_t count,
	struct frame_owner *owners, struct error *err);

#endif
