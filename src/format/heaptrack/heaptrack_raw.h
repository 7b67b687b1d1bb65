/*
 * Raw recordings (heaptrack --raw) have addresses instead of names, and pointers instead of kinds of
 * allocations: each leaked block becomes an object. A frame is a module and an offset, since names
 * would need the program's files. Memory grows with the number of live blocks.
 */
#ifndef PROFDEPOT_FORMAT_HEAPTRACK_HEAPTRACK_RAW_H
#define PROFDEPOT_FORMAT_HEAPTRACK_HEAPTRACK_RAW_H

#include "heaptrack_private.h"

bool heaptrack_raw_executable(struct heaptrack *h, struct text rest);
bool heaptrack_raw_module(struct heaptrack *h, struct text rest);
bool heaptrack_raw_trace(struct heaptrack *h, uint64_t address, uint64_t parent);
/* rest: the line without its letter. */
bool heaptrack_raw_event(struct heaptrack *h, struct text rest);
/* Each live block, in the order of allocation. */
bool heaptrack_raw_emit_objects(struct heaptrack *h);
void heaptrack_raw_free(struct heaptrack_raw *r);

#endif
