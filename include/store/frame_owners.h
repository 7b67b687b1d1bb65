/*
 * Whose frames are, as the depot's functions is_system_frame and
 * is_allocator_frame tell.
 */
#ifndef PROFDEPOT_STORE_FRAME_OWNERS_H
#define PROFDEPOT_STORE_FRAME_OWNERS_H

#include "base/error.h"
#include "model/table.h"

struct db;

struct frame_owner {
	bool system;    /* an allocator's, a runtime's or a system library's */
	bool allocator; /* of these, one that only hands out memory */
};

/* owners: `count` of them, the caller's. */
bool frame_owners_find(struct db *db, const struct table_frame *frames, size_t count,
	struct frame_owner *owners, struct error *err);

#endif
