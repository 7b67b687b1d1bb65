/*
 * Threads of a document of valgrind's XML, by its numbers and helgrind's.
 */
#ifndef PROFDEPOT_FORMAT_VALGRIND_VALGRIND_THREADS_H
#define PROFDEPOT_FORMAT_VALGRIND_VALGRIND_THREADS_H

#include "base/arena.h"
#include "base/pair_map.h"
#include "model/sink.h"

enum {
	VG_NO_THREAD = -1
};

struct vg_thread {
	int64_t tid;     /* valgrind's number of the slot; MODEL_NULL: unknown */
	int64_t hthread; /* helgrind's number of the thread; MODEL_NULL: it has none */
	struct text name;
	bool told;
	stack_number stack; /* where it was created; 0: unknown */
};

struct vg_threads {
	struct vg_thread *items;
	size_t count, room;
	struct pair_map map;
	struct arena names;
};

void valgrind_threads_init(struct vg_threads *t);
void valgrind_threads_release(struct vg_threads *t);
/* The thread with these numbers or this name, which is its ID; all may be missing:
 * VG_NO_THREAD. */
int64_t valgrind_thread(struct vg_threads *t, int64_t tid, int64_t hthread, struct text name);
/* The stack of its creation, when the thread was told before it. */
bool valgrind_thread_tell_stack(
	struct vg_threads *t, int64_t id, struct sink *sink, uint32_t set, struct error *err);
/* Tells it, with the stack of its creation, when that was not done. */
bool valgrind_thread_tell(
	struct vg_threads *t, int64_t id, struct sink *sink, uint32_t set, struct error *err);

#endif
