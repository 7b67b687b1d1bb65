/*
 * Raw recordings (heaptrack --raw): addresses instead of names, and pointers instead of
 * kinds of allocations, so that each block that stays is known by itself.
 *
 * Names need the files that ran: a frame is its module and the offset there. Memory grows
 * with the blocks that are alive at a time.
 */
#ifndef PROFDEPOT_FORMAT_HEAPTRACK_HEAPTRACK_RAW_H
#define PROFDEPOT_FORMAT_HEAPTRACK_HEAPTRACK_RAW_H

#include "heaptrack_private.h"

bool heaptrack_raw_executable(struct heaptrack *h, struct text rest);
bool heaptrack_raw_module(struct heaptrack *h, struct text rest);
bool heaptrack_raw_trace(struct heaptrack *h, uint64_t address, uint64_t parent);
/* The line without its letter, and with it. */
bool heaptrack_raw_event(struct heaptrack *h, struct text rest, struct text line);
/* Each block that is alive at the end, in the order of the allocations. */
bool heaptrack_raw_objects(struct heaptrack *h);
void heaptrack_raw_free(struct heaptrack_raw *r);

#endif
