/*
 * A frame as written by DHAT, massif and the tools that imitate them:
 *
 *	0x1091BA: mk (t.c:5)
 *	0x48417B4: malloc (in /usr/lib/libc.so.6)
 *	0x401AB77: ??? (in /usr/lib/ld.so)
 *	0x55D2: alloc::alloc::alloc (alloc/src/alloc.rs:86:14)
 */
#ifndef PROFDEPOT_FORMAT_VALGRIND_HEAP_HEAP_FRAME_H
#define PROFDEPOT_FORMAT_VALGRIND_HEAP_HEAP_FRAME_H

#include "format/common/frame_dictionary.h"

/* The frame's texts are parts of t. Never fails: if t has none of the forms above, all of t becomes the
 * function's name. */
struct frame heap_frame_parse(struct text t);

#endif
